/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/compare on the real clock: the host's noise floor, and boots that are void. */
#include "compare_fixture.h"

static void real_clock(struct two *t)
{
	for (int k = 0; k < 2; k++) {
		free(t->run[k].clock);
		t->run[k].clock = xstrdup("real");
	}
}

static void add_floor(struct run *r, const char *name, double value)
{
	struct run_floor *f = array_grow(r->floors, r->n_floors);

	*f = (struct run_floor){ .case_name = xstrdup(name), .job = xstrdup("hdd"),
				 .metric = xstrdup("time"), .floor = value, .seeds = 10 };
}

static void expect_row(const struct two *t, size_t i, enum change_kind kind, const char *reason)
{
	assert_in_range(i, 0, t->cmp.n - 1);
	if (t->cmp.c[i].kind != kind || !strstr(t->cmp.c[i].reason, reason))
		fail_msg("row %zu is %s '%s', wanted %s '%s'", i, change_name(t->cmp.c[i].kind),
			 t->cmp.c[i].reason, change_name(kind), reason);
}

static bool has_note(const struct two *t, const char *text)
{
	strvec_each (note, &t->cmp.notes)
		if (strstr(*note, text))
			return true;
	return false;
}

/* 12 % is news where the floor is 3 %, none where it is 20 %, and a new run's floor counts, too. */
static void test_within_floor(void **state)
{
	struct rng rng = { 4 };
	struct two t;

	(void)state;
	two_init(&t);
	real_clock(&t);
	two_case(&t, "g/low", 8, 8, 0.01, 1.12, &rng);
	two_case(&t, "g/high", 8, 8, 0.01, 1.12, &rng);
	two_case(&t, "g/new", 8, 8, 0.01, 0.88, &rng);
	two_case(&t, "g/unknown", 8, 8, 0.01, 1.12, &rng);
	two_case(&t, "g/beyond", 8, 8, 0.01, 1.5, &rng);
	add_floor(&t.run[0], "g/low", 0.03);
	add_floor(&t.run[0], "g/high", 0.2);
	add_floor(&t.run[0], "g/new", 0.01);
	add_floor(&t.run[1], "g/new", 0.2);
	add_floor(&t.run[0], "g/beyond", 0.2);
	two_compare(&t);
	expect_row(&t, 0, CHANGE_REGRESSED, "");
	expect_row(&t, 1, CHANGE_SAME, "by no more than this host's noise floor of 20%");
	expect_row(&t, 2, CHANGE_SAME, "noise floor of 20%");
	expect_row(&t, 3, CHANGE_REGRESSED, "");
	expect_row(&t, 4, CHANGE_REGRESSED, "");
	assert_true(fabs(t.cmp.c[1].floor - 0.2) < 1e-12 && t.cmp.c[3].floor < 0);
	/* what could have been seen is beyond the floor, and less does not matter */
	assert_true(t.cmp.c[1].visible > 0.2 && t.cmp.c[3].visible < 0.1);
	assert_true(t.cmp.c[1].matters >= 0.2);
	assert_true(has_note(&t, "noise floor is not known for 1 of 5 rows"));
	two_release(&t);
}

/* A change just above the floor is not certain to be: it is never told by its own p alone. */
static void test_edge_of_floor(void **state)
{
	int alarms = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct rng rng = { seed };
		struct two t;

		two_init(&t);
		real_clock(&t);
		two_case(&t, "g/a", 8, 8, 0.03, 1.1, &rng);
		add_floor(&t.run[0], "g/a", 0.1);
		two_compare(&t);
		assert_true(t.cmp.c[0].p <= 0.05 || t.cmp.c[0].kind != CHANGE_REGRESSED);
		alarms += t.cmp.c[0].kind == CHANGE_REGRESSED;
		two_release(&t);
	}
	/* half of 5 % of 100, and 4 deviations */
	assert_in_range(alarms, 0, 9);
}

/* The simulated clock has no noise, whatever a document says; and figures of nonsense are none. */
static void test_no_floor(void **state)
{
	struct rng rng = { 4 };
	struct two t;

	(void)state;
	two_init(&t);
	two_case(&t, "g/a", 8, 8, 0.01, 1.12, &rng);
	add_floor(&t.run[0], "g/a", 0.5);
	two_compare(&t);
	expect_row(&t, 0, CHANGE_REGRESSED, "");
	assert_false(has_note(&t, "noise floor"));
	real_clock(&t);
	t.run[0].floors[0].floor = -3;
	two_compare(&t);
	expect_row(&t, 0, CHANGE_REGRESSED, "");
	t.run[0].floors[0].floor = 1e300;
	two_compare(&t);
	expect_row(&t, 0, CHANGE_REGRESSED, "");
	two_release(&t);
}

/* A tolerance below the floor asks for what this host cannot tell. */
static void test_within_refused(void **state)
{
	struct rng rng = { 4 };
	struct verdict_value *x;
	struct two t;

	(void)state;
	two_init(&t);
	real_clock(&t);
	two_case(&t, "g/a", 8, 8, 0.01, 1.5, &rng);
	add_floor(&t.run[0], "g/a", 0.1);
	x = array_grow(t.run[1].verdicts[0].values, t.run[1].verdicts[0].n_values);
	x->metric = xstrdup("time");
	x->unit = xstrdup("ns");
	x->within = 0.02;
	two_compare(&t);
	expect_row(&t, 0, CHANGE_NOT_COMPARED,
		   "the case's 'within' of 2% is below this host's noise floor of 10%: refused");
	assert_int_equal(compare_exit_status(&t.cmp), JUDGE_CANNOT);
	t.run[1].verdicts[0].values[0].within = 0.1;
	two_compare(&t);
	expect_row(&t, 0, CHANGE_REGRESSED, "");
	two_release(&t);
}

static void make_void(struct boot *b)
{
	b->outcome = OUTCOME_BROKEN;
	b->controlled = true;
	b->control.voided = true;
	b->control.tries = 3;
}

/* Void boots count for nothing; when there is nothing else, nothing is compared. */
static void test_void(void **state)
{
	struct rng rng = { 4 };
	struct two t;

	(void)state;
	two_init(&t);
	real_clock(&t);
	two_case(&t, "g/a", 8, 8, 0.01, 1, &rng);
	for (size_t i = 0; i < 2; i++) {
		make_void(&t.run[1].boots[i]);
		t.run[1].boots[i].jobs[0].end.wall_ns = 500 * NS_PER_S;
	}
	t.run[0].boots[3].controlled = true;
	t.run[0].boots[3].control = (struct boot_control){ .tries = 2, .waited_ns = -1 };
	two_compare(&t);
	expect_row(&t, 0, CHANGE_SAME, "");
	assert_int_equal(t.cmp.c[0].n_base, 8);
	assert_int_equal(t.cmp.c[0].n_now, 6);
	assert_true(t.cmp.c[0].now < 20e9);
	assert_true(has_note(&t, "of the new run's boots 2 were made again, and 2 count for nothing"));
	assert_true(has_note(&t, "of the base run's boots 1 were made again, and 0 count for nothing"));
	assert_true(has_note(&t, "does not tell how long QEMU waited"));
	for (size_t i = 2; i < 8; i++)
		make_void(&t.run[1].boots[i]);
	t.run[1].verdicts[0].kind = VERDICT_INCONCLUSIVE;
	two_compare(&t);
	expect_row(&t, 0, CHANGE_NOT_COMPARED, "inconclusive in the new run: ");
	assert_int_equal(compare_exit_status(&t.cmp), JUDGE_CANNOT);
	two_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_within_floor), cmocka_unit_test(test_edge_of_floor),
		cmocka_unit_test(test_no_floor), cmocka_unit_test(test_within_refused),
		cmocka_unit_test(test_void),
	};

	return cmocka_run_group_tests_name("compare_noise", tests, NULL, NULL);
}
