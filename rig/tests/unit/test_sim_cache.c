/* SPDX-License-Identifier: GPL-2.0-only */
/* The write cache's extents, against a plain map of blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sim/model_cache.h"

#define BLOCKS 600
#define BLOCK  4096LL		/* 32 of them are a piece */

static void same(const struct model_cache *c, const char *map)
{
	int64_t dirty = 0, last = -1;

	for (int b = 0; b < BLOCKS; b++) {
		dirty += map[b] * BLOCK;
		assert_int_equal(model_cache_holds(c, b * BLOCK, (b + 1) * BLOCK), map[b]);
	}
	assert_int_equal(c->dirty, dirty);
	for (int i = 0; i < c->n; i++) {
		assert_true(c->extents[i].start > last);
		assert_true(c->extents[i].end > c->extents[i].start);
		last = c->extents[i].end;
	}
}

static void test_against_map(void **state)
{
	struct model_cache *c = malloc(sizeof(*c));
	struct model_extent piece;
	char map[BLOCKS] = "";

	(void)state;
	srandom(5);
	model_cache_init(c, BLOCKS * BLOCK);
	for (int i = 0; i < 20000; i++) {
		int64_t start = random() % BLOCKS, len = 1 + random() % (i % 7 ? 3 : 100);

		if (start + len > BLOCKS)
			len = BLOCKS - start;
		if (random() % 2 && model_cache_has_room(c, len * BLOCK)) {
			model_cache_add(c, start * BLOCK, (start + len) * BLOCK);
			memset(map + start, 1, (size_t)len);
		} else if (model_cache_next(c, start * BLOCK, &piece)) {
			/* a host's write may come while the piece is written */
			if (random() % 3 == 0 && model_cache_has_room(c, BLOCK)) {
				model_cache_add(c, start * BLOCK, (start + 1) * BLOCK);
				map[start] = 1;
			}
			model_cache_clean(c, &piece);
			memset(map + piece.start / BLOCK, 0,
			       (size_t)((piece.end - piece.start) / BLOCK));
		}
		assert_in_range(c->n, 0, MODEL_EXTENTS + 2);
		same(c, map);
	}
	free(c);
}

static void test_next(void **state)
{
	static const struct {
		int64_t at, start, end;
	} rows[] = {
		{ 0, 1000, 2000 },
		{ 1500, 1500, 2000 },	/* in the middle: upward from there */
		{ 2000, 5000, 5000 + MODEL_PIECE },
		{ 5000 + MODEL_PIECE, 5000 + MODEL_PIECE, 15000 + MODEL_PIECE },
		{ 500000, 1000, 2000 },	/* past the last: again from the lowest */
	};
	struct model_cache *c = malloc(sizeof(*c));
	struct model_extent piece;

	(void)state;
	model_cache_init(c, 1 << 20);
	assert_false(model_cache_next(c, 0, &piece));
	model_cache_add(c, 5000, 5000 + MODEL_PIECE + 10000);
	model_cache_add(c, 1000, 2000);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(model_cache_next(c, rows[i].at, &piece));
		assert_int_equal(piece.start, rows[i].start);
		assert_int_equal(piece.end, rows[i].end);
	}
	free(c);
}

static void test_room(void **state)
{
	struct model_cache *c = malloc(sizeof(*c));
	int n = 0;

	(void)state;
	model_cache_init(c, 1000);
	assert_true(model_cache_has_room(c, 1000));
	assert_false(model_cache_has_room(c, 1001));
	while (model_cache_has_room(c, 1))
		model_cache_add(c, n * 2, n * 2 + 1), n++;
	assert_int_equal(n, MODEL_EXTENTS);
	model_cache_clear(c);
	assert_int_equal(c->dirty, 0);
	model_cache_init(c, 0);
	assert_false(model_cache_has_room(c, 1));
	free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_map),
		cmocka_unit_test(test_next),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
