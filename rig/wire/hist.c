/* SPDX-License-Identifier: GPL-2.0-only */
/* Log-linear histograms of latencies. */
#include "wire/hist.h"

#include <stddef.h>

#define SUB (1u << HIST_SUB_BITS)	/* buckets of a power of two */

unsigned int hist_bucket(int64_t ns)
{
	uint64_t value = ns < 0 ? 0 : (uint64_t)ns;
	unsigned int shift;

	if (value >= 1ULL << HIST_MAX_BITS)
		return HIST_BUCKETS - 1;
	if (value < 2 * SUB)
		return (unsigned int)value;
	/* how far the six leading bits are from the right end */
	shift = 63 - (unsigned int)__builtin_clzll(value) - HIST_SUB_BITS;
	return (shift << HIST_SUB_BITS) + (unsigned int)(value >> shift);
}

int64_t hist_least(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < 2 * SUB)
		return bucket;
	shift = (bucket >> HIST_SUB_BITS) - 1;
	return (int64_t)(SUB + (bucket & (SUB - 1))) << shift;
}

static uint32_t add_count(uint32_t a, uint32_t b)
{
	uint32_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT32_MAX : sum;
}

static int64_t add_ns(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void stretch(struct hist *h, int64_t min, int64_t max)
{
	if (!h->count || min < h->min)
		h->min = min;
	if (!h->count || max > h->max)
		h->max = max;
}

/* count follows n[], which may be full */
static void put(struct hist *h, unsigned int bucket, uint32_t n)
{
	uint32_t before = h->n[bucket];

	h->n[bucket] = add_count(before, n);
	h->count += h->n[bucket] - before;
}

void hist_add(struct hist *h, int64_t ns)
{
	if (ns < 0)
		ns = 0;
	stretch(h, ns, ns);
	h->sum = add_ns(h->sum, ns);
	put(h, hist_bucket(ns), 1);
}

int hist_put(struct hist *h, unsigned int bucket, uint32_t n)
{
	if (bucket >= HIST_BUCKETS || n > UINT32_MAX - h->n[bucket])
		return -1;
	put(h, bucket, n);
	return 0;
}

void hist_merge(struct hist *h, const struct hist *more)
{
	unsigned int i;

	if (!more->count)
		return;
	stretch(h, more->min, more->max);
	h->sum = add_ns(h->sum, more->sum);
	for (i = 0; i < HIST_BUCKETS; i++)
		put(h, i, more->n[i]);
}

/* ceil(count * permille / 1000) without overflow, at least 1 */
static int64_t rank_of(int64_t count, int permille)
{
	int64_t rank = count / 1000 * permille + (count % 1000 * permille + 999) / 1000;

	return rank ? rank : 1;
}

int64_t hist_percentile(const struct hist *h, int permille)
{
	int64_t rank, value, seen = 0;
	unsigned int i;

	if (!h->count)
		return -1;
	if (permille <= 0)
		return h->min;
	if (permille >= 1000)
		return h->max;
	rank = rank_of(h->count, permille);
	for (i = 0; i < HIST_BUCKETS - 1; i++) {
		seen += h->n[i];
		if (seen >= rank)
			break;
	}
	/* the last bucket has no end but max */
	value = i < HIST_BUCKETS - 1 ? hist_least(i + 1) - 1 : h->max;
	if (value < h->min)
		return h->min;
	return value > h->max ? h->max : value;
}

double hist_mean(const struct hist *h)
{
	return h->count ? (double)h->sum / (double)h->count : -1;
}
