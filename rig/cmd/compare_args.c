/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig compare'. */
#include "cmd/compare_args.h"

#include <argp.h>

#include "cmd/args.h"
#include "cmd/compare_floor.h"
#include "stats/looks.h"

enum { OPT_MATTERS = 1024, OPT_NOISE, OPT_CONFIDENCE, OPT_BLIND, OPT_UNTIL_SURE, OPT_JSON,
       OPT_FLOOR };

static const struct argp_option options[] = {
	{ "all", 'a', NULL, 0, "also show what is the same", 0 },
	{ "markdown", 'm', NULL, 0, "a Markdown document, with every row", 0 },
	{ "json", OPT_JSON, NULL, 0, "a JSON document, with every row", 0 },
	{ "measure-floor", OPT_FLOOR, NULL, 0, "compare one KERNEL with itself on the real clock, "
		"and keep what it differs by as this host's noise floor of these cases (default: "
		"10 seeds)", 0 },
	{ "until-sure", OPT_UNTIL_SURE, "N", OPTION_ARG_OPTIONAL, "go on with 3, 5, 8, 13, 20 "
		"seeds until nothing is inconclusive, with at most N (default 20); the confidence "
		"is that of all looks together", 0 },
	{ "matters", OPT_MATTERS, "PERCENT", 0, "the least change that counts, where a case's "
		"expectation has no 'within' (default 5%)", 0 },
	{ "noise", OPT_NOISE, "PERCENT", 0, "what two builds of the same source differ by; a "
		"change is tested against this (default 0%)", 0 },
	{ "confidence", OPT_CONFIDENCE, "PERCENT", 0, "that there is no false alarm among all rows "
		"together (default 95%)", 0 },
	{ "blind", OPT_BLIND, "PERCENT", 0, "a row that could not have shown a change of this "
		"size is inconclusive (default 50%)", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

/* Looks with at most so many seeds; the first of them cannot find anything. */
static size_t take_looks(struct argp_state *state, const char *arg)
{
	int most = arg ? args_count(state, "until-sure", arg, 1000) : (int)look_values(LOOKS - 1);
	size_t looks = look_after((size_t)most);

	if (looks < 2)
		argp_error(state, "--until-sure: with %d seed%s nothing can be certain; %zu are "
			   "the least", most, most == 1 ? "" : "s", look_values(1));
	return looks;
}

/* A kernel against itself. */
static void check_floor(struct argp_state *state, struct compare_args *args)
{
	const struct run_args *run = &args->run;

	if (args->n != 1 || run->patches.n)
		argp_error(state, "--measure-floor takes one kernel, as it is");
	if (run->given.clock && run->o.clock != CLOCK_REAL)
		argp_error(state, "--measure-floor is of the real clock; the simulated one has "
			   "no noise");
	if (args->looks)
		argp_error(state, "--measure-floor does not go with --until-sure");
	if (run->given.seeds && run->o.seeds < FLOOR_SEEDS_LEAST)
		argp_error(state, "--measure-floor: %d seeds say nothing; %d are the least",
			   run->o.seeds, FLOOR_SEEDS_LEAST);
	args->spec[args->n++] = args->spec[0];
	args->run.o.clock = CLOCK_REAL;
	args->run.o.aa = true;
	if (!run->given.seeds)
		args->run.o.seeds = FLOOR_SEEDS;
	args->run.given.clock = args->run.given.seeds = true;
}

static void check(struct argp_state *state, const struct compare_args *args)
{
	if (args->json && args->markdown)
		argp_error(state, "--json and --markdown are two forms: choose one");
	if (args->floor)
		return;
	if (args->n < 2 && !args->run.patches.n)
		argp_error(state, "two runs or kernels are needed: the base and the new one; or a "
			   "kernel and --patch");
	if (args->n == 2 && args->run.patches.n)
		argp_error(state, "--patch goes with one kernel, which is compared with itself "
			   "patched");
	if (!args->n)
		argp_error(state, "a kernel to patch is needed");
	if (args->looks && args->run.given.seeds)
		argp_error(state, "--seeds does not go with --until-sure, which has seeds of its "
			   "own; --until-sure=N says how many at most");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct compare_args *args = state->input;

	switch (key) {
	case 'a':
		args->all = true;
		return 0;
	case 'm':
		args->markdown = true;
		return 0;
	case OPT_JSON:
		args->json = true;
		return 0;
	case OPT_FLOOR:
		args->floor = true;
		return 0;
	case OPT_UNTIL_SURE:
		args->looks = take_looks(state, arg);
		return 0;
	case OPT_MATTERS:
		args->o.matters = args_share(state, "matters", arg, 0, 100);
		return 0;
	case OPT_NOISE:
		args->o.noise = args_share(state, "noise", arg, 0, 100);
		return 0;
	case OPT_CONFIDENCE:
		args->o.level = args_share(state, "confidence", arg, 0.5, 0.99999);
		args->o.alpha = 1 - args->o.level;
		return 0;
	case OPT_BLIND:
		args->o.blind = args_share(state, "blind", arg, 0.01, 100);
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->run;
		return 0;
	case ARGP_KEY_ARG:
		if (args->n >= 2)
			argp_error(state, "two runs or kernels are compared, not more");
		args->spec[args->n++] = arg;
		return 0;
	case ARGP_KEY_END:
		check(state, args);
		if (args->floor)
			check_floor(state, args);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.children = run_args_children,
	.args_doc = "BASE NEW\nKERNEL --patch PATH\n--measure-floor KERNEL",
	.doc = "Say what changed between two runs of the same cases, and how sure that is. BASE "
	       "and NEW are runs (a result folder, its name below the results, or a run.json) or "
	       "kernels as for 'iorig run'; what of a kernel's run is not there is run first.\v"
	       "Exit status: 0 nothing got worse, 1 something regressed, 125 something is "
	       "inconclusive or could not be compared.",
};

void compare_args_parse(struct compare_args *args, int argc, char **argv)
{
	*args = (struct compare_args){ .o = COMPARE_OPTIONS_INIT };
	run_args_init(&args->run);
	argp_parse(&argp, argc, argv, 0, NULL, args);
}

void compare_args_release(struct compare_args *args)
{
	run_args_release(&args->run);
}
