/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig expect: show what of a run would be accepted, as a diff, and write it if told to. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "cmd/args.h"
#include "cmd/cmd.h"
#include "cmd/expect_files.h"
#include "cmd/find_run.h"
#include "judge/judge.h"
#include "record/record.h"
#include "run/options.h"
#include "run/suite.h"

#define MARGIN_DEFAULT 0.3

enum { OPT_UPDATE = 256, OPT_APPLY, OPT_LIMITS, OPT_FAMILY, OPT_OUT };

struct expect_args {
	struct run_options o;
	struct accept_options accept;
	const char *run;
	bool update, apply, family;
};

static const struct argp_option options[] = {
	{ "update", OPT_UPDATE, NULL, 0, "show what would change", 0 },
	{ "apply", OPT_APPLY, NULL, 0, "and write it", 0 },
	{ "case", 'c', "GLOB", 0, "of these cases only; may be given again (default: the run's)",
	  0 },
	{ "all", 'a', NULL, 0, "also values that are within their tolerance, and those of which "
		"none was accepted yet", 0 },
	{ "limits", OPT_LIMITS, "PERCENT", OPTION_ARG_OPTIONAL, "also limits and floors: the worst "
		"seed and so much more (default 30%)", 0 },
	{ "family", OPT_FAMILY, NULL, 0, "for kernels of the run's version only: [JOB.METRIC :6.1]",
	  0 },
	{ "out", 'o', "DIR", 0, "where result folders are (default: results)", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct expect_args *args = state->input;

	switch (key) {
	case 'a':
		args->accept.all = true;
		return 0;
	case 'c':
		strvec_push(&args->o.globs, arg);
		return 0;
	case 'o':
		args->o.out = arg;
		return 0;
	case OPT_UPDATE:
		args->update = true;
		return 0;
	case OPT_APPLY:
		args->apply = true;
		return 0;
	case OPT_FAMILY:
		args->family = true;
		return 0;
	case OPT_LIMITS:
		args->accept.margin = arg ? args_share(state, "limits", arg, 0, 10) :
					    MARGIN_DEFAULT;
		return 0;
	case ARGP_KEY_ARG:
		if (args->run)
			argp_error(state, "one run, not more");
		args->run = arg;
		return 0;
	case ARGP_KEY_END:
		if (!args->update)
			argp_error(state, "--update is needed: there is nothing else to do yet");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[RUN]",
	.doc = "Show what of a run (default: the newest) would be accepted as 'was' and 'within' "
	       "in the expectations of its cases: the evidence, and a unified diff. Comments and "
	       "order stay.\v"
	       "Exit status: 0, 125 if nothing of the run can be accepted, 128 the rig failed, 129 "
	       "usage.",
};

/* The run's cases as they are now, with what is expected of them. */
static int load(struct expect_args *args, const struct run *run, struct suite *suite,
		struct err *err)
{
	struct run_options *o = &args->o;
	int ret;

	if (run->interrupted)
		return err_unable(err, "run %s was stopped before its end", str_escape(run->id));
	o->scale = run->scale;
	if (!o->globs.n)
		args_add_cases(o, run);
	ret = args_resolve(o, err);
	return ret ? ret : suite_load(suite, o, err);
}

static int find_document(const struct expect_args *args, char **path, struct err *err)
{
	struct strvec newest __release(strvec) = STRVEC_INIT;
	int ret = args->run ? 0 : find_run_newest(args->o.out, &newest, err);

	if (!ret)
		*path = args->run ? find_run_document(args->o.out, args->run) :
				    xstrdup(newest.v[0]);
	return ret;
}

static int update(struct expect_args *args, struct run *run, struct suite *suite,
		  struct expect_files *files, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	int ret = load(args, run, suite, err);

	if (ret)
		return ret;
	judge_run(run, suite->cases, suite->expects, suite->n);
	ret = expect_files_propose(files, run, suite, &args->accept, args->family, &out, err);
	if (ret)
		return ret;
	expect_files_diff(files, args->o.data_dir, &out);
	fwrite(out.buf, 1, out.len, stdout);
	if (!files->n)
		return 0;
	if (!args->apply) {
		fprintf(stderr, "iorig: nothing was written; --apply does\n");
		return 0;
	}
	return expect_files_write(files, err);
}

int cmd_expect(int argc, char **argv)
{
	struct expect_args args = { .accept = { .margin = -1 } };
	struct expect_files files __release(expect_files) = EXPECT_FILES_INIT;
	struct suite suite __release(suite) = SUITE_INIT;
	char *path __free(ptr) = NULL;
	struct err err = ERR_INIT;
	struct run run;
	int ret;

	run_init(&run);
	run_options_init(&args.o);
	argp_parse(&argp, argc, argv, 0, NULL, &args);
	ret = find_document(&args, &path, &err);
	if (!ret)
		ret = run_read(&run, path, &err);
	if (!ret)
		ret = update(&args, &run, &suite, &files, &err);
	run_release(&run);
	run_options_release(&args.o);
	return ret ? cmd_fail(&err) : EXIT_PASS;
}
