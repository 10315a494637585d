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
	has("hdd takes 20 s, 10.0 times the 2 s that it takes alone (limit 5.00, goal missed: 1.50)");
	has("Where hdd waits:</b> at the dirty limit (balance_dirty_pages): dvd&#39;s pages fill "
	    "it");
	has_text("iorig run debian -c g/case --seeds=3");
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

static void card(const char *classes)
{
	char *want = xstrfmt("<div class=\"card %s\">", classes);

	has(want);
	free(want);
}

/* What passes and is short of its goal is not what has reached it, and a figure that is not the
 * slowdown may be short of its own. */
static void test_goals(void **state)
{
	struct verdict *v;

	(void)state;
	add_boot("g/case", 1, 3 * SEC);
	add_verdict("g/case", "hdd", VERDICT_PASS, 3);	/* at its goal of 1.5 */
	page(1);
	card("pass");
	has_not("goal missed");
	run.verdicts[0].goal = 1.4;
	page(1);
	expect_well_formed();
	card("pass short");
	has("<span class=\"badge pass\">pass</span> <span class=\"badge goal\">goal missed</span>");
	has(" 1 of those that pass is within the limit, but short of the goal.");
	has("(limit 5.00, goal missed: 1.40)");
	v = &run.verdicts[0];
	v->goal = -1;
	*array_grow(v->values, v->n_values) = (struct verdict_value){
		.metric = xstrdup("rate"), .unit = xstrdup("bytes/s"), .kind = VERDICT_PASS,
		.higher = true, .seeds = 1, .value = 9e6, .min = 9e6, .max = 9e6, .alone = -1,
		.limit = -1, .floor = 8e6, .goal = 10e6, .was = -1, .within = -1,
	};
	page(1);
	card("pass short");
	has("<li>rate 9 MB/s, floor 8 MB/s, goal missed: 10 MB/s <span class=\"soft\">(rate: bytes "
	    "moved");
	/* and in the table, in the columns of its job */
	has("<td data-h=\"job\">hdd rate</td>");
	has("data-h=\"floor\">\u2265 8 MB/s</td>");
	v->values[0].value = 11e6;
	page(1);
	card("pass");
	/* what regressed is worse than a missed goal */
	v->kind = VERDICT_REGRESSED;
	v->values[0].value = 7e6;
	page(1);
	card("regressed");
	assert_int_equal(story_count_misses(&run), 0);
}

/* Every seed on one side of its limit is sure, and one seed tells nothing. */
static void test_sure(void **state)
{
	struct verdict_value *x;
	struct verdict *v;

	(void)state;
	fill();
	v = &run.verdicts[0];
	x = array_grow(v->values, v->n_values);
	*x = (struct verdict_value){ .metric = xstrdup("slowdown"), .unit = xstrdup("ratio"),
		.kind = VERDICT_REGRESSED, .seeds = 3, .value = 10, .min = 9, .max = 11,
		.alone = 2e9, .limit = 5, .floor = -1, .goal = -1, .was = -1, .within = -1 };
	page(1);
	has("<b>Is it sure?</b> yes: what is beyond its limit is so in every seed (3 of them).");
	x->min = 4;
	page(1);
	has("<b>Is it sure?</b> no: seeds lie on both sides of a limit (3 of them).");
	x->max = 5;
	page(1);
	has("<b>Is it sure?</b> yes: every seed keeps all limits (3 of them).");
	v->seeds = 1;
	page(1);	/* one boot has a time, three have the figure */
	has("<b>Is it sure?</b> yes: every seed keeps all limits (3 of them).");
	x->seeds = 1;
	page(1);
	has("<b>Is it sure?</b> One seed cannot tell");
	v->kind = VERDICT_BROKEN;
	page(1);
	has_not("Is it sure?");
}

/* Names mean nothing to who has not seen the case: what they stand for is on the page. */
static void test_who_is_who(void **state)
{
	(void)state;
	fill();
	replace(&run.boots[2].case_text,
		"[case]\ntitle = t\nmemory = 160M\n[disk hda]\nbus = ide\nprofile = p\nfs = ext2\n"
		"[job hdd]\nrun = dd of=/mnt/hda/zero bs=64K count=1K\n"
		"[job dvd]\nrun = dd of=/mnt/dvd/zero bs=64K count=1K\n");
	*array_grow(run.boots[2].profiles, run.boots[2].n_profiles) = (struct boot_profile){
		xstrdup("hda"), xstrdup("p"), xstrdup("A <fast> disk")
	};
	page(1);
	expect_well_formed();
	has("hdd, the victim, writes 64 MiB to hda with dd, 64 KiB a call (hda is the A "
	    "&lt;fast&gt; disk); beside it dvd, a load, writes 64 MiB to dvd with dd");
	has("<dt>victim hdd</dt><dd>writes 64 MiB to hda with dd, 64 KiB a call: <code>dd "
	    "of=/mnt/hda/zero bs=64K count=1K</code></dd>");
	has("<dt>disk <span class=\"key f c0\"><i></i>hda</span></dt><dd>A &lt;fast&gt; disk "
	    "(profile p) on IDE, ext2; /dev/sda in the guest</dd>");
	has("<dt>memory</dt><dd>160M</dd>");
}

static const char expectation[] =
	"[hdd.slowdown]\nlimit = 2\nwhy = one & quick\n[hdd.slowdown :6.1]\nlimit = 3\n"
	"[hdd.slowdown full]\nlimit = 4\n[hdd.sync full@bfq]\nlimit = 6s\n"
	"[hdd.sync full@bfq:6.12]\nlimit = 7s\n";

/* Only what holds for the scale, the variant and the kernel stands as expected. */
static void test_expected(void **state)
{
	struct boot *b;

	(void)state;
	b = add_boot("g/case", 1, 3 * SEC);
	add_verdict("g/case", "hdd", VERDICT_NONE, 3);
	replace(&b->expect_text, expectation);
	page(1);
	expect_well_formed();
	has("<dl>\n<dt>hdd.slowdown</dt><dd>limit 3</dd>\n</dl>");
	replace(&run.kernel.release, "6.12.3");
	page(1);
	has("<dl>\n<dt>hdd.slowdown</dt><dd>limit 2 <span class=\"soft\">(one &amp; "
	    "quick)</span></dd>\n</dl>");
	replace(&b->scale, "full");
	page(1);
	has("<dl>\n<dt>hdd.slowdown</dt><dd>limit 4</dd>\n</dl>");
	replace(&b->case_name, "g/case@bfq");
	page(1);
	has("<dl>\n<dt>hdd.sync</dt><dd>limit 7s</dd>\n</dl>");
	replace(&b->scale, "fuller");
	replace(&run.scale, "fuller");
	page(1);
	has("Nothing at scale fuller.");
	has("All sizes are those of the scale fuller.");
	has_not("<p><b>Measured, not judged");	/* its verdict is another case's */
	replace(&run.verdicts[0].case_name, "g/case@bfq");
	page(1);
	has("<b>Measured, not judged:</b> this case has no limits for this scale, variant and "
	    "kernel; those that it has are for others.");
	replace(&b->expect_text, HOSTILE);
	page(1);
	expect_well_formed();
}

/* No option is broken in two, and no word but at its end while it fits. */
static void test_command_words(void **state)
{
	(void)state;
	fill();
	replace(&run.kernel.name, "a kernel --x=<y>");
	page(1);
	expect_well_formed();
	has("<pre class=\"cmd\"><span class=\"w\">iorig</span> <span class=\"w\">run</span> "
	    "<span class=\"w\">&#39;a</span> <span class=\"w\">kernel</span> <span "
	    "class=\"w\"><span class=\"o\">--x=</span>&lt;y&gt;&#39;</span> <span class=\"w\"><span "
	    "class=\"o\">-c</span></span> <span class=\"w\">g/case</span> <span class=\"w\"><span "
	    "class=\"o\">--seeds=</span>3</span></pre>");
}

static void add_patch(struct run *r)
{
	struct run_patch *p = array_grow(r->kernel.patches, r->kernel.n_patches);

	p->name = xstrdup("fix.patch");
	p->subject = xstrdup("mm: fix it");
	memset(r->kernel.source_id, 'a', HASH_HEX - 1);
}

/* A patched kernel alone: how to have the other's figures, too. */
static void test_patched_alone(void **state)
{
	(void)state;
	fill();
	replace(&run.kernel.name, "debian-6.1+fix");
	add_patch(&run);
	page(1);
	expect_well_formed();
	has("With the patch <b>mm: fix it</b> (fix.patch).");
	has("The same kernel without it is not on this page.");
	has_text("iorig run debian-6.1 -c g/case --seeds=3");
	has_text("iorig run debian-6.1 --patch=fix.patch --no-base -c g/case --seeds=3");
}

static void test_patched_beside(void **state)
{
	struct run base = run;
	const struct run *runs[] = { &base, &run };
	const char *dirs[] = { "/nonexistent", "/nonexistent" };
	struct verdict v[2];
	struct err err = ERR_INIT;

	(void)state;
	fill();
	base = run;
	base.verdicts = v;
	memcpy(v, run.verdicts, sizeof(v));
	v[0].time_ns = 3e9;
	v[0].slowdown = 1.5;
	base.kernel.name = (char *)"debian-6.1";
	memset(base.kernel.source_id, 'a', HASH_HEX - 1);
	replace(&run.kernel.name, "debian-6.1+fix");
	add_patch(&run);
	if (html_page(&out, runs, dirs, 2, &err))
		fail_msg("%s", err.msg);
	expect_well_formed();
	has("Beside its figures stand those of the same kernel without it, <b>debian-6.1</b>");
	has("<p><b>Without the patch, debian-6.1:</b> hdd takes 3 s, 1.50 times as long as alone</p>");
	has_not("is not on this page");
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
	has("\n    iorig run debian -c g/case --seeds=3\n");
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
	/* a few cases are named, many are their folder's */
	replace(&run.scale, "quick");
	add_boot("g/a", 1, SEC);
	add_boot("g/b", 1, SEC);
	add_boot("g/b", 2, SEC);
	strbuf_reset(&out);
	story_repeat_base(&run, NULL, &out);
	assert_string_equal(out.buf, "iorig run debian-6.1 -c g/a -c g/b --seeds=3");
	for (char name[] = "g/c"; name[2] < 'h'; name[2]++)
		add_boot(name, 1, SEC);
	strbuf_reset(&out);
	story_repeat_base(&run, NULL, &out);
	assert_string_equal(out.buf, "iorig run debian-6.1 -c 'g/*' --seeds=3");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_page),
		TEST(test_goals),
		TEST(test_sure),
		TEST(test_who_is_who),
		TEST(test_expected),
		TEST(test_command_words),
		TEST(test_patched_alone),
		TEST(test_patched_beside),
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
