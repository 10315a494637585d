/* SPDX-License-Identifier: GPL-2.0-only */
/* The cells that a comparison's text and Markdown share. Private to report/. */
#ifndef REPORT_COMPARE_CELLS_H
#define REPORT_COMPARE_CELLS_H

#include <stdbool.h>

#include "judge/compare.h"

struct strbuf;

#define CELL	   48	/* bytes that any cell below fits in */
#define REASON_MAX 2048	/* of one reason; a longer one is cut with "..." */

/* Each fills buf (of CELL bytes) and returns it. */
const char *cell_value(const struct change *c, double v, char *buf);	/* "24.5 s", "-" */
/* "+26.5%", from tenfold on "14.3x" and "1/14.3"; a difference in the metric's unit. */
const char *cell_change(const struct change *c, double change, char *buf);
/* "+12% .. +41%"; with the level where it is less than was wanted. */
const char *cell_range(const struct change *c, char *buf);
const char *cell_p(double p, char *buf);	/* "0.008", "<.001", "-" */
const char *cell_visible(const struct change *c, char *buf);	/* "12%", "8.2x", "none" */
const char *cell_color(enum change_kind kind);	/* SGR parameters */
/* "; 8 seeds more would settle it", nothing where there is nothing to settle. */
void cell_add_seeds(const struct change *c, struct strbuf *out);
/* "writeback/x hdd time: regressed: WHY; 8 seeds more would settle it" and a newline. */
void cell_add_reason(const struct change *c, struct strbuf *out);
/* The title above a job's rows, "writeback/x +dvd", with the indent before it: fresh, escaped. */
char *cell_title(const struct change *c, const char *indent);
bool cell_same_job(const struct change *a, const struct change *b);
/* "compared: 12 same, 1 regressed" and, if any, the seeds that all together need. */
void cell_add_counts(const struct compare *cmp, struct strbuf *out);

#endif
