/* SPDX-License-Identifier: GPL-2.0-only */
/* How long balance_dirty_pages() made writers wait, by disk. Pure: appends to a strbuf; everything
 * is the guest's and is escaped. */
#ifndef REPORT_PAUSES_H
#define REPORT_PAUSES_H

struct run;
struct strbuf;

/*
 * A line for each disk of the cases that asked for it: the sum and the number of all writers'
 * pauses, as means over the boots, and the longest; and a line for what could not be had. Nothing
 * if no case asked.
 */
void report_pauses(const struct run *run, struct strbuf *out);

#endif
