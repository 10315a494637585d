/* SPDX-License-Identifier: GPL-2.0-only */
/* Order statistics on small samples. */
#include "stats/stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double stats_median(double *v, size_t n)
{
	BUG_ON(!n);
	qsort(v, n, sizeof(*v), compare);
	/* halves are added, not the sum halved: two large values must not overflow */
	return n % 2 ? v[n / 2] : v[n / 2 - 1] / 2 + v[n / 2] / 2;
}

double stats_min(const double *v, size_t n)
{
	double min;

	BUG_ON(!n);
	min = v[0];
	for (size_t i = 1; i < n; i++)
		min = v[i] < min ? v[i] : min;
	return min;
}

double stats_max(const double *v, size_t n)
{
	double max;

	BUG_ON(!n);
	max = v[0];
	for (size_t i = 1; i < n; i++)
		max = v[i] > max ? v[i] : max;
	return max;
}

double stats_mean(const double *v, size_t n)
{
	double sum = 0;

	BUG_ON(!n);
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return sum / (double)n;
}

double stats_spread(const double *v, size_t n)
{
	double *sorted __free(ptr) = xmalloc(n * sizeof(*v));
	double distance = stats_max(v, n) - stats_min(v, n);

	memcpy(sorted, v, n * sizeof(*v));
	/* not 0 / 0 for values that are all 0 */
	return distance > 0 ? distance / stats_median(sorted, n) : 0;
}
