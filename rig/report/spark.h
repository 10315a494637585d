/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sparklines: a row of figures as a row of blocks, for terminals. Pure.
 *
 *	spark_add(&out, v, n, true)	"▁▃▂█▂"
 */
#ifndef REPORT_SPARK_H
#define REPORT_SPARK_H

#include <stdbool.h>
#include <stddef.h>

struct run;
struct strbuf;
struct verdict;

/* One character a value, from the least (lowest block) to the greatest. If they are less than a
 * tenth of the greatest apart, the blocks stand for that tenth: the same values are middle blocks.
 * A value that is negative or no number is a blank ('.' without utf8). utf8: block elements U+2581
 * to U+2588, else the ASCII ramp "_.-=^". */
void spark_add(struct strbuf *out, const double *v, size_t n, bool utf8);
/* A line for each victim of which more than one seed was run: its times over the seeds in their
 * order, the least and the greatest, at most 80 columns. Nothing if there is none. */
void spark_run(struct strbuf *out, const struct run *run, bool utf8);
/* The times of a verdict's job in seconds, in the order of seeds, into v (at most max); -1 for a
 * boot without one. Returns how many. */
size_t spark_times(const struct run *run, const struct verdict *v, double *times, size_t max);

#endif
