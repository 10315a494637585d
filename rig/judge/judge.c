/* SPDX-License-Identifier: GPL-2.0-only */
/* A row for each job: its medians, and what they mean. */
#include "judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "case/expect.h"
#include "judge/boots.h"
#include "stats/stats.h"

/* What judging one job needs. */
struct row {
	const struct run *run;
	const struct kase *c;
	const struct case_job *job;
	const struct kase *alone;		/* NULL: none, or not among the cases */
	const struct case_job *alone_job;	/* NULL: none, or its case has no such job */
	struct verdict *v;
	struct strbuf why;			/* becomes the verdict's reason */
};

static const char *format_ratio(double v, char *buf)
{
	snprintf(buf, 32, v < 100 ? "%.3g" : "%.0f", v);
	return buf;
}

static const char *format_ns(double ns, char *buf)
{
	/* a guest may claim any time, and two of them may add up to more than an int64_t */
	return format_time(ns < 9.2e18 ? (int64_t)ns : INT64_MAX, buf);
}

/* A metric's value as people read it. */
static const char *format_value(enum metric metric, double v, char *buf)
{
	return metric == METRIC_SLOWDOWN ? format_ratio(v, buf) : format_ns(v, buf);
}

static double median_or_none(double *v, size_t n)
{
	return n ? stats_median(v, n) : -1;
}

static void fill_alone(struct row *r)
{
	struct times t __release(times) = TIMES_INIT;

	if (!r->alone_job)
		return;
	times_collect(&t, r->run, r->alone, r->alone_job);
	r->v->alone_ns = median_or_none(t.time, t.n);
	if (r->v->alone_ns > 0 && r->v->time_ns >= 0)
		r->v->slowdown = r->v->time_ns / r->v->alone_ns;
}

static void fill_times(struct row *r)
{
	struct times t __release(times) = TIMES_INIT;
	struct verdict *v = r->v;

	times_collect(&t, r->run, r->c, r->job);
	v->seeds = (int)t.n;
	v->time_ns = median_or_none(t.time, t.n);
	v->sync_ns = median_or_none(t.sync, t.n_sync);
	v->total_ns = median_or_none(t.total, t.n_total);
	v->time_min_ns = t.n ? stats_min(t.time, t.n) : -1;
	v->time_max_ns = t.n ? stats_max(t.time, t.n) : -1;
	fill_alone(r);
}

static void fill_expected(struct verdict *v, const struct case_job *job, const struct expect *x)
{
	const struct expectation *e = expect_get(x, job->name, METRIC_SLOWDOWN);

	v->limit = e ? e->limit : -1;
	v->goal = e ? e->goal : -1;
	v->was = e ? e->was : -1;
	v->report_ns = job->report_ns > 0 ? (double)job->report_ns : -1;
	v->report_slowdown = -1;
	if (job->report_ns > 0 && job->report_alone_ns > 0)
		v->report_slowdown = v->report_ns / (double)job->report_alone_ns;
}

/* The boots of a case as such: did all of them get to their end? */
static bool boots_broken(struct row *r, const struct kase *c)
{
	const struct boot *b = boots_find(r->run, c->name, OUTCOME_BROKEN);

	if (b) {
		if (boots_count(r->run, c->name) > 1)
			strbuf_addf(&r->why, "seed %u: ", b->seed);
		strbuf_addf(&r->why, "broken at stage %s", stage_name(b->stage));
		if (b->reason && *b->reason)
			strbuf_addf(&r->why, ": %s", str_escape(b->reason));
		return true;
	}
	if (boots_count(r->run, c->name))
		return false;
	strbuf_addstr(&r->why, r->run->interrupted ? "the run was stopped before it" :
						     "no boot of it ran");
	return true;
}

static bool is_broken(struct row *r)
{
	return boots_broken(r, r->c) || boots_job_broken(r->run, r->c, r->job, &r->why) ||
	       (r->job->role == PLAN_VICTIM &&
		boots_load_missing(r->run, r->c, r->job, r->v->alone_ns, &r->why));
}

/* The same for the case that gives the time alone. */
static bool alone_is_broken(struct row *r)
{
	if (!r->job->alone_case)
		return false;
	strbuf_addf(&r->why, "alone in '%s': ", str_escape(r->job->alone_case));
	if (!r->alone)
		strbuf_addstr(&r->why, "no boot of it ran");
	else if (!r->alone_job)
		strbuf_addf(&r->why, "it has no job '%s'", str_escape(r->job->alone_job));
	if (!r->alone || !r->alone_job || boots_broken(r, r->alone) ||
	    boots_job_broken(r->run, r->alone, r->alone_job, &r->why))
		return true;
	strbuf_reset(&r->why);
	return false;
}

static bool is_skipped(struct row *r)
{
	const struct boot *b = boots_find(r->run, r->c->name, OUTCOME_SKIPPED);

	if (!b && r->alone) {
		b = boots_find(r->run, r->alone->name, OUTCOME_SKIPPED);
		if (b)
			strbuf_addf(&r->why, "alone in '%s': ", r->alone->name);
	}
	if (b)
		strbuf_addstr(&r->why, b->reason ? str_escape(b->reason) : "");
	return b;
}

static double value_of(const struct verdict *v, enum metric metric)
{
	switch (metric) {
	case METRIC_SLOWDOWN:
		return v->slowdown;
	case METRIC_TIME:
		return v->time_ns;
	case METRIC_SYNC:
		return v->sync_ns;
	case METRIC_TOTAL:
		return v->total_ns;
	}
	BUG("metric %d", (int)metric);
}

/* ": 24.5 s beside the load, 1.15 s alone", and what the value rests on. */
static void add_evidence(struct row *r, enum metric metric)
{
	char time[32], alone[32];

	if (metric == METRIC_SLOWDOWN)
		strbuf_addf(&r->why, ": %s beside the load, %s alone",
			    format_ns(r->v->time_ns, time), format_ns(r->v->alone_ns, alone));
	if (r->v->seeds > 1)
		strbuf_addf(&r->why, " (median of %d)", r->v->seeds);
}

static void add_limit_reason(struct row *r, const struct expectation *e, double value)
{
	char a[32], b[32];

	strbuf_addf(&r->why, "%s %s above limit %s", metric_name(e->metric),
		    format_value(e->metric, value, a), format_value(e->metric, e->limit, b));
	add_evidence(r, e->metric);
}

static void add_was_reason(struct row *r, const struct expectation *e, double value)
{
	char a[32], b[32];

	strbuf_addf(&r->why, "%s %s is %.3g%% %s the accepted %s (within %.3g%% is the same)",
		    metric_name(e->metric), format_value(e->metric, value, a),
		    fabs(value / e->was - 1) * 100, value > e->was ? "above" : "below",
		    format_value(e->metric, e->was, b), e->within * 100);
	add_evidence(r, e->metric);
}

/* One expectation; a kind that needs a reason adds it. */
static enum verdict_kind judge_value(struct row *r, const struct expectation *e)
{
	double value = value_of(r->v, e->metric);
	bool real_clock = r->run->clock && strcmp(r->run->clock, "real") == 0;

	if (value < 0) {
		strbuf_addf(&r->why, "no %s was measured", metric_name(e->metric));
		return VERDICT_BROKEN;
	}
	if (e->limit >= 0 && value > e->limit) {
		add_limit_reason(r, e, value);
		return VERDICT_REGRESSED;
	}
	if (e->was < 0 || e->within < 0)
		return VERDICT_PASS;
	if (value > e->was * (1 + e->within)) {
		add_was_reason(r, e, value);
		return real_clock ? VERDICT_INCONCLUSIVE : VERDICT_REGRESSED;
	}
	if (value < e->was * (1 - e->within)) {
		add_was_reason(r, e, value);
		return VERDICT_IMPROVED;
	}
	return VERDICT_PASS;
}

/* All expectations of the job: the worst counts, and brings its reason along. */
static enum verdict_kind judge_expected(struct row *r, const struct expect *x)
{
	/* from worst to best; skipped comes not from a value */
	static const int rank[] = {
		[VERDICT_BROKEN] = 0, [VERDICT_REGRESSED] = 1, [VERDICT_INCONCLUSIVE] = 2,
		[VERDICT_IMPROVED] = 3, [VERDICT_PASS] = 4, [VERDICT_SKIPPED] = 5,
		[VERDICT_NONE] = 6,
	};
	struct strbuf reason __release(strbuf) = STRBUF_INIT;
	enum verdict_kind worst = VERDICT_NONE;

	for (size_t i = 0; i < x->n; i++) {
		enum verdict_kind kind;

		if (strcmp(x->e[i].job, r->job->name) != 0)
			continue;
		strbuf_reset(&r->why);
		kind = judge_value(r, &x->e[i]);
		if (rank[kind] < rank[worst]) {
			worst = kind;
			strbuf_reset(&reason);
		}
		if (kind == worst && r->why.len)
			strbuf_addf(&reason, "%s%s", reason.len ? "; " : "", r->why.buf);
	}
	strbuf_reset(&r->why);
	strbuf_addstr(&r->why, reason.buf);
	return worst;
}

static enum verdict_kind judge_job(struct row *r, const struct expect *x)
{
	if (is_broken(r) || alone_is_broken(r))
		return VERDICT_BROKEN;
	if (is_skipped(r))
		return VERDICT_SKIPPED;
	return judge_expected(r, x);
}

static const struct kase *find_case(const struct kase *cases, size_t n, const char *name)
{
	for (size_t i = 0; name && i < n; i++) {
		if (strcmp(cases[i].name, name) == 0)
			return &cases[i];
	}
	return NULL;
}

static void judge_row(struct row *r, const struct expect *x)
{
	struct verdict *v = r->v;

	*v = (struct verdict){
		.case_name = xstrdup(r->c->name), .job = xstrdup(r->job->name),
		.role = r->job->role, .alone_ns = -1, .slowdown = -1,
	};
	fill_expected(v, r->job, x);
	fill_times(r);
	v->kind = judge_job(r, x);
	v->reason = strbuf_detach(&r->why, NULL);
}

void judge_run(struct run *run, const struct kase *cases, const struct expect *expects, size_t n)
{
	for (size_t i = 0; i < run->n_verdicts; i++)
		verdict_release(&run->verdicts[i]);
	free(run->verdicts);
	run->verdicts = NULL;
	run->n_verdicts = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < cases[i].n_jobs; k++) {
			const struct case_job *job = &cases[i].jobs[k];
			struct row r = {
				.run = run, .c = &cases[i], .job = job, .why = STRBUF_INIT,
				.alone = find_case(cases, n, job->alone_case),
			};

			if (r.alone)
				r.alone_job = kase_job(r.alone, job->alone_job);
			r.v = array_grow(run->verdicts, run->n_verdicts);
			judge_row(&r, &expects[i]);
		}
	}
}

enum judge_exit judge_exit_status(const struct run *run)
{
	bool judged = false, open = run->interrupted;

	for (size_t i = 0; i < run->n_verdicts; i++) {
		switch (run->verdicts[i].kind) {
		case VERDICT_REGRESSED:
			return JUDGE_REGRESSED;
		case VERDICT_INCONCLUSIVE:
		case VERDICT_SKIPPED:
		case VERDICT_BROKEN:
			open = true;
			break;
		case VERDICT_PASS:
		case VERDICT_IMPROVED:
		case VERDICT_NONE:
			judged = true;
			break;
		}
	}
	return judged && !open ? JUDGE_OK : JUDGE_CANNOT;
}
