/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of ranks and of families of comparisons, against tables and enumerations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "stats/family.h"
#include "stats/rank.h"
#include "stats/rng.h"
#include "stats_vectors.h"

static void assert_near(double got, double want, double error)
{
	if (!(fabs(got - want) <= error))
		fail_msg("got %.17g, wanted %.17g", got, want);
}

static void test_vectors(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rank_rows); i++) {
		size_t m = rank_rows[i].m, n = rank_rows[i].n;
		struct rank_test t = rank_test(rank_rows[i].a, m, rank_rows[i].b, n);
		double least = fmin(rank_rows[i].less, rank_rows[i].greater);

		assert_int_equal(t.exact, m + n <= RANK_EXACT);
		assert_near(t.u, rank_rows[i].u, 0);
		assert_near(t.p_less, rank_rows[i].less, 1e-12);
		assert_near(t.p_greater, rank_rows[i].greater, 1e-12);
		assert_near(t.p, fmin(1, 2 * least), 1e-12);
		assert_near(rank_effect(rank_rows[i].a, m, rank_rows[i].b, n),
			    t.u / (double)(m * n), 1e-12);
	}
}

/* Every b above every a but for u pairs. */
static void fill_with_u(double *a, size_t m, double *b, size_t n, size_t u)
{
	for (size_t i = 0; i < m; i++)
		a[i] = (double)(i + 1) * 10;
	/* U counts pairs with b above a: each b may stand above 0 ... m of the a's */
	for (size_t k = 0; k < n; k++) {
		size_t above = u < m ? u : m;

		b[k] = (double)above * 10 + 5 + (double)k / 100;
		u -= above;
	}
}

/* The largest U of the published tables of Mann and Whitney's test, two-sided at 5 % and 1 %;
 * -1: the table has a dash. */
static void test_tables(void **state)
{
	static const struct { size_t m, n; int five, one; } rows[] = {
		{ 3, 3, -1, -1 }, { 4, 4, 0, -1 }, { 3, 5, 0, -1 }, { 5, 5, 2, 0 },
		{ 6, 6, 5, 2 }, { 7, 7, 8, 4 }, { 8, 8, 13, 7 }, { 7, 9, 12, 7 },
		{ 9, 9, 17, 11 }, { 10, 10, 23, 16 }, { 12, 12, 37, 27 }, { 15, 15, 64, 51 },
		{ 20, 20, 127, 105 }, { 5, 20, 20, 13 },
	};
	double a[20], b[20];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (int one = 0; one < 2; one++) {
			int u = one ? rows[i].one : rows[i].five;
			double alpha = one ? 0.01 : 0.05;

			fill_with_u(a, rows[i].m, b, rows[i].n, (size_t)(u + 1));
			assert_true(rank_test(a, rows[i].m, b, rows[i].n).p > alpha);
			if (u < 0)
				continue;
			fill_with_u(a, rows[i].m, b, rows[i].n, (size_t)u);
			assert_near(rank_test(a, rows[i].m, b, rows[i].n).u, u, 0);
			assert_true(rank_test(a, rows[i].m, b, rows[i].n).p <= alpha);
		}
	}
}

/* Exact and approximate agree where they meet. */
static void test_approximation(void **state)
{
	double a[60], b[60];
	struct rng rng = { 5 };
	struct rank_test exact, normal;

	(void)state;
	for (int i = 0; i < 60; i++) {
		a[i] = floor(20 * rng_real(&rng));
		b[i] = floor(20 * rng_real(&rng)) + 4;
	}
	exact = rank_test(a, 50, b, 50);
	normal = rank_test(a, 50, b, 51);
	assert_true(exact.exact && !normal.exact);
	assert_near(log(exact.p), log(normal.p), 0.6);
}

static void test_shift(void **state)
{
	static const double a[] = { 1, 2, 3, 4, 5 }, b[] = { 11.5, 12.5, 13.5, 14.5, 15.5 };
	struct rank_shift s = rank_shift(a, 5, b, 5, 0.95);

	(void)state;
	/* U <= 2 has 4 of 252 splits, so the third smallest and third largest of 25 */
	assert_near(s.shift, 10.5, 1e-12);
	assert_near(s.low, 7.5, 1e-12);
	assert_near(s.high, 13.5, 1e-12);
	assert_near(s.level, 1 - 2 * 4.0 / 252, 1e-12);
	/* three values cannot give 95 % */
	s = rank_shift(a, 3, b, 3, 0.95);
	assert_near(s.low, 8.5, 1e-12);
	assert_near(s.high, 12.5, 1e-12);
	assert_near(s.level, 0.9, 1e-12);
	s = rank_shift(a, 1, b, 1, 0.95);
	assert_near(s.shift, 10.5, 1e-12);
	assert_near(s.level, 0, 1e-12);
}

/* The interval is what the test does not refuse. */
static void test_interval_inverts_test(void **state)
{
	struct rng rng = { 3 };
	double a[7], b[9], moved[9];

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct rank_shift s;

		for (int i = 0; i < 9; i++) {
			a[i % 7] = rng_normal(&rng);
			b[i] = rng_normal(&rng) + 0.4;
		}
		s = rank_shift(a, 7, b, 9, 0.95);
		for (int side = 0; side < 4; side++) {
			double edge = side & 1 ? s.high : s.low, out = side & 1 ? 1e-9 : -1e-9;

			for (int i = 0; i < 9; i++)
				moved[i] = b[i] - edge - (side & 2 ? out : -out);
			assert_int_equal(rank_test(a, 7, moved, 9).p <= 0.05, !!(side & 2));
		}
	}
}

static void test_ratio(void **state)
{
	static const double a[] = { 1, 2, 4 }, b[] = { 8, 16, 32 };
	struct rank_shift s = rank_ratio(a, 3, b, 3, 0.8);

	(void)state;
	assert_near(s.shift, 8, 1e-9);
	assert_near(s.low, 4, 1e-9);
	assert_near(s.high, 16, 1e-9);
}

static void test_holm(void **state)
{
	/* the example that statistics packages give: p.adjust(p, "holm") */
	double p[] = { 0.01, 0.04, 0.03, 0.005 };

	(void)state;
	family_holm(p, 4);
	assert_near(p[0], 0.03, 1e-15);
	assert_near(p[1], 0.06, 1e-15);
	assert_near(p[2], 0.06, 1e-15);
	assert_near(p[3], 0.02, 1e-15);
	family_holm(p, 0);
}

static void test_family_vectors(void **state)
{
	struct family_row rows[ARRAY_SIZE(family_rows)];
	/* all in one go, and what is scaled and moved says the same */
	double v[ARRAY_SIZE(family_rows)][7];

	(void)state;
	for (int scale = 0; scale < 2; scale++) {
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			size_t m = family_rows[i].block ? 4 : 3;

			for (int k = 0; k < 7; k++)
				v[i][k] = family_rows[i].v[k] * (scale ? 0.37 : 1) + scale * 1e5;
			rows[i] = (struct family_row){
				.block = family_rows[i].block, .a = v[i], .b = v[i] + m,
				.m = m, .n = 7 - m,
			};
		}
		family_adjust(rows, ARRAY_SIZE(rows), 1);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			if (family_rows[i].t < 0)
				assert_true(isinf(rows[i].t));
			else
				assert_near(rows[i].t, family_rows[i].t, 1e-6 * rows[i].t + 1e-9);
			assert_near(rows[i].p, family_rows[i].p, 1e-12);
		}
	}
}

/* Nothing is found in values that are all the same, and a margin takes a difference away. */
static void test_family_margin(void **state)
{
	static const double same[] = { 5, 5, 5, 5 }, a[] = { 1, 1.1, 1.2, 0.9 },
			    b[] = { 2, 2.1, 2.2, 1.9 };
	struct family_row r[2] = {
		{ .a = same, .b = same, .m = 4, .n = 4 }, { .a = a, .b = b, .m = 4, .n = 4 },
	};

	(void)state;
	family_adjust(r, 2, 1);
	assert_near(r[0].p, 1, 0);
	assert_near(r[1].p, 2.0 / 70, 1e-12);
	r[1].margin = 1.5;
	family_adjust(r, 2, 1);
	assert_near(r[1].p, 1, 0);
	r[1].margin = 0.5;
	family_adjust(r, 2, 1);
	assert_near(r[1].p, 2.0 / 70, 1e-12);
	family_adjust(r, 0, 1);
}

/* No row is surer than one with a greater |t|, although its own relabellings would allow it. */
static void test_family_order(void **state)
{
	static const double few[] = { 1, 1.001, 2, 2.001 };
	static const double many[] = { 1, 2, 3, 4, 5, 6, 17, 18, 19, 20, 21, 22 };
	struct family_row r[2] = {
		{ .block = 0, .a = few, .b = few + 2, .m = 2, .n = 2 },
		{ .block = 1, .a = many, .b = many + 6, .m = 6, .n = 6 },
	};

	(void)state;
	family_adjust(r, 2, 1);
	assert_true(r[0].t > r[1].t && r[1].t > 5);
	assert_near(r[0].p, 2.0 / 6, 1e-12);
	assert_near(r[1].p, 2.0 / 6, 1e-12);
	family_adjust(r + 1, 1, 1);
	assert_near(r[1].p, 2.0 / 924, 1e-12);
}

enum { CASES = 6, METRICS = 3, MOST = 12 };

struct world {
	double v[CASES][METRICS][2 * MOST];
	struct family_row rows[CASES * METRICS];
};

/* Metrics of a boot go together; now and then a boot is far off. Rows of 'changed' are moved. */
static void make_world(struct world *w, size_t n, struct rng *rng, double change)
{
	for (size_t c = 0; c < CASES; c++) {
		for (size_t i = 0; i < 2 * n; i++) {
			double common = rng_normal(rng), far = rng_real(rng) < 0.05 ? 5 : 0;

			for (size_t k = 0; k < METRICS; k++)
				w->v[c][k][i] = common + 0.5 * rng_normal(rng) + far +
						(c == 2 && k == 1 && i >= n ? change : 0);
		}
		for (size_t k = 0; k < METRICS; k++)
			w->rows[c * METRICS + k] = (struct family_row){
				.block = c, .a = w->v[c][k], .b = w->v[c][k] + n, .m = n, .n = n,
			};
	}
	family_adjust(w->rows, CASES * METRICS, 99);
}

static int count_alarms(size_t n, int rounds, double change, bool anywhere)
{
	struct rng rng = { n };
	struct world w;
	int alarms = 0;

	for (int i = 0; i < rounds; i++) {
		bool alarm = false;

		make_world(&w, n, &rng, change);
		for (size_t k = 0; k < CASES * METRICS; k++)
			alarm = alarm || (w.rows[k].p <= 0.05 && (anywhere || k == 2 * METRICS + 1));
		alarms += alarm;
	}
	return alarms;
}

/* 18 comparisons of 5 + 5 values: one false alarm in 20 runs, and Holm would see nothing ever. */
static void test_family_error(void **state)
{
	int alarms = count_alarms(5, 600, 0, true);

	(void)state;
	/* 5 % of 600 are 30, four standard deviations above it 52 */
	assert_in_range(alarms, 8, 52);
	assert_true(count_alarms(5, 50, 12, false) >= 35);
	/* too many relabellings to list: some are drawn */
	assert_in_range(count_alarms(MOST, 12, 0, true), 0, 5);
	assert_true(count_alarms(MOST, 6, 5, false) >= 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors), cmocka_unit_test(test_tables),
		cmocka_unit_test(test_approximation), cmocka_unit_test(test_shift),
		cmocka_unit_test(test_interval_inverts_test), cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_holm), cmocka_unit_test(test_family_vectors),
		cmocka_unit_test(test_family_margin), cmocka_unit_test(test_family_order),
		cmocka_unit_test(test_family_error),
	};

	return cmocka_run_group_tests_name("stats_rank", tests, NULL, NULL);
}
