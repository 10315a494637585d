/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig compare: what changed between two runs, and how sure that is. */
#include <argp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/find_run.h"
#include "judge/compare.h"
#include "record/record.h"
#include "report/compare.h"

enum { OPT_MATTERS = 256, OPT_NOISE, OPT_CONFIDENCE, OPT_BLIND };

struct compare_args {
	struct compare_options o;
	const char *runs[2];
	const char *out;
	bool all, markdown;
};

static const struct argp_option options[] = {
	{ "all", 'a', NULL, 0, "also show what is the same", 0 },
	{ "markdown", 'm', NULL, 0, "a Markdown document, with every row", 0 },
	{ "matters", OPT_MATTERS, "PERCENT", 0, "the least change that counts, where a case's "
		"expectation has no 'within' (default 5%)", 0 },
	{ "noise", OPT_NOISE, "PERCENT", 0, "what two builds of the same source differ by; a "
		"change is tested against this (default 0%)", 0 },
	{ "confidence", OPT_CONFIDENCE, "PERCENT", 0, "that there is no false alarm among all rows "
		"together (default 95%)", 0 },
	{ "blind", OPT_BLIND, "PERCENT", 0, "a row that could not have shown a change of this "
		"size is inconclusive (default 50%)", 0 },
	{ "out", 'o', "DIR", 0, "where result folders are (default: results)", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

/* A percentage or ratio from min to max. */
static double share(struct argp_state *state, const char *option, const char *arg, double min,
		    double max)
{
	struct err err = ERR_INIT;
	double v = 0;

	if (parse_ratio(arg, &v, &err))
		argp_error(state, "--%s: %s", option, err.msg);
	if (!(v >= min && v <= max))
		argp_error(state, "--%s: '%s' is not between %g%% and %g%%", option,
			   str_escape(arg), min * 100, max * 100);
	return v;
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
	case 'o':
		args->out = arg;
		return 0;
	case OPT_MATTERS:
		args->o.matters = share(state, "matters", arg, 0, 100);
		return 0;
	case OPT_NOISE:
		args->o.noise = share(state, "noise", arg, 0, 100);
		return 0;
	case OPT_CONFIDENCE:
		args->o.level = share(state, "confidence", arg, 0.5, 0.99999);
		args->o.alpha = 1 - args->o.level;
		return 0;
	case OPT_BLIND:
		args->o.blind = share(state, "blind", arg, 0.01, 100);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num >= 2)
			argp_error(state, "two runs are compared, not more");
		args->runs[state->arg_num] = arg;
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_error(state, "two runs are needed: the base and the new one");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "BASE NEW",
	.doc = "Compare two runs of the same cases: each is a result folder, its name below the "
	       "results, or a run.json.\v"
	       "Exit status: 0 nothing got worse, 1 something regressed, 125 something is "
	       "inconclusive or could not be compared.",
};

/* Print what two runs' documents say about each other; *status is the exit status. */
static int compare_documents(const struct run *base, const struct run *now,
			     const struct compare_args *args, int *status, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct compare cmp __release(compare) = COMPARE_INIT;
	int ret = compare_runs(&cmp, base, now, &args->o, err);

	if (ret)
		return ret;
	if (args->markdown)
		report_compare_markdown(&cmp, base, now, &out);
	else
		report_compare(&cmp, base, now, args->all, cmd_fancy(STDOUT_FILENO), &out);
	fwrite(out.buf, 1, out.len, stdout);
	*status = (int)compare_exit_status(&cmp);
	return 0;
}

int cmd_compare(int argc, char **argv)
{
	struct compare_args args = { .o = COMPARE_OPTIONS_INIT, .out = "results" };
	struct run runs[2];
	struct err err = ERR_INIT;
	int status = EXIT_PASS, ret = 0;

	run_init(&runs[0]);
	run_init(&runs[1]);
	argp_parse(&argp, argc, argv, 0, NULL, &args);
	for (int i = 0; i < 2 && !ret; i++) {
		char *path __free(ptr) = find_run_document(args.out, args.runs[i]);

		ret = run_read(&runs[i], path, &err);
	}
	if (!ret)
		ret = compare_documents(&runs[0], &runs[1], &args, &status, &err);
	run_release(&runs[0]);
	run_release(&runs[1]);
	return ret ? cmd_fail(&err) : status;
}
