/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig mutants'. */
#ifndef CMD_MUTANTS_ARGS_H
#define CMD_MUTANTS_ARGS_H

#include <stdbool.h>

#include "base/strvec.h"
#include "run/options.h"

struct err;

enum mutants_form { MUTANTS_TEXT, MUTANTS_MARKDOWN, MUTANTS_JSON };

struct mutants_args {
	struct run_options o;	/* o.out is NULL: a new folder of its own below results/ */
	char *kernel;		/* "debian-6.1" by default */
	char *tree;		/* --tree, for git:REV; or NULL */
	char *dir;		/* --out or --resume, or NULL */
	bool resume;		/* the folder holds a matrix */
	const char *clock, *timing, *accel;	/* the words of what o has */
	struct strvec only;	/* globs of mutants; empty: all */
	enum mutants_form form;
	bool quiet;
};

/*
 * Parse (argp prints usage errors and --help itself and exits), read what --resume's matrix was
 * asked for, for all that the command line leaves open, find the folders and resolve the options
 * against this host. ERR_INPUT: --resume's folder without a matrix.json, or a bad one. Release in
 * any case.
 */
int mutants_args_parse(struct mutants_args *args, int argc, char **argv, struct err *err);
void mutants_args_release(struct mutants_args *args);

#endif
