/* SPDX-License-Identifier: GPL-2.0-only */
/* Making the runs that a comparison needs, and looking at them. */
#include "cmd/compare_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "cmd/args.h"
#include "cmd/compare_args.h"
#include "cmd/find_run.h"
#include "kbuild/resolve.h"
#include "stats/looks.h"

#define SEEDS_DEFAULT 5
#define DEAD_AFTER    3		/* boots: a kernel that does not boot */

static const char *const side_names[] = { "base", "new" };

void compare_work_init(struct compare_work *w, struct compare_args *args)
{
	*w = (struct compare_work){ .args = args, .o = &args->run.o, .suite = SUITE_INIT,
				    .cmp = COMPARE_INIT };
	for (int i = 0; i < 2; i++) {
		w->side[i].spec = args->spec[args->n == 2 ? i : 0];
		run_kernel_init(&w->side[i].rk);
		w->side[i].rk.dead_after = DEAD_AFTER;
	}
}

void compare_work_release(struct compare_work *w)
{
	compare_release(&w->cmp);
	for (int i = 0; i < 2; i++)
		run_kernel_release(&w->side[i].rk);
	suite_release(&w->suite);
}

/* With --patch the one argument is a kernel, whatever else has its name. */
static int read_side(struct compare_work *w, struct compare_side *s, struct err *err)
{
	char *path __free(ptr) = find_run_document(w->o->out, s->spec);

	s->is_run = w->args->n == 2 && find_run_is(w->o->out, s->spec);
	return s->is_run ? run_read(&s->rk.run, path, err) : 0;
}

/* What the command line leaves open is as in the run that is to be compared with. */
static void take_from_run(struct compare_work *w, const struct run *run)
{
	const struct run_args *args = &w->args->run;
	struct run_options *o = w->o;

	if (!args->given.seeds && run->seeds)
		o->seeds = run->seeds;
	if (!args->given.clock)
		o->clock = strcmp(run->clock, "real") ? CLOCK_SIM : CLOCK_REAL;
	if (!args->given.timing)
		o->timing = strcmp(run->timing, "throttle") ? TIMING_MODEL : TIMING_THROTTLE;
	if (!args->given.accel && o->clock == CLOCK_REAL)
		o->accel_choice = strcmp(run->accel, "kvm") ? ACCEL_FORCE_TCG : ACCEL_FORCE_KVM;
	if (!args->given.scale)
		o->scale = run->scale;
	if (!o->globs.n)
		args_add_cases(o, run);
}

static int resolve(struct compare_work *w, int which, struct err *err)
{
	const struct run_args *args = &w->args->run;
	struct compare_side *s = &w->side[which];
	const struct kernel_ask ask = {
		.spec = s->spec, .data_dir = w->o->data_dir, .cache_dir = w->o->cache_dir,
		.tree = args->tree, .like = args->like,
		.patches = which && args->patches.n ? &args->patches : NULL,
	};
	int ret = kernel_resolve(&s->rk.k, &ask, err);

	if (!ret && w->o->bzimage)
		ret = kernel_use_bzimage(&s->rk.k, err);
	if (ret == -EINVAL && err->kind == ERR_INPUT && !strchr(s->spec, '/'))
		return err_wrap(err, "no run of that name in '%s'", str_escape(w->o->out));
	return ret;
}

static void take_kept(struct compare_work *w, int which)
{
	struct compare_side *s = &w->side[which];

	if (w->o->clock == CLOCK_SIM && run_kernel_take_kept(&s->rk, w->o, &w->suite))
		progress("%s: %zu boots of run %s are there", side_names[which],
			 s->rk.run.n_boots, str_escape(s->rk.run.id));
}

static int resolve_all(struct compare_work *w, struct err *err)
{
	for (int i = 0; i < 2; i++) {
		int ret = w->side[i].is_run ? 0 : resolve(w, i, err);

		if (ret)
			return ret;
	}
	w->same = !w->side[0].is_run && !w->side[1].is_run && w->o->clock == CLOCK_SIM &&
		  kernel_same(&w->side[0].rk.k, &w->side[1].rk.k);
	if (w->same)
		progress("both kernels are the same, byte for byte: one run stands for both");
	for (int i = 0; i < 2; i++) {
		if (!w->side[i].is_run && !(i && w->same))
			take_kept(w, i);
	}
	return 0;
}

int compare_work_begin(struct compare_work *w, struct err *err)
{
	const struct run_args *args = &w->args->run;
	int ret = 0;

	for (int i = 0; i < 2 && !ret; i++)
		ret = read_side(w, &w->side[i], err);
	if (ret)
		return ret;
	if (w->args->floor && w->side[0].is_run)
		return err_input(err, "--measure-floor needs a kernel, not a run: it boots it");
	if (w->args->looks && (w->side[0].is_run || w->side[1].is_run))
		return err_input(err, "--until-sure needs kernels, not runs: it boots them again "
				 "(runs of them that are there are gone on with)");
	if (w->side[0].is_run && w->side[1].is_run)
		return 0;
	if (!args->given.seeds)
		w->o->seeds = SEEDS_DEFAULT;
	for (int i = 0; i < 2; i++) {
		if (w->side[i].is_run)
			take_from_run(w, &w->side[i].rk.run);
	}
	ret = args_suite(w->o, &w->suite, err);
	return ret ? ret : resolve_all(w, err);
}

/* Two kernels on the real clock share what becomes of the host; all else is run by itself. */
static int measure(struct compare_work *w, struct err *err)
{
	struct compare_side *a = &w->side[0], *b = &w->side[1];
	struct run_kernel *both[] = { &a->rk, &b->rk };
	bool quiet = w->args->run.quiet;
	int ret = 0;

	if (!a->is_run && !b->is_run && w->o->clock == CLOCK_REAL)
		return run_kernel_measure_in_turns(both, 2, w->o, quiet, &w->suite, err);
	if (!a->is_run)
		ret = run_kernel_measure(&a->rk, w->o, quiet, &w->suite, err);
	if (!ret && !b->is_run && !w->same)
		ret = run_kernel_measure(&b->rk, w->o, quiet, &w->suite, err);
	return ret;
}

const struct run *compare_work_base(const struct compare_work *w)
{
	return &w->side[0].rk.run;
}

const struct run *compare_work_new(const struct compare_work *w)
{
	return &w->side[w->same ? 0 : 1].rk.run;
}

static int compare(struct compare_work *w, const struct compare_options *o, struct err *err)
{
	compare_release(&w->cmp);
	return compare_runs(&w->cmp, compare_work_base(w), compare_work_new(w), o, err);
}

/* One look: with more seeds than the one before, and its own share of what may go wrong. */
static int look(struct compare_work *w, struct err *err)
{
	struct compare_options o = w->args->o;
	int ret;

	w->o->seeds = (int)look_values(w->look);
	o.alpha = look_alpha(w->look, w->args->o.alpha);
	ret = measure(w, err);
	return ret ? ret : compare(w, &o, err);
}

int compare_work_run(struct compare_work *w, struct err *err)
{
	size_t open;
	int ret;

	if (!w->args->looks) {
		ret = measure(w, err);
		return ret ? ret : compare(w, &w->args->o, err);
	}
	for (;; w->look++) {
		ret = look(w, err);
		if (ret)
			return ret;
		open = compare_count(&w->cmp, CHANGE_INCONCLUSIVE);
		progress("look %zu of at most %zu, %d seeds: %zu of %zu rows inconclusive",
			 w->look + 1, w->args->looks, w->o->seeds, open, w->cmp.n);
		if (!open || w->look + 1 == w->args->looks)
			return 0;
	}
}
