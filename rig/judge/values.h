/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One metric of a job or a disk over the boots of its case: what each boot gave, and what all
 * together come to. Pure.
 *
 * A job has values of the boots in which it did its work (boots.h). A load that was stopped because
 * its victims had ended has neither time nor sync nor total, but a rate and what its result counts.
 * A disk has values of the boots that are done. Boots that are void have none.
 *
 * The value of all is the median of the boots' values. Times of operations (p50 p90 p99 p999 max
 * mean) come from the histograms of all boots added up: so p99 over five seeds is what 99 of 100 of
 * all operations stayed below, and max the slowest of all, not the median of five maxima.
 */
#ifndef JUDGE_VALUES_H
#define JUDGE_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "case/metric.h"

struct kase;
struct run;

struct values {
	double *v;	/* in the order of the run's boots, of those that have it */
	size_t n;
	double value;	/* of all; -1 with n 0 */
	double min, max;	/* of v; -1 with n 0 */
};

#define VALUES_INIT { .v = NULL, .n = 0, .value = -1, .min = -1, .max = -1 }

/* subject: a job of the case, or "disk.NAME" for a metric of disks. */
void values_collect(struct values *v, const struct run *run, const struct kase *c,
		    const char *subject, enum metric metric);
void values_release(struct values *v);
/* Is the value of all that of distributions added up, and not a median? */
bool values_are_merged(enum metric metric);

#endif
