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
 *	known  = ext4 bug 217000	; optional: a regression here is known, and does not fail
 *	until  = 2027-01-31	; ... the run that began on this day (UTC) or before it
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
 *
 * And behind a ':' for which family of kernels, by the first two numbers of their release:
 *	[hdd.slowdown :6.1]		kernels 6.1.x
 *	[hdd.slowdown full@bfq:6.12]
 * Where there is one for the kernel's family, it stands in for the one without (expect_choose()).
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
	char *known, *until;		/* a waiver: NULL or both; until is "YYYY-MM-DD" */
	unsigned int family;		/* of kernels, as kernel/version.h has it; 0 = all */
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
 * plain numbers only), a family that is no version, known without until, no such day, a goal on
 * the wrong side of limit or floor, within without was, nothing to judge by: ERR_INPUT, file:line.
 * After an error x is empty.
 */
int expect_read(struct expect *x, const char *path, const struct kase *c, struct err *err);
/* The same from memory; path is for messages and becomes x->path. */
int expect_parse(struct expect *x, const char *path, const char *text, size_t len,
		 const struct kase *c, struct err *err);
void expect_release(struct expect *x);
/*
 * What holds for a kernel of that release ("6.1.192-3", or NULL or "" where it is not known: of no
 * family): mine gets an array of its own, free(mine->e), and borrows all else.
 */
void expect_choose(struct expect *mine, const struct expect *x, const char *release);
/* "full@bfq:6.1": the argument of a section for the case's scale and variant and this family (0:
 * none), in a fresh string, "" for a section without one. */
char *expect_section_arg(const struct kase *c, unsigned int family);
/*
 * From a name as the sections have it, without an argument, set e's job (the caller's to free),
 * metric and alone. ERR_INPUT, e's job untouched: a metric that there is not (lists them), a job or
 * disk that the case has not, one that cannot have that metric.
 */
int expect_name(struct expectation *e, const char *text, const struct kase *c, struct err *err);
/* Of the metric itself, not of its /alone. */
const struct expectation *expect_get(const struct expect *x, const char *job, enum metric metric);

#endif
