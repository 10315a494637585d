/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig compare'. */
#ifndef CMD_COMPARE_ARGS_H
#define CMD_COMPARE_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/run_args.h"
#include "judge/compare.h"

struct compare_args {
	struct run_args run;		/* of what is not there and has to be run */
	struct compare_options o;
	const char *spec[2];		/* a run or a kernel; one alone: a kernel for --patch */
	size_t n;
	size_t looks;			/* --until-sure: at most so many (stats/looks.h), else 0 */
	bool all, markdown, json;
	bool floor;			/* --measure-floor: the one kernel is both */
};

/* Parse; argp prints usage errors and --help itself and exits. Nothing is looked up. Release in any
 * case. */
void compare_args_parse(struct compare_args *args, int argc, char **argv);
void compare_args_release(struct compare_args *args);

#endif
