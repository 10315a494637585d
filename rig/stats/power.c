/* SPDX-License-Identifier: GPL-2.0-only */
/* Smallest visible difference and the values it needs. */
#include "stats/power.h"

#include <math.h>

#include "base/err.h"
#include "stats/dist.h"
#include "stats/stats.h"

double power_smallest(const struct power *p, double sd, size_t m, size_t n)
{
	double df = (double)(m + n) - 2, tail = p->alpha / (double)p->rows / 2;

	BUG_ON(!(p->alpha >= 0 && p->alpha < 1 && p->power > 0 && p->power < 1) || !p->rows);
	BUG_ON(!m || !n);
	/* a smallest p that is alpha itself must not be lost to rounding */
	if (df < 1 || log(2) - dist_ln_choose((double)(m + n), (double)n) > log(p->alpha) + 1e-12)
		return INFINITY;
	return (dist_t_quantile(1 - tail, df) + dist_t_quantile(p->power, df)) * sd *
	       sqrt(1 / (double)m + 1 / (double)n);
}

size_t power_values(const struct power *p, double sd, double difference)
{
	size_t low = 1, high = POWER_MOST;

	BUG_ON(!(difference > 0));
	if (power_smallest(p, sd, high, high) > difference)
		return 0;
	/* it falls with n: low does not see it, high does */
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (power_smallest(p, sd, mid, mid) > difference)
			low = mid;
		else
			high = mid;
	}
	return high;
}

static double squares(const double *v, size_t n)
{
	double mean = stats_mean(v, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sum;
}

double power_spread(const double *a, size_t m, const double *b, size_t n)
{
	return m + n < 3 ? 0 : sqrt((squares(a, m) + squares(b, n)) / (double)(m + n - 2));
}
