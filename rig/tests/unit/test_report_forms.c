/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of a run as page, Markdown, CSV, JSON and sparklines; each with a hostile document. */
#include "report_fixture.h"

#include <jansson.h>

#include "base/err.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/html_text.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/metrics.h"
#include "report/spark.h"
#include "report/story.h"

static void fill(void)
{
	struct job_wait *w;

	for (uint32_t seed = 1; seed <= 3; seed++)
		add_boot("g/case", seed, (18 + seed) * SEC);
	add_verdict("g/case", "hdd", VERDICT_REGRESSED, 20);
	add_verdict("g/case", "dvd", VERDICT_NONE, 30)->role = PLAN_LOAD;
	w = array_grow(run.boots[2].jobs[0].waits, run.boots[2].jobs[0].n_waits);
	*w = (struct job_wait){ xstrdup("D"), xstrdup("io_schedule balance_dirty_pages"), 3 };
	w = array_grow(run.boots[2].jobs[0].waits, run.boots[2].jobs[0].n_waits);
	*w = (struct job_wait){ xstrdup("S"), xstrdup("pipe_read"), 9 };
}

static void page(size_t n)
{
	const struct run *runs[] = { &run, &run };
	const char *dirs[] = { "/nonexistent", "/nonexistent" };
	struct err err = ERR_INIT;

	strbuf_reset(&out);
	if (html_page(&out, runs, dirs, n, &err))
		fail_msg("%s", err.msg);
}

/* All tags that a page has; those that are closed nowhere first. */
static const char *const tags[] = {
	"meta", "link", "!DOCTYPE",
	"html", "head", "title", "style", "body", "header", "main", "footer", "h1", "h2", "h3", "p",
	"div", "span", "b", "i", "a", "ul", "li", "dl", "dt", "dd", "pre", "code", "table", "thead",
	"tbody", "tr", "th", "td", "details", "summary", "figure", "figcaption", "svg", "g", "path",
	"text",
};

static size_t tag_at(const char *name)
{
	size_t len = strcspn(name, " >/\n");

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		if (strlen(tags[i]) == len && !strncmp(tags[i], name, len))
			return i;
	fail_msg("a page has no <%.*s>", (int)len, name);
	return 0;
}

/* Every tag is one of ours and closes what was opened last: nothing has broken out. */
static void expect_well_formed(void)
{
	size_t open[100], depth = 0;

	for (const char *c = strchr(out.buf, '<'); c; c = strchr(c + 1, '<')) {
		bool closing = c[1] == '/';
		size_t tag = tag_at(c + 1 + closing);
		const char *end = strchr(c, '>');

		assert_non_null(end);
		if (closing) {
			assert_true(depth > 0);
			if (open[--depth] != tag)
				fail_msg("</%s> closes <%s>", tags[tag], tags[open[depth]]);
		} else if (tag > 2 && end[-1] != '/') {
			assert_true(depth < ARRAY_SIZE(open));
			open[depth++] = tag;
		}
	}
	assert_int_equal(depth, 0);
}

/* The four things that a reader of the page alone must be able to name. */
static void test_page(void **state)
{
	(void)state;
	fill();
	page(1);
	expect_well_formed();
	has("<h1>1 regressed</h1>");
	has("hdd takes 20 s, 10.0 times the 2 s that it takes alone (limit 5.00, goal 1.50)");
	has("Where it waits:</b> at the dirty limit (balance_dirty_pages): dvd&#39;s pages fill "
	    "it");
	has("<pre class=\"cmd\">iorig run debian -c g/case --seeds=3</pre>");
	has("25 % of looks found it in state D: io_schedule &lt;- balance_dirty_pages");
	has("The pictures show seed 3");
	has("The other seeds");
	has(" KB and asks for nothing");
	has("default-src 'none'");
	has_not("http:");
	has_not("https");
	has_not("<script");
	has_not(" src=");
}

static void test_page_of_several(void **state)
{
	(void)state;
	fill();
	page(2);
	expect_well_formed();
	has("(the base)");
	has("What changed against the base");
	has("<th>kernel</th>");
}

static void test_empty_page(void **state)
{
	(void)state;
	page(1);
	expect_well_formed();
	has("<h1>nothing was judged</h1>");
}

static void test_hostile_page(void **state)
{
	(void)state;
	fill();
	make_hostile();
	replace(&run.boots[1].case_text, "[case]\ntitle = </title><script>x()</script>\n");
	page(1);
	expect_well_formed();
	has_not("\033");
	has_not("\xff");
	has_not("\xe2\x80\xae");
	has("a&lt;/script&gt;&quot;&#39;`x`");
}

static void test_html_text(void **state)
{
	(void)state;
	html_addf(&out, "<i title=\"%s\">%d %u %zu%%</i>", "\"><b>&'", -1, 2u, (size_t)3);
	assert_string_equal(out.buf, "<i title=\"&quot;&gt;&lt;b&gt;&amp;&#39;\">-1 2 3%</i>");
	strbuf_reset(&out);
	html_add_lines(&out, "a\n\tb\033\n<", 100);
	assert_string_equal(out.buf, "a\n\tb\\x1b\n&lt;");
	strbuf_reset(&out);
	html_add_lines(&out, "abcdef\nghi", 3);
	assert_string_equal(out.buf, "abc...");
	html_add(&out, NULL);
}

static void expect_narrow(size_t columns)
{
	for (const char *line = out.buf; *line;) {
		size_t len = strcspn(line, "\n"), width = 0;

		for (size_t i = 0; i < len; i++)
			width += (line[i] & 0xc0) != 0x80;
		/* a command is not broken up */
		if (!strncmp(line, "    iorig run ", 14))
			width = 0;
		if (width > columns || (len && line[len - 1] == ' '))
			fail_msg("%zu columns: '%.*s|'", width, (int)len, line);
		line += len + (line[len] == '\n');
	}
}

static void test_markdown(void **state)
{
	(void)state;
	fill();
	markdown_run(&out, &run);
	expect_narrow(MARKDOWN_COLUMNS);
	has("## iorig: 1 regressed\n");
	has("- **regressed** g/case: hdd takes 20 s, 10.0 times");
	has("| g/case            | hdd     |    20 s |  10.0 |  5.00 | regressed    |\n");
	has("(balance_dirty_pages)");
	has("- kernel: debian 6.1.0 (linux-image 6.1)\n");
	has("\n    iorig run debian -c 'g/*' --seeds=3\n");
}

/* Nothing of it is markup, a link or a mention; console lines stand in a block of code. */
static void test_hostile_markdown(void **state)
{
	(void)state;
	fill();
	make_hostile();
	replace(&run.verdicts[0].case_name, "x|y\n# z @all #1 http://e www.e");
	replace(&run.boots[0].case_name, "x|y\n# z @all #1 http://e www.e");
	markdown_run(&out, &run);
	expect_narrow(MARKDOWN_COLUMNS);
	has_not("\033");
	has_not("\n#1");
	has_not("\n# z");
	strbuf_reset(&out);
	markdown_text(&out, "[a](http://b) @c #1 `d` <e> *f* www.g |");
	assert_string_equal(out.buf,
			    "\\[a\\](http\\://b) \\@c \\#1 \\`d\\` \\<e\\> \\*f\\* www\\.g \\|");
}

static void test_csv(void **state)
{
	(void)state;
	fill();
	csv_head(&out);
	csv_run(&out, &run);
	has("run,kernel,release,");
	has("\"sim\",\"quick\",\"g/"
	    "case\",2,\"done\",\"hdd\",\"victim\",20,1,0,0,0,0,,,\"regressed\",20,2,10,5,"
	    "1.5,,\"slowdown 10.0 above limit 5\"\n");
}

/* As many commas outside of quotes in every line as in the first, whatever stands inside. */
static void expect_csv(void)
{
	size_t wanted = 0;
	bool first = true;

	for (const char *c = out.buf; *c; c++) {
		size_t commas = 0;
		bool quoted = false;

		for (; *c && (quoted || *c != '\n'); c++) {
			if (*c == '"' && !quoted && (c == out.buf || strchr(",\n", c[-1])))
				assert_true(c[1] != '=' && c[1] != '+' && c[1] != '-' &&
					    c[1] != '@');
			quoted ^= *c == '"';
			commas += !quoted && *c == ',';
			assert_false(quoted && *c == '\n');
		}
		wanted = first ? commas : wanted;
		first = false;
		assert_int_equal(commas, wanted);
		assert_false(quoted);
	}
}

static void test_hostile_csv(void **state)
{
	static const char *const formulas[] = { "=1+2", "+1", "-1", "@x", "a\",\"b\n=c", "\"=1" };

	(void)state;
	fill();
	make_hostile();
	for (size_t i = 0; i < ARRAY_SIZE(formulas); i++) {
		strbuf_reset(&out);
		replace(&run.boots[1].case_name, formulas[i]);
		csv_head(&out);
		csv_run(&out, &run);
		expect_csv();
		has_not("\033");
	}
	strbuf_reset(&out);
	replace(&run.boots[1].case_name, "=cmd|x");
	csv_run(&out, &run);
	has("\"'=cmd|x\"");
}

static void test_json(void **state)
{
	const struct run *runs[] = { &run, &run };
	json_t *doc, *boot;

	(void)state;
	fill();
	make_hostile();
	json_runs(&out, runs, 2);
	for (size_t i = 0; i < out.len; i++)
		assert_true(out.buf[i] == '\n' || (out.buf[i] >= ' ' && out.buf[i] < 0x7f));
	doc = json_loads(out.buf, 0, NULL);
	assert_non_null(doc);
	assert_int_equal(json_array_size(json_object_get(doc, "runs")), 2);
	boot = json_array_get(
		json_object_get(json_array_get(json_object_get(doc, "runs"), 1), "boots"), 2);
	assert_int_equal(json_integer_value(json_object_get(boot, "seed")), 3);
	assert_null(json_object_get(boot, "samples"));
	assert_non_null(json_object_get(boot, "jobs"));
	json_decref(doc);
}

static void test_spark(void **state)
{
	static const struct { double v[5]; const char *utf8, *ascii; } rows[] = {
		{ { 1, 2, 3, 4, 5 }, "▁▃▅▇█", "_.-=^" },
		{ { 2, 2, 2, 2, 2 }, "▅▅▅▅▅", "-----" },
		{ { 100, 101, 100, 100, 100 }, "▄▅▄▄▄", "--" },
		{ { 1, -1, 5, 0.0 / 0.0, 1 }, "▁ █ ▁", "_.^._" },
		{ { -1, -1, -1, -1, -1 }, "     ", "....." },
		{ { 0, 1e308, 0, 0, 0 }, "▁█▁▁▁", "_^___" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		strbuf_reset(&out);
		spark_add(&out, rows[i].v, 5, true);
		if (i != 2)
			assert_string_equal(out.buf, rows[i].utf8);
		else	/* a hundredth is noise: all in the middle */
			assert_true(!strstr(out.buf, "▁") && !strstr(out.buf, "█"));
		strbuf_reset(&out);
		spark_add(&out, rows[i].v, 5, false);
		assert_true(!strncmp(out.buf, rows[i].ascii, strlen(rows[i].ascii)));
	}
}

static void test_spark_run(void **state)
{
	(void)state;
	fill();
	spark_run(&out, &run, false);
	has("\ng/case hdd                          _-^  19 s to 21 s\n");
	has_not("dvd");
	expect_narrow(80);
}

static void test_metrics(void **state)
{
	struct verdict_value *value;
	struct verdict *v;

	(void)state;
	fill();
	metrics_run(&out, &run);
	assert_string_equal(out.buf, "");
	v = &run.verdicts[0];
	value = array_grow(v->values, v->n_values);
	*value = (struct verdict_value){ .metric = xstrdup("p99\033"), .unit = xstrdup("ns"),
		.kind = VERDICT_REGRESSED, .seeds = 3, .value = 312e6, .min = 3e8, .max = 4e8,
		.alone = -1, .limit = 25e7, .floor = -1, .goal = -1, .was = -1, .within = -1 };
	metrics_run(&out, &run);
	has("\ng/case\nhdd  p99\\x1b  312 ms  300 ms  400 ms  250 ms  regressed\n");
	expect_narrow(80);
}

/* A command that a shell may be given, whatever the names are. */
static void test_repeat(void **state)
{
	(void)state;
	replace(&run.kernel.name, "my kernel'$(x)");
	replace(&run.scale, "full");
	replace(&run.clock, "real");
	replace(&run.accel, "kvm");
	story_repeat(&run, "g/hdd+dvd", &out);
	assert_string_equal(out.buf,
			    "iorig run 'my kernel'\\''$(x)' -c g/hdd+dvd --seeds=3 --scale=full "
			    "--clock=real --accel=kvm");
	strbuf_reset(&out);
	replace(&run.kernel.name, "bzImage");
	replace(&run.clock, "sim");
	free(run.kernel.package);
	run.kernel.package = NULL;
	run.kernel.image = xstrdup("/src/linux/bzImage");
	replace(&run.accel, "tcg");
	story_repeat(&run, NULL, &out);
	assert_string_equal(out.buf, "iorig run /src/linux/bzImage --seeds=3 --scale=full");
	strbuf_reset(&out);
	replace(&run.kernel.name, "debian-6.1+mm-fix");
	array_grow(run.kernel.patches, run.kernel.n_patches)->name =
		xstrdup("patches/mm-fix.patch");
	story_repeat(&run, NULL, &out);
	assert_string_equal(out.buf,
			    "iorig run debian-6.1 --patch=mm-fix.patch --no-base --seeds=3 "
			    "--scale=full");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_page),
		TEST(test_page_of_several),
		TEST(test_empty_page),
		TEST(test_hostile_page),
		TEST(test_html_text),
		TEST(test_markdown),
		TEST(test_hostile_markdown),
		TEST(test_csv),
		TEST(test_hostile_csv),
		TEST(test_json),
		TEST(test_spark),
		TEST(test_spark_run),
		TEST(test_metrics),
		TEST(test_repeat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
