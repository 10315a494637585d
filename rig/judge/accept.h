/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What of a run would become the accepted values ('was', 'within') of its cases, and what its
 * limits would be if they were set from it. Pure.
 *
 * was	the value over the run's seeds, as it is judged
 * within
 *	what there is; wider only if a seed of this run is farther from the value than that, and
 *	where there is none: twice the farthest distance of a seed, in whole percent, at least 5 %.
 *	Twice, since a handful of seeds shows hardly ever the farthest that there can be. On the
 *	real clock never below the host's noise floor, as far as the run knows it (judge/noise.h)
 * limit	(floor where more is better) the worst seed and the margin. Never unless asked for.
 */
#ifndef JUDGE_ACCEPT_H
#define JUDGE_ACCEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "case/expect.h"

struct kase;
struct run;
struct verdict_value;

#define ACCEPT_SEEDS 3		/* with fewer the spread is not known */

struct accept_options {
	bool all;		/* also what is within its tolerance, and what has no 'was' yet */
	double margin;		/* of limits; 0.3 = 30 %; negative: limits stay as they are */
};

/* A change of one section. Values are in the metric's unit; negative: this key stays. */
struct accept_row {
	const struct expectation *e;	/* of x */
	const struct verdict_value *v;	/* of the run: the evidence */
	double was, within, limit, floor;
	bool looser;			/* the limit or floor allows more than it did */
};

struct accept {
	struct accept_row *rows;
	size_t n;
};

#define ACCEPT_INIT { .rows = NULL, .n = 0 }
void accept_release(struct accept *a);

/*
 * Append a row for each section of x that would change. x: what is expected of the case, chosen
 * for the run's kernel (expect_choose()). Left out are jobs that were not judged (broken, skipped)
 * and values of fewer than ACCEPT_SEEDS seeds. A 'was' that a section did not have is only taken
 * with a within, that is, for values above 0. run and x are borrowed for as long as a lives.
 */
void accept_propose(struct accept *a, const struct run *run, const struct kase *c,
		    const struct expect *x, const struct accept_options *o);

#endif
