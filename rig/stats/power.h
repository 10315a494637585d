/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a comparison of two samples can see. The test is two-sided at alpha on the difference of
 * means over the pooled standard deviation sd; seen means found with the given power. The minimum
 * detectable difference of textbooks (Zar, "Biostatistical Analysis", chapter 8), which takes the
 * noncentral t for a t that is shifted (within 6 % of it from 5 values on):
 *
 *	difference = (t[1 - alpha/2, df] + t[power, df]) * sd * sqrt(1/m + 1/n),  df = m + n - 2
 *
 * With several rows compared at once (stats/family.h) alpha is divided by their number, which errs
 * to the safe side. A permutation test cannot get below 2 / C(m + n, n), however large the
 * difference: where that is above alpha itself, none can be found.
 */
#ifndef STATS_POWER_H
#define STATS_POWER_H

#include <stddef.h>

#define POWER_MOST 1000		/* values in a sample; more are not thought of */

struct power {
	double alpha;		/* of all rows together, 0 <= alpha < 1; with 0 nothing is found */
	double power;		/* 0 < power < 1 */
	size_t rows;		/* >= 1 */
};

/* The smallest difference that is seen, >= 0; INFINITY if none is. */
double power_smallest(const struct power *p, double sd, size_t m, size_t n);
/* The least n <= POWER_MOST with which n + n values see the difference (> 0); 0 if none does. */
size_t power_values(const struct power *p, double sd, double difference);
/* sqrt of the mean variance of the two samples, weighted by their degrees of freedom; 0 with fewer
 * than 3 values in all. */
double power_spread(const double *a, size_t m, const double *b, size_t n);

#endif
