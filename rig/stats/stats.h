/* SPDX-License-Identifier: GPL-2.0-only */
/* Order statistics on small samples. Pure arithmetic on finite doubles; no domain words. All need
 * n >= 1 (else BUG). */
#ifndef STATS_STATS_H
#define STATS_STATS_H

#include <stddef.h>

/* The middle value, or the mean of the two middle ones; v is sorted in place. */
double stats_median(double *v, size_t n);
double stats_min(const double *v, size_t n);
double stats_max(const double *v, size_t n);
double stats_mean(const double *v, size_t n);
/* Largest distance between two values over the median; 0 if all are the same. */
double stats_spread(const double *v, size_t n);

#endif
