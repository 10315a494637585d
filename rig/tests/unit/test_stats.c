/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of stats/: each function on samples small enough to check by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "stats/stats.h"

/* Equal, but for the rounding of the test's own constants. */
static void assert_same(double got, double want)
{
	if (fabs(got - want) > 1e-12 * fabs(want))
		fail_msg("got %.17g, wanted %.17g", got, want);
}

static const struct {
	double v[5];
	size_t n;
	double median, min, max, mean, spread;
} rows[] = {
	{ { 7 }, 1, 7, 7, 7, 7, 0 },
	{ { 3, 1 }, 2, 2, 1, 3, 2, 1 },
	{ { 5, 1, 3 }, 3, 3, 1, 5, 3, 4.0 / 3 },
	{ { 4, 1, 2, 9 }, 4, 3, 1, 9, 4, 8.0 / 3 },
	{ { 10, 20, 20, 20, 80 }, 5, 20, 10, 80, 30, 3.5 },
	{ { 0, 0 }, 2, 0, 0, 0, 0, 0 },
	{ { -2, -4 }, 2, -3, -4, -2, -3, -2.0 / 3 },
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double v[5];

		memcpy(v, rows[i].v, sizeof(v));
		assert_same(stats_min(v, rows[i].n), rows[i].min);
		assert_same(stats_max(v, rows[i].n), rows[i].max);
		assert_same(stats_mean(v, rows[i].n), rows[i].mean);
		assert_same(stats_spread(v, rows[i].n), rows[i].spread);
		/* so far nothing was reordered */
		assert_memory_equal(v, rows[i].v, sizeof(v));
		assert_same(stats_median(v, rows[i].n), rows[i].median);
	}
}

static void test_median_sorts(void **state)
{
	double v[] = { 3, 1, 2 };

	(void)state;
	stats_median(v, 3);
	for (int i = 0; i < 3; i++)
		assert_same(v[i], i + 1);
}

static void test_large_values(void **state)
{
	double v[] = { DBL_MAX, DBL_MAX };

	(void)state;
	assert_same(stats_median(v, 2), DBL_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_median_sorts),
		cmocka_unit_test(test_large_values),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
