/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run's boots say about one job. Private to judge/. */
#ifndef JUDGE_BOOTS_H
#define JUDGE_BOOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "case/case.h"
#include "record/record.h"

struct strbuf;

/* What the boot has of a job, or NULL. */
const struct job_result *boots_result(const struct boot *b, const char *job);
/* Did the job do in that boot what the case asks of it? NULL did not. A load that was stopped
 * because all victims had ended did. */
bool boots_did_work(const struct case_job *job, const struct job_result *r);
bool boots_was_stopped(const struct case_job *job, const struct job_result *r);
/* The first boot of the case with that outcome, or NULL. */
const struct boot *boots_find(const struct run *run, const char *case_name, enum outcome outcome);
/* The first that is broken and not void (record.h). */
const struct boot *boots_find_broken(const struct run *run, const char *case_name);
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
