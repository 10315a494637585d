/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judging on the real clock: limits below the host's noise floor, accepted values that
 * keep above it, and boots that are void. */
#include "judge_fixture.h"

#include "judge/accept.h"

static void real_clock(struct fixture *f)
{
	free(f->run.clock);
	f->run.clock = xstrdup("real");
}

static void add_floor(struct fixture *f, const char *name, const char *job, double value)
{
	struct run_floor *x = array_grow(f->run.floors, f->run.n_floors);

	*x = (struct run_floor){ .case_name = xstrdup(name), .job = xstrdup(job),
				 .metric = xstrdup("time"), .floor = value, .seeds = 10 };
}

/* Slowdown 10; its floor is that of both times: 1.1 * 1.2 - 1 = 32 %. */
static void floors(struct fixture *f)
{
	init_one(f);
	real_clock(f);
	add_floor(f, "g/both", "hdd", 0.1);
	add_floor(f, "g/alone", "first", 0.2);
}

static void test_limit_refused(void **state)
{
	struct fixture f;

	(void)state;
	floors(&f);
	f.e[0].goal = -1;
	f.e[0].limit = 1.3;
	expect_hdd(&f, VERDICT_INCONCLUSIVE, "slowdown: limit 100% + 30% is below this host's "
		   "noise floor of 32% on the real clock: refused, as nothing so small can be told "
		   "from noise here");
	floors(&f);
	f.e[0].goal = -1;
	f.e[0].limit = 1.4;
	expect_hdd(&f, VERDICT_REGRESSED, "slowdown 10 above limit 1.4: 10 s beside the load, "
		   "1 s alone");
	/* half of the floor is not known: then nothing is refused */
	floors(&f);
	f.run.floors[1].job[0] = 'x';
	f.e[0].goal = -1;
	f.e[0].limit = 1.3;
	judge_run(&f.run, f.cases, f.expects, N_CASES);
	assert_int_equal(f.run.verdicts[HDD].kind, VERDICT_REGRESSED);
	done(&f);
}

static void test_floor_refused(void **state)
{
	struct fixture f;

	(void)state;
	floors(&f);
	f.e[0] = (struct expectation){ .job = (char *)"hdd", .metric = METRIC_TIME, .alone = true,
				       .limit = -1, .floor = 0.8, .goal = -1, .was = -1,
				       .within = -1 };
	expect_hdd(&f, VERDICT_INCONCLUSIVE, "time/alone: floor 100% - 20% is below this host's "
		   "noise floor of 32% on the real clock: refused, as nothing so small can be told "
		   "from noise here");
	floors(&f);
	f.e[0].metric = METRIC_TIME;
	f.e[0].alone = true;
	f.e[0].limit = f.e[0].goal = -1;
	f.e[0].floor = 0.7;
	expect_hdd(&f, VERDICT_PASS, "");
}

static void test_within_refused(void **state)
{
	static const struct {
		double within;
		enum verdict_kind kind;
	} t[] = { { 0.05, VERDICT_INCONCLUSIVE }, { 0.1, VERDICT_PASS } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct fixture f;

		floors(&f);
		f.e[0] = (struct expectation){ .job = (char *)"hdd", .metric = METRIC_TIME,
					       .limit = -1, .floor = -1, .goal = -1,
					       .was = 10.0 * S, .within = t[i].within };
		expect_hdd(&f, t[i].kind, i ? "" : "time: within 5% is below this host's noise "
			   "floor of 10% on the real clock: refused, as nothing so small can be "
			   "told from noise here");
	}
}

/* The simulated clock has no noise. */
static void test_simulated(void **state)
{
	struct fixture f;

	(void)state;
	floors(&f);
	free(f.run.clock);
	f.run.clock = xstrdup("sim");
	f.e[0].limit = 1.3;
	f.e[0].goal = -1;
	judge_run(&f.run, f.cases, f.expects, N_CASES);
	assert_int_equal(f.run.verdicts[HDD].kind, VERDICT_REGRESSED);
	done(&f);
}

/* Three seeds that hardly differ: 5 % would be proposed, if this host could tell that. */
static void test_accept(void **state)
{
	const struct accept_options o = { .all = true, .margin = -1 };

	(void)state;
	for (int known = 0; known < 2; known++) {
		struct accept a = ACCEPT_INIT;
		struct fixture f;

		init(&f);
		real_clock(&f);
		for (uint32_t seed = 1; seed <= 3; seed++)
			add_seed(&f, seed, 10 * S + seed, S);
		if (known)
			add_floor(&f, "g/both", "hdd", 0.121);
		f.e[0].metric = METRIC_TIME;
		f.e[0].limit = 100.0 * S;
		f.e[0].goal = -1;
		judge_run(&f.run, f.cases, f.expects, N_CASES);
		accept_propose(&a, &f.run, &f.cases[BOTH], &f.expects[BOTH], &o);
		assert_int_equal(a.n, 1);
		assert_same(a.rows[0].within, known ? 0.13 : 0.05);
		accept_release(&a);
		/* what is there already is widened, too */
		f.e[0].was = 9.0 * S;
		f.e[0].within = 0.08;
		judge_run(&f.run, f.cases, f.expects, N_CASES);
		accept_propose(&a, &f.run, &f.cases[BOTH], &f.expects[BOTH], &o);
		assert_int_equal(a.n, 1);
		assert_same(a.rows[0].within, known ? 0.13 : -1);
		accept_release(&a);
		done(&f);
	}
}

static void make_void(struct boot *b)
{
	b->outcome = OUTCOME_BROKEN;
	free(b->reason);
	b->reason = xstrdup("void in each of 3 tries");
	b->controlled = true;
	b->control.voided = true;
}

/* A void seed counts for nothing, however bad its figures are. */
static void test_void_seed(void **state)
{
	struct fixture f;
	const struct verdict *v;

	(void)state;
	init(&f);
	real_clock(&f);
	add_seed(&f, 1, 100 * S, S);
	add_seed(&f, 2, 8 * S, S);
	make_void(boot(&f, 0));
	v = expect_row(&f, HDD, VERDICT_PASS, "");
	assert_int_equal(v->seeds, 1);
	assert_same(v->time_ns, 8.0 * S);
	done(&f);
}

static void test_all_void(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	real_clock(&f);
	make_void(boot(&f, 0));
	expect_hdd(&f, VERDICT_INCONCLUSIVE,
		   "no boot of 'g/both' counts: void in each of 3 tries");
	init_one(&f);
	real_clock(&f);
	make_void(boot(&f, 1));
	expect_hdd(&f, VERDICT_INCONCLUSIVE,
		   "no boot of 'g/alone' counts: void in each of 3 tries");
	/* one that is really broken is that first */
	init(&f);
	real_clock(&f);
	add_seed(&f, 1, 10 * S, S);
	add_seed(&f, 2, 10 * S, S);
	make_void(boot(&f, 0));
	boot(&f, 2)->outcome = OUTCOME_BROKEN;
	expect_hdd(&f, VERDICT_BROKEN, "seed 2: broken at stage end");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limit_refused), cmocka_unit_test(test_floor_refused),
		cmocka_unit_test(test_within_refused), cmocka_unit_test(test_simulated),
		cmocka_unit_test(test_accept), cmocka_unit_test(test_void_seed),
		cmocka_unit_test(test_all_void),
	};

	return cmocka_run_group_tests_name("judge_noise", tests, NULL, NULL);
}
