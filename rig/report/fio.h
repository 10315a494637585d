/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fio wrote about its jobs, from the documents that jobs of a run have left (fio(1), "JSON
 * output"). Pure: appends to a strbuf; everything is the guest's, so it is bounded and escaped, and
 * what is missing or is no number is left out.
 */
#ifndef REPORT_FIO_H
#define REPORT_FIO_H

struct run;
struct strbuf;

/*
 * Below its case a row for each boot, job, fio's own job and direction that moved anything:
 * bandwidth, operations a second, and 50, 99 and 99.9 % and the most of the completion latencies.
 * Below them the notes of jobs whose document was not taken. Nothing without documents and notes;
 * one that is not fio's is named.
 */
void report_fio(const struct run *run, struct strbuf *out);

#endif
