/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of stats/floor: a floor from an interval, and how often an A/A stays below it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "stats/floor.h"
#include "stats/rank.h"
#include "stats/rng.h"

static void assert_near(double got, double want)
{
	if (fabs(got - want) > 1e-12)
		fail_msg("got %.17g, wanted %.17g", got, want);
}

static void test_farther_edge(void **state)
{
	(void)state;
	assert_near(floor_of_ratio(1, 1), 0);
	assert_near(floor_of_ratio(0.99, 1.04), 0.04);
	assert_near(floor_of_ratio(0.8, 1.04), 0.25);	/* 1 / 0.8 */
	assert_near(floor_of_ratio(1.02, 1.04), 0.04);	/* an A/A that is not alike: it stays */
	assert_near(floor_of_quotient(0.04, 0.1), 0.144);
	assert_near(floor_of_quotient(0, 0.1), 0.1);
}

/*
 * The promise: a host on which A differs from A by a bias (here 3 %) and noise of 5 % has a floor
 * that is not below that bias in 97.5 % of measurements: then the interval's far edge is beyond it.
 */
static void test_holds_bias(void **state)
{
	struct rng rng = { 11 };
	int below = 0, rounds = 400;

	(void)state;
	for (int round = 0; round < rounds; round++) {
		double a[10], b[10];
		struct rank_shift s;

		for (int i = 0; i < 10; i++) {
			a[i] = exp(0.05 * rng_normal(&rng));
			b[i] = 1.03 * exp(0.05 * rng_normal(&rng));
		}
		s = rank_ratio(a, 10, b, 10, 0.95);
		below += floor_of_ratio(s.low, s.high) < 0.03;
	}
	/* 10, and 4 deviations above it */
	assert_in_range(below, 0, 22);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_farther_edge), cmocka_unit_test(test_holds_bias),
	};

	return cmocka_run_group_tests_name("stats_floor", tests, NULL, NULL);
}
