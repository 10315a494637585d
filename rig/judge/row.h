/* SPDX-License-Identifier: GPL-2.0-only */
/* What judging one job or disk needs, and the numbers of its verdict. Private to judge/. */
#ifndef JUDGE_ROW_H
#define JUDGE_ROW_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "case/case.h"
#include "case/expect.h"
#include "record/record.h"

struct row {
	struct run *run;
	const struct kase *c;
	const struct expect *x;
	const char *subject;			/* the job's name, "disk.NAME" */
	const struct case_job *job;		/* NULL: a disk's row */
	const struct kase *alone;		/* NULL: none, or not among the cases */
	const struct case_job *alone_job;	/* NULL: none, or its case has no such job */
	struct verdict *v;
	struct strbuf why;			/* becomes the verdict's reason */
};

/* Fill in the verdict's numbers: the values of all that was measured and of all that is expected,
 * whose kinds are still none, and from them the times. */
void row_fill(struct row *r);
/* By its name, "rate/alone"; NULL if there is none, which what is expected never is. */
struct verdict_value *row_value(const struct verdict *v, const char *metric);
/* "rate", "rate/alone": fresh. */
char *row_value_name(enum metric metric, bool alone);

#endif
