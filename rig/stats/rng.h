/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers that a seed repeats on every machine: Steele, Lea and Flood's SplitMix64 (OOPSLA
 * 2014), which passes BigCrush and is five lines. Not for secrets.
 */
#ifndef STATS_RNG_H
#define STATS_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t state;		/* any seed is good, 0 too */
};

uint64_t rng_next(struct rng *r);
/* 0 <= x < 1, 53 bits. */
double rng_real(struct rng *r);
/* 0 <= i < n, n >= 1; every i equally likely (Lemire's method with rejection). */
size_t rng_below(struct rng *r, size_t n);
/* Standard normal, by Box and Muller (1958). */
double rng_normal(struct rng *r);

#endif
