/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernels of an 'iorig run': found or built, all before the first boots, then run one after
 * the other with the same cases and seeds, each in a result folder of its own.
 */
#ifndef CMD_RUN_KERNELS_H
#define CMD_RUN_KERNELS_H

#include <stddef.h>

#include "cmd/run_measure.h"

struct err;
struct run_args;
struct suite;

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
 * Run all, print each one's table and, of several, the one side by side. The exit status: the
 * worst of those that are to be judged (a rig failure, then a regression, then what cannot be
 * judged); a reference counts only when it cannot be judged itself.
 */
int run_kernels_run(struct run_kernels *ks, const struct run_args *args,
		    const struct suite *suite);

#endif
