/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Distributions and their inverses. Sources: Abramowitz and Stegun, "Handbook of Mathematical
 * Functions" (1964): 26.2.29 (normal by erfc), 26.5.8 (continued fraction of the incomplete
 * beta), 26.7.1 (Student's t by it). Absolute error below 1e-12; inverses by bisection, to the
 * last digits of a double.
 */
#ifndef STATS_DIST_H
#define STATS_DIST_H

/* P(Z <= z) of the standard normal. */
double dist_normal_cdf(double z);
/* The z with P(Z <= z) = p; 0 < p < 1, else BUG. */
double dist_normal_quantile(double p);
/* P(T <= t) of Student's t with df > 0 degrees of freedom (need not be whole). */
double dist_t_cdf(double t, double df);
/* The t with P(T <= t) = p; 0 < p < 1, else BUG. */
double dist_t_quantile(double p, double df);
/* P(X <= k) of n tosses of a fair coin, n <= 1000; 0 for k < 0. */
double dist_coin_cdf(int k, int n);
/* ln of n over k, 0 <= k <= n. */
double dist_ln_choose(double n, double k);

#endif
