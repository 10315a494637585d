/* SPDX-License-Identifier: GPL-2.0-only */
/* Noise floors from intervals. */
#include "stats/floor.h"

#include <math.h>

#include "base/err.h"

double floor_of_ratio(double low, double high)
{
	BUG_ON(!(low > 0) || !(high > 0));
	return expm1(fmax(fabs(log(low)), fabs(log(high))));
}

double floor_of_quotient(double a, double b)
{
	BUG_ON(!(a >= 0) || !(b >= 0));
	return (1 + a) * (1 + b) - 1;
}
