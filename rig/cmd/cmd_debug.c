/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig debug: stop a boot at a moment, and look inside with gdb. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "base/tool.h"
#include "base/units.h"
#include "cmd/args.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "kbuild/resolve.h"
#include "kbuild/symbols.h"
#include "kernel/kernel.h"
#include "record/record.h"
#include "run/boot.h"
#include "run/folder.h"
#include "run/gdb.h"
#include "run/options.h"
#include "run/suite.h"

#define SEEDS_MAX 1000	/* as 'iorig run' takes */

struct debug_args {
	struct run_options o;
	struct strvec patches;
	const char *kernel, *tree, *like, *vmlinux;
	uint32_t seed;
	int64_t at;		/* ns; 0: not given */
	bool batch, keep;
};

static void debug_args_release(struct debug_args *args)
{
	run_options_release(&args->o);
	strvec_release(&args->patches);
}

enum { OPT_SEED = 256, OPT_AT, OPT_SCALE, OPT_PATCH, OPT_TREE, OPT_LIKE, OPT_BATCH, OPT_VMLINUX,
       OPT_OUT, OPT_KEEP };

static const struct argp_option options[] = {
	{ "case", 'c', "CASE", 0, "the case, by its whole name", 0 },
	{ "seed", OPT_SEED, "N", 0, "which of its seeds (default 1)", 0 },
	{ "at", OPT_AT, "TIME", 0, "when to stop, on the simulated clock, such as 41.2s", 0 },
	{ "batch", OPT_BATCH, NULL, 0, "print the stacks of the tasks in D state and end", 0 },
	{ "scale", OPT_SCALE, "NAME", 0, "as for 'iorig run'", 0 },
	{ "patch", OPT_PATCH, "PATH", 0, "run the kernel with this patch; may be given again", 0 },
	{ "tree", OPT_TREE, "DIR", 0, "as for 'iorig run'", 0 },
	{ "like", OPT_LIKE, "NAME", 0, "as for 'iorig run'", 0 },
	{ "vmlinux", OPT_VMLINUX, "FILE", 0, "the kernel's unstripped vmlinux, if it is not built "
					     "here", 0 },
	{ "out", OPT_OUT, "DIR", 0, "where the boot's folder is made (default: results)", 0 },
	{ "keep", OPT_KEEP, NULL, 0, "keep that folder: console, samples, requests up to there",
	  0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

/* "41.2s"; a moment that is none, as 0s or -1s, is an error of usage. */
static int64_t moment(struct argp_state *state, const char *arg)
{
	struct err err = ERR_INIT;
	int64_t ns = 0;

	if (parse_time(arg, &ns, &err))
		argp_error(state, "--at: %s", err.msg);
	if (ns <= 0)
		argp_error(state, "--at: '%s' is no moment of a guest's life", str_escape(arg));
	return ns;
}

static void check(const struct debug_args *args, struct argp_state *state)
{
	if (!args->kernel)
		argp_error(state, "which kernel?");
	if (!args->o.globs.n)
		argp_error(state, "which case? give it with -c");
	if (!args->at)
		argp_error(state, "when? give the moment with --at");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct debug_args *args = state->input;

	switch (key) {
	case 'c':
		if (args->o.globs.n)
			argp_error(state, "one case at a time");
		strvec_push(&args->o.globs, arg);
		return 0;
	case OPT_SEED:
		args->seed = (uint32_t)args_count(state, "seed", arg, SEEDS_MAX);
		return 0;
	case OPT_AT:
		args->at = moment(state, arg);
		return 0;
	case OPT_SCALE:
		args->o.scale = arg;
		return 0;
	case OPT_PATCH:
		strvec_push(&args->patches, arg);
		return 0;
	case OPT_TREE:
		args->tree = arg;
		return 0;
	case OPT_LIKE:
		args->like = arg;
		return 0;
	case OPT_BATCH:
		args->batch = true;
		return 0;
	case OPT_VMLINUX:
		args->vmlinux = arg;
		return 0;
	case OPT_OUT:
		args->o.out = arg;
		return 0;
	case OPT_KEEP:
		args->keep = true;
		return 0;
	case ARGP_KEY_ARG:
		if (args->kernel)
			argp_error(state, "one kernel at a time");
		args->kernel = arg;
		return 0;
	case ARGP_KEY_END:
		check(args, state);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "KERNEL",
	.doc = "Boot KERNEL as 'iorig run' does, stop the guest at a moment of its simulated "
	       "clock, and start gdb on it. What comes before the moment is the same to the "
	       "nanosecond. A kernel that is built here is built once more for it, with debug "
	       "info.",
};

/* What the boot's stop needs. */
struct session {
	struct gdb gdb;
	const struct debug_args *args;
	const char *kernel;
	bool stopped;
};

static int stopped(struct vm *vm, void *arg, struct err *err)
{
	struct session *s = arg;
	char at[32];

	s->stopped = true;
	fprintf(stderr, "iorig: %s, seed %u, on %s is stopped at %s\n",
		str_escape(s->args->o.globs.v[0]), s->args->seed, str_escape(s->kernel),
		format_time(s->args->at, at));
	return gdb_run(&s->gdb, vm, err);
}

static const struct kase *find_case(const struct suite *suite, const char *name, struct err *err)
{
	for (size_t i = 0; i < suite->n; i++) {
		if (!strcmp(suite->cases[i].name, name))
			return &suite->cases[i];
	}
	err_input(err, "'%s' is not the whole name of a case: 'iorig list cases' lists them",
		  str_escape(name));
	return NULL;
}

/* The boot is over. */
static int tell_end(const struct session *s, const struct boot *b, struct err *err)
{
	char end[32], at[32];

	if (s->stopped)
		return 0;
	format_time(b->guest_ns, end);
	format_time(s->args->at, at);
	if (b->outcome == OUTCOME_DONE)
		return err_input(err, "the guest is done at %s, before %s", end, at);
	return err_unable(err, "the guest does not get to %s: it is %s at %s, %s", at,
			  outcome_name(b->outcome), end, b->reason);
}

static int boot(struct session *s, const struct kernel *k, const struct kase *c, const char *dir,
		struct err *err)
{
	char *name __free(ptr) = folder_boot_name(c, s->args->seed);
	const struct boot_task t = {
		.o = &s->args->o, .k = k, .c = c, .seed = s->args->seed, .run_dir = dir,
		.dir = name, .cpu = -1, .news_fd = -1, .stop_ns = s->args->at,
		.stopped = stopped, .stopped_arg = s,
	};
	struct boot b __release(boot);
	int ret;

	boot_init(&b);
	s->kernel = k->name;
	ret = boot_execute(&b, &t, err);
	return ret ? ret : tell_end(s, &b, err);
}

/* In a folder of its own, absolute: gdb and QEMU are told paths below it. */
static int in_folder(struct session *s, const struct kase *c, const char *dir, struct err *err)
{
	const struct debug_args *args = s->args;
	const struct kernel_ask ask = {
		.spec = args->kernel, .data_dir = args->o.data_dir, .cache_dir = args->o.cache_dir,
		.tree = args->tree, .like = args->like, .patches = &args->patches,
	};
	struct kernel k __release(kernel) = KERNEL_INIT;
	char *vmlinux __free(ptr) = NULL, *source __free(ptr) = NULL;
	int ret = kernel_resolve(&k, &ask, err);

	if (!ret)
		ret = symbols_find(&vmlinux, &ask, &k, args->vmlinux, dir, err);
	if (ret)
		return ret;
	source = symbols_source(&k, args->o.cache_dir);
	s->gdb.vmlinux = vmlinux;
	s->gdb.source = source;
	return boot(s, &k, c, dir, err);
}

static int debug(struct debug_args *args, struct err *err)
{
	struct suite suite __release(suite) = SUITE_INIT;
	char *gdb __free(ptr) = NULL, *commands __free(ptr) = NULL;
	char *prefix __free(ptr) = path_join(args->o.out, "debug-");
	char *made __free(ptr) = NULL, *dir __free(ptr) = NULL;
	struct session s = { .args = args };
	const struct kase *c;
	struct err late = ERR_INIT;

	/* all that can be wrong with the command line and the host, before anything is built */
	if (args_resolve(&args->o, err) || suite_load(&suite, &args->o, err) ||
	    tool_find("gdb", "gdb", &gdb, err))
		return err->code;
	c = find_case(&suite, args->o.globs.v[0], err);
	if (!c || folder_check(args->o.out, err) || dir_temp(prefix, &made, err))
		return err->code;
	dir = realpath(made, NULL);
	commands = path_join(args->o.data_dir, "images/gdb/iorig.py");
	s.gdb = (struct gdb){ .program = gdb, .commands = commands, .batch = args->batch };
	if (!dir)
		err_sys(err, -errno, "folder '%s'", str_escape(made));
	else
		in_folder(&s, c, dir, err);
	if (args->keep)
		fprintf(stderr, "iorig: what the guest did until then is in %s\n",
			str_escape(made));
	else if (dir_remove(made, &late))
		cmd_warn(&late);
	return err->code;
}

int cmd_debug(int argc, char **argv)
{
	struct debug_args args __release(debug_args) = { .patches = STRVEC_INIT, .seed = 1 };
	struct err err = ERR_INIT;

	run_options_init(&args.o);
	argp_parse(&argp, argc, argv, 0, NULL, &args);
	display_begin(false, 0);
	progress_set_sink(display_line);
	return debug(&args, &err) ? cmd_fail(&err) : EXIT_PASS;
}
