/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looking more than once: a comparison that may stop early and go on otherwise, without more false
 * alarms than one look at the end would have.
 *
 * Looks are taken at fixed numbers of values in each sample, and each has its own share of alpha;
 * the shares add up to alpha, so the chance of a false alarm at any look is at most alpha, whatever
 * the test and however the looks depend on each other (Bonferroni; the idea of spending alpha over
 * looks is Lan and DeMets 1983, who gain a little more by the looks' joint distribution, which a
 * permutation test of unknown data does not have). Stopping because nothing can be found any more
 * never adds a false alarm.
 *
 *	values    3     5      8      13     20
 *	share     0     0.16   0.2    0.29   0.35
 *
 * 3 values are no look for alarms (2 / C(6, 3) = 0.1 is the least p there is), but one at which
 * "nothing varies and nothing differs" may be seen. 5 can give 2 / 252 = 0.0079, just below 0.16 *
 * 5 %.
 */
#ifndef STATS_LOOKS_H
#define STATS_LOOKS_H

#include <stddef.h>

#define LOOKS 5

/* How many values look 0 ... LOOKS - 1 has. */
size_t look_values(size_t look);
/* The first look with more than n values; LOOKS if there is none. */
size_t look_after(size_t n);
/* What a p (two-sided, adjusted) at that look must not exceed. */
double look_alpha(size_t look, double alpha);

#endif
