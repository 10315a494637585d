/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the bisect share. Private to bisect/. */
#ifndef BISECT_PRIVATE_H
#define BISECT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "bisect/bisect.h"

/*
 * A value as beliefs take it: logarithms where all are above 0; 0 halfway between the ends'
 * medians, in units of their common spread (by the median distance from the median, which a few
 * wild boots do not move), and drawn in to a bound.
 */
struct scale {
	bool logs;
	double shift, factor;	/* (x - shift) * factor */
	double bound;		/* of the absolute value, after scaling */
	double apart;		/* distance of the ends' medians, in spreads; >= 0 */
	double sign;		/* of bad - good: 1 or -1 */
};

/* Both ends have at least one boot. */
struct scale scale_of(const struct bisect *b);
double scale_value(const struct scale *s, double value);
/* What n boots of one commit are worth. */
double effective(const struct bisect *b, double n);
/* P(commit x is bad), from b->p. */
double bad_probability(const struct bisect *b, size_t x);
bool is_testable(const struct bisect *b, size_t x);
/*
 * The tested commits next to the change: bad ones without a tested bad ancestor, good ones below
 * those without a tested good descendant. The least proven pair's p of the rank-sum test, 1 if
 * there is none or one differs by too little; *short_of: a commit of them that has fewer boots
 * than 'boots', or h.n.
 */
double border_proof(const struct bisect *b, size_t boots, size_t *short_of);

#endif
