/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig run: boot kernels, run cases, print the verdict table. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "cmd/run_args.h"
#include "cmd/run_kernels.h"
#include "run/folder.h"
#include "run/setup.h"
#include "run/suite.h"

/* Make one boot's files (of seed 1) below the folder, and append the script that would run it. */
static int dry_boot(const struct run_args *args, const struct kase *c, const struct kernel *k,
		    const char *folder, struct strbuf *out, struct err *err)
{
	char *name __free(ptr) = folder_boot_name(c, 1);
	char *dir __free(ptr) = path_join(folder, name);
	struct setup setup __release(setup) = SETUP_INIT;
	int ret = dir_make(dir, err);

	if (!ret)
		ret = setup_make(&setup, &args->o, k, c, 1, dir, err);
	if (ret)
		return ret;
	if (setup.lacks) {
		strbuf_addf(out, "# %s: skipped, %s\n\n", str_escape(c->name), setup.lacks);
		return 0;
	}
	strbuf_addf(out, "# %s\n", str_escape(c->name));
	ret = machine_script(&setup.machine, out, err);
	strbuf_addch(out, '\n');
	return ret;
}

/* Make the files of every case, boot nothing, and print the commands that would, with absolute
 * paths: they may be pasted anywhere. which: of several kernels, 1.. */
static int dry_run(const struct run_args *args, const struct suite *suite, const struct kernel *k,
		   size_t which)
{
	char *kernel __free(ptr) = folder_kernel_name(k);
	char *made __free(ptr) = which ? xstrfmt("%s/dry-run/%zu-%s", args->o.out, which, kernel)
				       : path_join(args->o.out, "dry-run");
	char *folder __free(ptr) = NULL;
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;

	if (dir_make(made, &err))
		return cmd_fail(&err);
	folder = realpath(made, NULL);
	if (!folder) {
		err_sys(&err, -errno, "folder '%s'", str_escape(made));
		return cmd_fail(&err);
	}
	for (size_t i = 0; i < suite->n; i++)
		if (dry_boot(args, &suite->cases[i], k, folder, &out, &err))
			return cmd_fail(&err);
	fwrite(out.buf, 1, out.len, stdout);
	return EXIT_PASS;
}

static int run_all(const struct run_args *args, const struct suite *suite, struct run_kernels *ks)
{
	int status = EXIT_PASS;

	if (!args->dry_run)
		return run_kernels_run(ks, args, suite);
	for (size_t i = 0; i < ks->n && status == EXIT_PASS; i++)
		status = dry_run(args, suite, &ks->v[i].k, ks->n > 1 ? i + 1 : 0);
	return status;
}

int cmd_run(int argc, char **argv)
{
	struct run_args args __release(run_args);
	struct suite suite __release(suite) = SUITE_INIT;
	struct run_kernels kernels __release(run_kernels) = RUN_KERNELS_INIT;
	struct err err = ERR_INIT;

	if (run_args_parse(&args, argc, argv, &err) || suite_load(&suite, &args.o, &err) ||
	    folder_check(args.o.out, &err))
		return cmd_fail(&err);
	if (!args.quiet)
		fprintf(stderr, "iorig: accelerator %s (%s), %s clock\n",
			args.o.accel == ACCEL_KVM ? "KVM" : "TCG", args.o.accel_why,
			args.o.clock == CLOCK_SIM ? "simulated" : "real");
	display_begin(args.quiet, 0);
	progress_set_sink(display_line);
	/* Nothing boots before all that can be wrong with the command line has been seen. */
	if (run_kernels_resolve(&kernels, &args, &err))
		return cmd_fail(&err);
	return run_all(&args, &suite, &kernels);
}
