/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulated disk's times, each against arithmetic done by hand here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/sim_fixture.h"

/* 1 MB/s: one byte is one microsecond. */
static void test_flat_is_first_come_first_served(void **state)
{
	struct model_disk *d = disk_make("rate=1000000");
	struct model_request a = { .op = MODEL_WRITE, .offset = 900000000, .length = 1000 };
	struct model_request b = { .op = MODEL_READ, .offset = 0, .length = 2000 };

	(void)state;
	model_disk_submit(d, &a, 5);
	model_disk_submit(d, &b, 7);
	assert_int_equal(model_disk_next(d), 5 + 1000 * US);
	assert_null(model_disk_finished(d, 4 + 1000 * US));
	assert_ptr_equal(model_disk_finished(d, 5 + 1000 * US), &a);
	assert_int_equal(disk_run(d), 1);
	assert_int_equal(b.started, a.done);
	assert_int_equal(b.done, 5 + 3000 * US);
	assert_int_equal(model_disk_next(d), MODEL_NEVER);
	free(d);
}

static void test_overheads(void **state)
{
	struct model_disk *d = disk_make("rate=1000000 overhead=100000 overhead-write=300000 "
					 "discard=7000000");

	(void)state;
	assert_int_equal(disk_one(d, MODEL_READ, 0, 1000, 0), 1100 * US);
	assert_int_equal(disk_one(d, MODEL_WRITE, 0, 1000, S) - S, 1300 * US);
	assert_int_equal(disk_one(d, MODEL_DISCARD, 0, 1000, 2 * S) - 2 * S, 7300 * US);
	assert_int_equal(disk_one(d, MODEL_FLUSH, 0, 0, 3 * S) - 3 * S, 300 * US);
	free(d);
}

/* Infinitely fast media, so that all time is the arm's. */
static void test_seek_curve(void **state)
{
	static const char line[] = "rate=1000000000000 seek-track=1000000 seek-average=9000000 "
				   "seek-full=17000000";
	static const struct {
		int64_t to, ns;
	} rows[] = {
		{ 0, 0 },
		{ 1, 1 * MS },			/* sqrt(1e-9) of the curve is 0.5 us */
		{ 333333333, 9 * MS },
		{ 1000000000, 17 * MS },
		{ 111111111, 1 * MS + 3643 * US + 564 * US }, /* b = 10.93 ms, c = 5.07 ms */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct model_disk *d = disk_make(line);
		int64_t ns = disk_one(d, MODEL_READ, rows[i].to, 0, 0);

		if (llabs(ns - rows[i].ns) > rows[i].ns / 100)
			fail_msg("seek to %lld: %lld ns", (long long)rows[i].to, (long long)ns);
		free(d);
	}
}

/* 10 ms a turn at 1 MB/s: 10,000 bytes a track; byte x is under the head at x us, mod 10 ms. */
static void test_rotation(void **state)
{
	struct model_disk *d = disk_make("rate=1000000 rpm=6000");

	(void)state;
	assert_int_equal(disk_one(d, MODEL_READ, 3000, 1000, 5 * MS), 13 * MS + 1 * MS);
	/* without read-ahead the next byte has gone by after any pause: nearly a whole turn */
	assert_int_equal(disk_one(d, MODEL_READ, 4000, 1000, 14 * MS + 1), 24 * MS + 1 * MS);
	/* without a pause it has not */
	assert_int_equal(disk_one(d, MODEL_READ, 5000, 1000, 25 * MS), 26 * MS);
	free(d);
}

static void test_zones(void **state)
{
	struct model_disk *d = disk_make("rate=2000000 rate-end=1000000");

	(void)state;
	assert_int_equal(disk_one(d, MODEL_READ, 0, 1000, 0), 500 * US);
	assert_int_equal(disk_one(d, MODEL_READ, 999999000, 1000, S), S + 1000 * US);
	free(d);
}

static void test_write_verify(void **state)
{
	struct model_disk *d = disk_make("rate=1000000 rpm=6000 write-verify=1");

	(void)state;
	/* 4 ms to write, 6 ms until it comes round, 4 ms to read it */
	assert_int_equal(disk_one(d, MODEL_WRITE, 0, 4000, 0), 14 * MS);
	assert_int_equal(disk_one(d, MODEL_READ, 4000, 1000, 14 * MS), 15 * MS);
	free(d);
}

static void test_read_ahead(void **state)
{
	struct model_disk *d = disk_make("rate=1000000 rpm=6000 overhead=100000 read-ahead=8000 "
					 "interface=10000000");
	int64_t first = disk_one(d, MODEL_READ, 0, 1000, 9900 * US);

	(void)state;
	assert_int_equal(first, 11 * MS);
	/* the head is at byte 3,000 when this comes: 100 us overhead, 100 us on the wire */
	assert_int_equal(disk_one(d, MODEL_READ, 1000, 1000, 13 * MS), 13 * MS + 200 * US);
	/* it is at 4,000, and 6,000 is reached 2 ms later */
	assert_int_equal(disk_one(d, MODEL_READ, 5000, 1000, 14 * MS), 16 * MS);
	/* long after it stopped at 14,000: in the buffer up to there */
	assert_int_equal(disk_one(d, MODEL_READ, 6000, 8000, S), S + 900 * US);
	/* a write into it empties it */
	disk_one(d, MODEL_WRITE, 14000, 100, 2 * S);
	assert_true(disk_one(d, MODEL_READ, 13000, 1000, 3 * S) > 3 * S + 1 * MS);
	free(d);
}

static void test_stream_runs_at_media_rate(void **state)
{
	struct model_disk *d = disk_make("rate=20000000 rpm=7200 overhead=200000 "
					 "read-ahead=131072 seek-track=1000000 "
					 "seek-average=9000000 seek-full=17000000");
	int64_t now = 0, wanted;

	(void)state;
	for (int i = 0; i < 1000; i++)
		now = disk_one(d, MODEL_READ, i * 65536LL, 65536, now + (i * 7919) % 2000 * US);
	wanted = 1000LL * 65536 * 50;
	assert_true(llabs(now - wanted) < wanted / 100);
	free(d);
}

static void test_write_cache(void **state)
{
	struct model_disk *d = disk_make("rate=1000000 overhead=100000 interface=10000000 "
					 "write-cache=4000 flush=500000");
	struct model_request fua = { .op = MODEL_WRITE, .fua = true, .offset = 50000,
				     .length = 1000 };

	(void)state;
	/* fits: overhead and wire only */
	assert_int_equal(disk_one(d, MODEL_WRITE, 0, 3000, 0), 400 * US);
	/* waits until the first 3,000 are on the media, 0.4 + 3 ms, then crosses */
	assert_int_equal(disk_one(d, MODEL_WRITE, 10000, 2000, 500 * US), 3600 * US);
	/* read back from the cache */
	assert_int_equal(disk_one(d, MODEL_READ, 10500, 500, 3700 * US), 3850 * US);
	/* the flush waits for the rest: 3.6 + 2 ms, and its own cost */
	assert_int_equal(disk_one(d, MODEL_FLUSH, 0, 0, 4000 * US), 6100 * US);
	/* larger than the cache, or FUA: straight to the media */
	assert_int_equal(disk_one(d, MODEL_WRITE, 0, 5000, 10 * MS), 15100 * US);
	model_disk_submit(d, &fua, 20 * MS);
	disk_run(d);
	assert_int_equal(fua.done, 21100 * US);
	free(d);
}

static void test_reads_go_before_the_cache(void **state)
{
	struct model_disk *d = disk_make("rate=1000000 write-cache=1000000");

	(void)state;
	disk_one(d, MODEL_WRITE, 0, 500000, 0);
	/* one piece of 131,072 bytes is under way, then the read, although more is dirty */
	assert_int_equal(disk_one(d, MODEL_READ, 900000, 1000, 10), 131072 * US + 1000 * US);
	free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flat_is_first_come_first_served),
		cmocka_unit_test(test_overheads),
		cmocka_unit_test(test_seek_curve),
		cmocka_unit_test(test_rotation),
		cmocka_unit_test(test_zones),
		cmocka_unit_test(test_write_verify),
		cmocka_unit_test(test_read_ahead),
		cmocka_unit_test(test_stream_runs_at_media_rate),
		cmocka_unit_test(test_write_cache),
		cmocka_unit_test(test_reads_go_before_the_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
