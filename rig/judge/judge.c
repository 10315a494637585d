/* SPDX-License-Identifier: GPL-2.0-only */
/* A row for each job, and what its values mean. */
#include "judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "case/expect.h"
#include "judge/boots.h"
#include "judge/noise.h"
#include "judge/row.h"
#include "judge/values.h"

/* The boots of a case as such: did all of them get to their end? Those that are void do not
 * count. */
static bool boots_broken(struct row *r, const struct kase *c)
{
	const struct boot *b = boots_find_broken(r->run, c->name);

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
	if (boots_broken(r, r->c))
		return true;
	if (!r->job)
		return false;
	return boots_job_broken(r->run, r->c, r->job, &r->why) ||
	       (r->job->role == PLAN_VICTIM &&
		boots_load_missing(r->run, r->c, r->job, r->v->alone_ns, &r->why));
}

/* The same for the case that gives the time alone. */
static bool alone_is_broken(struct row *r)
{
	if (!r->job || !r->job->alone_case)
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

/* Has every boot of the case become void? */
static bool is_void(struct row *r, const struct kase *c)
{
	const struct boot *b = c ? boots_find(r->run, c->name, OUTCOME_BROKEN) : NULL;

	if (!b || boots_find(r->run, c->name, OUTCOME_DONE) ||
	    boots_find(r->run, c->name, OUTCOME_SKIPPED))
		return false;
	strbuf_addf(&r->why, "no boot of '%s' counts: %s", str_escape(c->name),
		    b->reason ? str_escape(b->reason) : "");
	return true;
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

/* ": 24.5 s beside the load, 1.15 s alone", and what the value rests on. */
static void add_evidence(struct row *r, const struct expectation *e, const struct verdict_value *v)
{
	bool relative = e->alone || e->metric == METRIC_SLOWDOWN;
	const struct metric_info *of = metric_info(e->alone ? e->metric : METRIC_TIME);
	char here[32], alone[32];

	if (relative)
		strbuf_addf(&r->why, ": %s beside the %s, %s alone",
			    metric_format(of->unit, row_value(r->v, of->name)->value, here),
			    r->job->role == PLAN_LOAD ? "victim" : "load",
			    metric_format(of->unit, v->alone, alone));
	if (v->seeds > 1)
		strbuf_addf(&r->why, values_are_merged(e->metric) ? " (of %d seeds)" :
								    " (median of %d)", v->seeds);
}

/* "p99 312 ms", "rate 0.41x of alone": the beginning of a reason. */
static void add_subject(struct row *r, const struct expectation *e, enum metric_unit unit,
			double value)
{
	char text[32];

	strbuf_addf(&r->why, "%s %s%s", metric_name(e->metric), metric_format(unit, value, text),
		    e->alone ? "x of alone" : "");
}

static void add_bound_reason(struct row *r, const struct expectation *e, enum metric_unit unit,
			     const struct verdict_value *v, bool above)
{
	char text[32];

	add_subject(r, e, unit, v->value);
	strbuf_addf(&r->why, "%s %s %s", e->alone ? "," : "", above ? "above limit" : "below floor",
		    metric_format(unit, above ? e->limit : e->floor, text));
	add_evidence(r, e, v);
}

static void add_was_reason(struct row *r, const struct expectation *e, enum metric_unit unit,
			   const struct verdict_value *v)
{
	char text[32];

	add_subject(r, e, unit, v->value);
	strbuf_addf(&r->why, " is %.3g%% %s the accepted %s (within %.3g%% is the same)",
		    fabs(v->value / e->was - 1) * 100, v->value > e->was ? "above" : "below",
		    metric_format(unit, e->was, text), e->within * 100);
	add_evidence(r, e, v);
}

/* It regressed. Is that known, and may it be so on the day of the run? */
static enum verdict_kind judge_waiver(struct row *r, const struct expectation *e)
{
	const char *started = r->run->started ? r->run->started : "";

	if (!e->known)
		return VERDICT_REGRESSED;
	/* both begin with YYYY-MM-DD, which sort as days do */
	if (strncmp(started, e->until, strlen(e->until)) > 0) {
		strbuf_addf(&r->why, "; it was known until %s (%s), and this waiver has expired",
			    e->until, str_escape(e->known));
		return VERDICT_REGRESSED;
	}
	strbuf_addf(&r->why, "; known until %s: %s", e->until, str_escape(e->known));
	return VERDICT_KNOWN;
}

/* One expectation; a kind that needs a reason adds it. */
static enum verdict_kind judge_value(struct row *r, const struct expectation *e,
				     const struct verdict_value *v)
{
	enum metric_unit unit = e->alone ? UNIT_RATIO : metric_info(e->metric)->unit;
	bool real_clock = r->run->clock && strcmp(r->run->clock, "real") == 0;
	bool above, below;

	if (v->value < 0) {
		strbuf_addf(&r->why, "no %s was measured", v->metric);
		return VERDICT_BROKEN;
	}
	if (noise_refuses(r->run, r->c, e, &r->why))
		return VERDICT_INCONCLUSIVE;
	if ((e->limit >= 0 && v->value > e->limit) || v->value < e->floor) {
		add_bound_reason(r, e, unit, v, e->limit >= 0 && v->value > e->limit);
		return judge_waiver(r, e);
	}
	if (e->was < 0 || e->within < 0)
		return VERDICT_PASS;
	above = v->value > e->was * (1 + e->within);
	below = v->value < e->was * (1 - e->within);
	if (!above && !below)
		return VERDICT_PASS;
	add_was_reason(r, e, unit, v);
	if (v->higher ? above : below)
		return VERDICT_IMPROVED;
	return real_clock ? VERDICT_INCONCLUSIVE : judge_waiver(r, e);
}

/* All expectations of the job: the worst counts, and brings its reason along. */
static enum verdict_kind judge_expected(struct row *r)
{
	/* from worst to best; skipped comes not from a value */
	static const int rank[] = {
		[VERDICT_BROKEN] = 0, [VERDICT_REGRESSED] = 1, [VERDICT_INCONCLUSIVE] = 2,
		[VERDICT_KNOWN] = 3, [VERDICT_IMPROVED] = 4, [VERDICT_PASS] = 5,
		[VERDICT_SKIPPED] = 6, [VERDICT_NONE] = 7,
	};
	struct strbuf reason __release(strbuf) = STRBUF_INIT;
	enum verdict_kind worst = VERDICT_NONE;

	for (size_t i = 0; i < r->x->n; i++) {
		const struct expectation *e = &r->x->e[i];
		char *name __free(ptr) = row_value_name(e->metric, e->alone);
		struct verdict_value *v;

		if (strcmp(e->job, r->subject) != 0)
			continue;
		v = row_value(r->v, name);
		strbuf_reset(&r->why);
		v->kind = judge_value(r, e, v);
		if (rank[v->kind] < rank[worst]) {
			worst = v->kind;
			strbuf_reset(&reason);
		}
		if (v->kind == worst && r->why.len)
			strbuf_addf(&reason, "%s%s", reason.len ? "; " : "", r->why.buf);
	}
	strbuf_reset(&r->why);
	strbuf_addstr(&r->why, reason.buf);
	return worst;
}

static enum verdict_kind judge_row(struct row *r)
{
	enum verdict_kind kind = VERDICT_BROKEN;

	if (!is_broken(r) && !alone_is_broken(r)) {
		bool voided = is_void(r, r->c) || is_void(r, r->alone);

		if (!voided && !is_skipped(r))
			return judge_expected(r);
		kind = voided ? VERDICT_INCONCLUSIVE : VERDICT_SKIPPED;
	}
	for (size_t i = 0; i < r->x->n; i++) {
		const struct expectation *e = &r->x->e[i];
		char *name __free(ptr) = row_value_name(e->metric, e->alone);

		if (strcmp(e->job, r->subject) == 0)
			row_value(r->v, name)->kind = kind;
	}
	return kind;
}

static const struct kase *find_case(const struct kase *cases, size_t n, const char *name)
{
	for (size_t i = 0; name && i < n; i++) {
		if (strcmp(cases[i].name, name) == 0)
			return &cases[i];
	}
	return NULL;
}

static void add_verdict(struct row *r)
{
	struct verdict *v = array_grow(r->run->verdicts, r->run->n_verdicts);

	*v = (struct verdict){
		.case_name = xstrdup(r->c->name), .job = xstrdup(r->subject),
		.role = r->job ? r->job->role : PLAN_VICTIM,
	};
	r->v = v;
	row_fill(r);
	v->kind = judge_row(r);
	v->reason = strbuf_detach(&r->why, NULL);
}

static void judge_jobs(struct row *r, const struct kase *cases, size_t n)
{
	for (size_t i = 0; i < r->c->n_jobs; i++) {
		const struct case_job *job = &r->c->jobs[i];

		if (job->role == PLAN_PREPARE)
			continue;
		r->job = job;
		r->subject = job->name;
		r->alone = find_case(cases, n, job->alone_case);
		r->alone_job = r->alone ? kase_job(r->alone, job->alone_job) : NULL;
		add_verdict(r);
	}
}

/* Disks of which something is expected. */
static void judge_disks(struct row *r)
{
	for (size_t i = 0; i < r->c->n_disks; i++) {
		char *name __free(ptr) = xstrfmt("disk.%s", r->c->disks[i].name);
		bool expected = false;

		for (size_t k = 0; k < r->x->n; k++)
			expected |= strcmp(r->x->e[k].job, name) == 0;
		r->job = r->alone_job = NULL;
		r->alone = NULL;
		r->subject = name;
		if (expected)
			add_verdict(r);
	}
}

const char *judge_release(const struct run *run)
{
	const char *release = run->kernel.release;

	for (size_t i = 0; i < run->n_boots && (!release || !*release); i++)
		release = run->boots[i].release;
	return release;
}

void judge_run(struct run *run, const struct kase *cases, const struct expect *expects, size_t n)
{
	for (size_t i = 0; i < run->n_verdicts; i++)
		verdict_release(&run->verdicts[i]);
	free(run->verdicts);
	run->verdicts = NULL;
	run->n_verdicts = 0;
	for (size_t i = 0; i < n; i++) {
		struct expect x = EXPECT_INIT;
		struct row r = { .run = run, .c = &cases[i], .x = &x, .why = STRBUF_INIT };

		expect_choose(&x, &expects[i], judge_release(run));
		judge_jobs(&r, cases, n);
		judge_disks(&r);
		free(x.e);
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
		case VERDICT_KNOWN:
		case VERDICT_NONE:
			judged = true;
			break;
		}
	}
	return judged && !open ? JUDGE_OK : JUDGE_CANNOT;
}
