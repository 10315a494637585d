/* SPDX-License-Identifier: GPL-2.0-only */
/* Sorted extents of dirty bytes. */
#include "sim/model_cache.h"

#include <string.h>

void model_cache_init(struct model_cache *c, int64_t size)
{
	c->size = size;
	model_cache_clear(c);
}

void model_cache_clear(struct model_cache *c)
{
	c->dirty = 0;
	c->n = 0;
}

bool model_cache_has_room(const struct model_cache *c, int64_t len)
{
	return c->dirty + len <= c->size && c->n < MODEL_EXTENTS;
}

/* The first extent that ends at or after start. */
static int find(const struct model_cache *c, int64_t start)
{
	int low = 0, high = c->n;

	while (low < high) {
		int mid = (low + high) / 2;

		if (c->extents[mid].end < start)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void replace(struct model_cache *c, int at, int old, int fresh)
{
	memmove(&c->extents[at + fresh], &c->extents[at + old],
		(size_t)(c->n - at - old) * sizeof(c->extents[0]));
	c->n += fresh - old;
}

void model_cache_add(struct model_cache *c, int64_t start, int64_t end)
{
	int first = find(c, start), last = first;

	while (last < c->n && c->extents[last].start <= end) {
		if (c->extents[last].start < start)
			start = c->extents[last].start;
		if (c->extents[last].end > end)
			end = c->extents[last].end;
		c->dirty -= c->extents[last].end - c->extents[last].start;
		last++;
	}
	replace(c, first, last - first, 1);
	c->extents[first] = (struct model_extent){ start, end };
	c->dirty += end - start;
}

bool model_cache_holds(const struct model_cache *c, int64_t start, int64_t end)
{
	int i = find(c, start);

	return i < c->n && c->extents[i].start <= start && c->extents[i].end >= end;
}

bool model_cache_next(const struct model_cache *c, int64_t at, struct model_extent *piece)
{
	int i = find(c, at);

	if (!c->n)
		return false;
	if (i < c->n && c->extents[i].end == at)
		i++;
	if (i == c->n)
		i = 0;
	*piece = c->extents[i];
	if (piece->start < at && at < piece->end && c->n <= MODEL_EXTENTS - 2)
		piece->start = at; /* cleaning it will split the extent */
	if (piece->end - piece->start > MODEL_PIECE)
		piece->end = piece->start + MODEL_PIECE;
	return true;
}

void model_cache_clean(struct model_cache *c, const struct model_extent *piece)
{
	int i = find(c, piece->start + 1);
	struct model_extent *e = &c->extents[i], old;

	if (i == c->n || e->start > piece->start || e->end < piece->end)
		return;	/* a clear came between */
	old = *e;
	c->dirty -= piece->end - piece->start;
	if (old.start < piece->start && old.end > piece->end) {
		replace(c, i, 1, 2);
		e[0] = (struct model_extent){ old.start, piece->start };
		e[1] = (struct model_extent){ piece->end, old.end };
	} else if (old.start < piece->start) {
		e->end = piece->start;
	} else if (old.end > piece->end) {
		e->start = piece->end;
	} else {
		replace(c, i, 1, 0);
	}
}
