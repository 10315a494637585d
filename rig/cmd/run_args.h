/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig run': kernels and options, and what other commands that run cases
 * share with it. */
#ifndef CMD_RUN_ARGS_H
#define CMD_RUN_ARGS_H

#include <argp.h>
#include <stdbool.h>

#include "base/strvec.h"
#include "run/options.h"

struct argp;
struct err;

struct run_args {
	struct run_options o;
	struct strvec kernels;	/* at least one: "debian" by default */
	struct strvec patches;	/* --patch: every kernel runs as it is and with all of them */
	const char *tree;	/* --tree, for git:REV; or NULL */
	const char *like;	/* --like (kbuild/resolve.h), or NULL */
	bool no_base;		/* with patches: do not run it as it is */
	bool dry_run, quiet;
	struct { bool seeds, clock, timing, accel, scale; } given;	/* said, no default */
};

/* The options of all commands that run cases, as the only child of their own argp: its input is
 * the struct run_args, made by run_args_init(). */
extern const struct argp_child run_args_children[];
void run_args_init(struct run_args *args);

/*
 * Parse (argp prints usage errors and --help itself and exits), find the data, library and cache
 * folders and resolve the options against this host. Release in any case.
 */
int run_args_parse(struct run_args *args, int argc, char **argv, struct err *err);
void run_args_release(struct run_args *args);

#endif
