/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of judge/ share: a victim "hdd" beside a load "dvd", and its alone case, in a
 * run whose boots each test bends one way.
 */
#ifndef UNIT_JUDGE_FIXTURE_H
#define UNIT_JUDGE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "case/case.h"
#include "case/expect.h"
#include "judge/judge.h"
#include "record/record.h"

#define S NS_PER_S
#define DD "dd if=/dev/zero of=/mnt/hda/zero bs=1K count=64K"

enum { BOTH, ALONE, N_CASES };	/* cases */
enum { HDD, DVD };		/* rows and jobs of BOTH; ALONE has HDD only */
#define ALONE_ROW 2

struct fixture {
	struct case_job jobs[N_CASES][2];
	struct kase cases[N_CASES];
	struct expectation e[2];
	struct expect expects[N_CASES];
	struct run run;
};

static inline struct boot *add_boot(struct run *run, const char *name, uint32_t seed)
{
	struct boot *b = array_grow(run->boots, run->n_boots);

	boot_init(b);
	b->case_name = xstrdup(name);
	b->seed = seed;
	b->outcome = OUTCOME_DONE;
	b->stage = STAGE_END;
	return b;
}

static inline void add_job(struct boot *b, const char *name, int64_t start, int64_t wall,
			   int64_t sync)
{
	struct job_result *job = array_grow(b->jobs, b->n_jobs);

	job->name = xstrdup(name);
	job->ended = true;
	job->end = (struct msg_end){ .start_ns = start, .wall_ns = wall, .sync_ns = sync };
}

/* Both cases of one seed: the victim's time beside the load and alone. */
static inline void add_seed(struct fixture *f, uint32_t seed, int64_t beside, int64_t alone)
{
	struct boot *b = add_boot(&f->run, "g/both", seed);

	add_job(b, "hdd", 5 * S, beside, 2 * S);
	add_job(b, "dvd", 5 * S, 60 * S, 4 * S);
	b = add_boot(&f->run, "g/alone", seed);
	add_job(b, "first", 0, alone, S);
}

static inline void init(struct fixture *f)
{
	*f = (struct fixture){ 0 };
	run_init(&f->run);
	f->run.clock = xstrdup("sim");
	f->jobs[BOTH][HDD] = (struct case_job){
		.name = "hdd", .run = DD, .sync = "hda", .alone_case = "g/alone",
		.alone_job = "first", .deadline_ns = 600 * S, .report_ns = 1220 * S,
		.report_alone_ns = 40 * S,
	};
	f->jobs[BOTH][DVD] = (struct case_job){
		.name = "dvd", .run = "sh -c x", .role = PLAN_LOAD, .deadline_ns = 600 * S,
		.report_ns = -1, .report_alone_ns = -1,
	};
	f->jobs[ALONE][HDD] = (struct case_job){
		.name = "first", .run = DD, .deadline_ns = 600 * S, .report_ns = -1,
		.report_alone_ns = -1,
	};
	f->cases[BOTH] = (struct kase){ .name = "g/both", .jobs = f->jobs[BOTH], .n_jobs = 2 };
	f->cases[ALONE] = (struct kase){ .name = "g/alone", .jobs = f->jobs[ALONE], .n_jobs = 1 };
	f->e[0] = (struct expectation){
		.job = "hdd", .metric = METRIC_SLOWDOWN, .limit = 16, .goal = 1.5, .was = -1,
		.within = -1,
	};
	f->expects[BOTH] = (struct expect){ .e = f->e, .n = 1 };
}

/* One seed: 10 s beside the load, 1 s alone, limit 16. */
static inline void init_one(struct fixture *f)
{
	init(f);
	add_seed(f, 1, 10 * S, S);
}

static inline void done(struct fixture *f)
{
	run_release(&f->run);
}

static inline struct boot *boot(struct fixture *f, int which)
{
	return &f->run.boots[which];
}

static inline struct msg_end *end_of(struct fixture *f, int b, int job)
{
	return &f->run.boots[b].jobs[job].end;
}

/* Judge, compare one row, and hand it out. */
static inline const struct verdict *expect_row(struct fixture *f, int row,
					       enum verdict_kind kind, const char *reason)
{
	const struct verdict *v;

	judge_run(&f->run, f->cases, f->expects, N_CASES);
	assert_int_equal(f->run.n_verdicts, 3);
	v = &f->run.verdicts[row];
	if (v->kind != kind || strcmp(v->reason, reason) != 0)
		fail_msg("got %s '%s', wanted %s '%s'", verdict_name(v->kind), v->reason,
			 verdict_name(kind), reason);
	return v;
}

/* The same, and nothing of it is needed any more. */
static inline void expect_hdd(struct fixture *f, enum verdict_kind kind, const char *reason)
{
	expect_row(f, HDD, kind, reason);
	done(f);
}

static inline void assert_same(double got, double want)
{
	if (fabs(got - want) > 1e-9 * fabs(want))
		fail_msg("got %.17g, wanted %.17g", got, want);
}

#endif
