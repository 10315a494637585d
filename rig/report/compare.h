/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a comparison of two runs found, as text and as Markdown. Pure: appends to a strbuf. All
 * that came from a file or a guest is escaped.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include <stdbool.h>

struct compare;
struct run;
struct strbuf;

/*
 * The two kernels, what else differs, a table with a title for each case and job and a row for each
 * metric (base, new, change, its interval, p over all rows, the smallest change that would have
 * shown, verdict), the reasons, a legend, and the counts. The table fits 80 columns. all: also the
 * rows that are the same; without it they are only counted.
 */
void report_compare(const struct compare *cmp, const struct run *base, const struct run *now,
		    bool all, bool color, struct strbuf *out);
/* The same as a Markdown document, with the effect size and the row's own p; every row. */
void report_compare_markdown(const struct compare *cmp, const struct run *base,
			     const struct run *now, struct strbuf *out);

#endif
