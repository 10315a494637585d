/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a case's victims may take: expect/GROUP/NAME.expect, reviewed like code.
 *
 *	[hdd.slowdown]		; JOB.METRIC
 *	limit  = 16		; regressed above it; optional if there is was and within
 *	goal   = 1.5		; optional: where it should get; shown, never judged
 *	was    = 9.8		; optional: last accepted value ...
 *	within = 25%		; ... and how far from it still counts as the same
 *	kernel = debian 6.1.192	; optional: what 'was' was measured on
 *	seeds  = 5		; optional
 *	why    = how the limit was set
 * Metrics: slowdown (ratio: time / time alone in the same run), time, sync, total (times; total
 * is time plus sync). slowdown needs the job to have an 'alone', sync and total a 'sync'.
 * --scale=S reads sections '[JOB.METRIC S]' instead of plain ones, which are those of the quick
 * scale. The sections of all scales are checked.
 */
#ifndef CASE_EXPECT_H
#define CASE_EXPECT_H

#include <stddef.h>

struct err;
struct kase;

enum metric { METRIC_SLOWDOWN, METRIC_TIME, METRIC_SYNC, METRIC_TOTAL };

struct expectation {
	char *job;
	enum metric metric;
	double limit, goal, was;	/* ratio, or ns; negative = unset */
	double within;			/* ratio of 'was'; negative = unset */
	char *kernel, *why;		/* NULL = unset */
	int seeds;
	int line;
};

struct expect {
	char *path;		/* NULL if there is no file */
	char *text;		/* the file, for the run document; NULL if there is none */
	struct expectation *e;
	size_t n;
};

#define EXPECT_INIT { .path = NULL, .e = NULL, .n = 0 }

/* Read path for the case and its scale; a missing file is an empty expectation. Unknown jobs,
 * metrics, scales and keys, a number that is not positive, a goal above the limit, within
 * without was, nothing to judge by: ERR_INPUT, file:line. After an error x is empty. */
int expect_read(struct expect *x, const char *path, const struct kase *c, struct err *err);
void expect_release(struct expect *x);
const struct expectation *expect_get(const struct expect *x, const char *job, enum metric metric);
const char *metric_name(enum metric m);

#endif
