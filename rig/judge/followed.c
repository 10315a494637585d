/* SPDX-License-Identifier: GPL-2.0-only */
/* Which metric is followed, and what one seed of a run says about it. */
#include "judge/followed.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "case/expect.h"
#include "judge/boots.h"
#include "judge/judge.h"
#include "judge/values.h"
#include "record/record.h"

static void view_release(struct suite *view)
{
	for (size_t i = 0; i < view->n; i++) {
		free(view->cases[i].jobs);
		free(view->expects[i].e);
	}
	free(view->cases);
	free(view->expects);
	*view = (struct suite)SUITE_INIT;
}

void followed_release(struct followed *f)
{
	free(f->name);
	free(f->subject);
	view_release(&f->suite);
	*f = (struct followed)FOLLOWED_INIT;
}

static bool has_case(const struct suite *view, const char *name)
{
	for (size_t i = 0; i < view->n; i++) {
		if (strcmp(view->cases[i].name, name) == 0)
			return true;
	}
	return false;
}

/* The same case, and an array of its own of what the view changes. */
static void view_add(struct suite *view, const struct kase *c, const struct expect *x)
{
	struct kase *copy = array_grow(view->cases, view->n);
	struct expect *expect;
	size_t n = view->n - 1;

	*copy = *c;
	copy->jobs = xcalloc(c->n_jobs, sizeof(*c->jobs));
	memcpy(copy->jobs, c->jobs, c->n_jobs * sizeof(*c->jobs));
	expect = array_grow(view->expects, n);
	*expect = *x;
	expect->e = xcalloc(x->n, sizeof(*x->e));
	if (x->n)	/* else x->e may be NULL */
		memcpy(expect->e, x->e, x->n * sizeof(*x->e));
}

/* What is expected relative to cases that do not run could only be called broken. */
static void view_cut(struct suite *view)
{
	for (size_t c = 0; c < view->n; c++) {
		struct kase *k = &view->cases[c];
		struct expect *x = &view->expects[c];
		size_t n = 0;

		for (size_t i = 0; i < k->n_jobs; i++) {
			if (k->jobs[i].alone_case && !has_case(view, k->jobs[i].alone_case))
				k->jobs[i].alone_case = k->jobs[i].alone_job = NULL;
		}
		for (size_t i = 0; i < x->n; i++) {
			const struct expectation *e = &x->e[i];
			const struct case_job *job = kase_job(k, e->job);

			if (!(e->alone || e->metric == METRIC_SLOWDOWN) || job->alone_case)
				x->e[n++] = *e;
		}
		x->n = n;
	}
}

static void make_view(struct followed *f, const struct suite *suite)
{
	const struct case_job *job = f->alone ? kase_job(&suite->cases[0], f->subject) : NULL;

	for (size_t i = 0; i < suite->n; i++) {
		if (!i || f->verdict || (job && !strcmp(job->alone_case, suite->cases[i].name)))
			view_add(&f->suite, &suite->cases[i], &suite->expects[i]);
	}
	view_cut(&f->suite);
}

void followed_init_verdict(struct followed *f, const struct suite *suite)
{
	*f = (struct followed)FOLLOWED_INIT;
	f->name = xstrdup("verdict");
	f->verdict = true;
	f->limit = f->floor = -1;
	make_view(f, suite);
}

static void set(struct followed *f, const char *subject, enum metric metric, bool alone)
{
	f->subject = xstrdup(subject);
	f->metric = metric == METRIC_SLOWDOWN ? METRIC_TIME : metric;
	f->alone = alone;
	f->unit = alone ? UNIT_RATIO : metric_info(f->metric)->unit;
	f->higher = metric_info(f->metric)->higher;
	f->name = xstrfmt("%s.%s%s", subject, metric_name(f->metric), alone ? "/alone" : "");
}

static const struct expectation *bound_of(const struct expect *x, const char *subject)
{
	for (size_t i = 0; i < x->n; i++) {
		if ((!subject || strcmp(x->e[i].job, subject) == 0) &&
		    (x->e[i].limit >= 0 || x->e[i].floor >= 0))
			return &x->e[i];
	}
	return NULL;
}

static const struct case_job *victim(const struct kase *c, const struct expect *x, bool bound)
{
	for (size_t i = 0; i < c->n_jobs; i++) {
		if (c->jobs[i].role == PLAN_VICTIM && (!bound || bound_of(x, c->jobs[i].name)))
			return &c->jobs[i];
	}
	return NULL;
}

static void choose(struct followed *f, const struct kase *c, const struct expect *x)
{
	const struct case_job *job = victim(c, x, true);
	const struct expectation *e = bound_of(x, job ? job->name : NULL);

	if (e) {
		set(f, e->job, e->metric, false);
		return;
	}
	job = victim(c, x, false);
	set(f, job ? job->name : c->jobs[0].name, METRIC_TIME, false);
}

static int parse(struct followed *f, const struct kase *c, const char *name, struct err *err)
{
	struct expectation e = { .job = NULL };
	int ret = expect_name(&e, name, c, err);

	if (!ret)
		set(f, e.job, e.metric, e.alone || e.metric == METRIC_SLOWDOWN);
	free(e.job);
	return ret;
}

int followed_init(struct followed *f, const struct suite *suite, const char *name, struct err *err)
{
	const struct kase *c = &suite->cases[0];
	const struct expectation *e;
	int ret = 0;

	*f = (struct followed)FOLLOWED_INIT;
	f->limit = f->floor = -1;
	if (name)
		ret = parse(f, c, name, err);
	else
		choose(f, c, &suite->expects[0]);
	if (ret)
		return err_wrap(err, "metric");
	e = f->alone ? NULL : expect_get(&suite->expects[0], f->subject, f->metric);
	if (e) {
		f->limit = e->limit;
		f->floor = e->floor;
	}
	make_view(f, suite);
	return 0;
}

static const struct boot *find_boot(const struct run *run, const char *case_name, uint32_t seed)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		if (run->boots[i].seed == seed && strcmp(run->boots[i].case_name, case_name) == 0)
			return &run->boots[i];
	}
	return NULL;
}

/* Did all that has to run get to its end? The boots are lent to 'one', which has room. */
static enum followed_kind gather(const struct followed *f, const struct run *run, uint32_t seed,
				 struct run *one, struct strbuf *why)
{
	enum followed_kind worst = FOLLOWED_VALUE;

	for (size_t i = 0; i < f->suite.n; i++) {
		const struct boot *b = find_boot(run, f->suite.cases[i].name, seed);
		enum followed_kind kind = FOLLOWED_VALUE;

		if (!b)
			kind = FOLLOWED_MISSING;
		else if (b->outcome == OUTCOME_SKIPPED)
			kind = FOLLOWED_LACKS;
		else if (b->outcome == OUTCOME_BROKEN)
			kind = b->stage == STAGE_BOOT ? FOLLOWED_DEAD : FOLLOWED_NO_VALUE;
		if (b)
			one->boots[one->n_boots++] = *b;
		if (kind <= worst)
			continue;
		worst = kind;
		strbuf_reset(why);
		if (b && b->outcome == OUTCOME_BROKEN)
			strbuf_addf(why, "broken at stage %s: ", stage_name(b->stage));
		strbuf_addstr(why, b ? str_escape(b->reason) : "not run");
	}
	return worst;
}

/* Did every job of the case do its work? A load that fails leaves its victim undisturbed. */
static bool jobs_broken(const struct run *one, const struct kase *c, struct strbuf *why)
{
	for (size_t i = 0; i < c->n_jobs; i++) {
		if (c->jobs[i].role != PLAN_PREPARE &&
		    boots_job_broken(one, c, &c->jobs[i], why))
			return true;
	}
	return false;
}

static double value_of(const struct run *one, const struct kase *c, const char *subject,
		       enum metric metric)
{
	struct values v __release(values) = VALUES_INIT;

	values_collect(&v, one, c, subject, metric);
	return v.n ? v.v[0] : -1;
}

static enum followed_kind get_metric(const struct followed *f, const struct run *one, double *value,
				     struct strbuf *why)
{
	const struct kase *c = &f->suite.cases[0], *alone = &f->suite.cases[f->suite.n - 1];
	const struct case_job *job = f->alone ? kase_job(c, f->subject) : NULL;
	double of = 1;

	for (size_t i = 0; i < f->suite.n; i++) {
		if (jobs_broken(one, &f->suite.cases[i], why))
			return FOLLOWED_NO_VALUE;
	}
	*value = value_of(one, c, f->subject, f->metric);
	if (job)
		of = value_of(one, alone, job->alone_job, f->metric);
	if (*value < 0 || of < 0 || (job && !(of > 0))) {
		strbuf_addf(why, "no %s was measured", f->name);
		return FOLLOWED_NO_VALUE;
	}
	*value /= of;
	return FOLLOWED_VALUE;
}

static enum followed_kind get_verdict(const struct followed *f, struct run *one, double *value,
				      struct strbuf *why)
{
	enum followed_kind kind = FOLLOWED_VALUE;
	enum judge_exit status;

	judge_run(one, f->suite.cases, f->suite.expects, f->suite.n);
	status = judge_exit_status(one);
	*value = status == JUDGE_REGRESSED;
	if (status == JUDGE_CANNOT)
		kind = FOLLOWED_NO_VALUE;
	for (size_t i = 0; i < one->n_verdicts; i++) {
		struct verdict *v = &one->verdicts[i];
		bool judged = v->kind != VERDICT_BROKEN && v->kind != VERDICT_SKIPPED &&
			      v->kind != VERDICT_INCONCLUSIVE;

		if (kind != FOLLOWED_VALUE && !judged && !why->len)
			strbuf_addf(why, "%s: %s", v->job, v->reason);
		verdict_release(v);
	}
	free(one->verdicts);
	if (kind != FOLLOWED_VALUE && !why->len)
		strbuf_addstr(why, "nothing could be judged");
	return kind;
}

enum followed_kind followed_get(const struct followed *f, const struct run *run, uint32_t seed,
				double *value, struct strbuf *why)
{
	struct boot *boots __free(ptr) = xcalloc(f->suite.n, sizeof(*boots));
	struct run one = { .boots = boots, .clock = run->clock, .floors = run->floors,
			   .n_floors = run->n_floors };
	enum followed_kind kind = gather(f, run, seed, &one, why);

	if (kind != FOLLOWED_VALUE)
		return kind;
	return f->verdict ? get_verdict(f, &one, value, why) : get_metric(f, &one, value, why);
}
