/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig mutants', and what an earlier one said. */
#include "cmd/mutants_args.h"

#include <argp.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "cmd/args.h"
#include "cmd/asked.h"
#include "record/record.h"

#define KERNEL_DEFAULT "debian-6.1"
#define SEEDS_DEFAULT  5
#define SEEDS_MAX      1000
#define MATRIX_MAX   ((size_t)64 << 20)

DEFINE_FREE(json, json_t *, json_decref(_T))

enum { OPT_SEEDS = 256, OPT_JOBS, OPT_ONLY, OPT_OUT, OPT_RESUME, OPT_TREE, OPT_CLOCK,
       OPT_TIMING, OPT_ACCEL, OPT_MARKDOWN, OPT_JSON };

static const struct argp_option options[] = {
	{ "case", 'c', "GLOB", 0, "cases to run, as for 'iorig run'; may be given again (default: "
		"default)", 0 },
	{ "seeds", OPT_SEEDS, "N", 0, "run every case N times (default 5)", 0 },
	{ "jobs", OPT_JOBS, "N", 0, "guests side by side (default: one for each processor)", 0 },
	{ "only", OPT_ONLY, "GLOB", 0, "mutants to try, by the names of their folders; may be "
		"given again (default: all)", 0 },
	{ "tree", OPT_TREE, "DIR", 0, "the git repository of a kernel git:REV", 0 },
	{ "out", OPT_OUT, "DIR", 0, "the matrix's folder; runs in it that are what is needed are "
		"taken (default: a new one below results)", 0 },
	{ "resume", OPT_RESUME, "DIR", 0, "go on with the matrix in that folder: kernel, cases, "
		"seeds and mutants are those it was asked for, unless they are given", 0 },
	{ "clock", OPT_CLOCK, "sim|real", 0, "as for 'iorig run' (default: sim)", 0 },
	{ "timing", OPT_TIMING, "model|throttle", 0, "likewise (default: model)", 0 },
	{ "accel", OPT_ACCEL, "tcg|kvm|auto", 0, "likewise (default: auto)", 0 },
	{ "markdown", OPT_MARKDOWN, NULL, 0, "print Markdown", 0 },
	{ "json", OPT_JSON, NULL, 0, "print the document matrix.json", 0 },
	{ "quiet", 'q', NULL, 0, "no progress, only the result", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct mutants_args *args = state->input;

	switch (key) {
	case 'c':
		strvec_push(&args->o.globs, arg);
		return 0;
	case 'q':
		args->quiet = true;
		return 0;
	case OPT_SEEDS:
		args->o.seeds = args_count(state, "seeds", arg, SEEDS_MAX);
		return 0;
	case OPT_JOBS:
		args->o.jobs = args_count(state, "jobs", arg, 64);
		return 0;
	case OPT_ONLY:
		strvec_push(&args->only, arg);
		return 0;
	case OPT_TREE:
		args_text(&args->tree, arg);
		return 0;
	case OPT_OUT:
	case OPT_RESUME:
		args_folder(state, &args->dir, arg);
		args->resume = key == OPT_RESUME;
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
	case OPT_MARKDOWN:
		args->form = MUTANTS_MARKDOWN;
		return 0;
	case OPT_JSON:
		args->form = MUTANTS_JSON;
		return 0;
	case ARGP_KEY_ARG:
		if (args->kernel)
			argp_error(state, "one kernel, not more");
		args_text(&args->kernel, arg);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[KERNEL]",
	.doc = "The detection matrix: build KERNEL (one that is built here; default: debian-6.1) "
	       "as it is and with each of the regressions and no-ops in kernels/patches/mutants, "
	       "run the same cases and seeds with all of them, and say which cases see which.\v"
	       "Exit status: 0 all regressions are caught and all no-ops pass, 1 one is missed or "
	       "a no-op flagged, 125 something could not be judged, 128 the rig failed, 129 usage.",
};

/* NULL, or the key that is wrong. */
static const char *take_asked(struct mutants_args *args, const json_t *asked)
{
	const json_t *seeds = json_object_get(asked, "seeds");

	if (!json_is_string(json_object_get(asked, "kernel")) ||
	    !asked_string(json_object_get(asked, "kernel"), &args->kernel))
		return "kernel";
	if (!asked_string(json_object_get(asked, "tree"), &args->tree))
		return "tree";
	if (!asked_list(json_object_get(asked, "cases"), &args->o.globs))
		return "cases";
	if (!asked_list(json_object_get(asked, "only"), &args->only))
		return "only";
	if (!asked_word(json_object_get(asked, "clock"), args_clocks, &args->clock))
		return "clock";
	if (!asked_word(json_object_get(asked, "timing"), args_timings, &args->timing))
		return "timing";
	if (!asked_word(json_object_get(asked, "accel"), args_accels, &args->accel))
		return "accel";
	if (!json_is_integer(seeds) || json_integer_value(seeds) < 1 ||
	    json_integer_value(seeds) > SEEDS_MAX)
		return "seeds";
	if (!args->o.seeds)
		args->o.seeds = (int)json_integer_value(seeds);
	return NULL;
}

static int read_asked(struct mutants_args *args, struct err *err)
{
	char *path __free(ptr) = path_join(args->dir, "matrix.json");
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	json_t *j __free(json) = NULL;
	const char *wrong;
	json_error_t why;

	if (!path_is_file(path))
		return err_input(err, "no matrix in '%s' to go on with", str_escape(args->dir));
	if (file_read(path, MATRIX_MAX, &text, err) < 0)
		return err->code;
	j = json_loadb(text.buf, text.len, JSON_REJECT_DUPLICATES, &why);
	if (!j)
		return err_input(err, "%s:%d: not JSON: %s", str_escape(path), why.line,
				 str_escape(why.text));
	if (json_integer_value(json_object_get(j, "iorig")) != RECORD_VERSION ||
	    strcmp(json_string_value(json_object_get(j, "kind")) ?: "", "matrix") != 0)
		return err_input(err, "%s:1: no matrix of this version of iorig", str_escape(path));
	wrong = take_asked(args, json_object_get(j, "asked"));
	return wrong ? err_input(err, "%s:1: asked.%s is bad or missing", str_escape(path), wrong) :
		       0;
}

/* What neither the command line nor an earlier matrix has said. */
static void set_defaults(struct mutants_args *args)
{
	if (!args->kernel)
		args->kernel = xstrdup(KERNEL_DEFAULT);
	if (!args->o.seeds)
		args->o.seeds = SEEDS_DEFAULT;
	if (!args->o.globs.n)
		strvec_push(&args->o.globs, KASE_SET_DEFAULT);
	asked_machine(&args->o, &args->clock, &args->timing, &args->accel);
}

int mutants_args_parse(struct mutants_args *args, int argc, char **argv, struct err *err)
{
	int ret = 0;

	*args = (struct mutants_args){ .only = STRVEC_INIT };
	run_options_init(&args->o);
	args->o.seeds = 0;
	argp_parse(&argp, argc, argv, 0, NULL, args);
	if (args->resume)
		ret = read_asked(args, err);
	set_defaults(args);
	args->o.out = args->dir;
	return ret ? ret : args_resolve(&args->o, err);
}

void mutants_args_release(struct mutants_args *args)
{
	run_options_release(&args->o);
	strvec_release(&args->only);
	free(args->kernel);
	free(args->tree);
	free(args->dir);
	args->kernel = args->tree = args->dir = NULL;
}
