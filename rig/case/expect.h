/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a case's victims may take: expect/GROUP/NAME.expect, reviewed like code.
 *
 *	[hdd.slowdown]		; JOB.METRIC, JOB.METRIC/alone or disk.NAME.METRIC
 *	limit  = 16		; regressed above it
 *	floor  = 0.8		; regressed below it
 *	goal   = 1.5		; optional: where it should get; shown, never judged
 *	was    = 9.8		; optional: last accepted value ...
 *	within = 25%		; ... and how far from it still counts as the same
 *	kernel = debian 6.1.192	; optional: what 'was' was measured on
 *	seeds  = 5		; optional
 *	why    = how the limit was set
 * One of limit, floor, or was with within is needed. Metrics are those of case/metric.h; their
 * values are written by their unit: ratios (and everything with /alone) 1.5 or 150%, times 20ms,
 * rates 1M/s, bytes 64M, numbers plain. slowdown and /alone need the job to have an 'alone', sync
 * and total a 'sync'.
 *
 * A section may have an argument that says for which scale and variant of the case it is:
 *	[hdd.slowdown]			scale quick, no variant
 *	[hdd.slowdown full]		--scale=full
 *	[hdd.slowdown @bfq]		variant bfq, scale quick
 *	[hdd.slowdown full@bfq]		both
 * No section stands in for another. All are checked, whichever are asked for.
 */
#ifndef CASE_EXPECT_H
#define CASE_EXPECT_H

#include <stdbool.h>
#include <stddef.h>

#include "case/metric.h"

struct err;
struct kase;

struct expectation {
	char *job;			/* its name, or "disk.NAME" */
	enum metric metric;
	bool alone;			/* metric/alone: over the same of the alone job */
	double limit, floor, goal, was;	/* ratio, ns, bytes/s, bytes; negative = unset */
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

/*
 * Read path for the case, its scale and its variant; a missing file is an empty expectation.
 * Unknown jobs, disks, metrics, scales, variants and keys, a number that is not positive (0 is for
 * plain numbers only), a goal on the wrong side of limit or floor, within without was, nothing to
 * judge by: ERR_INPUT, file:line. After an error x is empty.
 */
int expect_read(struct expect *x, const char *path, const struct kase *c, struct err *err);
void expect_release(struct expect *x);
/* Of the metric itself, not of its /alone. */
const struct expectation *expect_get(const struct expect *x, const char *job, enum metric metric);

#endif
