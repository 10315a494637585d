/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms: their buckets, and percentiles beside those of all the raw values, sorted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "wire/hist.h"

#define VALUES 20000

static struct hist hist, other, both;
static int64_t values[VALUES];

/* The next number of a fixed sequence, 64 bits (Knuth's MMIX generator). */
static uint64_t next_random(void)
{
	static uint64_t x = 20020426;

	x = x * 6364136223846793005u + 1442695040888963407u;
	return x ^ x >> 33;
}

static void test_buckets(void **state)
{
	int64_t least = -1;

	(void)state;
	for (unsigned int b = 0; b < HIST_BUCKETS; b++) {
		int64_t next = hist_least(b + 1);

		assert_true(hist_least(b) > least);
		least = hist_least(b);
		assert_int_equal(hist_bucket(least), b);
		assert_int_equal(hist_bucket(next - 1), b);
		/* the bound that hist.h states */
		assert_true(next - least == 1 || (next - least) * 32 <= least);
	}
	assert_true(hist_least(HIST_BUCKETS) == 1LL << HIST_MAX_BITS);
	assert_int_equal(hist_bucket(1LL << HIST_MAX_BITS), HIST_BUCKETS - 1);
	assert_int_equal(hist_bucket(INT64_MAX), HIST_BUCKETS - 1);
	assert_int_equal(hist_bucket(-5), 0);
}

/* Latencies as disks and memory give them: constant, uniform, with a long tail, of two kinds. */
static int64_t draw(int kind)
{
	double u = (double)(next_random() >> 11) / (double)(1ULL << 53);

	switch (kind) {
	case 0:
		return 1000000;
	case 1:
		return (int64_t)(next_random() % 100);
	case 2:
		return (int64_t)(next_random() % 20000000);
	case 3:
		return (int64_t)(next_random() >> (20 + next_random() % 44));	/* past 2^42 */
	default:
		return next_random() % 100 ? 900 : 5000000000 + (int64_t)(u * 1e9);
	}
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void check_percentiles(const struct hist *h, int n)
{
	qsort(values, (size_t)n, sizeof(values[0]), compare);
	for (int p = 0; p <= 1000; p++) {
		int64_t rank = ((int64_t)n * p + 999) / 1000;
		int64_t exact = values[rank ? rank - 1 : 0], got = hist_percentile(h, p);

		if (hist_bucket(got) != hist_bucket(exact) || got < exact)
			fail_msg("permille %d of %d: %lld, exactly %lld", p, n, (long long)got,
				 (long long)exact);
	}
	assert_int_equal(hist_percentile(h, 0), values[0]);
	assert_int_equal(hist_percentile(h, 1000), values[n - 1]);
}

static void test_percentiles(void **state)
{
	static const int sizes[] = { 1, 2, 3, 10, 99, 100, 101, 999, 1000, VALUES };

	(void)state;
	for (int kind = 0; kind < 5; kind++) {
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
			double sum = 0;

			memset(&hist, 0, sizeof(hist));
			for (int i = 0; i < sizes[s]; i++) {
				values[i] = draw(kind);
				sum += (double)values[i];
				hist_add(&hist, values[i]);
			}
			assert_int_equal(hist.count, sizes[s]);
			check_percentiles(&hist, sizes[s]);
			sum -= hist_mean(&hist) * sizes[s];
			assert_true(sum < 1e7 && sum > -1e7);	/* of up to 10^17 */
		}
	}
}

/* Two halves merged are the whole. */
static void test_merge(void **state)
{
	(void)state;
	memset(&hist, 0, sizeof(hist));
	memset(&other, 0, sizeof(other));
	memset(&both, 0, sizeof(both));
	hist_merge(&hist, &other);	/* two empty ones */
	assert_int_equal(hist.count, 0);
	for (int i = 0; i < VALUES; i++) {
		values[i] = draw(i % 3 ? 3 : 4);
		hist_add(i % 3 ? &hist : &other, values[i]);
		hist_add(&both, values[i]);
	}
	hist_merge(&hist, &other);
	assert_memory_equal(&hist, &both, sizeof(hist));
	check_percentiles(&hist, VALUES);
	memset(&other, 0, sizeof(other));
	hist_merge(&hist, &other);
	assert_memory_equal(&hist, &both, sizeof(hist));
	hist_merge(&other, &hist);
	assert_memory_equal(&other, &both, sizeof(hist));
}

static void test_empty(void **state)
{
	(void)state;
	memset(&hist, 0, sizeof(hist));
	assert_int_equal(hist_percentile(&hist, 500), -1);
	assert_int_equal(hist_percentile(&hist, 0), -1);
	assert_true(hist_mean(&hist) == -1);
}

static void test_full(void **state)
{
	(void)state;
	memset(&hist, 0, sizeof(hist));
	assert_int_equal(hist_put(&hist, HIST_BUCKETS, 1), -1);
	assert_int_equal(hist_put(&hist, 7, UINT32_MAX), 0);
	assert_int_equal(hist_put(&hist, 7, 1), -1);
	assert_int_equal(hist.count, UINT32_MAX);
	/* neither the count nor the sum wraps around */
	hist_add(&hist, 7);
	assert_int_equal(hist.n[7], UINT32_MAX);
	assert_int_equal(hist.count, UINT32_MAX);
	hist_add(&hist, INT64_MAX);
	hist_add(&hist, INT64_MAX);
	assert_true(hist.sum == INT64_MAX);
	assert_int_equal(hist.count, UINT32_MAX + 2LL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
