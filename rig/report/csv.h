/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs as CSV (RFC 4180, with \n) for a spreadsheet or a statistics program: a row for each boot
 * and job, with the verdict on its case and job repeated in each. A boot without jobs has a row of
 * its own. Times are seconds; what is not known is empty.
 *
 * A spreadsheet takes a cell that begins with = + - @ for a formula: hostile text gets an
 * apostrophe in front then. Control characters become \xNN, so a row is a line.
 */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

struct run;
struct strbuf;

/* The line of headings. */
void csv_head(struct strbuf *out);
void csv_run(struct strbuf *out, const struct run *run);
/* A cell of hostile text and the comma behind it; NULL is empty. */
void csv_text(struct strbuf *out, const char *text);

#endif
