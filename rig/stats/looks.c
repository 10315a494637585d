/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of looks. */
#include "stats/looks.h"

#include "base/err.h"

static const struct {
	size_t values;
	double share;
} looks[LOOKS] = { { 3, 0 }, { 5, 0.16 }, { 8, 0.2 }, { 13, 0.29 }, { 20, 0.35 } };

size_t look_values(size_t look)
{
	BUG_ON(look >= LOOKS);
	return looks[look].values;
}

size_t look_after(size_t n)
{
	size_t i = 0;

	while (i < LOOKS && looks[i].values <= n)
		i++;
	return i;
}

double look_alpha(size_t look, double alpha)
{
	BUG_ON(look >= LOOKS);
	return looks[look].share * alpha;
}
