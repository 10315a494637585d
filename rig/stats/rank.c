/* SPDX-License-Identifier: GPL-2.0-only */
/* Rank-sum test, Hodges-Lehmann shift, effect size. */
#include "stats/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "stats/dist.h"
#include "stats/stats.h"

struct pooled {
	double v;
	bool is_b;
};

static int compare_pooled(const void *x, const void *y)
{
	double a = ((const struct pooled *)x)->v, b = ((const struct pooled *)y)->v;

	return (a > b) - (a < b);
}

static struct pooled *pool(const double *a, size_t m, const double *b, size_t n)
{
	struct pooled *p = xcalloc(m + n, sizeof(*p));

	for (size_t i = 0; i < m; i++)
		p[i].v = a[i];
	for (size_t i = 0; i < n; i++)
		p[m + i] = (struct pooled){ b[i], true };
	qsort(p, m + n, sizeof(*p), compare_pooled);
	return p;
}

/* Twice the mean ranks, whole numbers; sum of b's, and the sum of t^3 - t over groups of ties. */
static void double_ranks(const struct pooled *p, size_t total, unsigned int *rank, size_t *sum_b,
			 double *ties)
{
	*sum_b = 0;
	*ties = 0;
	for (size_t i = 0, end; i < total; i = end) {
		double t;

		for (end = i + 1; end < total && p[end].v <= p[i].v; end++)
			;
		t = (double)(end - i);
		*ties += t * t * t - t;
		for (size_t k = i; k < end; k++) {
			rank[k] = (unsigned int)(i + 1 + end);
			*sum_b += p[k].is_b ? rank[k] : 0;
		}
	}
}

/*
 * How many of the subsets of n of the ranks have which sum: count[sum], 0 <= sum <= max. The ranks
 * are in ascending order. Counts are doubles: C(100, 50) is 1e29, and rounding is 1e-16 of each. k
 * ranks have at least the sum of the k least, and if that is exceeded by more than all n may exceed
 * theirs, it leads nowhere.
 */
static double *count_sums(const unsigned int *rank, size_t total, size_t n, size_t max)
{
	double *all __free(ptr) = xcalloc((n + 1) * (max + 1), sizeof(double));
	double *count = xmalloc((max + 1) * sizeof(double));
	size_t *least __free(ptr) = xcalloc(n + 1, sizeof(size_t));

	for (size_t k = 0; k < n; k++)
		least[k + 1] = least[k] + rank[k];
	all[0] = 1;
	for (size_t i = 0; i < total && least[n] <= max; i++) {
		for (size_t k = i + 1 < n ? i + 1 : n; k; k--) {
			double *to = all + k * (max + 1), *from = to - (max + 1);
			size_t end = least[k] + (max - least[n]);

			for (size_t s = least[k - 1] + rank[i]; s <= end; s++)
				to[s] += from[s - rank[i]];
		}
	}
	memcpy(count, all + n * (max + 1), (max + 1) * sizeof(double));
	return count;
}

/* n over k, to the last digits; lgamma() would lose some. */
static double choose(size_t n, size_t k)
{
	double ways = 1;

	for (size_t i = 1; i <= k; i++)
		ways *= (double)(n - k + i) / (double)i;
	return ways;
}

/* The same test from the other end: ranks counted from the greatest. */
static void turn_ranks(unsigned int *rank, size_t total)
{
	for (size_t i = 0; i < total - i; i++) {
		unsigned int low = rank[i];

		rank[i] = (unsigned int)(2 * (total + 1)) - rank[total - 1 - i];
		rank[total - 1 - i] = (unsigned int)(2 * (total + 1)) - low;
	}
}

/* Only sums up to the observed one are counted, from the end that is nearer: far apart samples,
 * the usual case, cost next to nothing. */
static void exact_tails(unsigned int *rank, size_t total, size_t n, size_t sum, struct rank_test *t)
{
	size_t other = n * 2 * (total + 1) - sum;
	bool low = sum <= other, whole = true;
	double *count __free(ptr) = NULL, tail = 0, all = choose(total, n), rest;

	if (!low) {
		turn_ranks(rank, total);
		sum = other;
	}
	/* without ties no rank needs doubling */
	for (size_t i = 0; i < total; i++)
		whole = whole && rank[i] % 2 == 0;
	for (size_t i = 0; i < total && whole; i++)
		rank[i] /= 2;
	sum /= whole ? 2 : 1;
	count = count_sums(rank, total, n, sum);
	for (size_t s = 0; s <= sum; s++)
		tail += count[s];
	rest = 1 - (tail - count[sum]) / all;
	t->p_less = low ? tail / all : rest;
	t->p_greater = low ? rest : tail / all;
}

static void normal_tails(size_t m, size_t n, double ties, struct rank_test *t)
{
	double mn = (double)m * (double)n, total = (double)(m + n);
	double sd = sqrt(mn / 12 * (total + 1 - ties / (total * (total - 1))));

	if (!(sd > 0)) {
		t->p_less = t->p_greater = 1;
		return;
	}
	t->p_less = dist_normal_cdf((t->u - mn / 2 + 0.5) / sd);
	t->p_greater = dist_normal_cdf((mn / 2 - t->u + 0.5) / sd);
}

struct rank_test rank_test(const double *a, size_t m, const double *b, size_t n)
{
	struct pooled *p __free(ptr) = pool(a, m, b, n);
	unsigned int *rank __free(ptr) = xcalloc(m + n, sizeof(*rank));
	struct rank_test t = { .exact = m + n <= RANK_EXACT };
	double ties, least;
	size_t sum_b;

	BUG_ON(!m || !n || m > RANK_MAX || n > RANK_MAX);
	double_ranks(p, m + n, rank, &sum_b, &ties);
	t.u = ((double)sum_b - (double)n * (double)(n + 1)) / 2;
	if (t.exact)
		exact_tails(rank, m + n, n, sum_b, &t);
	else
		normal_tails(m, n, ties, &t);
	least = t.p_less < t.p_greater ? t.p_less : t.p_greater;
	t.p = least < 0.5 ? 2 * least : 1;
	return t;
}

static int compare_doubles(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* The largest k with P(U <= k - 1) <= tail, at least 1, and that probability; exactly. */
static size_t critical_exact(size_t m, size_t n, double tail, double *p)
{
	size_t total = m + n, least = n * (n + 1) / 2, max = least + m * n / 2, k = 0;
	unsigned int *rank __free(ptr) = xcalloc(total, sizeof(*rank));
	double *count __free(ptr) = NULL;
	double sum = 0, all = choose(total, n);

	for (size_t i = 0; i < total; i++)
		rank[i] = (unsigned int)(i + 1);
	count = count_sums(rank, total, n, max);
	*p = count[least] / all;
	/* a tail that is met exactly must not be lost to rounding */
	while (2 * k <= m * n && sum + count[least + k] <= tail * all * (1 + 1e-12)) {
		sum += count[least + k++];
		*p = sum / all;
	}
	return k ? k : 1;
}

static size_t critical(size_t m, size_t n, double tail, double *p)
{
	double mean = (double)m * (double)n / 2;
	double sd = sqrt(mean * (double)(m + n + 1) / 6);
	size_t k;

	if (m + n <= RANK_EXACT)
		return critical_exact(m, n, tail, p);
	k = (size_t)fmax(1, floor(mean + sd * dist_normal_quantile(tail) + 0.5));
	*p = dist_normal_cdf(((double)k - 1 - mean + 0.5) / sd);
	return k;
}

struct rank_shift rank_shift(const double *a, size_t m, const double *b, size_t n, double level)
{
	double *d __free(ptr) = NULL;
	struct rank_shift s;
	double p = 0;
	size_t k;

	BUG_ON(!m || !n || m > RANK_MAX || n > RANK_MAX || !(level > 0 && level < 1));
	d = xmalloc(m * n * sizeof(*d));
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			d[i * n + j] = b[j] - a[i];
	qsort(d, m * n, sizeof(*d), compare_doubles);
	k = critical(m, n, (1 - level) / 2, &p);
	if (k > (m * n + 1) / 2)
		k = (m * n + 1) / 2;
	s.low = d[k - 1];
	s.high = d[m * n - k];
	s.level = fmax(0, 1 - 2 * p);
	s.shift = stats_median(d, m * n);
	return s;
}

static double *logs(const double *v, size_t n)
{
	double *l = xcalloc(n, sizeof(*l));

	for (size_t i = 0; i < n; i++) {
		BUG_ON(!(v[i] > 0));
		l[i] = log(v[i]);
	}
	return l;
}

struct rank_shift rank_ratio(const double *a, size_t m, const double *b, size_t n, double level)
{
	double *la __free(ptr) = logs(a, m), *lb __free(ptr) = logs(b, n);
	struct rank_shift s = rank_shift(la, m, lb, n, level);

	return (struct rank_shift){ exp(s.shift), exp(s.low), exp(s.high), s.level };
}

double rank_effect(const double *a, size_t m, const double *b, size_t n)
{
	double u = 0;

	BUG_ON(!m || !n);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			u += b[j] > a[i] ? 1 : b[j] < a[i] ? 0 : 0.5;
	return u / ((double)m * (double)n);
}
