/* SPDX-License-Identifier: GPL-2.0-only */
/* Comparing patch by patch. */
#include "judge/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "case/metric.h"
#include "stats/dist.h"

#define SEEDS_MAX 100

static void release_compared(struct steps *s)
{
	for (size_t i = 0; i < s->n; i++)
		compare_release(&s->step[i].cmp);
	free(s->changes);
	s->changes = NULL;
	s->n_changes = 0;
}

void steps_release(struct steps *s)
{
	release_compared(s);
	free(s->step);
	*s = (struct steps)STEPS_INIT;
}

size_t steps_to_compare(const struct steps *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->step[i].state == STEP_RAN;
	return n;
}

int steps_seeds(size_t n, double alpha, int least)
{
	int seeds = least;

	while (seeds < SEEDS_MAX && n &&
	       log(2) - dist_ln_choose(2.0 * seeds, seeds) > log(alpha / (double)n))
		seeds++;
	return seeds;
}

/* The run that a step is compared with. */
static const struct run *run_of(const struct steps *s, size_t step)
{
	return step == STEPS_BASE ? s->base : s->step[step].run;
}

static const struct change *same_row(const struct step *step, const struct change *like)
{
	for (size_t i = 0; i < step->cmp.n; i++) {
		const struct change *c = &step->cmp.c[i];

		if (c->metric == like->metric && !strcmp(c->case_name, like->case_name) &&
		    !strcmp(c->job, like->job))
			return c;
	}
	return NULL;
}

/* Is the median with the later patch what it was before the change, or better? */
static bool is_back(const struct change *first, const struct change *later)
{
	bool higher = metric_info((enum metric)first->metric)->higher;
	double room = first->ratio && later->ratio ? 1 + first->matters : 1;

	if (later->kind != CHANGE_IMPROVED)
		return false;
	return higher ? later->now * room >= first->base : later->now <= first->base * room;
}

static size_t taken_back_by(const struct steps *s, size_t step, const struct change *c)
{
	for (size_t i = step + 1; i < s->n && c->kind == CHANGE_REGRESSED; i++) {
		const struct change *later = same_row(&s->step[i], c);

		if (later && is_back(c, later))
			return i;
	}
	return STEPS_NONE;
}

static void collect(struct steps *s)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->step[i].cmp.n; k++) {
			const struct change *c = &s->step[i].cmp.c[k];

			if (c->kind == CHANGE_REGRESSED || c->kind == CHANGE_IMPROVED)
				*array_grow(s->changes, s->n_changes) = (struct step_change){
					.step = i, .c = c, .taken_back = taken_back_by(s, i, c),
				};
		}
	}
}

int steps_judge(struct steps *s, const struct compare_options *o, struct err *err)
{
	struct compare_options each = *o;
	size_t before = STEPS_BASE;

	release_compared(s);
	s->compared = steps_to_compare(s);
	each.alpha = s->compared ? o->alpha / (double)s->compared : o->alpha;
	for (size_t i = 0; i < s->n; i++) {
		struct step *step = &s->step[i];
		int ret;

		step->before = before;
		if (step->state != STEP_RAN)
			continue;
		ret = compare_runs(&step->cmp, run_of(s, before), step->run, &each, err);
		if (ret)
			return ret;
		before = i;
	}
	collect(s);
	return 0;
}

enum judge_exit steps_exit_status(const struct steps *s)
{
	bool open = !s->n;

	for (size_t i = 0; i < s->n_changes; i++) {
		if (s->changes[i].c->kind == CHANGE_REGRESSED &&
		    s->changes[i].taken_back == STEPS_NONE)
			return JUDGE_REGRESSED;
	}
	for (size_t i = 0; i < s->n && !open; i++) {
		const struct step *step = &s->step[i];

		open = step->state == STEP_WAITING || step->state == STEP_NO_BUILD;
		if (step->state == STEP_RAN)
			open = !step->cmp.n || compare_count(&step->cmp, CHANGE_INCONCLUSIVE) ||
			       compare_count(&step->cmp, CHANGE_NOT_COMPARED);
	}
	return open ? JUDGE_CANNOT : JUDGE_OK;
}
