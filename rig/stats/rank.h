/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two samples compared by ranks: nothing is assumed about their distribution but that under the
 * hypothesis of no difference every split of the pooled values into groups of these sizes is
 * equally likely. All values finite; a has m, b has n of them, both at least 1 (else BUG).
 *
 * Test: Wilcoxon (1945), Mann and Whitney (1947). Equal values share their mean rank. Up to
 * RANK_EXACT values the distribution is exact, conditional on the ties that there are (Lehmann,
 * "Nonparametrics", 1975, chapter 1), counted by dynamic programming over doubled ranks. Above, the
 * normal approximation (ibid.) with the variance corrected for ties,
 *
 *	m n / 12 * (N + 1 - sum of (t^3 - t) / (N (N - 1))),  N = m + n, t the sizes of the ties,
 *
 * and 1/2 for continuity.
 *
 * Shift: Hodges and Lehmann (1963): the median of all differences b - a. Its interval is the set of
 * shifts that the test does not refuse: the k-th smallest and k-th largest difference, where k is
 * the largest with P(U <= k - 1) <= alpha / 2 (Hollander and Wolfe, "Nonparametric Statistical
 * Methods", 2nd ed., 4.3), U's distribution without ties, which with ties errs to the safe side.
 *
 * Effect: Vargha and Delaney's A (2000): P(b > a) + P(b = a) / 2. Cliff's delta (1993) is 2 A - 1.
 */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stdbool.h>
#include <stddef.h>

#define RANK_EXACT 100		/* values of both samples together */
#define RANK_MAX   2000		/* of each sample; more is a BUG */

struct rank_test {
	double u;		/* pairs with b > a, ties count half */
	double p_less, p_greater;	/* P(U <= u), P(U >= u): b tends to be less, greater */
	double p;		/* two-sided: twice the smaller of them, at most 1 */
	bool exact;
};

struct rank_test rank_test(const double *a, size_t m, const double *b, size_t n);

struct rank_shift {
	double shift, low, high;
	double level;		/* of the interval: at least what was wanted, or, where so few
				 * values cannot give that, what their least and greatest
				 * difference do */
};

/* level: 0 < level < 1. */
struct rank_shift rank_shift(const double *a, size_t m, const double *b, size_t n, double level);
/* The same for b / a, by logarithms. All values above 0, else BUG. */
struct rank_shift rank_ratio(const double *a, size_t m, const double *b, size_t n, double level);

/* A: 0 = every b below every a, 0.5 = neither, 1 = every b above every a. */
double rank_effect(const double *a, size_t m, const double *b, size_t n);

#endif
