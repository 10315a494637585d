/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig report: the verdict table of an earlier run, from its document. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "cmd/cmd.h"
#include "record/record.h"
#include "report/table.h"

struct report_args {
	struct strvec runs;
	const char *out;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct report_args *args = state->input;

	switch (key) {
	case 'o':
		args->out = arg;
		return 0;
	case ARGP_KEY_ARG:
		strvec_push(&args->runs, arg);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
	{ "out", 'o', "DIR", 0, "where result folders are (default: results)", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[RUN...]",
	.doc = "Print the verdict table of each RUN: a result folder, its name below the results, "
	       "or a run.json; the newest run by default.",
};

/* The document that an argument means, in a fresh string. */
static char *document_of(const char *out, const char *spec)
{
	char *below __free(ptr) = path_join(out, spec);

	if (path_is_file(spec))
		return xstrdup(spec);
	return path_join(path_is_dir(spec) ? spec : below, "run.json");
}

/* Folder names begin with the time in UTC, so the last one in order is the newest. */
static int newest(const char *out, struct strvec *runs, struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	int ret = path_is_dir(out) ? dir_list(out, NULL, &names, err) : 0;

	if (ret)
		return ret;
	for (size_t i = names.n; i; i--) {
		char *doc = xstrfmt("%s/%s/run.json", out, names.v[i - 1]);

		if (path_is_file(doc)) {
			strvec_push_nodup(runs, doc);
			return 0;
		}
		free(doc);
	}
	return err_input(err, "no run in '%s' yet", str_escape(out));
}

static int report_one(const char *path, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct run run __release(run);
	int ret;

	run_init(&run);
	ret = run_read(&run, path, err);
	if (ret)
		return ret;
	strbuf_addf(&out, "run %s%s\n", str_escape(run.id),
		    run.interrupted ? " (stopped before its end)" : "");
	report_run(&run, &out, cmd_fancy(STDOUT_FILENO));
	fwrite(out.buf, 1, out.len, stdout);
	return 0;
}

int cmd_report(int argc, char **argv)
{
	struct report_args args = { .runs = STRVEC_INIT, .out = "results" };
	struct err err = ERR_INIT;
	int status = EXIT_PASS;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	if (!args.runs.n && newest(args.out, &args.runs, &err))
		status = cmd_fail(&err);
	strvec_each (spec, &args.runs) {
		char *path __free(ptr) = document_of(args.out, *spec);

		if (report_one(path, &err)) {
			status = cmd_fail(&err);
			break;
		}
	}
	strvec_release(&args.runs);
	return status;
}
