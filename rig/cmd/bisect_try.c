/* SPDX-License-Identifier: GPL-2.0-only */
/* Building and booting one commit. */
#include "cmd/bisect_try.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "cmd/bisect_args.h"
#include "cmd/bisect_work.h"
#include "cmd/run_measure.h"
#include "kbuild/resolve.h"

#define BROKEN_MAX 2	/* boots of a commit without a value; nor tries run/schedule.h more */

static double seconds_since(int64_t began)
{
	return (double)(clock_ns() - began) / (double)NS_PER_S;
}

int bisect_try_build(const struct bisect_work *w, size_t commit, struct run_kernel *rk,
		     struct err *err)
{
	char id[13];
	char *spec __free(ptr) = xstrfmt("git:%s", w->b.h.c[commit].id);
	/* as one would write it: it names the folder of the run, too */
	char *name __free(ptr) = xstrfmt("git:%s", bisect_work_short(w, commit, id));
	const struct kernel_ask ask = {
		.spec = spec, .name = name, .data_dir = w->o.data_dir,
		.cache_dir = w->o.cache_dir, .tree = w->args->tree, .like = w->args->like,
	};

	return kernel_resolve(&rk->k, &ask, err);
}

int bisect_try_boot(const struct bisect_work *w, size_t seeds, struct run_kernel *rk,
		    struct err *err)
{
	struct run_options o = w->o;	/* borrows all of it */

	o.seeds = (int)seeds;
	rk->dead_after = BROKEN_MAX;
	run_kernel_take_kept(rk, &o, &w->followed.suite);
	return run_kernel_measure(rk, &o, w->args->quiet, &w->followed.suite, err);
}

static bool is_end(const struct bisect_work *w, size_t commit)
{
	return !commit || commit == w->b.h.n - 1;
}

/* A kernel that is there already has been booted, or will be in its own name. Modules are not in
 * the image, so kernels with some cannot be told apart by it. */
static bool is_same(struct bisect_work *w, size_t commit, const struct kernel *k,
		    struct trail_step *s)
{
	struct trail_commit *c = &w->trail.c[commit];
	size_t as;

	if (*c->image || k->modules_dir)
		return false;
	as = trail_find(&w->trail, k->image_sha256);
	memcpy(c->image, k->image_sha256, HASH_HEX);
	if (as == w->trail.n)
		return false;
	bisect_same(&w->b, commit, as);
	s->what = TRAIL_SAME;
	s->as = as;
	return true;
}

/* How many of the boots so far gave no value, and why the first did not. */
static size_t count_broken(const struct bisect_work *w, const struct run *run, size_t tried,
			   struct strbuf *why)
{
	size_t n = 0;

	for (uint32_t seed = 1; seed <= tried; seed++) {
		struct strbuf reason __release(strbuf) = STRBUF_INIT;
		double ignored;

		if (followed_get(&w->followed, run, seed, &ignored, &reason) == FOLLOWED_VALUE)
			continue;
		if (!n++)
			strbuf_addf(why, "seed %u: %s", seed, reason.buf);
	}
	return n;
}

/*
 * Add the values of the seeds that no step has had. A kernel that lacks something or does not get
 * as far as the agent is given up at once, one whose boots break later at the second one.
 */
static void add_values(struct bisect_work *w, size_t commit, const struct run *run, size_t seeds,
		       struct trail_step *s)
{
	struct trail_commit *c = &w->trail.c[commit];
	bool given_up = false;

	for (uint32_t seed = (uint32_t)c->tried + 1; seed <= seeds; seed++) {
		struct strbuf why __release(strbuf) = STRBUF_INIT;
		double value = 0;
		enum followed_kind kind = followed_get(&w->followed, run, seed, &value, &why);

		if (kind == FOLLOWED_MISSING)	/* left out: others were broken */
			break;
		c->tried = seed;
		if (kind == FOLLOWED_VALUE) {
			bisect_add(&w->b, commit, value);
			s->boots++;
		}
		given_up = kind == FOLLOWED_LACKS || (kind == FOLLOWED_DEAD && !s->boots);
		if (given_up) {
			bisect_skip(&w->b, commit, why.buf);
			break;
		}
	}
	if (!given_up) {
		struct strbuf why __release(strbuf) = STRBUF_INIT;

		given_up = count_broken(w, run, c->tried, &why) >= BROKEN_MAX;
		if (given_up)
			bisect_skip(&w->b, commit, why.buf);
	}
	if (given_up && !s->boots)
		s->what = TRAIL_SKIPPED;
}

/* Guests side by side take the time of one. */
static size_t boots_of_step(const struct bisect_work *w)
{
	size_t jobs = (size_t)w->o.jobs;

	return (w->step.boots + jobs - 1) / jobs * jobs;
}

static int boot(struct bisect_work *w, struct run_kernel *rk, struct trail_step *s, struct err *err)
{
	size_t commit = w->step.commit, seeds = w->trail.c[commit].tried + boots_of_step(w);
	int64_t began = clock_ns();
	int ret = bisect_try_boot(w, seeds, rk, err);

	s->boot_s = seconds_since(began);
	if (ret)
		return ret;
	add_values(w, commit, &rk->run, seeds, s);
	return 0;
}

/* What a commit cannot be built for is its own business, unless nothing can. */
static int skip_unbuilt(struct bisect_work *w, struct trail_step *s, struct err *err)
{
	size_t commit = w->step.commit;

	if (err->kind != ERR_UNABLE && (err->kind != ERR_INPUT || is_end(w, commit)))
		return err->code;
	bisect_skip(&w->b, commit, err->msg);
	s->what = TRAIL_SKIPPED;
	*err = (struct err)ERR_INIT;
	return 0;
}

int bisect_try(struct bisect_work *w, struct err *err)
{
	size_t commit = w->step.commit;
	struct trail_step s = { .what = TRAIL_BOOTED, .commit = commit };
	struct run_kernel rk __release(run_kernel);
	int64_t began = clock_ns();
	int ret;

	run_kernel_init(&rk);
	ret = bisect_try_build(w, commit, &rk, err);
	s.build_s = seconds_since(began);
	if (ret)
		ret = skip_unbuilt(w, &s, err);
	else if (!is_same(w, commit, &rk.k, &s))
		ret = boot(w, &rk, &s, err);
	if (!ret)
		trail_add(&w->trail, &w->b, &s);
	return ret;
}
