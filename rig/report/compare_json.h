/* SPDX-License-Identifier: GPL-2.0-only */
/* What a comparison of two runs found, as a JSON document (docs/DATA.md). Pure. */
#ifndef REPORT_COMPARE_JSON_H
#define REPORT_COMPARE_JSON_H

#include <stddef.h>

struct compare;
struct run;
struct strbuf;

/*
 * Append the document: the two runs, what was asked, how many rows of which kind, and every row
 * with all that judge/compare.h knows of it. looks: of --until-sure, how many were taken; 0 = it
 * was one comparison. Text of any bytes is escaped, numbers that JSON cannot hold are null.
 */
void report_compare_json(const struct compare *cmp, const struct run *base, const struct run *now,
			 size_t looks, struct strbuf *out);

#endif
