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
 * Columns: case, job (a load has a + before its name), time, range (the least and the most over
 * the seeds; left out when every row rests on one), alone (the same job alone, same run), ratio
 * (the slowdown, time/alone), limit, goal, what the original report measured (time and slowdown),
 * verdict. A further metric of which something is expected gets a line below its job: its name,
 * value, limit or floor, verdict. Times are medians over the seeds. Below it a legend, each
 * verdict's reason, and what the consoles of broken boots showed. color adds escape sequences to
 * verdicts. Where that is wider than 80 columns, what the report measured has a line below its job
 * instead: the shipped cases at their default scale, with one seed, fit.
 */
void report_table(const struct run *run, struct strbuf *out, bool color);
/* "verdicts: 6 pass, 1 regressed"; jobs of which nothing is expected do not count. */
void report_counts(const struct run *run, struct strbuf *out);
/* Kernel, QEMU, accelerator, clock, scale, seeds: three lines of what was measured on. */
void report_header(const struct run *run, struct strbuf *out);
/* All three, and where the jobs waited (report/waits.h), with empty lines between them. */
void report_run(const struct run *run, struct strbuf *out, bool color);

#endif
