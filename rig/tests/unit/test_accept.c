/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/accept: what a run would change in its expectations. */
#include "judge_fixture.h"

#include <stdio.h>

#include "judge/accept.h"

/* Five seeds whose slowdown is 10, from 9 to 11; accepted was 5 within 10 %. */
static void init_five(struct fixture *f)
{
	init(f);
	for (uint32_t i = 1; i <= 5; i++)
		add_seed(f, i, (7 + i) * S, S);
	f->e[0].was = 5;
	f->e[0].within = 0.1;
}

static void propose(struct fixture *f, struct accept *a, struct accept_options o)
{
	judge_run(&f->run, f->cases, f->expects, N_CASES);
	accept_propose(a, &f->run, &f->cases[BOTH], &f->expects[BOTH], &o);
}

/* The one row, or none if was is negative. */
static void expect_was(struct fixture *f, bool all, double was, double within)
{
	struct accept a = ACCEPT_INIT;

	propose(f, &a, (struct accept_options){ .all = all, .margin = -1 });
	assert_int_equal(a.n, was >= 0);
	if (a.n) {
		assert_same(a.rows[0].was, was);
		assert_same(a.rows[0].within, within);
		assert_same(a.rows[0].limit, -1);
		assert_same(a.rows[0].floor, -1);
	}
	accept_release(&a);
	done(f);
}

static void test_was(void **state)
{
	struct fixture f;

	(void)state;
	/* the seeds differ by 20 % from 10: twice that */
	init_five(&f);
	expect_was(&f, false, 10, 0.4);
	/* wide enough already */
	init_five(&f);
	f.e[0].within = 0.25;
	expect_was(&f, false, 10, -1);
	/* within its tolerance: no news, unless asked for */
	init_five(&f);
	f.e[0].was = 9.5;
	expect_was(&f, false, -1, -1);
	init_five(&f);
	f.e[0].was = 9.5;
	expect_was(&f, true, 10, 0.4);
	/* none accepted so far */
	init_five(&f);
	f.e[0].was = f.e[0].within = -1;
	expect_was(&f, false, -1, -1);
	init_five(&f);
	f.e[0].was = f.e[0].within = -1;
	expect_was(&f, true, 10, 0.4);
}

static void test_of_no_use(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	add_seed(&f, 1, 10 * S, S);
	add_seed(&f, 2, 10 * S, S);
	f.e[0].was = 5;
	f.e[0].within = 0.1;
	expect_was(&f, true, -1, -1);
	init_five(&f);
	f.run.boots[0].outcome = OUTCOME_BROKEN;
	expect_was(&f, true, -1, -1);
	/* seeds that do not differ at all: still 5 % */
	init(&f);
	for (uint32_t i = 1; i <= 3; i++)
		add_seed(&f, i, 10 * S, S);
	f.e[0].was = 5;
	f.e[0].within = -1;
	expect_was(&f, false, 10, 0.05);
}

static void test_limits(void **state)
{
	struct accept_options o = { .margin = 0.3 };
	struct accept a = ACCEPT_INIT;
	struct fixture f;

	(void)state;
	init_five(&f);
	f.e[0].was = f.e[0].within = -1;
	f.e[1] = (struct expectation){ .job = (char *)"hdd", .metric = METRIC_RATE, .floor = 1,
				       .limit = -1, .goal = -1, .was = -1, .within = -1 };
	f.expects[BOTH].n = 2;
	for (size_t i = 0; i < f.run.n_boots; i++)
		snprintf(f.run.boots[i].jobs[0].end.output,
			 sizeof(f.run.boots[i].jobs[0].end.output),
			 "65536+0 records out\n1000000 bytes (1.0 MB) copied, 1 s, 1 MB/s\n");
	propose(&f, &a, o);
	assert_int_equal(a.n, 2);
	/* the worst seed is 12 */
	assert_same(a.rows[0].limit, 12 * 1.3);
	assert_false(a.rows[0].looser);
	assert_same(a.rows[0].was, -1);
	/* more is better: the slowest seed took 12 + 2 s */
	assert_same(a.rows[1].limit, -1);
	assert_same(a.rows[1].floor, 1e6 / 14 * 0.7);
	assert_false(a.rows[1].looser);
	accept_release(&a);
	f.e[0].limit = 15;
	f.e[1].floor = 1e6;
	propose(&f, &a, o);
	assert_true(a.rows[0].looser);
	assert_true(a.rows[1].looser);
	accept_release(&a);
	/* never beyond where it should get */
	f.e[0].goal = 100;
	propose(&f, &a, o);
	assert_same(a.rows[0].limit, 100);
	accept_release(&a);
	done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_was),
		cmocka_unit_test(test_of_no_use),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests_name("accept", tests, NULL, NULL);
}
