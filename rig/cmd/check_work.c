/* SPDX-License-Identifier: GPL-2.0-only */
/* Building and running a series, patch by patch. */
#include "cmd/check_work.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "cmd/args.h"
#include "cmd/check_args.h"
#include "kbuild/resolve.h"

#define SEEDS_LEAST 5
#define DEAD_AFTER  3		/* boots: a kernel that does not boot */

void check_work_init(struct check_work *w, struct check_args *args)
{
	*w = (struct check_work){ .args = args, .o = &args->run.o, .suite = SUITE_INIT,
				  .series = SERIES_INIT, .steps = STEPS_INIT };
	run_kernel_init(&w->base);
}

void check_work_release(struct check_work *w)
{
	size_t n = w->steps.n;

	steps_release(&w->steps);
	for (size_t i = 0; i < n; i++) {
		run_kernel_release(&w->rks[i]);
		free(w->why[i]);
	}
	free(w->rks);
	free(w->why);
	w->rks = NULL;
	w->why = NULL;
	run_kernel_release(&w->base);
	series_release(&w->series);
	suite_release(&w->suite);
}

static int resolve(struct check_work *w, struct kernel *k, const struct strvec *patches,
		   struct err *err)
{
	const struct kernel_ask ask = {
		.spec = w->args->kernel, .data_dir = w->o->data_dir, .cache_dir = w->o->cache_dir,
		.tree = w->args->run.tree, .like = w->args->run.like, .patches = patches,
	};
	int ret = kernel_resolve(k, &ask, err);

	return !ret && w->o->bzimage ? kernel_use_bzimage(k, err) : ret;
}

static void add_steps(struct check_work *w)
{
	size_t n = w->series.set.n;

	w->rks = xcalloc(n, sizeof(*w->rks));
	w->why = xcalloc(n, sizeof(*w->why));
	w->steps.step = xcalloc(n, sizeof(*w->steps.step));
	w->steps.n = n;
	for (size_t i = 0; i < n; i++) {
		const struct patch *p = &w->series.set.patches[i];

		run_kernel_init(&w->rks[i]);
		w->rks[i].dead_after = DEAD_AFTER;
		w->steps.step[i] = (struct step){ .cmp = COMPARE_INIT };
		w->steps.step[i].name = p->name;
		w->steps.step[i].subject = p->subject;
	}
}

/* Build with the patches up to step i. What the patch is at fault for is no error. */
static int build_step(struct check_work *w, size_t i, struct strvec *patches,
		      const struct kernel *before, struct err *err)
{
	struct step *step = &w->steps.step[i];
	int ret;

	strvec_push(patches, w->series.folders.v[i]);
	progress("[%zu/%zu] %s: building", i + 1, w->steps.n, str_escape(step->name));
	ret = resolve(w, &w->rks[i].k, patches, err);
	if (!ret) {
		step->state = kernel_same(before, &w->rks[i].k) ? STEP_SAME_IMAGE : STEP_RAN;
		return 0;
	}
	if (err->kind != ERR_INPUT && err->kind != ERR_UNABLE)
		return ret;
	step->state = STEP_NO_BUILD;
	step->why = w->why[i] = xstrdup(err->msg);
	return ret;
}

/* Without a patch that does not apply there is no tree for those behind it; one that does not
 * compile may be mended by the next. */
static void give_up(struct check_work *w, size_t i)
{
	for (size_t k = i + 1; k < w->steps.n; k++)
		w->steps.step[k].why = w->why[k] = xstrfmt("patch %zu does not apply", i + 1);
}

static int build_all(struct check_work *w, struct err *err)
{
	struct strvec patches __release(strvec) = STRVEC_INIT;
	const struct kernel *before = &w->base.k;

	for (size_t i = 0; i < w->steps.n; i++) {
		int ret = build_step(w, i, &patches, before, err);

		if (ret && w->steps.step[i].state != STEP_NO_BUILD)
			return ret;
		if (!ret) {
			before = &w->rks[i].k;
			continue;
		}
		ret = err->kind == ERR_INPUT;
		*err = (struct err)ERR_INIT;
		if (ret) {
			give_up(w, i);
			break;
		}
	}
	return 0;
}

int check_work_begin(struct check_work *w, struct err *err)
{
	const struct run_args *args = &w->args->run;
	int ret;

	ret = args_suite(w->o, &w->suite, err);
	if (!ret)
		ret = resolve(w, &w->base.k, NULL, err);
	if (!ret)
		ret = kernel_check_built(&w->base.k, w->args->kernel, err);
	if (!ret)
		ret = series_open(&w->series, w->args->series, args->tree, w->base.k.release, err);
	if (ret)
		return ret;
	add_steps(w);
	ret = build_all(w, err);
	if (!args->given.seeds)
		w->o->seeds = steps_seeds(steps_to_compare(&w->steps), w->args->o.alpha,
					  SEEDS_LEAST);
	return ret;
}

static int measure_each(struct check_work *w, struct run_kernel **rks, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		int ret;

		if (run_kernel_take_kept(rks[i], w->o, &w->suite))
			progress("%s: %zu boots of run %s are there", str_escape(rks[i]->k.name),
				 rks[i]->run.n_boots, str_escape(rks[i]->run.id));
		else
			progress("%s: running", str_escape(rks[i]->k.name));
		ret = run_kernel_measure(rks[i], w->o, w->args->run.quiet, &w->suite, err);
		if (ret)
			return ret;
	}
	return 0;
}

int check_work_run(struct check_work *w, struct err *err)
{
	struct run_kernel **rks __free(ptr) = xcalloc(w->steps.n + 1, sizeof(*rks));
	size_t n = 0;
	int ret = 0;

	rks[n++] = &w->base;
	for (size_t i = 0; i < w->steps.n; i++) {
		if (w->steps.step[i].state != STEP_RAN)
			continue;
		w->steps.step[i].run = &w->rks[i].run;
		rks[n++] = &w->rks[i];
	}
	w->steps.base = &w->base.run;
	if (n > 1 && w->o->clock == CLOCK_REAL)
		ret = run_kernel_measure_in_turns(rks, n, w->o, w->args->run.quiet, &w->suite, err);
	else if (n > 1)
		ret = measure_each(w, rks, n, err);
	return ret ? ret : steps_judge(&w->steps, &w->args->o, err);
}
