/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/matrix: what becomes of a mutant, and what a case says of it. */
#include "matrix_fixture.h"

static const char *outcome(struct fix *f, size_t row)
{
	matrix_judge(&f->m);
	return matrix_outcome_name(f->m.rows[row].outcome);
}

static void expect(struct fix *f, const char *what, enum judge_exit status, const char *reason)
{
	assert_string_equal(outcome(f, 0), what);
	assert_int_equal(matrix_exit_status(&f->m), status);
	if (!strstr(f->m.rows[0].reason, reason))
		fail_msg("no '%s' in '%s'", reason, f->m.rows[0].reason);
}

/* One mutant whose two cases have these values; stock's are 5 and 5. */
static void one(const char *name, bool passes, const char *sees, double a, double b,
		const char *what, enum judge_exit status, const char *reason)
{
	struct fix f;

	fix_init(&f);
	fix_cases(&f.stock, 5, 5);
	fix_cases(fix_mutant(&f, name, passes, sees), a, b);
	expect(&f, what, status, reason);
	assert_int_equal(f.m.n_cases, 2);	/* of g/a-alone nothing is expected */
	fix_release(&f);
}

static void test_outcomes(void **state)
{
	(void)state;
	one("m", false, "", 100, 5, "caught", JUDGE_OK, "g/a");
	one("m", false, "", 5, 100, "caught", JUDGE_OK, "g/b");
	one("m", false, "", 9, 9, "missed", JUDGE_REGRESSED, "");
	one("m", false, "g/a", 100, 5, "caught", JUDGE_OK, "g/a");
	one("m", false, "x g/*", 5, 100, "caught", JUDGE_OK, "g/b");
	one("m", false, "g/a", 5, 100, "missed", JUDGE_REGRESSED, "regressed elsewhere only: g/b");
	one("m", false, "x/y", 100, 5, "unjudged", JUDGE_CANNOT, "no case that could have seen it");
	one("m", true, "", 9, 4, "passes", JUDGE_OK, "");
	one("m", true, "", 9, 11, "flagged", JUDGE_REGRESSED, "g/b");
}

static void test_states(void **state)
{
	static const struct {
		enum matrix_state state;
		bool passes;
		const char *what;
		enum judge_exit status;
	} table[] = {
		{ MATRIX_WAITING, false, "not run", JUDGE_CANNOT },
		{ MATRIX_HAS_NO_FORM, false, "no form", JUDGE_CANNOT },
		{ MATRIX_BUILD_FAILED, true, "no build", JUDGE_CANNOT },
		{ MATRIX_SAME_IMAGE, true, "passes", JUDGE_OK },
		{ MATRIX_SAME_IMAGE, false, "missed", JUDGE_REGRESSED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct fix f;

		fix_init(&f);
		fix_cases(&f.stock, 5, 5);
		fix_mutant(&f, "m", table[i].passes, "");
		f.m.rows[0].run = NULL;
		f.m.rows[0].state = table[i].state;
		f.m.rows[0].why = "because";
		expect(&f, table[i].what, table[i].status,
		       table[i].state == MATRIX_SAME_IMAGE ? "same image" :
		       table[i].state == MATRIX_WAITING ? "" : "because");
		assert_null(f.m.rows[0].cells);
		fix_release(&f);
	}
}

/* One that has no form takes nothing from the others. */
static void test_together(void **state)
{
	struct fix f;

	(void)state;
	fix_init(&f);
	fix_cases(&f.stock, 5, 5);
	fix_cases(fix_mutant(&f, "caught", false, ""), 50, 5);
	fix_mutant(&f, "new", false, "");
	f.m.rows[1].state = MATRIX_HAS_NO_FORM;
	f.m.rows[1].why = "x";
	expect(&f, "caught", JUDGE_OK, "");
	fix_cases(fix_mutant(&f, "broken", false, ""), 5, 5);
	f.m.rows[2].state = MATRIX_BUILD_FAILED;
	f.m.rows[2].why = "x";
	expect(&f, "caught", JUDGE_CANNOT, "");
	fix_cases(fix_mutant(&f, "missed", false, ""), 5, 5);
	expect(&f, "caught", JUDGE_REGRESSED, "");
	fix_release(&f);
}

static void test_no_boot(void **state)
{
	struct fix f;

	(void)state;
	fix_init(&f);
	fix_cases(&f.stock, 5, 5);
	fix_cases(fix_mutant(&f, "m", false, ""), 5, 5);
	fix_boot(&f.runs[0], OUTCOME_BROKEN, STAGE_BOOT);
	fix_boot(&f.runs[0], OUTCOME_BROKEN, STAGE_BOOT);
	expect(&f, "no boot", JUDGE_CANNOT, "stage boot: panic");
	/* a single one that did boot makes it a matter of cases */
	fix_boot(&f.runs[0], OUTCOME_BROKEN, STAGE_JOBS);
	expect(&f, "missed", JUDGE_REGRESSED, "");
	fix_release(&f);
}

/* What stock does not pass says nothing, neither for nor against. */
static void test_stock(void **state)
{
	static const struct {
		enum verdict_kind stock;
		enum matrix_cell_kind cell;
		const char *caught, *noop;
	} table[] = {
		{ VERDICT_REGRESSED, CELL_UNJUDGED, "unjudged", "unjudged" },
		{ VERDICT_BROKEN, CELL_UNJUDGED, "unjudged", "unjudged" },
		{ VERDICT_INCONCLUSIVE, CELL_UNJUDGED, "unjudged", "unjudged" },
		{ VERDICT_SKIPPED, CELL_SKIPPED, "missed", "passes" },
		{ VERDICT_IMPROVED, CELL_REGRESSED, "caught", "flagged" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct fix f;

		fix_init(&f);
		fix_verdict(&f.stock, "g/a", "hdd", "slowdown", 11, 10, table[i].stock);
		fix_verdict(&f.stock, "g/b", "hdd", "slowdown", 5, 10, VERDICT_PASS);
		fix_cases(fix_mutant(&f, "m", false, ""), 100, 5);
		fix_cases(fix_mutant(&f, "n", true, ""), 100, 5);
		assert_string_equal(outcome(&f, 0), table[i].caught);
		assert_string_equal(outcome(&f, 1), table[i].noop);
		assert_int_equal(f.m.rows[0].cells[0].kind, table[i].cell);
		if (table[i].cell != CELL_REGRESSED)
			assert_non_null(strstr(f.m.rows[0].cells[0].reason, "stock: hdd "));
		fix_release(&f);
	}
}

/* What the mutant's run lacks is not taken for a pass. */
static void test_unjudged(void **state)
{
	static const enum verdict_kind bad[] = { VERDICT_BROKEN, VERDICT_SKIPPED,
						 VERDICT_INCONCLUSIVE };

	(void)state;
	for (size_t i = 0; i <= ARRAY_SIZE(bad); i++) {
		struct fix f;
		struct run *m[2];

		fix_init(&f);
		fix_cases(&f.stock, 5, 5);
		m[0] = fix_mutant(&f, "m", false, "");
		m[1] = fix_mutant(&f, "n", true, "");
		for (int k = 0; k < 2; k++) {
			fix_verdict(m[k], "g/b", "hdd", "slowdown", 5, 10, VERDICT_PASS);
			/* the last time round the case is not there at all */
			if (i < ARRAY_SIZE(bad))
				fix_verdict(m[k], "g/a", "hdd", "slowdown", -1, 10, bad[i]);
		}
		assert_string_equal(outcome(&f, 0), "unjudged");
		assert_string_equal(outcome(&f, 1), "unjudged");
		assert_non_null(strstr(f.m.rows[0].reason, "g/a"));
		assert_null(strstr(f.m.rows[0].reason, "g/b"));
		assert_true(f.m.rows[0].cells[0].change < 0);
		fix_release(&f);
	}
}

/* A job that is caught counts, even where another of the same case is broken. */
static void test_regressed_beside_broken(void **state)
{
	struct fix f;
	struct run *m;

	(void)state;
	fix_init(&f);
	fix_verdict(&f.stock, "g/a", "hdd", "slowdown", 5, 10, VERDICT_PASS);
	fix_verdict(&f.stock, "g/a", "sdb", "slowdown", 5, 10, VERDICT_PASS);
	m = fix_mutant(&f, "m", false, "");
	fix_verdict(m, "g/a", "hdd", "slowdown", -1, 10, VERDICT_BROKEN);
	fix_verdict(m, "g/a", "sdb", "slowdown", 50, 10, VERDICT_REGRESSED);
	expect(&f, "caught", JUDGE_OK, "g/a");
	assert_string_equal(f.m.rows[0].cells[0].job, "sdb");
	assert_non_null(strstr(f.m.rows[0].cells[0].reason, "sdb regressed: the reason"));
	fix_release(&f);
}

static void near(double got, double want)
{
	if (!(fabs(got - want) < 1e-9))
		fail_msg("got %g, wanted %g", got, want);
}

/* The worst counts: of what regressed, or else of all; more may be better. */
static void test_change(void **state)
{
	struct fix f;
	struct verdict *v;
	struct run *m;

	(void)state;
	fix_init(&f);
	v = fix_verdict(&f.stock, "g/a", "hdd", "slowdown", 5, 10, VERDICT_PASS);
	fix_value(v, "rate", true, 100, 20, VERDICT_PASS);
	fix_value(v, "errors", false, 0, -1, VERDICT_NONE);
	m = fix_mutant(&f, "m", false, "");
	v = fix_verdict(m, "g/a", "hdd", "slowdown", 6, 10, VERDICT_PASS);
	fix_value(v, "rate", true, 50, 20, VERDICT_PASS);
	fix_value(v, "errors", false, 99, -1, VERDICT_NONE);
	matrix_judge(&f.m);
	assert_string_equal(f.m.rows[0].cells[0].metric, "rate");
	near(f.m.rows[0].cells[0].change, 0.5);
	/* a value that got less worse, but is over its limit, is what is shown */
	v->values[0].kind = v->kind = VERDICT_REGRESSED;
	matrix_judge(&f.m);
	assert_string_equal(f.m.rows[0].cells[0].metric, "slowdown");
	near(f.m.rows[0].cells[0].change, 1.2);
	near(f.m.rows[0].cells[0].base, 5);
	near(f.m.rows[0].cells[0].now, 6);
	fix_release(&f);
}

static void test_zero(void **state)
{
	struct fix f;
	struct run *m;

	(void)state;
	fix_init(&f);
	fix_verdict(&f.stock, "g/a", "hdd", "errors", 0, 0, VERDICT_PASS);
	fix_verdict(&f.stock, "g/b", "hdd", "errors", 0, 0, VERDICT_PASS);
	m = fix_mutant(&f, "m", false, "");
	fix_verdict(m, "g/a", "hdd", "errors", 3, 0, VERDICT_REGRESSED);
	fix_verdict(m, "g/b", "hdd", "errors", 0, 0, VERDICT_PASS);
	matrix_judge(&f.m);
	assert_true(isinf(f.m.rows[0].cells[0].change));
	near(f.m.rows[0].cells[1].change, 1);
	fix_release(&f);
}

/* Before stock has run, and with nothing to judge by. */
static void test_nothing(void **state)
{
	struct fix f;

	(void)state;
	fix_init(&f);
	matrix_judge(&f.m);
	assert_int_equal(matrix_exit_status(&f.m), JUDGE_CANNOT);
	fix_cases(fix_mutant(&f, "m", true, ""), 5, 5);
	expect(&f, "unjudged", JUDGE_CANNOT, "no case was judged");
	f.m.stock = NULL;
	f.m.rows[0].state = MATRIX_WAITING;
	expect(&f, "not run", JUDGE_CANNOT, "");
	fix_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_outcomes), cmocka_unit_test(test_states),
		cmocka_unit_test(test_together), cmocka_unit_test(test_no_boot),
		cmocka_unit_test(test_stock), cmocka_unit_test(test_unjudged),
		cmocka_unit_test(test_regressed_beside_broken), cmocka_unit_test(test_change),
		cmocka_unit_test(test_zero), cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}
