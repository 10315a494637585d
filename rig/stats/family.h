/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many comparisons at once: how sure can one be that not one of them is a false alarm?
 *
 * family_holm(): Holm (1979): from p values alone, whatever depends on what.
 *
 * family_adjust(): Westfall and Young, "Resampling-Based Multiple Testing" (1993), stepping down
 * by the maximum of |t| (maxT; Ge, Dudoit and Speed 2003 have it as a recipe). Under the
 * hypothesis that a group of rows does not differ, its values may be relabelled; how often the
 * greatest |t| of all rows then reaches a row's own |t| is that row's adjusted p. Nothing is
 * assumed about distributions: t, of the difference of means with the pooled variance, only
 * orders relabellings. Rows that say the same cost nothing, as their greatest |t| is common. Most
 * of all, it works with few values: Holm's smallest p of 5 + 5 values is rows * 2 / 252, so that
 * with 7 rows nothing could ever be found at 5 %, while here it stays at 2 / 252, and a change
 * that stands out far enough from all noise reaches it.
 *
 * Rows come in blocks: all metrics of one boot are one block and are relabelled together; blocks
 * are independent of each other and are relabelled each for itself, so that the maximum over blocks
 * is reached with 1 - (1 - p_1)(1 - p_2)... . All relabellings of a block are enumerated if they
 * are at most FAMILY_ALL, else FAMILY_ALL random ones are drawn, with the one at hand counted
 * among them (Phipson and Smyth 2010), so that p is never too small.
 */
#ifndef STATS_FAMILY_H
#define STATS_FAMILY_H

#include <stddef.h>
#include <stdint.h>

#define FAMILY_ALL 20000

struct family_row {
	size_t block;		/* rows of a block stand together, block numbers ascend */
	const double *a, *b;	/* m and n finite values; value i is of the block's boot i */
	size_t m, n;		/* the same in all rows of a block; m + n >= 3 */
	double margin;		/* >= 0: tested is whether b differs from a by more than this; b is
				 * moved towards a by it first */
	double t;		/* out: |t|, INFINITY if nothing varies but between a and b */
	double p;		/* out: adjusted */
};

/* Adjust the n p values in place; order is kept. */
void family_holm(double *p, size_t n);
void family_adjust(struct family_row *rows, size_t n_rows, uint64_t seed);

#endif
