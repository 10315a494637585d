/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernels of an 'iorig run': found or built, all before the first boots, then run one after
 * the other with the same cases and seeds, each in a result folder of its own.
 */
#ifndef CMD_RUN_KERNELS_H
#define CMD_RUN_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/kernel.h"
#include "record/record.h"

struct err;
struct run_args;
struct run_options;
struct suite;

struct run_kernel {
	struct kernel k;
	size_t dead_after;	/* see struct schedule */
	bool reference;		/* it runs to be compared with, not to be judged */
	struct run run;
	char *dir;		/* result folder */
	bool ran;
};

struct run_kernels {
	struct run_kernel *v;
	size_t n;
};

#define RUN_KERNELS_INIT { .v = NULL, .n = 0 }
void run_kernels_release(struct run_kernels *ks);

/* Every kernel of the command line, and with --patch every patched one behind its own base, which
 * then is a reference. */
int run_kernels_resolve(struct run_kernels *ks, const struct run_args *args, struct err *err);
/*
 * Run the cases in rk->k in a new folder (rk->dir), with live lines, and judge what there is, also
 * after an error: rk->run has it then, its 'ended' is set once there is a folder, and the document
 * is written. rk->run is as run_init() makes it.
 */
int run_kernel_measure(struct run_kernel *rk, const struct run_options *o, bool quiet,
		       const struct suite *suite, struct err *err);
/*
 * Run all, print each one's table and, of several, the one side by side. The exit status: the
 * worst of those that are to be judged (a rig failure, then a regression, then what cannot be
 * judged); a reference counts only when it cannot be judged itself.
 */
int run_kernels_run(struct run_kernels *ks, const struct run_args *args,
		    const struct suite *suite);

#endif
