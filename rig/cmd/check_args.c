/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig check-patch'. */
#include "cmd/check_args.h"

#include <argp.h>

#include "cmd/args.h"

#define KERNEL_DEFAULT "debian-6.1"

enum { OPT_MATTERS = 1024, OPT_CONFIDENCE };

static const struct argp_option options[] = {
	{ "matters", OPT_MATTERS, "PERCENT", 0, "the least change that counts, where a case's "
		"expectation has no 'within' (default 5%)", 0 },
	{ "confidence", OPT_CONFIDENCE, "PERCENT", 0, "that no patch of the series is named "
		"wrongly (default 95%)", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct check_args *args = state->input;

	switch (key) {
	case OPT_MATTERS:
		args->o.matters = args_share(state, "matters", arg, 0, 100);
		return 0;
	case OPT_CONFIDENCE:
		args->o.level = args_share(state, "confidence", arg, 0.5, 0.99999);
		args->o.alpha = 1 - args->o.level;
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->run;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			argp_error(state, "one series and one kernel, not more");
		*(state->arg_num ? &args->kernel : &args->series) = arg;
		return 0;
	case ARGP_KEY_END:
		if (!args->series)
			argp_error(state, "a series is needed: a patch, a folder, an mbox, or "
				   "commits A..B with --tree");
		if (args->run.patches.n)
			argp_error(state, "--patch: the series is the first argument");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.children = run_args_children,
	.args_doc = "SERIES [KERNEL]",
	.doc = "Build KERNEL (one that is built here; default: " KERNEL_DEFAULT ") without the "
	       "series and with its first patch, its first two and so on, run the cases in each, "
	       "and say which patch changes what, against the one before it. SERIES: a patch, a "
	       "folder, an mbox, or commits A..B with --tree.\v"
	       "Exit status: 0 nothing got worse or all of it is taken back, 1 a patch makes "
	       "something worse, 125 one does not build or something cannot be judged.",
};

void check_args_parse(struct check_args *args, int argc, char **argv)
{
	*args = (struct check_args){ .o = COMPARE_OPTIONS_INIT, .kernel = KERNEL_DEFAULT };
	run_args_init(&args->run);
	argp_parse(&argp, argc, argv, 0, NULL, args);
}

void check_args_release(struct check_args *args)
{
	run_args_release(&args->run);
}
