/* SPDX-License-Identifier: GPL-2.0-only */
/* Every metric of every job and disk as a terminal table, what 'report -v' adds. */
#ifndef REPORT_METRICS_H
#define REPORT_METRICS_H

struct run;
struct strbuf;

/* Columns: job, metric, median, least and most over the seeds, alone, limit or floor, verdict; a
 * line with its name before each case. Nothing for documents without metrics. */
void metrics_run(struct strbuf *out, const struct run *run);

#endif
