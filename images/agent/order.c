/* SPDX-License-Identifier: GPL-2.0-only */
/* Orders of blocks and files. */
#include "agent/order.h"

#define FEISTEL_ROUNDS 4

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t z)
{
	z += 0x9e3779b97f4a7c15;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/*
 * A permutation of 0 to n-1 that needs no table: a Feistel network permutes the numbers of an even
 * number of bits, of which there are at most 4n, and is applied until the number is below n.
 */
static uint64_t permute(uint64_t x, uint64_t n, uint64_t key)
{
	unsigned int half = 1, round;
	uint64_t mask;

	while (n > 1ULL << 2 * half)
		half++;
	mask = (1ULL << half) - 1;
	do {
		for (round = 0; round < FEISTEL_ROUNDS; round++) {
			uint64_t left = x >> half, right = x & mask;

			x = right << half | (left ^ (mix(key + round + (right << 8)) & mask));
		}
	} while (x >= n);
	return x;
}

void order_begin(struct order *order, enum order_mode mode, int64_t n, int64_t seed)
{
	*order = (struct order){ .mode = mode, .n = n > 0 ? n : 1, .seed = seed };
}

int64_t order_next(struct order *order)
{
	uint64_t i = order->done++;

	switch (order->mode) {
	case ORDER_SEQ:
		break;
	case ORDER_SHUFFLE:
		return permute(i % order->n, order->n, mix(order->seed + (i / order->n << 32)));
	case ORDER_RANDOM:
		return mix(mix(order->seed) + i) % order->n;
	}
	return i % order->n;
}
