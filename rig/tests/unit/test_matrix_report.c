/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/matrix: width, blocks, marks, words, Markdown's cells, JSON, hostile text. */
#include "matrix_fixture.h"

#include "base/cleanup.h"
#include "report/matrix.h"

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

/* Of the table and the legend: reasons are sentences. */
static void fits(const struct strbuf *out, size_t columns)
{
	for (const char *line = out->buf; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (strcspn(line, "\n") > columns)
			fail_msg("line of %zu: %.120s", strcspn(line, "\n"), line);
}

static void make(struct fix *f)
{
	fix_init(f);
	fix_cases(&f->stock, 5, 5);
	fix_cases(fix_mutant(f, "slow", false, ""), 145, 5.1);
	fix_cases(fix_mutant(f, "unseen", false, "g/a"), 5, 20);
	fix_cases(fix_mutant(f, "noop", true, ""), 5, 5);
	fix_cases(fix_mutant(f, "same", true, ""), 5, 5);
	f->m.rows[3].state = MATRIX_SAME_IMAGE;
	f->m.rows[3].run = NULL;
	matrix_judge(&f->m);
}

static void test_text(void **state)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct fix f;

	(void)state;
	make(&f);
	report_matrix(&f.m, false, &out);
	has(&out, "stock: kernel plain (6.1.192), image aaaaaaaaaaaa, 3 seeds, 2 cases\n");
	has(&out, "\nslow    caught   29x!     .");
	has(&out, "\nunseen  missed     .   4.0x!\n");
	has(&out, "\nnoop    passes     .      .");
	has(&out, "\nsame    passes\n");
	has(&out, "  1 g/a\n  2 g/b\n");
	has(&out, "slow: caught by g/a\n");
	has(&out, "unseen: missed: regressed elsewhere only: g/b\n    g/b: hdd regressed: the reason\n");
	has(&out, "same: passes: the same image as stock");
	lacks(&out, "noop: passes");
	has(&out, "\nmutants: 1 of 2 regressions caught, 2 of 2 no-ops pass, 1 missed\n");
	lacks(&out, "\033");
	fits(&out, 80);
	strbuf_reset(&out);
	report_matrix(&f.m, true, &out);
	has(&out, "\033[1;31m4.0x!\033[0m");
	has(&out, "\033[1;31mmissed\033[0m");
	fix_release(&f);
}

/* More cases than fit are shown in blocks, all of them and each once. */
static void test_blocks(void **state)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct run *runs[2];
	struct fix f;
	size_t heads = 0;

	(void)state;
	fix_init(&f);
	runs[0] = &f.stock;
	runs[1] = fix_mutant(&f, "dirty-limit-initialised", false, "");
	for (int i = 0; i < 15; i++) {
		char *name __free(ptr) = xstrfmt("group/case-%d", i + 1);

		for (int k = 0; k < 2; k++)
			fix_verdict(runs[k], name, "hdd", "time", k ? 50 + i : 5, 10,
				    k ? VERDICT_REGRESSED : VERDICT_PASS);
	}
	matrix_judge(&f.m);
	report_matrix(&f.m, false, &out);
	for (const char *s = out.buf; (s = strstr(s, "MUTANT ")); s++)
		heads++;
	assert_int_equal(heads, 3);
	has(&out, " 15 \n");
	has(&out, "13x!");
	*strstr(out.buf, "dirty-limit-initialised: ") = 0;
	fits(&out, 80);
	fix_release(&f);
}

static void test_no_case(void **state)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct fix f;

	(void)state;
	fix_init(&f);
	fix_mutant(&f, "m", true, "");
	matrix_judge(&f.m);
	report_matrix(&f.m, false, &out);
	has(&out, "\nm       unjudged\n");
	report_matrix_markdown(&f.m, &out);
	fix_release(&f);
}

static void test_change(void **state)
{
	static const struct { double change; const char *text; } table[] = {
		{ -1, "-" }, { NAN, "-" }, { INFINITY, "inf" }, { 1, "." }, { 1.049, "." },
		{ 0.951, "." }, { 1.06, "+6%" }, { 0.5, "-50%" }, { 0.001, "-100%" }, { 0, "-100%" },
		{ 1.99, "+99%" }, { 1.996, "2.0x" }, { 9.94, "9.9x" }, { 9.96, "10x" },
		{ 123.4, "123x" }, { 9999, "9999x" }, { 123456, "1e+05x" },
	};
	char buf[MATRIX_CELL];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct matrix_cell cell = { .change = table[i].change };

		assert_string_equal(report_matrix_change(&cell, buf), table[i].text);
	}
}

/* Every row of the Markdown table has as many cells as its head. */
static void test_markdown(void **state)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	size_t rows = 0;
	struct fix f;

	(void)state;
	make(&f);
	free(f.mutants.v[2].name);
	f.mutants.v[2].name = xstrdup("a|<b>");
	report_matrix_markdown(&f.m, &out);
	for (const char *s = out.buf; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		size_t bars = 0;

		if (*s != '|')
			continue;
		for (const char *c = s; *c && *c != '\n'; c++)
			bars += *c == '|' && (c == s || c[-1] != '\\');
		assert_int_equal(bars, 6);
		rows++;
	}
	assert_int_equal(rows, 2 + 4);
	has(&out, "| slow | caught | caught | **29x** | . |\n");
	has(&out, "| **missed** |");
	lacks(&out, "|<b>");
	fix_release(&f);
}

static void test_json(void **state)
{
	char *none[] = { NULL }, *cases[] = { (char *)"g/*", NULL };
	const struct matrix_asked asked = { .kernel = "plain", .cases = cases, .only = none,
					    .seeds = 3, .clock = "sim", .timing = "model",
					    .accel = "auto", .started = "now" };
	struct fix f;
	json_t *doc, *mutant, *cell;

	(void)state;
	make(&f);
	f.m.rows[0].cells[1].change = (double)INFINITY;
	doc = report_matrix_json(&f.m, &asked);
	assert_string_equal(json_string_value(json_object_get(doc, "kind")), "matrix");
	assert_int_equal(json_integer_value(json_object_get(doc, "status")), 1);
	assert_int_equal(json_array_size(json_object_get(doc, "mutants")), 4);
	mutant = json_array_get(json_object_get(doc, "mutants"), 0);
	assert_string_equal(json_string_value(json_object_get(mutant, "outcome")), "caught");
	cell = json_array_get(json_object_get(mutant, "cells"), 0);
	assert_string_equal(json_string_value(json_object_get(cell, "kind")), "regressed");
	assert_true(fabs(json_real_value(json_object_get(cell, "change")) - 29) < 1e-9);
	cell = json_array_get(json_object_get(mutant, "cells"), 1);
	assert_true(json_is_null(json_object_get(cell, "change")));
	mutant = json_array_get(json_object_get(doc, "mutants"), 3);
	assert_true(json_is_true(json_object_get(mutant, "same_image")));
	assert_true(json_is_null(json_object_get(mutant, "ran")));
	json_decref(doc);
	/* before stock has run */
	f.m.stock = NULL;
	for (size_t i = 0; i < f.m.n_rows; i++)
		f.m.rows[i].state = MATRIX_WAITING;
	matrix_judge(&f.m);
	doc = report_matrix_json(&f.m, &asked);
	assert_true(json_is_null(json_object_get(doc, "stock")));
	json_decref(doc);
	fix_release(&f);
}

static void test_hostile(void **state)
{
	char *none[] = { NULL };
	const struct matrix_asked asked = { .kernel = "\xff\033", .cases = none, .only = none,
					    .started = "" };
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct verdict *v;
	struct fix f;
	char *text;
	json_t *doc;

	(void)state;
	fix_init(&f);
	fix_verdict(&f.stock, "g/\033[2J", "hdd", "time", 5, 10, VERDICT_PASS);
	fix_verdict(&f.stock, "g/bad\n", "hdd", "time", 50, 10, VERDICT_REGRESSED);
	v = fix_verdict(fix_mutant(&f, "m\033[1m", true, ""), "g/\033[2J", "h\rd", "time", 50, 10,
			VERDICT_REGRESSED);
	free(v->reason);
	v->reason = xstrdup("\033]0;x\007\n\xff");
	free(f.stock.kernel.name);
	f.stock.kernel.name = xstrdup("\033c");
	matrix_judge(&f.m);
	report_matrix(&f.m, false, &out);
	report_matrix_markdown(&f.m, &out);
	doc = report_matrix_json(&f.m, &asked);
	text = json_dumps(doc, 0);
	assert_non_null(text);
	strbuf_addstr(&out, text);
	lacks(&out, "\033");
	lacks(&out, "\007");
	lacks(&out, "\r");
	lacks(&out, "\xff");
	lacks(&out, "bad\n");
	free(text);
	json_decref(doc);
	fix_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text), cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_no_case), cmocka_unit_test(test_change),
		cmocka_unit_test(test_markdown), cmocka_unit_test(test_json),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests_name("matrix_report", tests, NULL, NULL);
}
