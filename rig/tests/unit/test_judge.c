/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/: what values mean, and the exit status. */
#include "judge_fixture.h"

static void test_pass_and_its_numbers(void **state)
{
	const struct verdict *v;
	struct fixture f;

	(void)state;
	init_one(&f);
	v = expect_row(&f, HDD, VERDICT_PASS, "");
	assert_string_equal(v->case_name, "g/both");
	assert_string_equal(v->job, "hdd");
	assert_int_equal(v->role, PLAN_VICTIM);
	assert_int_equal(v->seeds, 1);
	assert_same(v->time_ns, 10 * S);
	assert_same(v->sync_ns, 2 * S);
	assert_same(v->total_ns, 12 * S);
	assert_same(v->alone_ns, S);
	assert_same(v->slowdown, 10);
	assert_same(v->limit, 16);
	assert_same(v->goal, 1.5);
	assert_same(v->was, -1);
	assert_same(v->report_ns, 1220 * S);
	assert_same(v->report_slowdown, 30.5);
	assert_int_equal(judge_exit_status(&f.run), JUDGE_OK);
	/* judging again replaces the rows */
	expect_row(&f, HDD, VERDICT_PASS, "");
	done(&f);
}

static void test_rows_without_expectation(void **state)
{
	const struct verdict *v;
	struct fixture f;

	(void)state;
	init_one(&f);
	v = expect_row(&f, DVD, VERDICT_NONE, "");
	assert_same(v->time_ns, 60 * S);
	assert_same(v->alone_ns, -1);
	assert_same(v->slowdown, -1);
	assert_same(v->limit, -1);
	assert_same(v->report_ns, -1);
	assert_int_equal(v->role, PLAN_LOAD);
	v = expect_row(&f, ALONE_ROW, VERDICT_NONE, "");
	assert_string_equal(v->case_name, "g/alone");
	assert_string_equal(v->job, "first");
	done(&f);
}

/* The slowdown is that of medians: 10 / 1, not the median of the slowdowns, which is 20. */
static void test_medians_over_seeds(void **state)
{
	const struct verdict *v;
	struct fixture f;

	(void)state;
	init(&f);
	add_seed(&f, 1, 10 * S, S / 2);
	add_seed(&f, 2, 8 * S, 2 * S);
	add_seed(&f, 3, 90 * S, S);
	f.e[0].limit = 10;
	v = expect_row(&f, HDD, VERDICT_PASS, "");
	assert_int_equal(v->seeds, 3);
	assert_same(v->time_ns, 10 * S);
	assert_same(v->time_min_ns, 8 * S);
	assert_same(v->time_max_ns, 90 * S);
	assert_same(v->alone_ns, S);
	assert_same(v->slowdown, 10);
	done(&f);
}

/* One expectation against one value: 10 s and a slowdown of 10 unless the row says otherwise. */
static const struct {
	enum metric metric;
	double limit, was, within;
	const char *clock;
	enum verdict_kind kind;
	const char *reason;
} values[] = {
	{ METRIC_SLOWDOWN, 10, -1, -1, "sim", VERDICT_PASS, "" },
	{ METRIC_SLOWDOWN, 9.999, -1, -1, "sim", VERDICT_REGRESSED,
	  "slowdown 10 above limit 10: 10 s beside the load, 1 s alone" },
	{ METRIC_SLOWDOWN, 1.5, -1, -1, "real", VERDICT_REGRESSED,
	  "slowdown 10 above limit 1.5: 10 s beside the load, 1 s alone" },
	{ METRIC_SLOWDOWN, 16, 8, 0.25, "sim", VERDICT_PASS, "" },
	{ METRIC_SLOWDOWN, 16, 8, 0.2, "sim", VERDICT_REGRESSED,
	  "slowdown 10 is 25% above the accepted 8 (within 20% is the same): 10 s beside the "
	  "load, 1 s alone" },
	{ METRIC_SLOWDOWN, 16, 8, 0.2, "real", VERDICT_INCONCLUSIVE,
	  "slowdown 10 is 25% above the accepted 8 (within 20% is the same): 10 s beside the "
	  "load, 1 s alone" },
	{ METRIC_SLOWDOWN, 16, 12.5, 0.2, "sim", VERDICT_PASS, "" },
	{ METRIC_SLOWDOWN, 16, 20, 0.2, "sim", VERDICT_IMPROVED,
	  "slowdown 10 is 50% below the accepted 20 (within 20% is the same): 10 s beside the "
	  "load, 1 s alone" },
	{ METRIC_SLOWDOWN, 16, 20, 0.2, "real", VERDICT_IMPROVED,
	  "slowdown 10 is 50% below the accepted 20 (within 20% is the same): 10 s beside the "
	  "load, 1 s alone" },
	/* a limit counts more than what was accepted once */
	{ METRIC_SLOWDOWN, 9, 20, 0.2, "sim", VERDICT_REGRESSED,
	  "slowdown 10 above limit 9: 10 s beside the load, 1 s alone" },
	/* an accepted value without 'within' is only shown */
	{ METRIC_SLOWDOWN, 16, 2, -1, "sim", VERDICT_PASS, "" },
	{ METRIC_TIME, 10.0 * S, -1, -1, "sim", VERDICT_PASS, "" },
	{ METRIC_TIME, 9.5 * S, -1, -1, "sim", VERDICT_REGRESSED, "time 10 s above limit 9.50 s" },
	{ METRIC_TIME, -1, 5.0 * S, 0.1, "sim", VERDICT_REGRESSED,
	  "time 10 s is 100% above the accepted 5 s (within 10% is the same)" },
	{ METRIC_SYNC, 1.0 * S, -1, -1, "sim", VERDICT_REGRESSED, "sync 2 s above limit 1 s" },
	{ METRIC_TOTAL, 11.0 * S, -1, -1, "sim", VERDICT_REGRESSED, "total 12 s above limit 11 s" },
	{ METRIC_TOTAL, 12.0 * S, -1, -1, "sim", VERDICT_PASS, "" },
};

static void test_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct fixture f;

		init_one(&f);
		free(f.run.clock);
		f.run.clock = xstrdup(values[i].clock);
		f.e[0].metric = values[i].metric;
		f.e[0].limit = values[i].limit;
		f.e[0].was = values[i].was;
		f.e[0].within = values[i].within;
		expect_hdd(&f, values[i].kind, values[i].reason);
	}
}

static void test_worst_metric_counts(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	f.expects[BOTH].n = 2;
	f.e[0].was = 20;	/* improved */
	f.e[0].within = 0.2;
	f.e[1] = (struct expectation){ .job = "hdd", .metric = METRIC_TIME, .limit = 1.0 * S,
				       .was = -1, .within = -1 };
	expect_row(&f, HDD, VERDICT_REGRESSED, "time 10 s above limit 1 s");
	f.e[0].limit = 2;
	expect_row(&f, HDD, VERDICT_REGRESSED,
		   "slowdown 10 above limit 2: 10 s beside the load, 1 s alone; time 10 s above "
		   "limit 1 s");
	/* another job's expectation is none of ours */
	f.e[0].job = "dvd";
	f.e[1].job = "dvd";
	expect_hdd(&f, VERDICT_NONE, "");
}

static void test_median_is_named(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	add_seed(&f, 2, 10 * S, S);
	f.e[0].limit = 2;
	expect_hdd(&f, VERDICT_REGRESSED,
		   "slowdown 10 above limit 2: 10 s beside the load, 1 s alone (median of 2)");
}

static void test_exit_status(void **state)
{
	static const struct {
		enum verdict_kind kinds[3];
		bool interrupted;
		enum judge_exit want;
	} rows[] = {
		{ { VERDICT_PASS, VERDICT_PASS, VERDICT_NONE }, false, JUDGE_OK },
		{ { VERDICT_NONE, VERDICT_NONE, VERDICT_NONE }, false, JUDGE_OK },
		{ { VERDICT_IMPROVED, VERDICT_PASS, VERDICT_NONE }, false, JUDGE_OK },
		{ { VERDICT_KNOWN, VERDICT_NONE, VERDICT_NONE }, false, JUDGE_OK },
		{ { VERDICT_KNOWN, VERDICT_BROKEN, VERDICT_NONE }, false, JUDGE_CANNOT },
		{ { VERDICT_KNOWN, VERDICT_REGRESSED, VERDICT_NONE }, false, JUDGE_REGRESSED },
		{ { VERDICT_PASS, VERDICT_PASS, VERDICT_REGRESSED }, false, JUDGE_REGRESSED },
		{ { VERDICT_BROKEN, VERDICT_SKIPPED, VERDICT_REGRESSED }, false, JUDGE_REGRESSED },
		{ { VERDICT_REGRESSED, VERDICT_PASS, VERDICT_PASS }, true, JUDGE_REGRESSED },
		{ { VERDICT_PASS, VERDICT_PASS, VERDICT_BROKEN }, false, JUDGE_CANNOT },
		{ { VERDICT_PASS, VERDICT_SKIPPED, VERDICT_PASS }, false, JUDGE_CANNOT },
		{ { VERDICT_INCONCLUSIVE, VERDICT_PASS, VERDICT_PASS }, false, JUDGE_CANNOT },
		{ { VERDICT_SKIPPED, VERDICT_SKIPPED, VERDICT_SKIPPED }, false, JUDGE_CANNOT },
		{ { VERDICT_PASS, VERDICT_PASS, VERDICT_PASS }, true, JUDGE_CANNOT },
	};
	struct run empty = { .n_verdicts = 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct verdict v[3] = { 0 };
		struct run run = { .verdicts = v, .n_verdicts = 3 };

		run.interrupted = rows[i].interrupted;
		for (int k = 0; k < 3; k++)
			v[k].kind = rows[i].kinds[k];
		assert_int_equal(judge_exit_status(&run), rows[i].want);
	}
	assert_int_equal(judge_exit_status(&empty), JUDGE_CANNOT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pass_and_its_numbers),
		cmocka_unit_test(test_rows_without_expectation),
		cmocka_unit_test(test_medians_over_seeds),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_worst_metric_counts),
		cmocka_unit_test(test_median_is_named),
		cmocka_unit_test(test_exit_status),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
