/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/compare: the table, its width, its words, and hostile text. */
#include "compare_fixture.h"

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "report/compare.h"
#include "report/compare_cells.h"

static void make(struct two *t)
{
	struct rng rng = { 4 };

	two_init(t);
	two_case(t, "writeback/hdd+dvd", 8, 8, 0.03, 1.3, &rng);
	two_case(t, "writeback/hdd-alone", 8, 8, 0.03, 1, &rng);
	two_case(t, "writeback/dvd-alone", 8, 8, 0.03, 30, &rng);
	two_case(t, "writeback/wild", 8, 8, 0.8, 1, &rng);
	two_compare(t);
}

static void has(const struct strbuf *out, const char *text)
{
	if (!strstr(out->buf, text))
		fail_msg("no '%s' in:\n%s", text, out->buf);
}

static void lacks(const struct strbuf *out, const char *text)
{
	if (strstr(out->buf, text))
		fail_msg("'%s' in:\n%s", text, out->buf);
}

static void fits(const struct strbuf *out, size_t columns)
{
	for (const char *line = out->buf; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (strcspn(line, "\n") > columns)
			fail_msg("line of %zu: %s", strcspn(line, "\n"), line);
}

static void test_table(void **state)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct two t;

	(void)state;
	make(&t);
	report_compare(&t.cmp, &t.run[0], &t.run[1], true, false, &out);
	has(&out, "base: kernel plain");
	has(&out, "METRIC");
	has(&out, "writeback/hdd+dvd hdd\n");
	has(&out, "regressed");
	has(&out, "x");	/* thirtyfold is no percentage */
	has(&out, "compared: 1 same, 2 regressed, 1 inconclusive\n");
	has(&out, "seeds more in each run would settle");
	lacks(&out, "\033");
	fits(&out, 160);	/* reasons are sentences */
	*strstr(out.buf, "writeback/wild hdd time: ") = 0;
	fits(&out, 80);
	two_release(&t);
}

static void test_only_changes(void **state)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct two t;

	(void)state;
	make(&t);
	report_compare(&t.cmp, &t.run[0], &t.run[1], false, true, &out);
	lacks(&out, "writeback/hdd-alone");
	has(&out, "\033[1;31mregressed\033[0m");
	two_release(&t);
}

static void test_nothing(void **state)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT, md __release(strbuf) = STRBUF_INIT;
	struct two t;

	(void)state;
	two_init(&t);
	two_compare(&t);
	report_compare(&t.cmp, &t.run[0], &t.run[1], true, false, &out);
	has(&out, "compared: nothing\n");
	report_compare_markdown(&t.cmp, &t.run[0], &t.run[1], &md);
	has(&md, "compared: nothing\n");
	two_release(&t);
}

/* Every row of the Markdown table has as many cells as its head. */
static void test_markdown(void **state)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	size_t rows = 0, bars;
	struct two t;

	(void)state;
	make(&t);
	two_verdict(&t.run[0], "g/only|<b>", "hdd\n\033[1m");
	two_compare(&t);
	report_compare_markdown(&t.cmp, &t.run[0], &t.run[1], &out);
	for (const char *s = out.buf; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		if (*s != '|')
			continue;
		bars = 0;
		for (const char *c = s; *c && *c != '\n'; c++)
			bars += *c == '|' && (c == s || c[-1] != '\\');
		assert_int_equal(bars, 13);
		rows++;
	}
	assert_int_equal(rows, 2 + 5);
	has(&out, "**regressed**");
	lacks(&out, "\033");
	lacks(&out, "|<b>");
	two_release(&t);
}

static void test_hostile(void **state)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct two t;

	(void)state;
	two_init(&t);
	free(t.run[0].kernel.name);
	t.run[0].kernel.name = xstrdup("\033]0;x\007");
	free(t.run[1].id);
	t.run[1].id = xstrdup("a\nb");
	two_verdict(&t.run[0], "\033[2J", "h\rd");
	two_compare(&t);
	report_compare(&t.cmp, &t.run[0], &t.run[1], true, false, &out);
	lacks(&out, "\033");
	lacks(&out, "\r");
	lacks(&out, "a\nb");
	has(&out, "only the base run has it");
	two_release(&t);
}

static void test_cells(void **state)
{
	static const struct { double change; const char *text; } changes[] = {
		{ 1.265, "+26.5%" }, { 0.5, "-50.0%" }, { 1, "0%" }, { 1.0001, "0%" },
		{ 14.3, "14.3x" }, { 1 / 14.3, "1/14.3" }, { 3.5, "+250%" }, { 1e9, "1.0e+09x" },
	};
	static const struct { double p; const char *text; } ps[] = {
		{ -1, "-" }, { 0.00005, "<.001" }, { 0.0079, "0.008" }, { 0.05, "0.050" },
		{ 0.123, "0.12" }, { 1, "1.00" },
	};
	static const struct { double visible; const char *text; } sees[] = {
		{ INFINITY, "none" }, { -1, "-" }, { 0.123, "12%" }, { 0.0123, "1.2%" },
		{ 0, "0%" }, { 1.26, "130%" }, { 11, "12x" },
	};
	struct change c = { .metric = METRIC_TIME, .ratio = true };
	char buf[CELL];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		assert_string_equal(cell_change(&c, changes[i].change, buf), changes[i].text);
	for (size_t i = 0; i < ARRAY_SIZE(ps); i++)
		assert_string_equal(cell_p(ps[i].p, buf), ps[i].text);
	for (size_t i = 0; i < ARRAY_SIZE(sees); i++) {
		c.visible = sees[i].visible;
		assert_string_equal(cell_visible(&c, buf), sees[i].text);
	}
	c.low = 1.1234;
	c.high = 1.4;
	assert_string_equal(cell_range(&c, buf), "+12%..+40%");
	assert_string_equal(cell_value(&c, -1, buf), "-");
	c = (struct change){ .metric = METRIC_ERRORS };
	assert_string_equal(cell_change(&c, -3, buf), "-3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table), cmocka_unit_test(test_only_changes),
		cmocka_unit_test(test_nothing), cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_hostile), cmocka_unit_test(test_cells),
	};

	return cmocka_run_group_tests_name("compare_report", tests, NULL, NULL);
}
