/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cases contest/LOAD as the tables that contest (C. Kolivas, 2002 to 2003) printed: a build,
 * and what a load beside it does to it. Pure: appends to a strbuf; what comes from a document is
 * escaped.
 *
 * The victim is the job "build", the load the first one of role load. Boots count that are done and
 * in which both did their work. Of each boot:
 *
 *	Time	seconds of the build
 *	CPU%	its processor time, user and system, in parts of that
 *	Loads	what the load got done in that time, in its unit: all it did, times the build's time
 *		over its own
 *	LCPU%	the load's processor time in parts of its own time
 *
 * Each is the median over the seeds. Ratio is Time over that of contest/no_load of the same run.
 */
#ifndef REPORT_CONTEST_H
#define REPORT_CONTEST_H

#include <stddef.h>

struct err;
struct run;
struct strbuf;

/*
 * As contest 0.6x: a block for each load with a row for each run (and each variant of the case, as
 * KERNEL@VARIANT), and below them which are missing and why, and what the columns mean. The columns
 * are those of contest 0.61 to the blank; the name's is wider if a name is longer than 14, and a
 * Time below 30 s has a decimal. ERR_INPUT if none of the runs has a boot of such a case.
 */
int contest_tables(struct strbuf *out, const struct run *const *runs, size_t n, struct err *err);
/* The table of 2002, "IO Load Full" with Time and CPU, from contest/io_load. ERR_INPUT if none of
 * the runs has it. */
int contest_table_2002(struct strbuf *out, const struct run *const *runs, size_t n,
		       struct err *err);

#endif
