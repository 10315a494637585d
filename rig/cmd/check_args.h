/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig check-patch'. */
#ifndef CMD_CHECK_ARGS_H
#define CMD_CHECK_ARGS_H

#include "cmd/run_args.h"
#include "judge/compare.h"

struct check_args {
	struct run_args run;
	struct compare_options o;
	const char *series, *kernel;
};

/* Parse; argp prints usage errors and --help itself and exits. Nothing is looked up. Release in any
 * case. */
void check_args_parse(struct check_args *args, int argc, char **argv);
void check_args_release(struct check_args *args);

#endif
