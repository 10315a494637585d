/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of 'iorig run'. */
#include <argp.h>

#include "base/err.h"
#include "case/case.h"
#include "cmd/args.h"
#include "cmd/run_args.h"

enum { OPT_SEEDS = 256, OPT_JOBS, OPT_CLOCK, OPT_TIMING, OPT_SCALE, OPT_DRY_RUN,
       OPT_ACCEL, OPT_KEEP_IMAGES, OPT_BZIMAGE, OPT_PATCH, OPT_TREE, OPT_LIKE, OPT_NO_BASE,
       OPT_STALL };

static const struct argp_option shared_options[] = {
	{ "case", 'c', "GLOB", 0, "cases to run, such as 'writeback/*', 'default' (those that "
		"cases/default names) or 'all'; may be given again (default: default)", 0 },
	{ "seeds", OPT_SEEDS, "N", 0, "run every case N times", 0 },
	{ "jobs", OPT_JOBS, "N", 0, "guests side by side (default: one for each processor; on the "
				    "real clock always 1)", 0 },
	{ "scale", OPT_SCALE, "NAME", 0, "the numbers of a [scale NAME] section, such as 'full' "
					 "(default: quick)", 0 },
	{ "clock", OPT_CLOCK, "sim|real", 0, "the guest's time: simulated, so that a run repeats "
						"exactly, or the host's (default: sim)", 0 },
	{ "timing", OPT_TIMING, "model|throttle", 0, "how disks are slowed down: as their profiles "
		"say, seeks and all, or by QEMU's throttle at their rates (default: model)", 0 },
	{ "accel", OPT_ACCEL, "tcg|kvm|auto", 0, "emulation, KVM, or KVM where it is usable "
						 "(default: auto)", 0 },
	{ "stall", OPT_STALL, "PERCENT", 0, "on the real clock: a boot is void, and made again, if "
		"the host took more than this of its jobs' time (default: 2%)", 0 },
	{ "patch", OPT_PATCH, "PATH", 0, "a patch, a folder with a series, or an mbox: run the "
		"kernel as it is and with it; may be given again", 0 },
	{ "tree", OPT_TREE, "DIR", 0, "the git repository of a kernel git:REV", 0 },
	{ "like", OPT_LIKE, "NAME", 0, "build trees, git:REV and debian:PACKAGE as this kernel of "
		"kernels/ is built (default: with the small configuration)", 0 },
	{ "out", 'o', "DIR", 0, "where result folders go (default: results)", 0 },
	{ "keep-images", OPT_KEEP_IMAGES, NULL, 0, "keep each boot's images and initramfs", 0 },
	{ "bzimage", OPT_BZIMAGE, NULL, 0, "boot the bzImage although a PVH vmlinux is there", 0 },
	{ "quiet", 'q', NULL, 0, "no progress, only the result", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static error_t parse_shared(int key, char *arg, struct argp_state *state)
{
	struct run_args *args = state->input;
	struct run_options *o = &args->o;

	switch (key) {
	case 'c':
		strvec_push(&o->globs, arg);
		return 0;
	case 'o':
		o->out = arg;
		return 0;
	case 'q':
		args->quiet = true;
		return 0;
	case OPT_SEEDS:
		o->seeds = args_count(state, "seeds", arg, 1000);
		args->given.seeds = true;
		return 0;
	case OPT_JOBS:
		o->jobs = args_count(state, "jobs", arg, 64);
		return 0;
	case OPT_CLOCK:
		o->clock = (enum machine_clock)args_one_of(state, "clock", arg, args_clocks);
		args->given.clock = true;
		return 0;
	case OPT_TIMING:
		o->timing = (enum machine_timing)args_one_of(state, "timing", arg, args_timings);
		args->given.timing = true;
		return 0;
	case OPT_ACCEL:
		o->accel_choice = (enum accel_choice)args_one_of(state, "accel", arg, args_accels);
		args->given.accel = true;
		return 0;
	case OPT_SCALE:
		o->scale = arg;
		args->given.scale = true;
		return 0;
	case OPT_STALL:
		o->stall = args_share(state, "stall", arg, 0.001, 100);
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
	case OPT_KEEP_IMAGES:
		o->keep_images = true;
		return 0;
	case OPT_BZIMAGE:
		o->bzimage = true;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp run_args_argp = { .options = shared_options, .parser = parse_shared };

static const struct argp_option options[] = {
	{ "no-base", OPT_NO_BASE, NULL, 0, "with --patch: run the patched kernel only", 0 },
	{ "dry-run", OPT_DRY_RUN, NULL, 0, "make everything, print the commands, boot nothing", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct run_args *args = state->input;

	switch (key) {
	case OPT_NO_BASE:
		args->no_base = true;
		return 0;
	case OPT_DRY_RUN:
		args->dry_run = true;
		return 0;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = args;
		return 0;
	case ARGP_KEY_ARG:
		strvec_push(&args->kernels, arg);
		return 0;
	case ARGP_KEY_END:
		if (args->no_base && !args->patches.n)
			argp_error(state, "--no-base goes with --patch");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp_child run_args_children[] = { { &run_args_argp, 0, NULL, 0 },
						 { NULL, 0, NULL, 0 } };
static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.children = run_args_children,
	.args_doc = "[KERNEL...]",
	.doc = "Boot each KERNEL (a name in kernels/, a path to a bzImage, a vmlinux or a kernel "
	       "tree, debian:PACKAGE, or git:REV with --tree; default: debian), run the cases in "
	       "it, judge the victims' times and print the table; of several kernels, or of one "
	       "with and without --patch, also one table side by side.\v"
	       "Exit status: 0 pass, 1 regressed, 125 cannot judge, 128 the rig failed, 129 usage; "
	       "'git bisect run' understands it.",
};

void run_args_init(struct run_args *args)
{
	*args = (struct run_args){ .kernels = STRVEC_INIT, .patches = STRVEC_INIT };
	run_options_init(&args->o);
}

int run_args_parse(struct run_args *args, int argc, char **argv, struct err *err)
{
	run_args_init(args);
	argp_parse(&argp, argc, argv, 0, NULL, args);
	if (!args->kernels.n)
		strvec_push(&args->kernels, "debian");
	if (!args->o.globs.n)
		strvec_push(&args->o.globs, KASE_SET_DEFAULT);
	return args_resolve(&args->o, err);
}

void run_args_release(struct run_args *args)
{
	run_options_release(&args->o);
	strvec_release(&args->kernels);
	strvec_release(&args->patches);
}
