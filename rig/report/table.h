/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run's verdicts as text: the closing table with a row per job, the reasons below it, and a
 * legend. Pure: appends to a strbuf. Everything that came from a file or a guest is escaped.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>

struct run;
struct strbuf;

/*
 * Columns: case, job, time, alone (the same job alone, same run), slowdown (time/alone), limit,
 * goal, what the original report measured (time and slowdown), verdict. Times are medians over
 * the seeds. color adds escape sequences to verdicts.
 */
void report_table(const struct run *run, struct strbuf *out, bool color);
/* "verdicts: 6 pass, 1 regressed" */
void report_counts(const struct run *run, struct strbuf *out);
/* Kernel, QEMU, accelerator, clock, host: two or three lines of what was measured on. */
void report_header(const struct run *run, struct strbuf *out);

#endif
