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
 * seed's slowdown, a line at the limit, the goal and the last accepted value of the first verdict
 * that has them. If no job of the case has a slowdown: times, in s.
 */
void plot_case_seeds(struct plot *p, const struct run *const *runs, size_t n_runs,
		     const char *case_name);
/*
 * "change": a row for each time that was compared, the largest change first, at most
 * PLOT_CHANGES: a mark at the change of time and a bar over its interval, a line at 1.
 */
#define PLOT_CHANGES 40
void plot_change(struct plot *p, const struct compare *cmp);

#endif
