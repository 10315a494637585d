/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comparing two runs, or kernels whose runs are not there yet. On the simulated clock a kernel's
 * run that lies in the results folder is taken, and gets the boots that it lacks; on the real clock
 * both kernels are run anew and in turns, since the host is part of what is measured there.
 */
#ifndef CMD_COMPARE_WORK_H
#define CMD_COMPARE_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/run_measure.h"
#include "judge/compare.h"
#include "run/options.h"
#include "run/suite.h"

struct compare_args;
struct err;

struct compare_side {
	const char *spec;
	bool is_run;		/* it is there: nothing is to be booted */
	struct run_kernel rk;
};

struct compare_work {
	struct compare_args *args;
	struct run_options *o;		/* of args */
	struct suite suite;
	struct compare_side side[2];	/* base, new */
	bool same;			/* the same bytes: one run stands for both kernels */
	size_t look;			/* of several */
	struct compare cmp;
};

void compare_work_init(struct compare_work *w, struct compare_args *args);
void compare_work_release(struct compare_work *w);

/*
 * Read the runs, find or build the kernels, with the cases, seeds, scale, clock, timing and
 * accelerator of the command line or, where it says nothing, of the one run that is there. Nothing
 * boots. ERR_INPUT: neither a run nor a kernel, two runs with --until-sure.
 */
int compare_work_begin(struct compare_work *w, struct err *err);
/* Run what is missing and compare: w->cmp. With --until-sure look after look, each with more seeds,
 * until nothing is inconclusive. */
int compare_work_run(struct compare_work *w, struct err *err);
/* The two runs that were compared. */
const struct run *compare_work_base(const struct compare_work *w);
const struct run *compare_work_new(const struct compare_work *w);

#endif
