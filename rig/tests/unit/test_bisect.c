/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of bisect/: made-up worlds with a change at a known place are bisected to the end. */
#include "bisect_fixture.h"

#include "stats/rank.h"

struct tally {
	int found, wrong, range, unsure, alike;
	int held;		/* of range and unsure: the set holds the culprit */
	double builds, boots;
	size_t most_builds;
};

static bool in_set(const struct bisect_step *s, size_t commit)
{
	for (size_t i = 0; i < s->n_set; i++)
		if (s->set[i] == commit)
			return true;
	return false;
}

static void count(struct tally *t, const struct bisect_step *s, const struct world *w)
{
	switch (s->what) {
	case BISECT_FOUND:
		t->found += s->commit == w->culprit;
		t->wrong += s->commit != w->culprit;
		break;
	case BISECT_RANGE:
		t->range++;
		t->held += in_set(s, w->culprit);
		break;
	case BISECT_UNSURE:
		t->unsure++;
		t->held += in_set(s, w->culprit);
		break;
	case BISECT_ALIKE:
		t->alike++;
		break;
	case BISECT_TEST:
		fail_msg("not at its end");
	}
	t->builds += (double)w->builds;
	t->boots += (double)w->boots;
	t->most_builds = w->builds > t->most_builds ? w->builds : t->most_builds;
}

/* Whoever names a commit has booted it and the one before it, and they differ for certain. */
static void check_proof(const struct bisect *b, const struct bisect_step *s)
{
	const struct bisect_commit *c = &b->c[s->commit], *before = c - 1;

	if (s->what != BISECT_FOUND)
		return;
	assert_true(c->n >= b->o.proof_boots && before->n >= b->o.proof_boots);
	assert_true(rank_test(before->v, before->n, c->v, c->n).p <= 0.01);
	assert_true(s->p >= b->o.sure && s->n_set == 1);
}

static void tell(const char *what, const struct tally *t, int rounds)
{
	print_message("# %s: %d found, %d wrong, %d range, %d unsure, %d alike of %d; "
		      "%.1f builds (at most %zu), %.0f boots\n", what, t->found, t->wrong, t->range,
		      t->unsure, t->alike, rounds, t->builds / rounds, t->most_builds,
		      t->boots / rounds);
}

/* Worlds of n commits in a line that differ in the place of the culprit and in all chance; broken:
 * part of commits that do not build, and six in a row. */
static struct tally run_worlds(const char *what, const struct world *like, size_t n, double broken,
			       const struct bisect_options *o, int rounds)
{
	struct tally t = { 0 };

	for (int round = 0; round < rounds; round++) {
		struct bisect_step step;
		struct world w = *like;
		struct history h;
		struct bisect b;
		size_t row;

		w.rng = (struct rng){ (uint64_t)round * 7919 + 13 };
		line_history(&h, n);
		begin(&b, &h, o);
		if (w.culprit < n)
			w.culprit = 1 + rng_below(&w.rng, n - 1);
		row = 1 + rng_below(&w.rng, n - 8);
		for (size_t i = 1; i + 1 < n && broken > 0; i++)
			w.broken[i] = rng_real(&w.rng) < broken || (i >= row && i < row + 6);
		world_run(&w, &b, &step);
		count(&t, &step, &w);
		check_proof(&b, &step);
		bisect_step_release(&step);
		bisect_release(&b);
	}
	tell(what, &t, rounds);
	return t;
}

/* 200 commits, 20 places, twice as slow: always found, with at most 12 builds on average. */
static void test_strong(void **state)
{
	static const struct world like = { .factor = 2, .cv = 0.1, .offset = 0.01 };
	static const struct world fluky = { .factor = 2, .cv = 0.1, .offset = 0.01, .flukes = 0.03 };
	static const struct world still = { .factor = 2 };
	struct tally t = run_worlds("strong", &like, 200, 0, NULL, 20);

	(void)state;
	assert_int_equal(t.found, 20);
	assert_true(t.builds <= 12 * 20 && t.boots <= 40 * 20);
	t = run_worlds("strong, wild boots", &fluky, 200, 0, NULL, 10);
	assert_true(t.found >= 9 && !t.wrong && t.builds <= 12 * 10);
	/* figures without any spread are no special case */
	t = run_worlds("strong, no spread", &still, 200, 0, NULL, 5);
	assert_true(t.found == 5 && t.builds <= 12 * 5);
}

/* Commits that do not build: found, or narrowed down to what cannot be tested. */
static void test_broken(void **state)
{
	static const struct world like = { .factor = 2, .cv = 0.1, .offset = 0.01 };
	struct tally t = run_worlds("strong, broken builds", &like, 200, 0.05, NULL, 20);

	(void)state;
	assert_int_equal(t.found + t.range, 20);
	assert_int_equal(t.held, t.range);
	assert_true(t.found >= 14 && t.builds <= 12 * 20);
}

/* 10 %, with a spread of 8 % from boot to boot: 9 of 10 are found, and none is wrong. */
static void test_weak(void **state)
{
	static const struct world like = { .factor = 1.1, .cv = 0.08, .offset = 0.005 };
	struct tally t = run_worlds("weak", &like, 200, 0, NULL, 20);

	(void)state;
	assert_int_equal(t.wrong, 0);
	assert_in_range(t.found, 18, 20);
	assert_int_equal(t.held, t.unsure);
}

/* Worse worlds: it gets less far, but is hardly ever sure of something wrong. */
static void test_nasty(void **state)
{
	static const struct world fluky = { .factor = 1.1, .cv = 0.08, .flukes = 0.02 };
	static const struct world offset = { .factor = 1.1, .cv = 0.05, .offset = 0.02 };
	static const struct world noisy = { .factor = 1.1, .cv = 0.2 };
	struct tally t = run_worlds("weak, wild boots", &fluky, 200, 0, NULL, 8);

	(void)state;
	assert_true(t.wrong <= 1 && t.found >= 5);
	t = run_worlds("weak, builds differ", &offset, 200, 0, NULL, 8);
	assert_true(t.wrong <= 1 && t.found >= 4);
	t = run_worlds("weak, noisy", &noisy, 200, 0, NULL, 5);
	assert_int_equal(t.wrong, 0);
}

/* Ends that are the same are not bisected but once in 20 times, and then nothing is named. */
static void test_alike(void **state)
{
	static const struct world like = { .culprit = HISTORY_MAX, .factor = 1, .cv = 0.08 };
	struct tally t = run_worlds("no change", &like, 100, 0, NULL, 20);

	(void)state;
	assert_int_equal(t.found + t.wrong + t.range, 0);
	assert_true(t.alike >= 17);
}

/* A change for the better is found as well. */
static void test_better(void **state)
{
	static const struct world like = { .factor = 0.6, .cv = 0.1, .offset = 0.01 };
	struct tally t = run_worlds("faster", &like, 64, 0, NULL, 5);

	(void)state;
	assert_int_equal(t.found, 5);
}

static void test_pass_fail(void **state)
{
	static const struct world like = { .pass_fail = true, .factor = 0.8, .cv = 0.05 };
	static const struct world sure = { .pass_fail = true, .factor = 1, .cv = 0 };
	struct bisect_options o = BISECT_OPTIONS_INIT;
	struct tally t;

	(void)state;
	o.values = BISECT_PASS_FAIL;
	t = run_worlds("fails always", &sure, 200, 0, &o, 5);
	assert_true(t.found == 5 && t.builds <= 12 * 5);
	t = run_worlds("fails mostly", &like, 128, 0, &o, 10);
	assert_true(t.found >= 8 && t.wrong <= 1);
}

/*
 * Two branches of 30 commits from commit 0, merged in 61, then 20 more. The culprit is anywhere;
 * only the commits of its own branch that come after it, and those after the merge, have it.
 */
static void merge_history(struct history *h)
{
	struct err err = ERR_INIT;
	char id[48];

	*h = (struct history)HISTORY_INIT;
	for (size_t i = 0; i <= 81; i++) {
		size_t parents[2] = { i - 1, 60 }, n = i ? 1 : 0;

		if (i == 1 || i == 31)
			parents[0] = 0;
		if (i == 61) {
			parents[0] = 30;
			n = 2;
		}
		id_of(id, i);
		must(history_add(h, id, parents, n, &err), &err);
	}
	must(history_finish(h, &err), &err);
}

static void test_merges(void **state)
{
	(void)state;
	for (size_t culprit = 1; culprit <= 81; culprit += 4) {
		struct world w = { .culprit = culprit, .factor = 2, .cv = 0.1, .rng = { culprit } };
		struct bisect_step step;
		struct history h;
		struct bisect b;

		merge_history(&h);
		begin(&b, &h, NULL);
		world_run(&w, &b, &step);
		if (step.what != BISECT_FOUND || step.commit != culprit)
			fail_msg("culprit %zu: %d, commit %zu", culprit, (int)step.what, step.commit);
		assert_in_range(w.builds, 3, 14);
		bisect_step_release(&step);
		bisect_release(&b);
	}
}

/* Commits that give the same kernel are never built to look at them, and cannot be the culprit. */
static void test_same(void **state)
{
	struct world w = { .culprit = 40, .factor = 2, .cv = 0.1, .rng = { 3 } };
	struct bisect_step step;
	struct history h;
	struct bisect b;

	(void)state;
	line_history(&h, 64);
	begin(&b, &h, NULL);
	/* but for every eighth all commits touch documentation only */
	for (size_t i = 1; i < 64; i++)
		if (i % 8)
			bisect_same(&b, i, i - 1);
	world_run(&w, &b, &step);
	assert_int_equal(step.what, BISECT_FOUND);
	assert_int_equal(step.commit, 40);
	assert_in_range(w.builds, 2, 6);
	for (size_t i = 0; i < 64; i++)
		assert_true(i % 8 == 0 || !(b.p[i] > 0));
	bisect_step_release(&step);
	/* and if the ends are one kernel there is nothing to look for */
	for (size_t i = 8; i < 64; i += 8)
		bisect_same(&b, i, 0);
	bisect_next(&b, &step);
	assert_int_equal(step.what, BISECT_ALIKE);
	bisect_step_release(&step);
	bisect_release(&b);
}

static void test_ends_broken(void **state)
{
	struct bisect_step step;
	struct history h;
	struct bisect b;

	(void)state;
	line_history(&h, 10);
	begin(&b, &h, NULL);
	bisect_next(&b, &step);
	assert_true(step.what == BISECT_TEST && step.commit == 0 && step.boots == 5);
	bisect_step_release(&step);
	bisect_skip(&b, 0, "does not boot");
	bisect_next(&b, &step);
	assert_int_equal(step.what, BISECT_ALIKE);
	assert_string_equal(step.why, "an end cannot be tested");
	bisect_step_release(&step);
	bisect_release(&b);
}

/* Only the ends can be tested: all that is between is the answer. */
static void test_nothing_between(void **state)
{
	struct world w = { .culprit = 5, .factor = 2, .cv = 0.1, .rng = { 1 } };
	struct bisect_step step;
	struct history h;
	struct bisect b;

	(void)state;
	line_history(&h, 10);
	begin(&b, &h, NULL);
	for (int i = 1; i < 9; i++)
		w.broken[i] = true;
	world_run(&w, &b, &step);
	assert_int_equal(step.what, BISECT_RANGE);
	assert_int_equal(step.n_set, 9);
	assert_true(step.p > 0.99);
	bisect_step_release(&step);
	bisect_release(&b);
}

static void test_two_commits(void **state)
{
	struct world w = { .culprit = 1, .factor = 2, .cv = 0.1, .rng = { 1 } };
	struct bisect_step step;
	struct history h;
	struct bisect b;

	(void)state;
	line_history(&h, 2);
	begin(&b, &h, NULL);
	world_run(&w, &b, &step);
	assert_true(step.what == BISECT_FOUND && step.commit == 1 && w.builds == 2);
	bisect_step_release(&step);
	bisect_release(&b);
}

/* Three commits that cost 4 % each: none of them is the one, and none is named. */
static void test_three_steps(void **state)
{
	struct bisect_step step = BISECT_STEP_INIT;
	struct rng rng = { 5 };
	struct history h;
	struct bisect b;

	(void)state;
	line_history(&h, 100);
	begin(&b, &h, NULL);
	do {
		bisect_step_release(&step);
		bisect_next(&b, &step);
		for (size_t i = 0; i < step.boots; i++) {
			int steps = (step.commit >= 20) + (step.commit >= 50) + (step.commit >= 80);

			bisect_add(&b, step.commit, exp(0.04 * steps + 0.004 * rng_normal(&rng)));
		}
	} while (step.what == BISECT_TEST);
	assert_int_equal(step.what, BISECT_UNSURE);
	bisect_step_release(&step);
	bisect_release(&b);
}

/* It ends, whatever comes. */
static void test_budget(void **state)
{
	struct bisect_options o = BISECT_OPTIONS_INIT;
	struct world w = { .culprit = 100, .factor = 1.3, .cv = 0.2, .rng = { 1 } };
	struct bisect_step step;
	struct history h;
	struct bisect b;

	(void)state;
	o.all_boots = 40;
	line_history(&h, 200);
	begin(&b, &h, &o);
	world_run(&w, &b, &step);
	assert_int_equal(step.what, BISECT_UNSURE);
	assert_string_equal(step.why, "no more boots are allowed");
	assert_true(b.n_boots == 40 && in_set(&step, 100));
	bisect_step_release(&step);
	bisect_release(&b);
}

static void test_bad_options(void **state)
{
	static const struct bisect_options standard = BISECT_OPTIONS_INIT;
	struct bisect_options bad[6];
	struct history h;
	struct bisect b;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		bad[i] = standard;
	bad[0].sure = 1;
	bad[1].cost_boot = 0;
	bad[2].cost_build = NAN;
	bad[3].correlation = 1;
	bad[4].proof_boots = 3;
	bad[5].commit_boots = 4;
	line_history(&h, 5);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct err err = ERR_INIT;

		assert_true(bisect_init(&b, &h, &bad[i], &err) < 0);
		assert_int_equal(err.kind, ERR_INPUT);
	}
	assert_int_equal(h.n, 5);
	history_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strong), cmocka_unit_test(test_broken),
		cmocka_unit_test(test_weak), cmocka_unit_test(test_nasty),
		cmocka_unit_test(test_alike), cmocka_unit_test(test_better),
		cmocka_unit_test(test_pass_fail), cmocka_unit_test(test_merges),
		cmocka_unit_test(test_same), cmocka_unit_test(test_ends_broken),
		cmocka_unit_test(test_nothing_between), cmocka_unit_test(test_two_commits),
		cmocka_unit_test(test_three_steps), cmocka_unit_test(test_budget),
		cmocka_unit_test(test_bad_options),
	};

	return cmocka_run_group_tests_name("bisect", tests, NULL, NULL);
}
