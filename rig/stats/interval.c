/* SPDX-License-Identifier: GPL-2.0-only */
/* The median's exact interval, and the bootstrap of a ratio. */
#include "stats/interval.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "stats/dist.h"
#include "stats/rng.h"
#include "stats/stats.h"

struct interval interval_median(double *v, size_t n, double level)
{
	double tail = (1 - level) / 2;
	int k = 1;

	BUG_ON(!n || !(level > 0 && level < 1));
	stats_median(v, n);	/* sorts */
	while (2 * (k + 1) <= (int)n + 1 && dist_coin_cdf(k, (int)n) <= tail)
		k++;
	return (struct interval){
		.low = v[k - 1], .high = v[n - (size_t)k],
		.level = fmax(0, 1 - 2 * dist_coin_cdf(k - 1, (int)n)),
	};
}

static double drawn_median(const double *v, size_t n, double *drawn, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		drawn[i] = v[rng_below(rng, n)];
		BUG_ON(!(drawn[i] > 0));
	}
	return stats_median(drawn, n);
}

struct interval interval_bootstrap(const double *a, size_t m, const double *b, size_t n,
				   double level, size_t rounds, uint64_t seed)
{
	double *drawn __free(ptr) = xcalloc(m > n ? m : n, sizeof(double));
	double *ratio __free(ptr) = xcalloc(rounds, sizeof(double));
	struct rng rng = { seed };
	size_t cut;

	BUG_ON(!m || !n || !rounds || !(level > 0 && level < 1));
	for (size_t i = 0; i < rounds; i++) {
		double of = drawn_median(a, m, drawn, &rng);

		ratio[i] = drawn_median(b, n, drawn, &rng) / of;
	}
	stats_median(ratio, rounds);	/* sorts */
	cut = (size_t)floor((1 - level) / 2 * (double)rounds);
	return (struct interval){ ratio[cut], ratio[rounds - 1 - cut], level };
}
