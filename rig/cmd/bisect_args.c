/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig bisect'. */
#include "cmd/bisect_args.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "case/case.h"
#include "cmd/args.h"
#include "cmd/asked.h"

#define BOOTS_MAX 1000000

enum { OPT_TREE = 256, OPT_LIKE, OPT_METRIC, OPT_PASS_FAIL, OPT_FIRST_PARENT, OPT_OUT, OPT_RESUME,
       OPT_SCALE, OPT_CLOCK, OPT_TIMING, OPT_ACCEL, OPT_JOBS, OPT_CONFIDENCE, OPT_BOOTS,
       OPT_JSON };

static const struct argp_option options[] = {
	{ "tree", OPT_TREE, "DIR", 0, "the kernel's git repository (default: the current folder); "
		"nothing is written to it", 0 },
	{ "case", 'c', "CASE", 0, "the case that is followed, one", 0 },
	{ "metric", OPT_METRIC, "JOB.METRIC", 0, "what of it: also JOB.METRIC/alone, "
		"disk.NAME.METRIC, or 'most', in which the ends differ most (default: the first "
		"that has a limit for the first victim)", 0 },
	{ "pass-fail", OPT_PASS_FAIL, NULL, 0, "follow whether the case passes, not figures", 0 },
	{ "like", OPT_LIKE, "NAME", 0, "build as this kernel of kernels/ is built, with its "
		"configuration, patches and command line (default: the small configuration)", 0 },
	{ "first-parent", OPT_FIRST_PARENT, NULL, 0, "of merges look only at the merge itself", 0 },
	{ "scale", OPT_SCALE, "NAME", 0, "as for 'iorig run' (default: quick)", 0 },
	{ "clock", OPT_CLOCK, "sim|real", 0, "likewise (default: sim)", 0 },
	{ "timing", OPT_TIMING, "model|throttle", 0, "likewise (default: model)", 0 },
	{ "accel", OPT_ACCEL, "tcg|kvm|auto", 0, "likewise (default: auto)", 0 },
	{ "jobs", OPT_JOBS, "N", 0, "guests side by side (default: one for each processor)", 0 },
	{ "confidence", OPT_CONFIDENCE, "PERCENT", 0, "how probable a commit must be to be named "
		"(default 95%)", 0 },
	{ "boots", OPT_BOOTS, "N", 0, "stop undecided after so many boots (default 1000)", 0 },
	{ "out", OPT_OUT, "DIR", 0, "the bisect's folder (default: a new one below results)", 0 },
	{ "resume", OPT_RESUME, "DIR", 0, "go on with the bisect in that folder", 0 },
	{ "json", OPT_JSON, NULL, 0, "print the result as JSON", 0 },
	{ "quiet", 'q', NULL, 0, "no progress, only the result", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static double confidence(struct argp_state *state, const char *arg)
{
	struct err err = ERR_INIT;
	double v = 0;

	if (parse_ratio(arg, &v, &err))
		argp_error(state, "--confidence: %s", err.msg);
	if (!(v > 0.5 && v < 1))
		argp_error(state, "--confidence: '%s' is not between 50%% and 100%%",
			   str_escape(arg));
	return v;
}

static void take_arg(struct bisect_args *args, struct argp_state *state, const char *arg)
{
	if (args->bad)
		argp_error(state, "two commits, GOOD and BAD, not more");
	args_text(args->good ? &args->bad : &args->good, arg);
	args->commits_given = true;
}

static void check(const struct bisect_args *args, struct argp_state *state)
{
	if (args->good && !args->bad)
		argp_error(state, "two commits are needed, GOOD and BAD");
	if (!args->good && !args->resume)
		argp_error(state, "between which commits? GOOD and BAD are needed");
	if (!args->o.globs.n && !args->resume)
		argp_error(state, "which case? -c CASE is needed");
	if (args->verdict && args->metric)
		argp_error(state, "--pass-fail and --metric exclude each other");
}

/* What makes the kernels, and where results go. */
static error_t parse_place(int key, char *arg, struct argp_state *state)
{
	struct bisect_args *args = state->input;

	switch (key) {
	case OPT_TREE:
		args_text(&args->tree, arg);
		return 0;
	case OPT_LIKE:
		args_text(&args->like, arg);
		return 0;
	case OPT_FIRST_PARENT:
		args->first_parent = true;
		return 0;
	case OPT_OUT:
	case OPT_RESUME:
		args_folder(state, &args->dir, arg);
		args->resume = key == OPT_RESUME;
		return 0;
	case OPT_JSON:
		args->json = true;
		return 0;
	case 'q':
		args->quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		take_arg(args, state, arg);
		return 0;
	case ARGP_KEY_END:
		check(args, state);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* What is measured, and how. */
static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct bisect_args *args = state->input;

	switch (key) {
	case 'c':
		if (args->o.globs.n)
			argp_error(state, "one case is followed, not more");
		strvec_push(&args->o.globs, arg);
		return 0;
	case OPT_METRIC:
		args_text(&args->metric, arg);
		return 0;
	case OPT_PASS_FAIL:
		args->verdict = true;
		return 0;
	case OPT_SCALE:
		args_text(&args->scale, arg);
		return 0;
	case OPT_CLOCK:
		args->clock = args_clocks[args_one_of(state, "clock", arg, args_clocks)];
		return 0;
	case OPT_TIMING:
		args->timing = args_timings[args_one_of(state, "timing", arg, args_timings)];
		return 0;
	case OPT_ACCEL:
		args->accel = args_accels[args_one_of(state, "accel", arg, args_accels)];
		return 0;
	case OPT_JOBS:
		args->o.jobs = args_count(state, "jobs", arg, 64);
		return 0;
	case OPT_CONFIDENCE:
		args->sure = confidence(state, arg);
		return 0;
	case OPT_BOOTS:
		args->boots = (size_t)args_count(state, "boots", arg, BOOTS_MAX);
		return 0;
	}
	return parse_place(key, arg, state);
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "GOOD BAD",
	.doc = "Find the commit between GOOD and BAD of the repository --tree that made a metric "
	       "of CASE worse: prove that the two differ, build and boot the commits that tell "
	       "most, as often as it needs, and say which one it is, how probable that is, and "
	       "what that rests on.\v"
	       "Exit status: 0 a commit is found, 125 not sure (the likeliest are listed), several "
	       "that cannot be told apart, or the ends do not differ, 128 the rig failed, 129 "
	       "usage. A bisect that was stopped goes on with --resume.",
};

void bisect_args_parse(struct bisect_args *args, int argc, char **argv)
{
	*args = (struct bisect_args){ .good = NULL };
	run_options_init(&args->o);
	argp_parse(&argp, argc, argv, 0, NULL, args);
}

void bisect_args_release(struct bisect_args *args)
{
	char **texts[] = { &args->good, &args->bad, &args->tree, &args->like, &args->metric,
			   &args->scale, &args->dir };

	run_options_release(&args->o);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		free(*texts[i]);
		*texts[i] = NULL;
	}
}

int bisect_args_tree(struct bisect_args *args, struct err *err)
{
	const char *tree = args->tree ? args->tree : ".";
	char *real = realpath(tree, NULL);

	if (!real)
		return err_input(err, "no repository in '%s': %s", str_escape(tree),
				 strerror(errno));
	free(args->tree);
	args->tree = real;
	return 0;
}

/* They go into a JSON document, which is UTF-8. */
static int check_texts(const struct bisect_args *args, struct err *err)
{
	const char *const texts[] = { args->good, args->bad, args->tree, args->like, args->metric,
				      args->scale, args->o.globs.v[0] };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		json_t *j = texts[i] ? json_string(texts[i]) : json_null();

		if (!j)
			return err_input(err, "'%s' is not UTF-8", str_escape(texts[i]));
		json_decref(j);
	}
	return 0;
}

int bisect_args_finish(struct bisect_args *args, struct err *err)
{
	int ret = check_texts(args, err);

	if (ret)
		return ret;
	if (!args->scale)
		args->scale = xstrdup(CASE_DEFAULT_SCALE);
	args->o.scale = args->scale;
	args->o.out = args->dir;
	asked_machine(&args->o, &args->clock, &args->timing, &args->accel);
	return args_resolve(&args->o, err);
}
