/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In which order a job visits n numbered things (blocks of a file, files of a folder). Pure, and
 * the same for the same seed:
 *
 *	seq	0, 1, ... n-1, and again
 *	shuffle	each once in a seeded order, then each once in another one
 *	random	drawn with replacement
 */
#ifndef AGENT_ORDER_H
#define AGENT_ORDER_H

#include <stdint.h>

enum order_mode { ORDER_SEQ, ORDER_SHUFFLE, ORDER_RANDOM };	/* as in the words of jobargs */

struct order {
	enum order_mode mode;
	uint64_t n, done, seed;
};

/* n of at least 1. */
void order_begin(struct order *order, enum order_mode mode, int64_t n, int64_t seed);
/* The next one. order->done % order->n == 0 after it: a round is complete. */
int64_t order_next(struct order *order);

#endif
