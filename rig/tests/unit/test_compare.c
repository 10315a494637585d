/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/compare: what two runs say about each other. */
#include "compare_fixture.h"

static void expect_change(const struct two *t, size_t i, enum change_kind kind, const char *reason)
{
	assert_in_range(i, 0, t->cmp.n - 1);
	if (t->cmp.c[i].kind != kind || !strstr(t->cmp.c[i].reason, reason))
		fail_msg("row %zu is %s '%s', wanted %s '%s'", i, change_name(t->cmp.c[i].kind),
			 t->cmp.c[i].reason, change_name(kind), reason);
}

static void test_kinds(void **state)
{
	struct rng rng = { 8 };
	struct two t;
	const struct change *c;

	(void)state;
	two_init(&t);
	two_case(&t, "g/worse", 8, 8, 0.03, 1.3, &rng);
	two_case(&t, "g/better", 8, 8, 0.03, 0.7, &rng);
	two_case(&t, "g/same", 8, 8, 0.03, 1, &rng);
	two_case(&t, "g/little", 8, 8, 0.001, 1.02, &rng);
	two_case(&t, "g/close", 8, 8, 0.001, 1, &rng);
	two_case(&t, "g/wild", 8, 8, 0.8, 1, &rng);
	two_compare(&t);
	assert_int_equal(t.cmp.n, 6);
	assert_int_equal(t.cmp.tested, 6);
	expect_change(&t, 0, CHANGE_REGRESSED, "");
	expect_change(&t, 1, CHANGE_IMPROVED, "");
	expect_change(&t, 2, CHANGE_SAME, "");
	expect_change(&t, 3, CHANGE_SAME, "by less than the 5% that matter");
	expect_change(&t, 4, CHANGE_SAME, "");
	expect_change(&t, 5, CHANGE_INCONCLUSIVE, "would not have shown");
	c = &t.cmp.c[0];
	assert_true(c->low > 1.2 && c->low < c->change && c->change < c->high && c->high < 1.4);
	assert_true(c->level >= 0.95 && c->p_family <= 0.001 + c->p && c->effect > 0.99);
	assert_true(c->visible > 0.03 && c->visible < 0.12);
	assert_int_equal(c->seeds_more, 0);
	assert_true(t.cmp.c[5].seeds_more > 20 && compare_seeds_more(&t.cmp) > 20);
	assert_int_equal(compare_exit_status(&t.cmp), JUDGE_REGRESSED);
	two_release(&t);
}

/* What n + n seeds say of a kernel that is 12 % slower, with a spread of 10 %. */
static enum change_kind look(uint64_t seed, size_t n, int *more, bool *by_chance)
{
	struct rng rng = { seed };
	enum change_kind kind;
	struct two t;

	two_init(&t);
	two_case(&t, "g/a", n, n, 0.1, 1.12, &rng);
	two_compare(&t);
	kind = t.cmp.c[0].kind;
	*more = compare_seeds_more(&t.cmp);
	*by_chance = strstr(t.cmp.c[0].reason, "comes about by chance in");
	assert_int_equal(kind == CHANGE_INCONCLUSIVE, *more != 0);
	two_release(&t);
	return kind;
}

/* A row that is striking but not certain asks for more seeds, and gets to an end with them. */
static void test_doubt(void **state)
{
	uint64_t seed = 1;
	bool by_chance;
	size_t n = 5;
	int more;

	(void)state;
	while (look(seed, n, &more, &by_chance) != CHANGE_INCONCLUSIVE || !by_chance)
		assert_in_range(seed++, 1, 50);
	for (int round = 0; round < 8; round++) {
		if (look(seed, n, &more, &by_chance) == CHANGE_REGRESSED)
			break;
		n += more > 0 ? (size_t)more : 5;
	}
	assert_int_equal(look(seed, n, &more, &by_chance), CHANGE_REGRESSED);
	assert_in_range(n, 8, 60);
}

/* Three seeds against three can show nothing at 95 %, whatever they say. */
static void test_few_seeds(void **state)
{
	struct rng rng = { 4 };
	struct two t;

	(void)state;
	two_init(&t);
	two_case(&t, "g/a", 3, 3, 0.01, 4, &rng);
	two_case(&t, "g/b", 1, 1, 0.01, 4, &rng);
	two_compare(&t);
	expect_change(&t, 0, CHANGE_INCONCLUSIVE, "comes about by chance in 10%");
	assert_int_equal(t.cmp.c[0].seeds_more, 1);
	assert_true(isinf(t.cmp.c[0].visible));
	expect_change(&t, 1, CHANGE_INCONCLUSIVE, "1 and 1 seeds are too few");
	assert_int_equal(t.cmp.c[1].seeds_more, 4);
	assert_int_equal(compare_exit_status(&t.cmp), JUDGE_CANNOT);
	two_release(&t);
	/* one more in each is enough, and so are many of the base */
	two_init(&t);
	two_case(&t, "g/a", 4, 4, 0.01, 4, &rng);
	two_case(&t, "g/b", 10, 3, 0.01, 4, &rng);
	two_compare(&t);
	expect_change(&t, 0, CHANGE_REGRESSED, "");
	expect_change(&t, 1, CHANGE_REGRESSED, "");
	two_release(&t);
}

/* The same image repeats itself on the simulated clock: one seed is all there is to know. */
static void test_same_kernel(void **state)
{
	struct rng rng = { 4 };
	struct two t;

	(void)state;
	two_init(&t);
	memset(t.run[1].kernel.image_sha256, 'a', HASH_HEX - 1);
	two_case(&t, "g/a", 1, 1, 0, 1, &rng);
	two_compare(&t);
	assert_true(t.cmp.same_kernel);
	expect_change(&t, 0, CHANGE_SAME, "");
	assert_int_equal(compare_exit_status(&t.cmp), JUDGE_OK);
	/* another command line is another kernel */
	t.run[1].kernel.cmdline = xstrdup("mitigations=auto");
	two_compare(&t);
	expect_change(&t, 0, CHANGE_INCONCLUSIVE, "");
	two_release(&t);
}

static void test_not_compared(void **state)
{
	struct rng rng = { 4 };
	struct two t;

	(void)state;
	two_init(&t);
	two_case(&t, "g/a", 4, 4, 0.01, 1, &rng);
	two_case(&t, "g/b", 4, 4, 0.01, 1, &rng);
	two_case(&t, "g/c", 4, 4, 0.01, 1, &rng);
	two_case(&t, "g/d", 4, 4, 0.01, 1, &rng);
	two_case(&t, "g/e", 0, 4, 0.01, 1, &rng);
	two_verdict(&t.run[0], "g/base", "hdd");
	two_verdict(&t.run[1], "g/new", "hdd");
	two_verdict(&t.run[0], "g/a", "disk.hda");
	t.run[0].verdicts[0].kind = VERDICT_BROKEN;
	free(t.run[0].verdicts[0].reason);
	t.run[0].verdicts[0].reason = xstrdup("panic \033[31m");
	t.run[1].verdicts[1].kind = VERDICT_SKIPPED;
	t.run[1].boots[8].case_sha256[0] = 'X';
	t.run[1].boots[12].jobs[0].end.exit = 1;	/* one of g/d's */
	two_compare(&t);
	assert_int_equal(t.cmp.n, 7);
	expect_change(&t, 0, CHANGE_NOT_COMPARED, "broken in the base run: panic \\x1b[31m");
	expect_change(&t, 1, CHANGE_NOT_COMPARED, "skipped in the new run");
	expect_change(&t, 2, CHANGE_NOT_COMPARED, "the case is not the same in both runs");
	expect_change(&t, 3, CHANGE_NOT_COMPARED,
		      "4 of 4 boots have it in the base run, 3 of 4 in the new");
	expect_change(&t, 4, CHANGE_NOT_COMPARED, "no boot of it is done in the base run");
	expect_change(&t, 5, CHANGE_NOT_COMPARED, "only the base run has it");
	expect_change(&t, 6, CHANGE_NOT_COMPARED, "only the new run has it");
	assert_int_equal(t.cmp.tested, 0);
	assert_int_equal(compare_exit_status(&t.cmp), JUDGE_CANNOT);
	two_release(&t);
}

static void test_other_clock(void **state)
{
	static const char *const words[] = { "clock", "timing", "scale" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		struct err err = ERR_INIT;
		struct two t;
		char **what;

		two_init(&t);
		what = i == 0 ? &t.run[1].clock : i == 1 ? &t.run[1].timing : &t.run[1].scale;
		free(*what);
		*what = xstrdup("x\033y");
		assert_true(compare_runs(&t.cmp, &t.run[0], &t.run[1], &t.o, &err) < 0);
		assert_int_equal(err.kind, ERR_UNABLE);
		assert_non_null(strstr(err.msg, words[i]));
		assert_non_null(strstr(err.msg, "x\\x1by"));
		two_release(&t);
	}
}

static void test_notes(void **state)
{
	struct two t;

	(void)state;
	two_init(&t);
	t.run[0].qemu.version = xstrdup("7.2");
	t.run[1].interrupted = true;
	two_compare(&t);
	assert_int_equal(t.cmp.notes.n, 2);
	assert_string_equal(t.cmp.notes.v[0],
			    "QEMU differs: '7.2' in the base run, '' in the new");
	/* nothing at all was compared: that is no pass */
	assert_int_equal(compare_exit_status(&t.cmp), JUDGE_CANNOT);
	two_release(&t);
}

/* The expectation's word for what is the same goes before the default. */
static void test_within(void **state)
{
	struct rng rng = { 4 };
	struct verdict_value *x;
	struct two t;

	(void)state;
	two_init(&t);
	two_case(&t, "g/a", 8, 8, 0.01, 1.2, &rng);
	two_compare(&t);
	expect_change(&t, 0, CHANGE_REGRESSED, "");
	x = array_grow(t.run[1].verdicts[0].values, t.run[1].verdicts[0].n_values);
	x->metric = xstrdup("time");
	x->unit = xstrdup("ns");
	x->within = 0.3;
	two_compare(&t);
	expect_change(&t, 0, CHANGE_SAME, "by less than the 30% that matter");
	two_release(&t);
}

/* Builds of one source that differ by this much are no news. */
static void test_noise(void **state)
{
	struct rng rng = { 4 };
	struct two t;

	(void)state;
	two_init(&t);
	two_case(&t, "g/a", 8, 8, 0.01, 1.1, &rng);
	t.o.noise = 0.05;
	two_compare(&t);
	expect_change(&t, 0, CHANGE_REGRESSED, "");
	t.o.noise = 0.15;
	two_compare(&t);
	assert_int_equal(t.cmp.c[0].kind, CHANGE_SAME);
	two_release(&t);
}

/* A load that is stopped has a rate, whose fall is the bad news; errors have no ratio. */
static void test_metrics(void **state)
{
	struct two t;

	(void)state;
	two_init(&t);
	for (int k = 0; k < 2; k++) {
		two_verdict(&t.run[k], "g/a", "hdd")->role = PLAN_LOAD;
		for (int i = 0; i < 8; i++) {
			struct job_result *j = two_boot(&t.run[k], "g/a", "hdd", 10 + i / 100.0);

			j->role = PLAN_LOAD;
			j->end.stopped = 1;
			j->measured = true;
			j->result.bytes = k ? 50000000 : 100000000;
			j->result.errors = k ? 3 : 0;
			for (int x = 0; x < 100; x++)
				hist_add(&j->result.hist, 1000000 + x * 10000 + i);
		}
	}
	two_compare(&t);
	assert_int_equal(t.cmp.n, 5);
	assert_int_equal(t.cmp.c[0].metric, METRIC_RATE);
	expect_change(&t, 0, CHANGE_REGRESSED, "");
	assert_true(fabs(t.cmp.c[0].change - 0.5) < 0.01);
	assert_int_equal(t.cmp.c[1].metric, METRIC_P50);
	expect_change(&t, 1, CHANGE_SAME, "");
	assert_int_equal(t.cmp.c[3].metric, METRIC_MAX);
	assert_int_equal(t.cmp.c[4].metric, METRIC_ERRORS);
	assert_false(t.cmp.c[4].ratio);
	assert_true(fabs(t.cmp.c[4].change - 3) < 1e-9);
	expect_change(&t, 4, CHANGE_REGRESSED, "");
	two_release(&t);
}

static void test_sync(void **state)
{
	struct two t;

	(void)state;
	two_init(&t);
	for (int k = 0; k < 2; k++) {
		two_verdict(&t.run[k], "g/a", "hdd");
		for (int i = 0; i < 6; i++)
			two_boot(&t.run[k], "g/a", "hdd", 10 + i / 10.0)->end.sync_ns =
				(k ? 4 : 2) * NS_PER_S + i;
	}
	two_compare(&t);
	assert_int_equal(t.cmp.n, 3);
	expect_change(&t, 0, CHANGE_SAME, "");
	expect_change(&t, 1, CHANGE_REGRESSED, "");
	expect_change(&t, 2, CHANGE_REGRESSED, "");
	two_release(&t);
}

/*
 * The promise: over all rows of two runs of one kernel together, at most alpha of the comparisons
 * show any change. Figures here have the odd boot that is far off.
 */
static void test_false_alarms(void **state)
{
	int alarms = 0, rounds = 120;
	struct rng rng = { 77 };

	(void)state;
	for (int round = 0; round < rounds; round++) {
		struct two t;

		two_init(&t);
		for (int c = 0; c < 10; c++) {
			char name[32];

			snprintf(name, sizeof(name), "g/%d", c);
			two_case(&t, name, 5, 5, c % 2 ? 0.05 : 0.3, 1, &rng);
			t.run[0].boots[t.run[0].n_boots - 1].jobs[0].end.wall_ns *= c % 3 ? 1 : 2;
		}
		two_compare(&t);
		alarms += compare_exit_status(&t.cmp) == JUDGE_REGRESSED;
		two_release(&t);
	}
	/* half of alpha's 5 %, as an improvement is no alarm here: 3, and 4 deviations above it */
	assert_in_range(alarms, 0, 10);
}

/* More boots than anything makes must not take the machine down. */
static void test_many_boots(void **state)
{
	struct rng rng = { 4 };
	struct two t;

	(void)state;
	two_init(&t);
	two_case(&t, "g/a", 1001, 3, 0.01, 1, &rng);
	two_compare(&t);
	expect_change(&t, 0, CHANGE_NOT_COMPARED, "more than 1000 boots");
	two_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds), cmocka_unit_test(test_doubt),
		cmocka_unit_test(test_few_seeds), cmocka_unit_test(test_same_kernel),
		cmocka_unit_test(test_not_compared), cmocka_unit_test(test_other_clock),
		cmocka_unit_test(test_notes), cmocka_unit_test(test_within),
		cmocka_unit_test(test_noise), cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_sync), cmocka_unit_test(test_false_alarms),
		cmocka_unit_test(test_many_boots),
	};

	return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
