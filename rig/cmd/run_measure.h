/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One kernel and its run: made, gone on with, or found among those that lie there. While a run is
 * worked on, a lock on its folder's ".lock" is held.
 */
#ifndef CMD_RUN_MEASURE_H
#define CMD_RUN_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/kernel.h"
#include "record/record.h"

struct err;
struct run_options;
struct suite;

struct run_kernel {
	struct kernel k;
	size_t dead_after;	/* see struct schedule */
	bool reference;		/* it runs to be compared with, not to be judged */
	struct run run;
	char *dir;		/* result folder; NULL: none yet */
	bool ran;
};

void run_kernel_init(struct run_kernel *rk);
void run_kernel_release(struct run_kernel *rk);

/*
 * Run what rk->run lacks of these cases and seeds, in a new folder or in that which rk->dir has,
 * with live lines, and judge what there is, also after an error: rk->run has it then, its 'ended'
 * is set once there is a folder, and the document is written. A run that lacks nothing is only
 * judged. rk->run is as run_init() makes it if there is no rk->dir. ERR_INPUT: another one works in
 * that folder.
 */
int run_kernel_measure(struct run_kernel *rk, const struct run_options *o, bool quiet,
		       const struct suite *suite, struct err *err);
/* The same for n kernels at once, boot by boot in the order A B C, C B A, A B C, ...: what becomes
 * of the host meanwhile touches all alike. For one guest at a time. */
int run_kernel_measure_in_turns(struct run_kernel **rks, size_t n, const struct run_options *o,
				bool quiet, const struct suite *suite, struct err *err);
/*
 * Take over the run in o->out that is of this kernel and these options, has boots of these cases
 * only (judge/matrix_kept.h) and lacks the fewest of them, the newest of several; of one that was
 * stopped without the boots that were broken by that. False if there is none that has any, or if
 * somebody works in it. rk has no run yet.
 */
bool run_kernel_take_kept(struct run_kernel *rk, const struct run_options *o,
			  const struct suite *suite);

#endif
