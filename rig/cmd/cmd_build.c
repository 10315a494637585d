/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig build: fetch and unpack kernels into the cache, and say what they are. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "kbuild/resolve.h"
#include "kernel/kernel.h"

struct build_args {
	struct strvec kernels, patches;
	const char *tree, *like;
	bool debug_info;
};

enum { OPT_PATCH = 256, OPT_TREE, OPT_LIKE, OPT_DEBUG_INFO };

static const struct argp_option options[] = {
	{ "patch", OPT_PATCH, "PATH", 0, "apply a patch, a folder with a series, or an mbox; may "
					 "be given again", 0 },
	{ "tree", OPT_TREE, "DIR", 0, "the git repository of a kernel git:REV", 0 },
	{ "like", OPT_LIKE, "NAME", 0, "as for 'iorig run'", 0 },
	{ "debug-info", OPT_DEBUG_INFO, NULL, 0, "the same code with debug info, as 'iorig debug' "
						   "gives it to gdb", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct build_args *args = state->input;

	switch (key) {
	case OPT_PATCH:
		strvec_push(&args->patches, arg);
		return 0;
	case OPT_TREE:
		args->tree = arg;
		return 0;
	case OPT_LIKE:
		args->like = arg;
		return 0;
	case OPT_DEBUG_INFO:
		args->debug_info = true;
		return 0;
	case ARGP_KEY_ARG:
		strvec_push(&args->kernels, arg);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which kernel? 'iorig list kernels' lists them");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "KERNEL...",
	.doc = "Fetch or build each KERNEL (a name in kernels/, a path to a bzImage, a vmlinux or "
	       "a kernel tree, debian:PACKAGE, or git:REV with --tree) into the cache and print "
	       "what there is of it.",
};

static void build_args_release(struct build_args *args)
{
	strvec_release(&args->kernels);
	strvec_release(&args->patches);
}

static void print_kernel(const struct kernel *k)
{
	printf("%s: release %s\n", k->name, k->release);
	if (k->package)
		printf("  package  %s\n", k->package);
	if (k->source)
		printf("  source   %s\n  compiler %s\n", str_escape(k->source),
		       str_escape(k->compiler));
	for (size_t i = 0; i < k->n_patches; i++)
		printf("  patch    %s (%.12s): %s\n", str_escape(k->patches[i].name),
		       k->patches[i].sha256, str_escape(k->patches[i].subject));
	printf("  image    %s\n  sha256   %s\n", k->image, k->image_sha256);
	if (k->bzimage)
		printf("  bzImage  %s\n", k->bzimage);
	if (k->vmlinux)
		printf("  vmlinux  %s (PVH)\n", k->vmlinux);
	if (k->config)
		printf("  config   %s\n", k->config);
	if (k->build_log)
		printf("  log      %s\n", k->build_log);
	printf("  modules  %s\n", k->modules_dir ? k->modules_dir : "none: all drivers built in");
}

int cmd_build(int argc, char **argv)
{
	struct build_args args __release(build_args) = {
		.kernels = STRVEC_INIT, .patches = STRVEC_INIT,
	};
	char *data __free(ptr) = NULL, *cache __free(ptr) = NULL;
	struct err err = ERR_INIT;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	if (path_data(&data, &err) || path_cache(&cache, &err))
		return cmd_fail(&err);
	display_begin(false, 0);
	progress_set_sink(display_line);
	strvec_each (spec, &args.kernels) {
		struct kernel k __release(kernel) = KERNEL_INIT;
		const struct kernel_ask ask = {
			.spec = *spec, .data_dir = data, .cache_dir = cache, .tree = args.tree,
			.like = args.like, .patches = &args.patches,
			.debug_info = args.debug_info,
		};

		if (kernel_resolve(&k, &ask, &err))
			return cmd_fail(&err);
		if (args.debug_info && !k.source) {
			err_input(&err, "the kernel '%s' is not built here, so it gets no debug "
				  "info", str_escape(*spec));
			return cmd_fail(&err);
		}
		print_kernel(&k);
	}
	return EXIT_PASS;
}
