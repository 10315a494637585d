/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig run: boot kernels, run cases, print the verdict table. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "cmd/run_args.h"
#include "judge/judge.h"
#include "kernel/kernel.h"
#include "record/record.h"
#include "report/table.h"
#include "run/folder.h"
#include "run/schedule.h"
#include "run/setup.h"
#include "run/suite.h"

static void print_result(const struct run *run, const char *dir)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;

	strbuf_addch(&out, '\n');
	report_run(run, &out, cmd_fancy(STDOUT_FILENO));
	strbuf_addf(&out, "results: %s\n", str_escape(dir));
	fwrite(out.buf, 1, out.len, stdout);
	fflush(stdout);
}

/* Judge what there is, also of a run that was stopped, and write the document a last time. */
static int conclude(struct run *run, const struct suite *suite, const char *dir, bool stopped,
		    struct err *err)
{
	char now[32];

	run->interrupted = stopped;
	run->ended = xstrdup(clock_utc(now));
	judge_run(run, suite->cases, suite->expects, suite->n);
	return folder_write(run, dir, err);
}

static int run_kernel(const struct run_args *args, const struct suite *suite,
		      const struct kernel *k)
{
	char *dir __free(ptr) = NULL;
	struct run run __release(run);
	struct err err = ERR_INIT, late = ERR_INIT;
	struct schedule s = { .o = &args->o, .k = k, .suite = suite, .news = display_news };
	int ret;

	run_init(&run);
	ret = folder_make(&run, &args->o, k, &dir, &err);
	if (ret)
		return cmd_fail(&err);
	s.run_dir = dir;
	display_begin(args->quiet, (size_t)args->o.jobs);
	ret = schedule_run(&s, &run, &err);
	display_end();
	if (conclude(&run, suite, dir, ret != 0, &late) && !ret) {
		err = late;
		ret = err.code;
	}
	/* When the host failed, its reason must not drown in a table of what is left. */
	if (!ret || err.kind == ERR_INTERRUPTED)
		print_result(&run, dir);
	if (ret) {
		fprintf(stderr, "iorig: stopped early; what was measured is in %s\n",
			str_escape(dir));
		return cmd_fail(&err);
	}
	return judge_exit_status(&run);
}

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
 * paths: they may be pasted anywhere. */
static int dry_run(const struct run_args *args, const struct suite *suite, const struct kernel *k,
		   size_t which)
{
	char *kernel __free(ptr) = folder_kernel_name(k);
	char *made __free(ptr) = args->kernels.n > 1
					 ? xstrfmt("%s/dry-run/%zu-%s", args->o.out, which, kernel)
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

/* The worst of several kernels: a rig failure, then a regression, then what cannot be judged. */
static int worse(int a, int b)
{
	if (a >= EXIT_RIG || b >= EXIT_RIG)
		return a > b ? a : b;
	if (a == EXIT_REGRESSED || b == EXIT_REGRESSED)
		return EXIT_REGRESSED;
	return a > b ? a : b;
}

static int resolve_kernels(const struct run_args *args, struct kernel *kernels, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < args->kernels.n && !ret; i++) {
		ret = kernel_resolve(&kernels[i], args->kernels.v[i], args->o.data_dir,
				     args->o.cache_dir, err);
		if (!ret && args->o.bzimage)
			ret = kernel_use_bzimage(&kernels[i], err);
	}
	return ret;
}

static int run_all(const struct run_args *args, const struct suite *suite, struct kernel *kernels)
{
	struct err err = ERR_INIT;
	int status = EXIT_PASS;

	/* Nothing boots before all that can be wrong with the command line has been seen. */
	if (resolve_kernels(args, kernels, &err))
		return cmd_fail(&err);
	for (size_t i = 0; i < args->kernels.n; i++) {
		int one = args->dry_run ? dry_run(args, suite, &kernels[i], i + 1)
					: run_kernel(args, suite, &kernels[i]);

		status = worse(status, one);
		if (one >= EXIT_RIG)
			break;
	}
	return status;
}

int cmd_run(int argc, char **argv)
{
	struct run_args args __release(run_args);
	struct suite suite __release(suite) = SUITE_INIT;
	struct kernel *kernels;
	struct err err = ERR_INIT;
	int status;

	if (run_args_parse(&args, argc, argv, &err) || suite_load(&suite, &args.o, &err) ||
	    folder_check(args.o.out, &err))
		return cmd_fail(&err);
	if (!args.quiet)
		fprintf(stderr, "iorig: accelerator %s (%s), %s clock\n",
			args.o.accel == ACCEL_KVM ? "KVM" : "TCG", args.o.accel_why,
			args.o.clock == CLOCK_SIM ? "simulated" : "real");
	display_begin(args.quiet, 0);
	progress_set_sink(display_line);
	kernels = xcalloc(args.kernels.n, sizeof(*kernels));
	status = run_all(&args, &suite, kernels);
	for (size_t i = 0; i < args.kernels.n; i++)
		kernel_release(&kernels[i]);
	free(kernels);
	return status;
}
