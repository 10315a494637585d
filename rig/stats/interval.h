/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Confidence intervals of one sample, finite values, n >= 1 (else BUG).
 *
 * Median, exact: between the k-th smallest and the k-th largest value, where k is the largest with
 * P(fewer than k of n tosses of a fair coin are heads) <= (1 - level) / 2: David and Nagaraja,
 * "Order Statistics", 3rd ed., 7.1. Holds for every continuous distribution, and with ties errs to
 * the safe side.
 *
 * Ratio of two medians, bootstrap: both samples are drawn again with replacement, and the
 * interval is the middle of what the ratios of medians then are (Efron and Tibshirani, "An
 * Introduction to the Bootstrap", 1993, chapter 13: percentiles). Not BCa: its acceleration comes
 * from the jackknife, which fails for medians (ibid., chapter 11). With fewer than about ten
 * values in each sample it is narrower than its level says, so it serves where samples are large;
 * rank_ratio() is exact at any size.
 */
#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include <stddef.h>
#include <stdint.h>

struct interval {
	double low, high;
	double level;	/* at least what was wanted, or the most that n values can give */
};

/* v is sorted in place. n <= 1000. */
struct interval interval_median(double *v, size_t n, double level);
/* b over a; all values above 0 (else BUG). The same rounds and seed give the same interval. */
struct interval interval_bootstrap(const double *a, size_t m, const double *b, size_t n,
				   double level, size_t rounds, uint64_t seed);

#endif
