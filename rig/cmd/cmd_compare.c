/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig compare: what changed between two runs or kernels, and how sure that is. */
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/compare_args.h"
#include "cmd/compare_floor.h"
#include "cmd/compare_work.h"
#include "cmd/display.h"
#include "report/compare.h"
#include "report/compare_json.h"
#include "stats/looks.h"

static void add_looks(const struct compare_work *w, struct strbuf *out)
{
	strbuf_addstr(out, "looks: ");
	for (size_t i = 0; i <= w->look; i++)
		strbuf_addf(out, "%s%zu", i ? ", " : "", look_values(i));
	strbuf_addf(out, " seeds; at all looks together a false alarm has a chance of at most "
		    "%.3g%%\n", w->args->o.alpha * 100);
}

static void print_json(const struct compare_work *w)
{
	const size_t looks = w->args->looks ? w->look + 1 : 0;
	struct strbuf out __release(strbuf) = STRBUF_INIT;

	report_compare_json(&w->cmp, compare_work_base(w), compare_work_new(w), looks, &out);
	fwrite(out.buf, 1, out.len, stdout);
}

/* What the kernel differs from itself by, and the exit status. */
static int keep_floor(const struct compare_work *w, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	size_t missing;
	int ret = compare_floor_keep(&w->cmp, compare_work_base(w), w->o, &missing, &out, err);

	fwrite(out.buf, 1, out.len, w->args->json ? stderr : stdout);
	if (ret)
		return cmd_fail(err);
	return missing || !w->cmp.n ? EXIT_CANNOT : EXIT_PASS;
}

static void print(const struct compare_work *w)
{
	const struct run *base = compare_work_base(w), *now = compare_work_new(w);
	struct strbuf out __release(strbuf) = STRBUF_INIT;

	if (w->args->json) {
		print_json(w);
		return;
	}
	if (w->args->markdown)
		report_compare_markdown(&w->cmp, base, now, &out);
	else
		report_compare(&w->cmp, base, now, w->args->all, cmd_fancy(STDOUT_FILENO), &out);
	if (w->args->looks)
		add_looks(w, &out);
	fwrite(out.buf, 1, out.len, stdout);
}

int cmd_compare(int argc, char **argv)
{
	struct compare_args args __release(compare_args);
	struct compare_work w __release(compare_work) = { .args = NULL };
	struct err err = ERR_INIT;
	int ret;

	compare_args_parse(&args, argc, argv);
	compare_work_init(&w, &args);
	display_begin(args.run.quiet, 0);
	progress_set_sink(display_line);
	ret = compare_work_begin(&w, &err);
	if (!ret)
		ret = compare_work_run(&w, &err);
	if (!ret) {
		print(&w);
		return args.floor ? keep_floor(&w, &err) : (int)compare_exit_status(&w.cmp);
	}
	for (int i = 0; i < 2; i++) {
		const struct run_kernel *rk = &w.side[i].rk;

		if (rk->dir && rk->run.ended && rk->run.interrupted)
			fprintf(stderr, "iorig: stopped early; what was measured is in %s\n",
				str_escape(rk->dir));
	}
	return cmd_fail(&err);
}
