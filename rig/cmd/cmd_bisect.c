/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig bisect: which commit made a metric worse. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "cmd/args.h"
#include "cmd/bisect_args.h"
#include "cmd/bisect_work.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "report/bisect.h"
#include "report/plot.h"
#include "report/plot_gnuplot.h"

#define LISTED_MAX 20	/* commits of which the repository is asked */

/* The numbers and the script stay, whatever becomes of the picture. */
static void draw(const struct bisect_report *r, char **picture)
{
	struct strvec scripts __release(strvec) = STRVEC_INIT;
	struct err err = ERR_INIT;
	struct plot p;
	int ret = 0;

	if (!r->b->n_boots)
		return;
	report_bisect_plot(r, &p);
	ret = gnuplot_write(&p, r->dir, "", &scripts, &err);
	if (!ret)
		ret = gnuplot_draw(r->dir, &scripts, &err);
	plot_release(&p);
	if (ret)
		cmd_warn(&err);
	else
		*picture = path_join(r->dir, "bisect.svg");
}

/* What repeats a commit's runs; what is the default is left out. */
static void add_run_words(const struct bisect_args *args, struct strvec *words)
{
	strvec_pushl(words, "--tree", args->tree, NULL);
	if (args->like)
		strvec_pushl(words, "--like", args->like, NULL);
	strvec_pushl(words, "-c", args->o.globs.v[0], NULL);
	if (strcmp(args->scale, CASE_DEFAULT_SCALE) != 0)
		strvec_pushl(words, "--scale", args->scale, NULL);
	if (args->clock != args_clocks[0])
		strvec_pushl(words, "--clock", args->clock, NULL);
	if (args->timing != args_timings[0])
		strvec_pushl(words, "--timing", args->timing, NULL);
	if (args->accel != args_accels[0])
		strvec_pushl(words, "--accel", args->accel, NULL);
}

static struct commit_words *ask_words(const struct bisect_work *w)
{
	struct commit_words *words = xcalloc(w->b.h.n, sizeof(*words));

	for (size_t i = 0; i < w->step.n_set && i < LISTED_MAX; i++)
		bisect_work_words(w, w->step.set[i], &words[w->step.set[i]]);
	if (!words[w->step.commit].subject)
		bisect_work_words(w, w->step.commit, &words[w->step.commit]);
	return words;
}

static void print_text(const struct bisect_report *r)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;

	report_bisect(r, &out);
	fwrite(out.buf, 1, out.len, stdout);
}

static void print_json(const struct bisect_report *r)
{
	json_t *doc = report_bisect_json(r);
	char *text __free(ptr) = json_dumps(doc, JSON_INDENT(1));

	json_decref(doc);
	BUG_ON(!text);
	printf("%s\n", text);
}

/* The ends do not differ in what was followed: perhaps in something else. */
static void find_differing(struct bisect_work *w, struct strbuf *out)
{
	struct err err = ERR_INIT;

	if (w->step.what != BISECT_ALIKE || w->args->verdict || w->b.c[0].skipped ||
	    w->b.c[w->b.h.n - 1].skipped ||
	    bisect_root(&w->b, 0) == bisect_root(&w->b, w->b.h.n - 1))
		return;
	bisect_work_differing(w, out, NULL, &err);
	if (err.code)
		cmd_warn(&err);
}

static int print_result(struct bisect_work *w)
{
	struct strvec run_words __release(strvec) = STRVEC_INIT;
	struct strbuf differing __release(strbuf) = STRBUF_INIT;
	struct commit_words *words = ask_words(w);
	char *picture __free(ptr) = NULL;
	struct bisect_report r = {
		.b = &w->b, .trail = &w->trail, .end = &w->step, .followed = &w->followed,
		.words = words, .case_name = w->args->o.globs.v[0], .dir = w->dir,
		.run_words = &run_words,
	};

	find_differing(w, &differing);
	r.differing = differing.buf;
	add_run_words(w->args, &run_words);
	draw(&r, &picture);
	r.picture = picture;
	if (w->args->json)
		print_json(&r);
	else
		print_text(&r);
	fflush(stdout);
	for (size_t i = 0; i < w->b.h.n; i++)
		commit_words_release(&words[i]);
	free(words);
	return report_bisect_status(&w->step);
}

int cmd_bisect(int argc, char **argv)
{
	struct bisect_args args __release(bisect_args);
	struct bisect_work w __release(bisect_work);
	struct err err = ERR_INIT;

	bisect_args_parse(&args, argc, argv);
	bisect_work_init(&w, &args);
	display_begin(args.quiet, 0);
	progress_set_sink(display_line);
	if (bisect_work_begin(&w, &err))
		return cmd_fail(&err);
	if (!bisect_work_run(&w, &err))
		return print_result(&w);
	if (err.kind != ERR_UNABLE)
		fprintf(stderr, "iorig: stopped early; 'iorig bisect --resume %s' goes on\n",
			str_escape(w.dir));
	return cmd_fail(&err);
}
