/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig bisect', and what an earlier one was asked for. */
#ifndef CMD_BISECT_ARGS_H
#define CMD_BISECT_ARGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "run/options.h"

struct err;

#define BISECT_METRIC_MOST "most"	/* in the place of a metric's name */

struct bisect_args {
	struct run_options o;		/* of its globs: one case's name */
	char *good, *bad;		/* as the command line has them */
	bool commits_given;		/* on the command line, not by --resume's bisect */
	char *tree;			/* --tree; the current folder by default. As realpath() */
	char *like;			/* --like; or NULL */
	char *metric;			/* --metric; NULL: chosen from what is expected */
	char *scale;			/* o.scale's text */
	bool verdict;			/* --pass-fail */
	bool first_parent;
	char *dir;			/* --out or --resume, or NULL */
	bool resume;			/* the folder holds a bisect */
	const char *clock, *timing, *accel;	/* the words of what o has */
	double sure;			/* 0 = not said */
	size_t boots;			/* in all; 0 = not said */
	bool json, quiet;
};

/* Parse; argp prints usage errors and --help itself and exits. Release in any case. */
void bisect_args_parse(struct bisect_args *args, int argc, char **argv);
void bisect_args_release(struct bisect_args *args);
/*
 * Take what the bisect that is gone on with was asked for. ERR_INPUT: something of it is bad or
 * missing, or the command line says something else.
 */
int bisect_args_take(struct bisect_args *args, const json_t *asked, struct err *err);
/* Make args->tree a real path. ERR_INPUT if it is none. */
int bisect_args_tree(struct bisect_args *args, struct err *err);
/* What neither has said, the folders, and the options against this host (args_resolve()). ERR_INPUT
 * for words that a JSON document cannot hold. */
int bisect_args_finish(struct bisect_args *args, struct err *err);
/* The same the other way round, a new reference: with the QEMU and the rig that it is done with. */
json_t *bisect_args_to_json(const struct bisect_args *args);
/* ERR_INPUT if those are others now: figures of two must not be mixed. */
int bisect_args_check_tools(const struct bisect_args *args, const json_t *asked, struct err *err);

#endif
