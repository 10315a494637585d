/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/steps: which patch changes what, what is taken back, and how often a series
 * that changes nothing is accused. */
#include "compare_fixture.h"

#include "judge/steps.h"

#define N 3

struct fix {
	struct run base, run[N];
	struct steps s;
	struct compare_options o;
	struct rng rng;
};

/* A run with one job of about so many seconds. */
static void make_run(struct run *r, double seconds, size_t seeds, double cv, char image,
		     struct rng *rng)
{
	run_init(r);
	r->id = xstrdup("id");
	r->clock = xstrdup("sim");
	r->timing = xstrdup("model");
	r->scale = xstrdup("quick");
	r->kernel.name = xstrdup("k");
	memset(r->kernel.image_sha256, image, HASH_HEX - 1);
	two_verdict(r, "g/a", "hdd");
	for (size_t i = 0; i < seeds; i++)
		two_boot(r, "g/a", "hdd", seconds * exp(cv * rng_normal(rng)));
}

/* The base takes 10 s; with the patches up to i it takes times[i]: 0 = it does not build, -1 = the
 * same image. */
static void init(struct fix *f, const double *times, size_t seeds, double cv)
{
	make_run(&f->base, 10, seeds, cv, 'a', &f->rng);
	f->o = (struct compare_options)COMPARE_OPTIONS_INIT;
	f->s = (struct steps){ .base = &f->base, .n = N };
	f->s.step = xcalloc(N, sizeof(*f->s.step));
	for (size_t i = 0; i < N; i++) {
		struct step *step = &f->s.step[i];

		*step = (struct step){ .name = "p", .subject = "s", .run = &f->run[i],
				       .cmp = COMPARE_INIT };
		step->state = times[i] > 0 ? STEP_RAN : times[i] < 0 ? STEP_SAME_IMAGE :
								     STEP_NO_BUILD;
		make_run(&f->run[i], fabs(times[i]), seeds, cv, (char)('b' + (char)i), &f->rng);
	}
}

static void judge(struct fix *f)
{
	struct err err = ERR_INIT;

	if (steps_judge(&f->s, &f->o, &err))
		fail_msg("%s", err.msg);
}

static void done(struct fix *f)
{
	steps_release(&f->s);
	run_release(&f->base);
	for (size_t i = 0; i < N; i++)
		run_release(&f->run[i]);
}

static void expect(const double *times, enum judge_exit status, size_t changes, size_t first,
		   size_t taken_back)
{
	struct fix f = { .rng = { 3 } };

	init(&f, times, 8, 0.01);
	judge(&f);
	assert_int_equal(f.s.n_changes, changes);
	if (changes) {
		assert_int_equal(f.s.changes[0].step, first);
		assert_int_equal(f.s.changes[0].taken_back, taken_back);
	}
	assert_int_equal(steps_exit_status(&f.s), status);
	done(&f);
}

static void test_series(void **state)
{
	(void)state;
	expect((double[]){ 10, 10, 10 }, JUDGE_OK, 0, 0, 0);
	expect((double[]){ 10, 13, 13 }, JUDGE_REGRESSED, 1, 1, STEPS_NONE);
	/* taken back at once, later, in two steps, by half, by more than it was */
	expect((double[]){ 13, 10, 10 }, JUDGE_OK, 2, 0, 1);
	expect((double[]){ 13, 13, 10 }, JUDGE_OK, 2, 0, 2);
	expect((double[]){ 16, 13, 10 }, JUDGE_OK, 3, 0, 2);
	expect((double[]){ 16, 13, 13 }, JUDGE_REGRESSED, 2, 0, STEPS_NONE);
	expect((double[]){ 13, 8, 8 }, JUDGE_OK, 2, 0, 1);
	/* up to what matters, 5 % */
	expect((double[]){ 13, 10.3, 10.3 }, JUDGE_OK, 2, 0, 1);
	/* for the better */
	expect((double[]){ 10, 7, 7 }, JUDGE_OK, 1, 1, STEPS_NONE);
	/* across patches that do not build or change nothing */
	expect((double[]){ 0, 13, 13 }, JUDGE_REGRESSED, 1, 1, STEPS_NONE);
	expect((double[]){ 0, 10, 10 }, JUDGE_CANNOT, 0, 0, 0);
	expect((double[]){ -1, -1, -1 }, JUDGE_OK, 0, 0, 0);
	expect((double[]){ 13, -1, 10 }, JUDGE_OK, 2, 0, 2);
}

static void test_against(void **state)
{
	struct fix f = { .rng = { 3 } };

	(void)state;
	init(&f, (double[]){ 0, 13, -1 }, 8, 0.01);
	judge(&f);
	assert_int_equal(f.s.compared, 1);
	assert_int_equal(f.s.step[1].before, STEPS_BASE);
	assert_int_equal(f.s.step[2].before, 1);
	assert_true(fabs(f.s.step[1].cmp.o.alpha - 0.05) < 1e-12);
	/* judging again replaces what was there */
	judge(&f);
	assert_int_equal(f.s.n_changes, 1);
	f.s.step[2].state = STEP_WAITING;
	assert_int_equal(steps_exit_status(&f.s), JUDGE_REGRESSED);
	done(&f);
	/* two comparisons: half of it each */
	init(&f, (double[]){ 10, -1, 10 }, 8, 0.01);
	judge(&f);
	assert_true(fabs(f.s.step[0].cmp.o.alpha - 0.025) < 1e-12);
	assert_true(fabs(f.s.step[2].cmp.o.alpha - 0.025) < 1e-12);
	done(&f);
}

/* Three seeds of a wild case cannot tell. */
static void test_inconclusive(void **state)
{
	struct fix f = { .rng = { 5 } };

	(void)state;
	init(&f, (double[]){ 10, 10, 10 }, 3, 0.5);
	judge(&f);
	assert_int_equal(f.s.n_changes, 0);
	assert_int_equal(steps_exit_status(&f.s), JUDGE_CANNOT);
	done(&f);
}

/* Of 300 series of three patches that change nothing at most about 5 % name a patch, and not just
 * of the single comparisons: 300 * 0.05 = 15, and 26 or more have a chance of 0.4 %. */
static void test_false_alarms(void **state)
{
	struct rng rng = { 11 };
	int alarms = 0;

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct fix f = { .rng = rng };

		init(&f, (double[]){ 10, 10, 10 }, 6, 0.3);
		judge(&f);
		alarms += f.s.n_changes > 0;
		rng = f.rng;
		done(&f);
	}
	assert_in_range(alarms, 0, 25);
}

static void test_seeds(void **state)
{
	(void)state;
	/* 2 / C(10, 5) = 0.0079, 2 / C(12, 6) = 0.0022, 2 / C(14, 7) = 0.00058 */
	assert_int_equal(steps_seeds(0, 0.05, 5), 5);
	assert_int_equal(steps_seeds(1, 0.05, 5), 5);
	assert_int_equal(steps_seeds(6, 0.05, 5), 5);
	assert_int_equal(steps_seeds(7, 0.05, 5), 6);
	assert_int_equal(steps_seeds(23, 0.05, 5), 6);
	assert_int_equal(steps_seeds(24, 0.05, 5), 7);
	assert_int_equal(steps_seeds(1, 0.05, 3), 4);
	assert_int_equal(steps_seeds(1000000, 1e-9, 5) < 40, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_series),	     cmocka_unit_test(test_against),
		cmocka_unit_test(test_inconclusive), cmocka_unit_test(test_false_alarms),
		cmocka_unit_test(test_seeds),
	};

	return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
