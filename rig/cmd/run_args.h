/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig run': kernels and options. */
#ifndef CMD_RUN_ARGS_H
#define CMD_RUN_ARGS_H

#include <stdbool.h>

#include "base/strvec.h"
#include "run/options.h"

struct err;

struct run_args {
	struct run_options o;
	struct strvec kernels;	/* at least one: "debian" by default */
	struct strvec patches;	/* --patch: every kernel runs as it is and with all of them */
	const char *tree;	/* --tree, for git:REV; or NULL */
	bool no_base;		/* with patches: do not run it as it is */
	bool dry_run, quiet;
};

/*
 * Parse (argp prints usage errors and --help itself and exits), find the data, library and cache
 * folders and resolve the options against this host. Release in any case.
 */
int run_args_parse(struct run_args *args, int argc, char **argv, struct err *err);
void run_args_release(struct run_args *args);

#endif
