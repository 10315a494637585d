/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulated disk's queue, faults and stalls; and that asking it does not change it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "tests/unit/sim_fixture.h"

#define N    200
#define ARMS "rate=50000000 rpm=7200 overhead=100000 seek-track=1000000 seek-average=9000000 " \
	     "seek-full=17000000 "

static uint64_t random_state;

static int64_t random_below(int64_t n)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (int64_t)((random_state >> 33) % (uint64_t)n);
}

/* N random 4 KiB reads, all there from the start; when the last was done. */
static int64_t all_at_once(const char *line, bool sorted)
{
	struct model_disk *d = disk_make(line);
	struct model_request r[N];
	int64_t end;

	random_state = 1;
	for (int i = 0; i < N; i++)
		r[i] = (struct model_request){ .op = MODEL_READ, .length = 4096,
					       .offset = sorted ? i * (1000000000LL / N)
								: random_below(999990000) };
	for (int i = 0; i < N; i++)
		model_disk_submit(d, &r[i], 0);
	assert_int_equal(disk_run(d), N);
	end = d->now;
	free(d);
	return end;
}

/*
 * Shuffled: 100 us + 8.5 ms seek (1 + 10.93 * 8/15 + 5.07 / 3, the means of root and distance)
 * + 4.17 ms half a turn + 82 us = 12.9 ms, give or take 3 % for 200 of them. Sorted: each
 * distance is 1/200 of the span, for which the curve says 1 + 10.93 * sqrt(.005) + 5.07 * .005
 * = 1.8 ms.
 */
static void test_order_matters(void **state)
{
	int64_t shuffled = all_at_once(ARMS, false), sorted = all_at_once(ARMS, true);
	int64_t nearest = all_at_once(ARMS "queue-depth=32 queue-order=1", false);

	(void)state;
	assert_in_range(shuffled / N, 12500 * US, 13300 * US);
	assert_true(sorted < shuffled * 2 / 3);
	assert_true(nearest < shuffled * 3 / 4);
	assert_int_equal(all_at_once(ARMS "queue-depth=32", false), shuffled);
}

static void test_nobody_starves(void **state)
{
	struct model_disk *d = disk_make("rate=1000000000 seek-track=1000000 seek-average=9000000 "
					 "seek-full=17000000 queue-depth=4 queue-order=1");
	struct model_request far = { .op = MODEL_READ, .offset = 999000000, .length = 512 };
	struct model_request near[64];
	int before = 0;

	(void)state;
	near[0] = (struct model_request){ .op = MODEL_READ, .offset = 0, .length = 512 };
	model_disk_submit(d, &near[0], 0);
	model_disk_submit(d, &far, 0);
	for (int i = 1; i < 64; i++) {
		near[i] = (struct model_request){ .op = MODEL_READ, .length = 512,
						  .offset = i * 1000 };
		model_disk_submit(d, &near[i], 0);
	}
	while (model_disk_finished(d, model_disk_next(d)) != &far)
		before++;
	assert_int_equal(before, 1 + 2 * 4);
	free(d);
}

static void test_nothing_overtakes_a_flush(void **state)
{
	struct model_disk *d = disk_make("rate=1000000 seek-track=1000000 seek-average=9000000 "
					 "seek-full=17000000 queue-depth=8 queue-order=1");
	struct model_request r[4] = {
		{ .op = MODEL_READ, .offset = 0, .length = 1000 },
		{ .op = MODEL_READ, .offset = 900000000, .length = 1000 },
		{ .op = MODEL_FLUSH },
		{ .op = MODEL_READ, .offset = 2000, .length = 1000 },
	};

	(void)state;
	for (int i = 0; i < 4; i++)
		model_disk_submit(d, &r[i], 0);
	for (int i = 0; i < 4; i++)
		assert_ptr_equal(model_disk_finished(d, model_disk_next(d)), &r[i]);
	free(d);
}

static void test_faults(void **state)
{
	static const struct model_fault faults[] = {
		{ MODEL_STOP, 10 * S, 5 * S, 0 },
		{ MODEL_SLOW, 20 * S, 5 * S, 1000 },
		{ MODEL_ERROR, 30 * S, 5 * S, 0 },
	};
	static const struct {
		int64_t at, done;
		bool failed;
	} rows[] = {
		{ 1 * S, 1 * S + 1 * MS, false },
		{ 10 * S - 1 * US, 15 * S + 1 * MS - 1 * US, false },	/* caught at work */
		{ 15 * S + 2 * MS, 15 * S + 3 * MS, false },
		{ 22 * S, 23 * S, false },				/* 1,000 bytes at 1,000 B/s */
		{ 25 * S, 25 * S + 1 * MS, false },
		{ 30 * S, 30 * S + 1 * MS, true },
		{ 35 * S, 35 * S + 1 * MS, false },
	};
	struct model_disk *d = disk_make("rate=1000000");

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(model_disk_add_fault(d, &faults[i]), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct model_request r = { .op = MODEL_READ, .length = 1000 };

		model_disk_submit(d, &r, rows[i].at);
		disk_run(d);
		if (r.done != rows[i].done || r.failed != rows[i].failed)
			fail_msg("row %zu: done at %lld, failed %d", i, (long long)r.done,
				 r.failed);
	}
	free(d);
}

static void test_request_inside_a_stop_waits_for_its_end(void **state)
{
	const struct model_fault stop = { MODEL_STOP, 1 * S, 2 * S, 0 };
	struct model_disk *d = disk_make("rate=1000000");

	(void)state;
	model_disk_add_fault(d, &stop);
	assert_int_equal(disk_one(d, MODEL_READ, 0, 1000, 2 * S), 3 * S + 1 * MS);
	for (int i = 1; i < MODEL_FAULTS_MAX; i++)
		assert_int_equal(model_disk_add_fault(d, &stop), 0);
	assert_int_equal(model_disk_add_fault(d, &stop), -ENOSPC);
	free(d);
}

/* 10 s of writing; when it was over. *moments is different when the stalls came elsewhere. */
static int64_t with_stalls(uint64_t seed, int64_t *moments)
{
	struct model_disk *d = disk_make("rate=1000000 stall-every=100000000 stall-for=50000000");
	struct model_params p = d->params;
	int64_t now = 0;

	model_disk_init(d, &p, 1000000000, seed);
	*moments = 0;
	for (int i = 0; i < 10000; i++) {
		now = disk_one(d, MODEL_WRITE, i * 1000LL, 1000, now);
		*moments += now;
	}
	free(d);
	return now;
}

/* A pause of 50 ms in every 100 ms of writing on average: 100 of them, give or take. */
static void test_stalls(void **state)
{
	int64_t a, b, c;

	(void)state;
	assert_in_range(with_stalls(1, &a), 14500 * MS, 15500 * MS);
	with_stalls(1, &b);
	with_stalls(2, &c);
	assert_int_equal(a, b);
	assert_int_not_equal(a, c);
}

/* Mixed work, looked at only when it asks for it, or every 77,777 ns as well. */
static void mixed(bool nosy, int64_t done[N])
{
	struct model_disk *d = disk_make(ARMS "write-cache=1000000 read-ahead=65536 flush=1000000 "
					 "interface=100000000 queue-depth=8 queue-order=1 "
					 "stall-every=50000000 stall-for=20000000");
	struct model_request r[N];

	random_state = 3;
	for (int i = 0; i < N; i++) {
		int64_t now = i * 3 * MS;

		for (int64_t t = now - 3 * MS; nosy && i && t < now; t += 77777)
			model_disk_finished(d, t);
		r[i] = (struct model_request){ .op = (enum model_op)random_below(4) };
		r[i].offset = random_below(1000) * 4096;
		r[i].length = 4096 * (1 + random_below(16));
		model_disk_submit(d, &r[i], now);
	}
	disk_run(d);
	for (int i = 0; i < N; i++)
		done[i] = r[i].done;
	free(d);
}

static void test_asking_changes_nothing(void **state)
{
	int64_t quiet[N], nosy[N];

	(void)state;
	mixed(false, quiet);
	mixed(true, nosy);
	assert_memory_equal(quiet, nosy, sizeof(quiet));
}

static void test_hurry(void **state)
{
	struct model_disk *d = disk_make("rate=1000 write-cache=1000000");
	struct model_request r[3] = {
		{ .op = MODEL_WRITE, .length = 1000 },
		{ .op = MODEL_READ, .offset = 5000, .length = 100000 },
		{ .op = MODEL_FLUSH },
	};

	(void)state;
	for (int i = 0; i < 3; i++)
		model_disk_submit(d, &r[i], 0);
	model_disk_hurry(d, 5 * MS);
	for (int i = 0; i < 3; i++)
		assert_ptr_equal(model_disk_finished(d, 5 * MS), &r[i]);
	assert_int_equal(r[2].done, 5 * MS);
	assert_int_equal(model_disk_next(d), MODEL_NEVER);
	assert_int_equal(disk_one(d, MODEL_READ, 0, 1, 6 * MS), 7 * MS);
	free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_matters),
		cmocka_unit_test(test_nobody_starves),
		cmocka_unit_test(test_nothing_overtakes_a_flush),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_request_inside_a_stop_waits_for_its_end),
		cmocka_unit_test(test_stalls),
		cmocka_unit_test(test_asking_changes_nothing),
		cmocka_unit_test(test_hurry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
