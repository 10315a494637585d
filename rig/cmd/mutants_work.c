/* SPDX-License-Identifier: GPL-2.0-only */
/* Building, running and taking what is there, mutant by mutant. */
#include "cmd/mutants_work.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "cmd/mutants_args.h"
#include "cmd/mutants_pace.h"
#include "cmd/work_folder.h"
#include "judge/matrix_kept.h"
#include "kbuild/resolve.h"
#include "run/folder.h"

#define DEAD_AFTER  3	/* boots: a mutant that does not boot */

void mutants_work_init(struct mutants_work *w, const struct mutants_args *args)
{
	*w = (struct mutants_work){
		.args = args, .o = args->o, .suite = SUITE_INIT, .mutants = MUTANTS_INIT,
		.kept = MUTANTS_KEPT_INIT, .matrix = MATRIX_INIT, .stock.k = KERNEL_INIT,
		.lock_fd = -1,
	};
	run_init(&w->stock.run);
	clock_utc(w->started);
	w->asked = (struct matrix_asked){
		.kernel = args->kernel, .tree = args->tree, .cases = args->o.globs.v,
		.only = args->only.v, .seeds = args->o.seeds, .started = w->started,
		.clock = args->clock, .timing = args->timing, .accel = args->accel,
	};
}

void mutants_work_release(struct mutants_work *w)
{
	matrix_release(&w->matrix);
	for (size_t i = 0; w->runs && i < w->mutants.n; i++) {
		run_release(&w->runs[i]);
		free(w->why[i]);
	}
	free(w->runs);
	free(w->why);
	w->runs = NULL;
	w->why = NULL;
	kernel_release(&w->stock.k);
	run_release(&w->stock.run);
	free(w->stock.dir);
	w->stock.dir = NULL;
	mutants_kept_release(&w->kept);
	mutants_release(&w->mutants);
	suite_release(&w->suite);
	free(w->dir);
	w->dir = NULL;
	if (w->lock_fd >= 0)
		close(w->lock_fd);
	w->lock_fd = -1;
}

static int check_suite(const struct suite *suite, struct err *err)
{
	for (size_t i = 0; i < suite->n; i++) {
		if (suite->expects[i].n)
			return 0;
	}
	return err_input(err, "nothing is expected of any of these cases, so they cannot catch "
			 "anything");
}

static int resolve(struct mutants_work *w, struct kernel *k, const struct strvec *patches,
		   struct err *err)
{
	const struct kernel_ask ask = {
		.spec = w->args->kernel, .data_dir = w->o.data_dir, .cache_dir = w->o.cache_dir,
		.tree = w->args->tree, .patches = patches,
	};
	int64_t began = clock_ns();
	int ret = kernel_resolve(k, &ask, err);

	if (!ret && patches) {
		w->pace.build_ns += clock_ns() - began;
		w->pace.builds++;
	}
	return ret;
}

static int resolve_stock(struct mutants_work *w, struct err *err)
{
	int ret = resolve(w, &w->stock.k, NULL, err);

	return ret ? ret : kernel_check_built(&w->stock.k, w->args->kernel, err);
}

static int make_folder(struct mutants_work *w, struct err *err)
{
	char *kernel __free(ptr) = folder_kernel_name(&w->stock.k);
	int ret = work_folder_make(&w->dir, w->args->dir, w->started, "mutants", kernel, err);

	w->o.out = w->dir;
	if (ret)
		return ret;
	w->lock_fd = work_folder_lock(w->dir, "iorig mutants", err);
	return w->lock_fd < 0 ? w->lock_fd : 0;
}

static int add_rows(struct mutants_work *w, struct err *err)
{
	size_t n = w->mutants.n;

	w->runs = xcalloc(n, sizeof(*w->runs));
	w->why = xcalloc(n, sizeof(*w->why));
	w->matrix.rows = xcalloc(n, sizeof(*w->matrix.rows));
	w->matrix.n_rows = n;
	for (size_t i = 0; i < n; i++) {
		struct matrix_row *row = &w->matrix.rows[i];
		struct strbuf why __release(strbuf) = STRBUF_INIT;
		bool fits = false;
		int ret = mutant_choose(&w->mutants.v[i], w->stock.k.release, &fits, &why, err);

		if (ret)
			return err_wrap(err, "mutant '%s'", str_escape(w->mutants.v[i].name));
		run_init(&w->runs[i]);
		row->m = &w->mutants.v[i];
		row->state = fits ? MATRIX_WAITING : MATRIX_HAS_NO_FORM;
		row->why = w->why[i] = strbuf_detach(&why, NULL);
	}
	return 0;
}

int mutants_work_begin(struct mutants_work *w, struct err *err)
{
	char *dir __free(ptr) = path_join(w->o.data_dir, "kernels/patches/mutants");
	int ret = mutants_find(&w->mutants, dir, &w->args->only, err);

	if (!ret)
		ret = suite_load(&w->suite, &w->o, err);
	if (!ret)
		ret = check_suite(&w->suite, err);
	if (!ret)
		ret = resolve_stock(w, err);
	if (!ret)
		ret = add_rows(w, err);
	if (!ret)
		ret = make_folder(w, err);
	return ret ? ret : mutants_kept_read(&w->kept, w->dir, err);
}

static int write_document(struct mutants_work *w, struct err *err)
{
	char *path __free(ptr) = path_join(w->dir, "matrix.json");
	json_t *doc = report_matrix_json(&w->matrix, &w->asked);
	char *text __free(ptr) = json_dumps(doc, JSON_INDENT(1));
	struct strbuf line __release(strbuf) = STRBUF_INIT;

	json_decref(doc);
	BUG_ON(!text);
	strbuf_addf(&line, "%s\n", text);
	return file_write_atomic(path, line.buf, line.len, 0666, err);
}

/* Take the run that is there, with verdicts by today's expectations, or make one. */
static int measure(struct mutants_work *w, struct run_kernel *rk, const char *what, struct err *err)
{
	const struct matrix_want want = { .k = &rk->k, .o = &w->o, .cases = w->suite.cases,
					  .n_cases = w->suite.n };
	int64_t began = clock_ns();
	int ret;

	if (mutants_kept_take(&w->kept, &want, &rk->run)) {
		judge_run(&rk->run, w->suite.cases, w->suite.expects, w->suite.n);
		progress("%s: taken from run %s", what, str_escape(rk->run.id));
		return 0;
	}
	progress("%s: running %zu boots", what, w->suite.n * (size_t)w->o.seeds);
	ret = run_kernel_measure(rk, &w->o, w->args->quiet, &w->suite, err);
	w->pace.run_ns += clock_ns() - began;
	w->pace.runs++;
	return ret;
}

static int run_stock(struct mutants_work *w, struct err *err)
{
	int ret = measure(w, &w->stock, "stock", err);

	if (ret)
		return ret;
	w->matrix.stock = &w->stock.run;
	matrix_judge(&w->matrix);
	ret = write_document(w, err);
	if (ret)
		return ret;
	for (size_t c = 0; c < w->matrix.n_cases; c++) {
		if (w->matrix.cases[c].stock == CELL_PASS)
			return 0;
	}
	return err_unable(err, "stock passes none of the cases, so there is nothing to catch: "
			  "see 'iorig report %s/%s'", str_escape(w->dir),
			  str_escape(w->stock.run.id));
}

/* Build the mutant and see what it does. What it cannot be judged for is in its row. */
static int try_mutant(struct mutants_work *w, size_t i, const char *what, struct err *err)
{
	struct strvec patches __release(strvec) = STRVEC_INIT;
	struct run_kernel rk = { .k = KERNEL_INIT, .dead_after = DEAD_AFTER };
	struct matrix_row *row = &w->matrix.rows[i];
	int ret;

	strvec_push(&patches, row->m->dir);
	progress("%s: building", what);
	run_init(&rk.run);
	ret = resolve(w, &rk.k, &patches, err);
	if (ret && (err->kind == ERR_INPUT || err->kind == ERR_UNABLE)) {
		free(w->why[i]);
		row->why = w->why[i] = xstrdup(err->msg);
		row->state = MATRIX_BUILD_FAILED;
		*err = (struct err)ERR_INIT;
		return 0;
	}
	if (!ret && kernel_same(&w->stock.k, &rk.k)) {
		row->state = MATRIX_SAME_IMAGE;
	} else if (!ret) {
		ret = measure(w, &rk, what, err);
		if (!ret)
			row->state = MATRIX_RAN;
	}
	kernel_release(&rk.k);
	free(rk.dir);
	w->runs[i] = rk.run;	/* also one that was stopped: to be released */
	row->run = row->state == MATRIX_RAN ? &w->runs[i] : NULL;
	return ret;
}

static int next_mutant(struct mutants_work *w, size_t i, struct err *err)
{
	struct matrix_row *row = &w->matrix.rows[i];
	char *what __free(ptr) = xstrfmt("[%zu/%zu] %s", i + 1, w->matrix.n_rows,
					 str_escape(row->m->name));
	struct strbuf left __release(strbuf) = STRBUF_INIT;
	int ret = row->state == MATRIX_WAITING ? try_mutant(w, i, what, err) : 0;

	if (ret)
		return ret;
	matrix_judge(&w->matrix);
	mutants_pace_say(&w->pace, &w->matrix, &left);
	progress("%s: %s%s%s%s", what, matrix_outcome_name(row->outcome),
		 *row->reason ? ": " : "", row->reason, left.buf);
	return write_document(w, err);
}

int mutants_work_run(struct mutants_work *w, struct err *err)
{
	int ret;

	matrix_judge(&w->matrix);
	/* so that --resume finds it, however early this ends */
	ret = write_document(w, err);
	if (!ret)
		ret = run_stock(w, err);
	for (size_t i = 0; i < w->matrix.n_rows && !ret; i++)
		ret = next_mutant(w, i, err);
	return ret;
}
