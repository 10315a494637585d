/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the jobs of a run waited, as text within 80 columns. Pure: appends to a strbuf, and escapes
 * what came from a guest or a file.
 */
#ifndef REPORT_WAITS_H
#define REPORT_WAITS_H

struct run;
struct strbuf;
struct waits;

/*
 * A line for each job at whose processes the agent looked, below its case's: the mechanisms with
 * the largest shares (judge/waits.h), and a legend; and behind them the pauses of writers
 * (report/pauses.h). Nothing of what nobody looked at.
 */
void report_waits(const struct run *run, struct strbuf *out);
/* The same with the most frequent stacks of each job, over all seeds' boots, below its line. */
void report_waits_stacks(const struct run *run, struct strbuf *out);
/* For who does not know the mechanisms' names: "61 % for a free request of the disk's queue, 30 %
 * for a request that is on its way to the disk", the largest shares first; w is used up. */
void report_waits_words(struct strbuf *out, struct waits *w);

#endif
