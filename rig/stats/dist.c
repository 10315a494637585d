/* SPDX-License-Identifier: GPL-2.0-only */
/* Normal, Student's t and the fair coin. */
#include "stats/dist.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/err.h"

#define FRACTION_STEPS 500	/* far above what |x| <= 1 and df <= 1e6 need */

double dist_normal_cdf(double z)
{
	return 0.5 * erfc(-z * M_SQRT1_2);
}

/* The continued fraction of I_x(a, b) by Lentz's method, x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
	f = d;
	for (int i = 1; i <= FRACTION_STEPS; i++) {
		double m = i, change = 1;

		for (int odd = 0; odd < 2; odd++) {
			double up = odd ? -(a + m) * (a + b + m) : m * (b - m);
			double k = up * x / ((a + 2 * m) * (a + 2 * m + (odd ? 1 : -1)));

			d = 1 + k * d;
			c = 1 + k / c;
			d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
			c = fabs(c) < DBL_MIN ? DBL_MIN : c;
			change = c * d;
			f *= change;
		}
		if (fabs(change - 1) < DBL_EPSILON)
			break;
	}
	return f;
}

/* I_x(a, b), given 1 - x as well so that neither loses digits. */
static double incomplete_beta(double x, double rest, double a, double b)
{
	double ln = lgamma(a + b) - lgamma(a) - lgamma(b);

	if (x <= 0)
		return 0;
	if (rest <= 0)
		return 1;
	ln += a * log(x) + b * log(rest);
	if (x < (a + 1) / (a + b + 2))
		return exp(ln) * beta_fraction(x, a, b) / a;
	return 1 - exp(ln) * beta_fraction(rest, b, a) / b;
}

double dist_t_cdf(double t, double df)
{
	double x = df / (df + t * t), tail;

	BUG_ON(!(df > 0));
	tail = 0.5 * incomplete_beta(x, t * t / (df + t * t), df / 2, 0.5);
	return t > 0 ? 1 - tail : tail;
}

/* Halve the interval in which the cdf reaches p until doubles end. df 0: the normal. */
static double bisect_cdf(double p, double df)
{
	double low = -1, high = 1;

	BUG_ON(!(p > 0 && p < 1));
	while (low > -1e300 && (df > 0 ? dist_t_cdf(low, df) : dist_normal_cdf(low)) > p)
		low *= 2;
	while (high < 1e300 && (df > 0 ? dist_t_cdf(high, df) : dist_normal_cdf(high)) < p)
		high *= 2;
	for (int i = 0; i < 200; i++) {
		double mid = low + (high - low) / 2;
		bool below = (df > 0 ? dist_t_cdf(mid, df) : dist_normal_cdf(mid)) < p;

		if (mid <= low || mid >= high)
			break;
		if (below)
			low = mid;
		else
			high = mid;
	}
	return low + (high - low) / 2;
}

double dist_normal_quantile(double p)
{
	return bisect_cdf(p, 0);
}

double dist_t_quantile(double p, double df)
{
	BUG_ON(!(df > 0));
	return bisect_cdf(p, df);
}

double dist_ln_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

double dist_coin_cdf(int k, int n)
{
	double sum = 0;

	BUG_ON(n < 0 || n > 1000);
	for (int i = 0; i <= k && i <= n; i++)
		sum += exp(dist_ln_choose(n, i) - n * M_LN2);
	return sum < 1 ? sum : 1;
}
