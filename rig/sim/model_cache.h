/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A disk's write cache: which bytes are in it and not yet on the media. Extents are sorted,
 * disjoint and never touch (they are merged). What the bytes are does not matter here.
 */
#ifndef SIM_MODEL_CACHE_H
#define SIM_MODEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Real drives keep a bounded list as well. */
#define MODEL_EXTENTS 256
/* The media is written in pieces of at most this size, so that a read waits no longer. */
#define MODEL_PIECE   (128 << 10)

struct model_extent {
	int64_t start, end;
};

struct model_cache {
	int64_t size;		/* 0: there is none */
	int64_t dirty;		/* bytes in all extents */
	int n;
	struct model_extent extents[MODEL_EXTENTS + 2]; /* two more: clean() may split one */
};

void model_cache_init(struct model_cache *c, int64_t size);
/* Whether a write of that many bytes can be taken now. */
bool model_cache_has_room(const struct model_cache *c, int64_t len);
/* There must be room. */
void model_cache_add(struct model_cache *c, int64_t start, int64_t end);
/* Whether all of it is in the cache. */
bool model_cache_holds(const struct model_cache *c, int64_t start, int64_t end);
/*
 * The next piece to write for an arm at 'at': upward from there, then again from the lowest.
 * False if nothing is dirty.
 */
bool model_cache_next(const struct model_cache *c, int64_t at, struct model_extent *piece);
/* The piece is on the media. */
void model_cache_clean(struct model_cache *c, const struct model_extent *piece);
void model_cache_clear(struct model_cache *c);

#endif
