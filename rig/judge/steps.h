/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A series of patches, each compared with what was before it: which of them changes what. Pure.
 *
 * A patch whose kernel ran is compared (compare.h) with the last one before it whose kernel ran,
 * or with the base; one that leaves the image as it was changes nothing. All these comparisons
 * share alpha: each has alpha / their number, so that the chance of naming any patch wrongly is at
 * most alpha for the whole series.
 *
 * A row that got worse is taken back by the first later patch that improves the same row and with
 * which its median is back at what it was before, or better than that, up to what matters.
 */
#ifndef JUDGE_STEPS_H
#define JUDGE_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/compare.h"
#include "judge/judge.h"

struct err;
struct run;

#define STEPS_BASE ((size_t)-1)		/* the kernel without any of the patches */
#define STEPS_NONE ((size_t)-2)

enum step_state {
	STEP_WAITING,		/* its turn has not come */
	STEP_NO_BUILD,		/* or it does not apply */
	STEP_SAME_IMAGE,	/* byte for byte the kernel before it: nothing to boot */
	STEP_RAN
};

struct step {
	/* filled in by the caller; all borrowed */
	const char *name, *subject;	/* of the patch; to be escaped */
	enum step_state state;
	const char *why;		/* of NO_BUILD, and of WAITING if it is known; escaped */
	const struct run *run;		/* of RAN */
	/* by steps_judge() */
	size_t before;			/* the step that it is compared with, or STEPS_BASE */
	struct compare cmp;		/* of RAN; COMPARE_INIT before */
};

/* A row of a step's comparison that regressed or improved. */
struct step_change {
	size_t step;
	const struct change *c;		/* in the step's cmp */
	size_t taken_back;		/* by that step; STEPS_NONE */
};

struct steps {
	/* filled in by the caller; step is an allocated array */
	const struct run *base;
	struct step *step;
	size_t n;
	/* by steps_judge() */
	struct step_change *changes;	/* in order of steps */
	size_t n_changes;
	size_t compared;		/* steps that ran */
};

#define STEPS_INIT { .base = NULL }
void steps_release(struct steps *s);

/* Compare all, replacing what was there. The error is compare_runs(). */
int steps_judge(struct steps *s, const struct compare_options *o, struct err *err);
/* How many comparisons there will be, before there are runs. */
size_t steps_to_compare(const struct steps *s);
/* The least seeds, at least 'least', with which one change among n comparisons can be certain at
 * alpha: a permutation test cannot get below 2 / C(2 seeds, seeds) (stats/power.h). */
int steps_seeds(size_t n, double alpha, int least);
/* 1 if a row regressed and is not taken back; else 125 if a patch was not built or not run, or
 * something is inconclusive or was not compared; else 0. */
enum judge_exit steps_exit_status(const struct steps *s);

#endif
