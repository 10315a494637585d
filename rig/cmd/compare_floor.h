/* SPDX-License-Identifier: GPL-2.0-only */
/* This host's noise floor, from a kernel against itself ('compare --measure-floor'). */
#ifndef CMD_COMPARE_FLOOR_H
#define CMD_COMPARE_FLOOR_H

#include <stddef.h>

struct compare;
struct err;
struct run;
struct run_options;
struct strbuf;

#define FLOOR_SEEDS	  10	/* of each side, by default */
#define FLOOR_SEEDS_LEAST 5	/* with fewer an interval at 95 % says next to nothing */

/*
 * Keep the floor of every row of the A/A comparison that has an interval at its level from
 * FLOOR_SEEDS_LEAST boots or more of each side (run/noise.h), and append a table of them, of the
 * rows without, and of the file. The rows that could have had one are counted in *missing.
 */
int compare_floor_keep(const struct compare *cmp, const struct run *run,
		       const struct run_options *o, size_t *missing, struct strbuf *out,
		       struct err *err);

#endif
