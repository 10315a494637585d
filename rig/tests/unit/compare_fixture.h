/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of comparisons share: two runs whose boots are made from a few figures. */
#ifndef UNIT_COMPARE_FIXTURE_H
#define UNIT_COMPARE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "judge/compare.h"
#include "record/record.h"
#include "stats/rng.h"

struct two {
	struct run run[2];
	struct compare cmp;
	struct compare_options o;
};

static inline void two_init(struct two *t)
{
	for (int i = 0; i < 2; i++) {
		struct run *r = &t->run[i];

		run_init(r);
		r->id = xstrdup(i ? "second" : "first");
		r->clock = xstrdup("sim");
		r->timing = xstrdup("model");
		r->scale = xstrdup("quick");
		r->kernel.name = xstrdup(i ? "patched" : "plain");
		memset(r->kernel.image_sha256, i ? 'b' : 'a', HASH_HEX - 1);
	}
	t->cmp = (struct compare)COMPARE_INIT;
	t->o = (struct compare_options)COMPARE_OPTIONS_INIT;
}

static inline void two_release(struct two *t)
{
	compare_release(&t->cmp);
	run_release(&t->run[0]);
	run_release(&t->run[1]);
}

static inline struct verdict *two_verdict(struct run *r, const char *name, const char *job)
{
	struct verdict *v = array_grow(r->verdicts, r->n_verdicts);

	*v = (struct verdict){ .case_name = xstrdup(name), .job = xstrdup(job),
			       .kind = VERDICT_PASS, .reason = xstrdup("") };
	return v;
}

static inline struct job_result *two_boot(struct run *r, const char *name, const char *job,
					  double seconds)
{
	struct boot *b = array_grow(r->boots, r->n_boots);
	struct job_result *j;

	boot_init(b);
	b->case_name = xstrdup(name);
	b->case_sha256 = xstrdup("abc");
	b->seed = (uint32_t)r->n_boots;
	b->outcome = OUTCOME_DONE;
	j = array_grow(b->jobs, b->n_jobs);
	j->name = xstrdup(job);
	j->ended = true;
	j->end = (struct msg_end){ .wall_ns = (int64_t)(seconds * NS_PER_S), .sync_ns = -1 };
	return j;
}

/* A case with one job in both runs: times around 10 s with a spread of cv, the new one's times
 * factor. */
static inline void two_case(struct two *t, const char *name, size_t n_base, size_t n_now, double cv,
			    double factor, struct rng *rng)
{
	for (int k = 0; k < 2; k++) {
		two_verdict(&t->run[k], name, "hdd");
		for (size_t i = 0; i < (k ? n_now : n_base); i++)
			two_boot(&t->run[k], name, "hdd",
				 10 * exp(cv * rng_normal(rng)) * (k ? factor : 1));
	}
}

static inline void two_compare(struct two *t)
{
	struct err err = ERR_INIT;

	compare_release(&t->cmp);
	if (compare_runs(&t->cmp, &t->run[0], &t->run[1], &t->o, &err))
		fail_msg("%s", err.msg);
}

#endif
