/* SPDX-License-Identifier: GPL-2.0-only */
/* Running kernels one after the other, and what is printed of them. */
#include "cmd/run_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/run_args.h"
#include "judge/judge.h"
#include "kbuild/resolve.h"
#include "report/side.h"
#include "report/table.h"
#include "run/suite.h"

void run_kernels_release(struct run_kernels *ks)
{
	for (size_t i = 0; i < ks->n; i++)
		run_kernel_release(&ks->v[i]);
	free(ks->v);
	*ks = (struct run_kernels)RUN_KERNELS_INIT;
}

static int add(struct run_kernels *ks, const struct run_args *args, const char *spec,
	       const struct strvec *patches, struct err *err)
{
	const struct kernel_ask ask = {
		.spec = spec, .data_dir = args->o.data_dir, .cache_dir = args->o.cache_dir,
		.tree = args->tree, .like = args->like, .patches = patches,
	};
	struct run_kernel *rk = array_grow(ks->v, ks->n);
	int ret;

	run_kernel_init(rk);
	rk->reference = args->patches.n && !patches;
	ret = kernel_resolve(&rk->k, &ask, err);
	if (!ret && args->o.bzimage)
		ret = kernel_use_bzimage(&rk->k, err);
	return ret;
}

int run_kernels_resolve(struct run_kernels *ks, const struct run_args *args, struct err *err)
{
	strvec_each (spec, &args->kernels) {
		int ret = 0;

		if (!args->no_base)
			ret = add(ks, args, *spec, NULL, err);
		if (!ret && args->patches.n)
			ret = add(ks, args, *spec, &args->patches, err);
		if (ret)
			return ret;
	}
	return 0;
}

static void print(struct strbuf *out)
{
	fwrite(out->buf, 1, out->len, stdout);
	fflush(stdout);
}

static void print_result(const struct run_kernel *rk)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;

	strbuf_addch(&out, '\n');
	report_run(&rk->run, &out, cmd_fancy(STDOUT_FILENO));
	strbuf_addf(&out, "results: %s\n", str_escape(rk->dir));
	print(&out);
}

static void print_side(const struct run_kernels *ks)
{
	const struct run **runs = xcalloc(ks->n, sizeof(const struct run *));
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < ks->n; i++) {
		if (ks->v[i].ran)
			runs[n++] = &ks->v[i].run;
	}
	if (n > 1) {
		strbuf_addch(&out, '\n');
		report_side(runs, n, &out, cmd_fancy(STDOUT_FILENO));
		print(&out);
	}
	free(runs);
}

static int run_one(struct run_kernel *rk, const struct run_args *args, const struct suite *suite)
{
	struct err err = ERR_INIT;
	int ret = run_kernel_measure(rk, &args->o, args->quiet, suite, &err);

	if (ret && !rk->run.ended)	/* it has no folder */
		return cmd_fail(&err);
	/* When the host failed, its reason must not drown in a table of what is left. */
	if (!ret || err.kind == ERR_INTERRUPTED)
		print_result(rk);
	if (ret) {
		fprintf(stderr, "iorig: stopped early; what was measured is in %s\n",
			str_escape(rk->dir));
		return cmd_fail(&err);
	}
	return (int)judge_exit_status(&rk->run);
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

int run_kernels_run(struct run_kernels *ks, const struct run_args *args,
		    const struct suite *suite)
{
	int status = EXIT_PASS;

	for (size_t i = 0; i < ks->n; i++) {
		int one = run_one(&ks->v[i], args, suite);

		if (ks->v[i].reference && one == EXIT_REGRESSED)
			one = EXIT_PASS;
		status = worse(status, one);
		if (one >= EXIT_RIG)
			break;
	}
	print_side(ks);
	return status;
}
