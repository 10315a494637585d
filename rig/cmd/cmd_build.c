/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig build: fetch and unpack kernels into the cache, and say what they are. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strvec.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "kernel/kernel.h"

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct strvec *kernels = state->input;

	if (key == ARGP_KEY_ARG) {
		strvec_push(kernels, arg);
		return 0;
	}
	if (key == ARGP_KEY_NO_ARGS)
		argp_error(state, "which kernel? 'iorig list kernels' lists them");
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.parser = parse_option,
	.args_doc = "KERNEL...",
	.doc = "Fetch each KERNEL (a name in kernels/ or a path) into the cache and print what "
	       "there is of it.",
};

static void print_kernel(const struct kernel *k)
{
	printf("%s: release %s\n", k->name, k->release);
	if (k->package)
		printf("  package  %s\n", k->package);
	printf("  image    %s\n  sha256   %s\n", k->image, k->image_sha256);
	if (k->bzimage)
		printf("  bzImage  %s\n", k->bzimage);
	if (k->vmlinux)
		printf("  vmlinux  %s (PVH)\n", k->vmlinux);
	if (k->config)
		printf("  config   %s\n", k->config);
	printf("  modules  %s\n", k->modules_dir ? k->modules_dir : "none: all drivers built in");
}

int cmd_build(int argc, char **argv)
{
	struct strvec kernels __release(strvec) = STRVEC_INIT;
	char *data __free(ptr) = NULL, *cache __free(ptr) = NULL;
	struct err err = ERR_INIT;

	argp_parse(&argp, argc, argv, 0, NULL, &kernels);
	if (path_data(&data, &err) || path_cache(&cache, &err))
		return cmd_fail(&err);
	display_begin(false, 0);
	progress_set_sink(display_line);
	strvec_each (spec, &kernels) {
		struct kernel k __release(kernel) = KERNEL_INIT;

		if (kernel_resolve(&k, *spec, data, cache, &err))
			return cmd_fail(&err);
		print_kernel(&k);
	}
	return EXIT_PASS;
}
