/* SPDX-License-Identifier: GPL-2.0-only */
/* Holm's step-down, and Westfall and Young's over relabellings. */
#include "stats/family.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "stats/dist.h"
#include "stats/rng.h"
#include "stats/stats.h"

/* Sums of the same values in another order are not equal to the last digit. */
#define SAME 1e-9

struct ranked {
	double key;
	size_t at;
};

static int compare_ranked(const void *x, const void *y)
{
	double a = ((const struct ranked *)x)->key, b = ((const struct ranked *)y)->key;

	return (a > b) - (a < b);
}

void family_holm(double *p, size_t n)
{
	struct ranked *order __free(ptr) = xcalloc(n, sizeof(*order));
	double most = 0;

	for (size_t i = 0; i < n; i++)
		order[i] = (struct ranked){ p[i], i };
	qsort(order, n, sizeof(*order), compare_ranked);
	for (size_t i = 0; i < n; i++) {
		most = fmax(most, fmin(1, (double)(n - i) * order[i].key));
		p[order[i].at] = most;
	}
}

/* All values of a row, b's moved, around their mean and in units of their spread. */
struct pooled {
	double *v;
	double squares;		/* sum of v^2: total - 1, or 0 if all are the same */
};

static struct pooled pool(const struct family_row *r)
{
	size_t total = r->m + r->n;
	struct pooled p = { .v = xcalloc(total, sizeof(double)) };
	double shift = stats_mean(r->b, r->n) - stats_mean(r->a, r->m);
	double mean, scale = 0;

	shift = copysign(fmin(fabs(shift), r->margin), shift);
	memcpy(p.v, r->a, r->m * sizeof(double));
	for (size_t i = 0; i < r->n; i++)
		p.v[r->m + i] = r->b[i] - shift;
	mean = stats_mean(p.v, total);
	for (size_t i = 0; i < total; i++)
		scale += (p.v[i] - mean) * (p.v[i] - mean) / (double)(total - 1);
	scale = sqrt(scale);
	/* what is left of equal values is rounding, not spread */
	if (!(scale > 1e-12 * fabs(mean)))
		scale = 0;
	for (size_t i = 0; i < total; i++)
		p.v[i] = scale > 0 ? (p.v[i] - mean) / scale : 0;
	p.squares = scale > 0 ? (double)(total - 1) : 0;
	return p;
}

/*
 * |t| of a split with this sum of the n b's. The values add up to 0, so the sum of a's is its
 * negative, and the squares between the groups are sum^2 / n + sum^2 / m.
 */
static double t_of(const struct pooled *p, double sum, size_t m, size_t n)
{
	double between = sum * sum * (1 / (double)m + 1 / (double)n);
	double within = p->squares - between;

	if (!(between > p->squares * SAME))
		return 0;
	if (within <= p->squares * SAME)
		return INFINITY;
	return sqrt(between / within * (double)(m + n - 2));
}

/* A block's relabellings: the places that get label b, n of them each. The first is the one at
 * hand. */
struct labels {
	unsigned short *at;
	size_t count, n;
};

/* The next subset of n places in lexicographic order; false after the last. */
static bool next_subset(unsigned short *at, size_t n, size_t total)
{
	size_t i = n;

	while (i && at[i - 1] == total - n + i - 1)
		i--;
	if (!i)
		return false;
	at[i - 1]++;
	for (; i < n; i++)
		at[i] = (unsigned short)(at[i - 1] + 1);
	return true;
}

/* Floyd's sampling needs a set; a partial shuffle of all places does as well. */
static void draw_subset(unsigned short *at, size_t n, unsigned short *all, size_t total,
			struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = i + rng_below(rng, total - i);
		unsigned short swap = all[i];

		all[i] = all[k];
		all[k] = swap;
		at[i] = all[i];
	}
}

static struct labels make_labels(size_t m, size_t n, uint64_t seed)
{
	size_t total = m + n;
	double ways = exp(dist_ln_choose((double)total, (double)n));
	bool all_of_them = ways < FAMILY_ALL + 0.5;
	struct labels l = { .n = n, .count = all_of_them ? (size_t)(ways + 0.5) : FAMILY_ALL };
	unsigned short *places __free(ptr) = xcalloc(total, sizeof(*places));
	struct rng rng = { seed };

	BUG_ON(total > UINT16_MAX);
	l.at = xcalloc(l.count * n, sizeof(*l.at));
	for (size_t i = 0; i < total; i++)
		places[i] = (unsigned short)i;
	if (!all_of_them) {
		memcpy(l.at, places + m, n * sizeof(*l.at));
		for (size_t i = 1; i < l.count; i++)
			draw_subset(l.at + i * n, n, places, total, &rng);
		return l;
	}
	memcpy(l.at, places, n * sizeof(*l.at));
	for (size_t i = 1; i < l.count; i++) {
		memcpy(l.at + i * n, l.at + (i - 1) * n, n * sizeof(*l.at));
		BUG_ON(!next_subset(l.at + i * n, n, total));
	}
	return l;
}

/* A block while rows are taken in, from the least |t| to the greatest. */
struct block {
	struct labels labels;
	double *most;		/* of each relabelling, over the rows taken in so far */
};

static void take_in(struct block *b, const struct family_row *r)
{
	struct pooled p = pool(r);

	for (size_t i = 0; i < b->labels.count; i++) {
		const unsigned short *at = b->labels.at + i * r->n;
		double sum = 0;

		for (size_t k = 0; k < r->n; k++)
			sum += p.v[at[k]];
		b->most[i] = fmax(b->most[i], t_of(&p, sum, r->m, r->n));
	}
	free(p.v);
}

/* How likely the greatest |t| of any block is at least t. */
static double reached(const struct block *blocks, size_t n, double t)
{
	double none = 1, least = isinf(t) ? t : t * (1 - SAME);

	for (size_t i = 0; i < n; i++) {
		size_t count = 0;

		for (size_t k = 0; k < blocks[i].labels.count; k++)
			count += blocks[i].most[k] >= least;
		none *= 1 - (double)count / (double)blocks[i].labels.count;
	}
	return 1 - none;
}

static double observed_t(const struct family_row *r)
{
	struct pooled p = pool(r);
	double sum = 0;

	for (size_t i = 0; i < r->n; i++)
		sum += p.v[r->m + i];
	free(p.v);
	return t_of(&p, sum, r->m, r->n);
}

static struct block *make_blocks(const struct family_row *rows, size_t n_rows, size_t *n,
				 uint64_t seed)
{
	struct block *blocks = NULL;

	*n = 0;
	for (size_t i = 0; i < n_rows; i++) {
		const struct family_row *r = &rows[i];
		struct block *b;

		BUG_ON(!r->m || !r->n || r->m + r->n < 3 || !(r->margin >= 0));
		if (i && r->block == r[-1].block) {
			BUG_ON(r->m != r[-1].m || r->n != r[-1].n);
			continue;
		}
		BUG_ON(i && r->block < r[-1].block);
		b = array_grow(blocks, *n);
		b->labels = make_labels(r->m, r->n, seed + r->block);
		b->most = xcalloc(b->labels.count, sizeof(double));
	}
	return blocks;
}

void family_adjust(struct family_row *rows, size_t n_rows, uint64_t seed)
{
	struct ranked *order __free(ptr) = xcalloc(n_rows, sizeof(*order));
	size_t *block_of __free(ptr) = xcalloc(n_rows, sizeof(*block_of));
	size_t n;
	struct block *blocks = make_blocks(rows, n_rows, &n, seed);
	double most = 0;

	for (size_t i = 0; i < n_rows; i++) {
		block_of[i] = !i ? 0 : block_of[i - 1] + (rows[i].block != rows[i - 1].block);
		rows[i].t = observed_t(&rows[i]);
		order[i] = (struct ranked){ rows[i].t, i };
	}
	qsort(order, n_rows, sizeof(*order), compare_ranked);
	for (size_t i = 0; i < n_rows; i++) {
		struct family_row *r = &rows[order[i].at];

		take_in(&blocks[block_of[order[i].at]], r);
		r->p = reached(blocks, n, r->t);
	}
	/* step down: no row is surer than one with a greater |t| */
	for (size_t i = n_rows; i; i--) {
		most = fmax(most, rows[order[i - 1].at].p);
		rows[order[i - 1].at].p = most;
	}
	for (size_t i = 0; i < n; i++) {
		free(blocks[i].labels.at);
		free(blocks[i].most);
	}
	free(blocks);
}
