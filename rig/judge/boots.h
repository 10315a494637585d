/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run's boots say about one job. Private to judge/. */
#ifndef JUDGE_BOOTS_H
#define JUDGE_BOOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "case/case.h"
#include "record/record.h"

struct strbuf;

/* Times of one job over the boots of its case, as far as the job did its work. */
struct times {
	double *time, *sync, *total;	/* ns */
	size_t n, n_sync, n_total;
};

#define TIMES_INIT { .time = NULL, .n = 0 }

void times_collect(struct times *t, const struct run *run, const struct kase *c,
		   const struct case_job *job);
void times_release(struct times *t);

/* The first boot of the case with that outcome, or NULL. */
const struct boot *boots_find(const struct run *run, const char *case_name, enum outcome outcome);
size_t boots_count(const struct run *run, const char *case_name);
/*
 * Append why the job's own work cannot be relied on, in any boot of its case: one line, nothing
 * if all is well. True if there is a reason.
 */
bool boots_job_broken(const struct run *run, const struct kase *c, const struct case_job *job,
		      struct strbuf *why);
/* The same for the loads that should have run beside this victim, which takes alone_ns alone
 * (-1 = unknown). */
bool boots_load_missing(const struct run *run, const struct kase *c, const struct case_job *victim,
			double alone_ns, struct strbuf *why);

#endif
