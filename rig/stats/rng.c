/* SPDX-License-Identifier: GPL-2.0-only */
/* SplitMix64 and what is drawn from it. */
#include "stats/rng.h"

#include <math.h>

#include "base/err.h"

uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

double rng_real(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

size_t rng_below(struct rng *r, size_t n)
{
	uint64_t least;

	BUG_ON(!n);
	/* the first 2^64 mod n low halves would make some i likelier than others */
	least = -(uint64_t)n % n;
	for (;;) {
		unsigned __int128 wide = (unsigned __int128)rng_next(r) * n;

		if ((uint64_t)wide >= least)
			return (size_t)(wide >> 64);
	}
}

double rng_normal(struct rng *r)
{
	/* Box and Muller 1958; 1 - x so that the logarithm's argument is never 0 */
	double radius = sqrt(-2 * log(1 - rng_real(r)));

	return radius * cos(2 * M_PI * rng_real(r));
}
