/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A histogram of latencies: log-linear buckets in the manner of HDR histograms. Values 0 to 63 ns
 * have a bucket each; above, every power of two is divided into 32 equal buckets, up to 2^42 ns
 * (73 minutes), where the last bucket takes all the rest. So a bucket is never wider than 1/32 of
 * its least value (3.2 %), and a percentile read from it is off by at most that. Count, sum, least
 * and greatest value are exact. Histograms with the same buckets add up: over processes, jobs,
 * boots and seeds. Shared by the agent and the rig: only libc here.
 */
#ifndef WIRE_HIST_H
#define WIRE_HIST_H

#include <stdint.h>

#define HIST_SUB_BITS	5			/* 2^5 buckets for each power of two */
#define HIST_MAX_BITS	42			/* 2^42 ns and more share the last bucket */
#define HIST_BUCKETS	((HIST_MAX_BITS - HIST_SUB_BITS + 1) << HIST_SUB_BITS)

/* Zeroed it is empty; sum, min and max of an empty one mean nothing. */
struct hist {
	int64_t count;			/* the sum of n[] */
	int64_t sum, min, max;		/* ns, exact; sum stays at INT64_MAX once it is there */
	uint32_t n[HIST_BUCKETS];	/* stays at UINT32_MAX once it is there */
};

/* The bucket of a value (a negative one counts as 0), and the least value of a bucket; that of
 * HIST_BUCKETS is 2^42. */
unsigned int hist_bucket(int64_t ns);
int64_t hist_least(unsigned int bucket);

void hist_add(struct hist *h, int64_t ns);
/* Put n more values into a bucket: for whoever reads a sparse form and sets sum, min and max
 * himself. -1 if there is no such bucket or it would overflow. */
int hist_put(struct hist *h, unsigned int bucket, uint32_t n);
void hist_merge(struct hist *h, const struct hist *more);

/*
 * The value that at least permille/1000 of all values do not exceed: the value of rank
 * ceil(count * permille / 1000), counted from 1 in ascending order. Given is the greatest value
 * of that rank's bucket, but never more than max or less than min; 0 and 1000 permille give min
 * and max exactly. -1 of an empty histogram.
 */
int64_t hist_percentile(const struct hist *h, int permille);
/* sum / count, or -1. */
double hist_mean(const struct hist *h);

#endif
