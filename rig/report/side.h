/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Several runs of the same cases side by side: a row per case and job, a column per run with the
 * time (median over seeds) and, for jobs with an 'alone', the slowdown. Of two runs a last column
 * has the change of the time. Pure: appends to a strbuf; everything is escaped.
 */
#ifndef REPORT_SIDE_H
#define REPORT_SIDE_H

#include <stdbool.h>
#include <stddef.h>

struct run;
struct strbuf;

/*
 * Headings are the kernels' names where n of them fit into 80 columns, else letters with a list
 * below. A cell: "30.7 s 14.3x", with a "!" behind it where that run's verdict is regressed, "-"
 * where the run has no such job, or the verdict's word where there is no time. Below: the kernels
 * with image hash and patches, and what the marks mean.
 */
void report_side(const struct run *const *runs, size_t n, struct strbuf *out, bool color);

#endif
