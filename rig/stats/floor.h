/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A host's noise floor, from a kernel that was measured against itself: an A/A test (why a method
 * that is to tell B from A is tried on A and A first: Kohavi, Tang and Xu, "Trustworthy Online
 * Controlled Experiments", 2020, chapter 19).
 *
 *	floor = max(|low|, |high|)
 *
 * of the shift's interval that belongs to the rank-sum test (stats/rank.h), here of logarithms:
 * the farthest difference of A from A that these values do not refuse, and so the smallest margin
 * within which they show A to be the same as A (the interval inclusion of equivalence tests:
 * Westlake 1972, Schuirmann 1987; at level 95 % their error is 2.5 % on each side). It holds what
 * is random with so many values, which falls with more of them, and what is not: drift, the order
 * of boots, caches.
 *
 * Of a quotient of two figures, each with a floor of its own, both may be at their worst at once:
 * (1 + a) (1 + b) - 1.
 */
#ifndef STATS_FLOOR_H
#define STATS_FLOOR_H

/* low and high are ratios above 0 (else BUG), 1 = the same; 0.04 = 4 % comes out. */
double floor_of_ratio(double low, double high);
/* a, b >= 0: of the quotient of figures with these floors. */
double floor_of_quotient(double a, double b);

#endif
