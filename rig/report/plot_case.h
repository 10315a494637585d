/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures over the seeds of a case and over several runs. */
#ifndef REPORT_PLOT_CASE_H
#define REPORT_PLOT_CASE_H

#include <stddef.h>

struct compare;
struct plot;
struct run;

/*
 * "seeds": a row for each job that has a time (of several runs: for each of them), a mark for each
 * seed's slowdown, and in the row its own limit, goal and last accepted value: they differ from job
 * to job, and from run to run where families of kernels or scales do. If no job of the case has a
 * slowdown: times, in s.
 */
void plot_case_seeds(struct plot *p, const struct run *const *runs, size_t n_runs,
		     const char *case_name);
/*
 * "judged": a row for each other figure of which something is expected, whatever its unit: a mark
 * for each seed's, as a part of the limit, else of the floor, else of the last accepted value,
 * which stands behind the name of the row (of several runs, the kernel does); goal and last
 * accepted value are in the row.
 */
void plot_case_judged(struct plot *p, const struct run *const *runs, size_t n_runs,
		      const char *case_name);
/*
 * "change": a row for each time that was compared and for the rate of each job that was stopped,
 * the largest change first, at most PLOT_CHANGES: a mark at the change and a bar over its
 * interval, a line at 1.
 */
#define PLOT_CHANGES 40
void plot_change(struct plot *p, const struct compare *cmp);

#endif
