/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checking a series: all kernels are built first, then those that differ from the one before them
 * are run. Runs that are there already are taken, as for a comparison (compare_work.h).
 */
#ifndef CMD_CHECK_WORK_H
#define CMD_CHECK_WORK_H

#include "cmd/run_measure.h"
#include "judge/steps.h"
#include "source/series.h"
#include "run/options.h"
#include "run/suite.h"

struct check_args;
struct err;

struct check_work {
	struct check_args *args;
	struct run_options *o;		/* of args */
	struct suite suite;
	struct series series;
	struct run_kernel base;
	struct run_kernel *rks;		/* one for each patch: with all up to it */
	char **why;			/* likewise: why it is not built, or NULL */
	struct steps steps;
};

void check_work_init(struct check_work *w, struct check_args *args);
void check_work_release(struct check_work *w);

/* Read cases and series and build all kernels. Nothing boots. ERR_INPUT: what suite_load() and
 * series_open() say, a kernel that is not built here; what a patch is at fault for is in its
 * step. */
int check_work_begin(struct check_work *w, struct err *err);
/* Run what is missing and compare: w->steps. */
int check_work_run(struct check_work *w, struct err *err);

#endif
