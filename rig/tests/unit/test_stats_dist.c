/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of distributions, intervals, power, looks and random numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "stats/dist.h"
#include "stats/interval.h"
#include "stats/looks.h"
#include "stats/power.h"
#include "stats/rank.h"
#include "stats/rng.h"
#include "stats_vectors.h"

static void assert_near(double got, double want, double error)
{
	if (!(fabs(got - want) <= error))
		fail_msg("got %.17g, wanted %.17g", got, want);
}

static void test_distributions(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(normal_rows); i++)
		assert_near(dist_normal_cdf(normal_rows[i].z), normal_rows[i].p, 1e-14);
	for (size_t i = 0; i < ARRAY_SIZE(t_rows); i++)
		assert_near(dist_t_cdf(t_rows[i].t, t_rows[i].df), t_rows[i].p, 1e-12);
	for (size_t i = 0; i < ARRAY_SIZE(coin_rows); i++)
		assert_near(dist_coin_cdf(coin_rows[i].k, coin_rows[i].n), coin_rows[i].p, 1e-11);
	assert_near(exp(dist_ln_choose(52, 5)), 2598960, 1e-4);
}

static void test_quantiles(void **state)
{
	(void)state;
	for (double p = 1e-6; p < 1; p += 0.0101) {
		assert_near(dist_normal_cdf(dist_normal_quantile(p)), p, 1e-12);
		for (double df = 1; df < 400; df *= 2.7)
			assert_near(dist_t_cdf(dist_t_quantile(p, df), df), p, 1e-12);
	}
	/* any textbook's table */
	assert_near(dist_normal_quantile(0.975), 1.959964, 1e-6);
	assert_near(dist_t_quantile(0.975, 10), 2.228, 5e-4);
	assert_near(dist_t_quantile(0.995, 4), 4.604, 5e-4);
}

/* The order statistics that textbooks give for a median at 95 %. */
static void test_median_interval(void **state)
{
	static const struct { size_t n; double k, level; } rows[] = {
		{ 1, 1, 0 }, { 2, 1, 0.5 }, { 5, 1, 0.9375 }, { 6, 1, 0.96875 },
		{ 9, 2, 0.9609375 }, { 10, 2, 0.978515625 }, { 20, 6, 0.958610534667968 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double v[20];
		struct interval in;

		for (size_t k = 0; k < rows[i].n; k++)
			v[k] = (double)(rows[i].n - k);	/* 1 ... n from the end */
		in = interval_median(v, rows[i].n, 0.95);
		assert_near(in.low, rows[i].k, 0);
		assert_near(in.high, (double)rows[i].n + 1 - rows[i].k, 0);
		assert_near(in.level, rows[i].level, 1e-12);
	}
}

/* How often the interval holds what it should, over samples of a skewed distribution. */
static void test_coverage(void **state)
{
	struct rng rng = { 1 };
	int median = 0, ratio = 0, bootstrap = 0, rounds = 400;

	(void)state;
	for (int i = 0; i < rounds; i++) {
		double a[12], b[12];
		struct rank_shift s;
		struct interval in;

		for (int k = 0; k < 12; k++) {
			a[k] = exp(rng_normal(&rng));
			b[k] = 2 * exp(rng_normal(&rng));
		}
		s = rank_ratio(a, 12, b, 12, 0.95);
		ratio += s.low <= 2 && s.high >= 2;
		in = interval_bootstrap(a, 12, b, 12, 0.95, 400, (uint64_t)i);
		bootstrap += in.low <= 2 && in.high >= 2;
		in = interval_median(a, 12, 0.95);
		median += in.low <= 1 && in.high >= 1;
	}
	assert_true(median >= rounds * 92 / 100 && ratio >= rounds * 92 / 100);
	assert_true(ratio < rounds && median < rounds);
	assert_true(bootstrap >= rounds * 90 / 100 && bootstrap < rounds);
}

static void test_bootstrap_repeats(void **state)
{
	static const double a[] = { 1, 2, 3, 4, 5 }, b[] = { 20, 30, 40, 50, 60, 70 };
	struct interval x = interval_bootstrap(a, 5, b, 6, 0.9, 1000, 7);
	struct interval y = interval_bootstrap(a, 5, b, 6, 0.9, 1000, 7);

	(void)state;
	assert_near(x.low, y.low, 0);
	assert_near(x.high, y.high, 0);
	assert_true(x.low < 15 && x.high > 15 && x.low >= 4 && x.high <= 70);
}

/* The approximation against the noncentral t itself. */
static void test_power(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(power_rows); i++) {
		struct power p = { power_rows[i].alpha, power_rows[i].power, 1 };
		size_t n = power_rows[i].n;
		double d = power_smallest(&p, 1, n, n);

		assert_near(d, power_rows[i].difference, 0.06 * d);
		assert_near(power_smallest(&p, 2.5, n, n), 2.5 * d, 1e-9);
		assert_true(power_values(&p, 1, d * 1.001) == n);
		assert_true(power_values(&p, 1, d * 0.999) == n + 1);
		/* ten rows at once are one at a tenth of alpha */
		p = (struct power){ p.alpha * 10, p.power, 10 };
		assert_near(power_smallest(&p, 1, n, n), d, 1e-9);
	}
}

/* 2 / C(6, 3) = 0.1: three and three can never be told apart at 5 %. */
static void test_power_floor(void **state)
{
	static const struct { double alpha; size_t n; bool any; } rows[] = {
		{ 0.05, 3, false }, { 0.1, 3, true }, { 0.05, 4, true }, { 0.0079, 5, false },
		{ 0.00794, 5, true }, { 0.9, 1, false }, { 0, 50, false },
	};
	struct power p = { 0.05, 0.8, 1 };

	(void)state;
	assert_int_equal(power_values(&p, 1, 1e9), 4);
	assert_int_equal(power_values(&p, 1, 1e-9), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		p.alpha = rows[i].alpha;
		assert_true(isinf(power_smallest(&p, 1, rows[i].n, rows[i].n)) != rows[i].any);
	}
}

static void test_spread(void **state)
{
	static const double a[] = { 1, 3 }, b[] = { 10, 14, 12 };

	(void)state;
	assert_near(power_spread(a, 2, b, 3), sqrt((2.0 + 8.0) / 3), 1e-12);
	assert_near(power_spread(a, 1, b, 1), 0, 0);
}

static void test_looks(void **state)
{
	double sum = 0;

	(void)state;
	for (size_t i = 0; i < LOOKS; i++) {
		sum += look_alpha(i, 0.05);
		assert_int_equal(look_after(look_values(i)), i + 1);
		assert_int_equal(look_after(look_values(i) - 1), i);
	}
	assert_near(sum, 0.05, 1e-12);
	assert_int_equal(look_after(0), 0);
	assert_int_equal(look_after(1000), LOOKS);
	/* each look can raise an alarm, but for the first */
	for (size_t i = 0; i < LOOKS; i++) {
		struct power p = { look_alpha(i, 0.05), 0.8, 1 };
		size_t n = look_values(i);

		assert_true(isinf(power_smallest(&p, 1, n, n)) == (i == 0));
	}
}

static void test_rng(void **state)
{
	struct rng rng = { 1234567 };
	int count[3] = { 0 };
	double sum = 0, squares = 0;

	(void)state;
	/* the first numbers of the authors' own program for this seed */
	assert_true(rng_next(&rng) == 6457827717110365317u);
	assert_true(rng_next(&rng) == 3203168211198807973u);
	for (int i = 0; i < 30000; i++) {
		double z = rng_normal(&rng);

		count[rng_below(&rng, 3)]++;
		sum += z;
		squares += z * z;
	}
	for (int i = 0; i < 3; i++)
		assert_in_range(count[i], 9700, 10300);
	assert_near(sum / 30000, 0, 0.02);
	assert_near(squares / 30000, 1, 0.03);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distributions), cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_median_interval), cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_bootstrap_repeats), cmocka_unit_test(test_power),
		cmocka_unit_test(test_power_floor), cmocka_unit_test(test_spread),
		cmocka_unit_test(test_looks), cmocka_unit_test(test_rng),
	};

	return cmocka_run_group_tests_name("stats_dist", tests, NULL, NULL);
}
