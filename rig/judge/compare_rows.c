/* SPDX-License-Identifier: GPL-2.0-only */
/* What two runs have of each job and metric. */
#include "judge/compare_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "judge/boots.h"
#include "judge/noise.h"
#include "judge/values.h"
#include "record/record.h"
#include "stats/stats.h"

#define BOOTS_MAX 1000		/* of one case; the tests' cost grows with their square */

static const enum metric metrics[] = {
	METRIC_TIME, METRIC_SYNC, METRIC_TOTAL, METRIC_RATE, METRIC_P50, METRIC_P99, METRIC_MAX,
	METRIC_ERRORS,
};

/* One job in both runs. */
struct pair {
	const struct run *base, *now;
	const struct verdict *v, *w;	/* w: of now, NULL if it has none */
	size_t block;
};

static const struct verdict *find_verdict(const struct run *run, const struct verdict *like)
{
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (!strcmp(v->case_name, like->case_name) && !strcmp(v->job, like->job))
			return v;
	}
	return NULL;
}

static struct change *add_row(struct compare *cmp, struct compare_rows *rows,
			      const struct verdict *v, int metric)
{
	struct change *c = array_grow(cmp->c, cmp->n);

	array_grow(rows->r, rows->n);
	*c = (struct change){
		.case_name = v->case_name, .job = v->job, .role = v->role, .metric = metric,
		.kind = CHANGE_NOT_COMPARED, .base = -1, .now = -1, .p = -1, .p_family = -1,
		.effect = 0.5, .visible = -1, .matters = cmp->o.matters, .change = 1, .low = 1,
		.high = 1, .level = 0, .ratio = true, .floor = -1,
	};
	return c;
}

static void add_unfit(struct compare *cmp, struct compare_rows *rows, const struct verdict *v,
		      char *reason)
{
	add_row(cmp, rows, v, -1)->reason = reason;
}

static size_t boots_done(const struct run *run, const char *case_name)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_boots; i++)
		n += run->boots[i].outcome == OUTCOME_DONE &&
		     !strcmp(run->boots[i].case_name, case_name);
	return n;
}

/* Why this verdict's job cannot be compared, fresh, or NULL. */
static char *unfit(const char *which, const struct run *run, const struct verdict *v)
{
	bool done = boots_done(run, v->case_name);

	if (v->kind == VERDICT_BROKEN || v->kind == VERDICT_SKIPPED ||
	    (v->kind == VERDICT_INCONCLUSIVE && !done))
		return xstrfmt("%s in the %s run: %s", verdict_name(v->kind), which,
			       str_escape(v->reason));
	if (!done)
		return xstrfmt("no boot of it is done in the %s run", which);
	return NULL;
}

/*
 * A case as far as values_collect() needs it. Whether commands did what the case asks was judged
 * with the run, and is in its verdicts; what is left to know is whether a job was stopped.
 */
static void collect(struct values *v, const struct run *run, const struct verdict *of,
		    enum metric metric)
{
	struct case_job job = { .name = of->job, .run = (char *)"", .role = of->role,
				.stop = of->role == PLAN_LOAD ? PLAN_STOP_VICTIMS : PLAN_STOP_END };
	struct kase c = { .name = of->case_name, .jobs = &job, .n_jobs = 1 };

	values_collect(v, run, &c, of->job, metric);
}

/* The case's own word for what is still the same. */
static double within_of(const struct pair *p, enum metric metric)
{
	const struct verdict *const both[] = { p->w, p->v };

	for (size_t k = 0; k < ARRAY_SIZE(both); k++) {
		for (size_t i = 0; i < both[k]->n_values; i++) {
			const struct verdict_value *x = &both[k]->values[i];

			if (!strcmp(x->metric, metric_name(metric)) && x->within > 0)
				return x->within;
		}
	}
	return -1;
}

static double median_of(const struct values *v)
{
	double *sorted __free(ptr) = xcalloc(v->n, sizeof(double));

	memcpy(sorted, v->v, v->n * sizeof(double));
	return stats_median(sorted, v->n);
}

static char *partly(const struct values *a, size_t of_a, const struct values *b, size_t of_b)
{
	if (!a->n || !b->n)
		return xstrfmt("only the %s run has it", a->n ? "base" : "new");
	if (a->n > BOOTS_MAX || b->n > BOOTS_MAX)
		return xstrfmt("more than %d boots", BOOTS_MAX);
	if (a->n == of_a && b->n == of_b)
		return NULL;
	return xstrfmt("%zu of %zu boots have it in the base run, %zu of %zu in the new", a->n,
		       of_a, b->n, of_b);
}

/* The host's noise in this row: what is less than that does not matter here, and cannot be asked
 * for. Fresh, or NULL. */
static char *take_floor(struct change *c, const struct pair *p, enum metric metric, double within)
{
	double a = noise_floor(p->base, p->v->case_name, p->v->job, metric);
	double b = noise_floor(p->now, p->v->case_name, p->v->job, metric);

	c->floor = c->ratio ? fmax(a, b) : -1;
	if (within > 0 && within < c->floor)
		return xstrfmt("the case's 'within' of %.3g%% is below this host's noise floor of "
			       "%.2g%%: refused, as nothing so small can be told from noise here",
			       within * 100, c->floor * 100);
	c->matters = fmax(c->matters, c->floor);
	return NULL;
}

/* No error in any boot is no row. */
static bool is_dull(enum metric metric, const struct values *a, const struct values *b)
{
	return (!a->n && !b->n) || (metric == METRIC_ERRORS && !(a->max > 0) && !(b->max > 0));
}

static void add_metric(struct compare *cmp, struct compare_rows *rows, const struct pair *p,
		       enum metric metric)
{
	struct values a __release(values) = VALUES_INIT, b __release(values) = VALUES_INIT;
	double within = within_of(p, metric);
	struct change *c;

	collect(&a, p->base, p->v, metric);
	collect(&b, p->now, p->w, metric);
	if (is_dull(metric, &a, &b))
		return;
	c = add_row(cmp, rows, p->v, (int)metric);
	c->n_base = a.n;
	c->n_now = b.n;
	c->base = a.n ? median_of(&a) : -1;
	c->now = b.n ? median_of(&b) : -1;
	c->matters = within > 0 ? within : c->matters;
	c->reason = partly(&a, boots_done(p->base, p->v->case_name), &b,
			   boots_done(p->now, p->v->case_name));
	if (c->reason)
		return;
	c->ratio = a.min > 0 && b.min > 0;
	c->reason = take_floor(c, p, metric, within);
	if (c->reason)
		return;
	rows->r[rows->n - 1].a = no_free_ptr(a.v);
	rows->r[rows->n - 1].b = no_free_ptr(b.v);
	rows->r[rows->n - 1].block = p->block;
}

/* A job whose total is known needs no rate; one that was stopped has nothing else. */
static void add_metrics(struct compare *cmp, struct compare_rows *rows, const struct pair *p)
{
	size_t before = rows->n;

	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++) {
		bool has_time = rows->n > before && cmp->c[before].metric == METRIC_TIME;

		if (metrics[i] != METRIC_RATE || !has_time)
			add_metric(cmp, rows, p, metrics[i]);
	}
	if (rows->n == before)
		add_unfit(cmp, rows, p->v, xstrdup("nothing of it was measured"));
}

static const char *case_sha256(const struct run *run, const char *case_name)
{
	for (size_t i = 0; i < run->n_boots; i++)
		if (!strcmp(run->boots[i].case_name, case_name))
			return run->boots[i].case_sha256;
	return "";
}

static void add_job(struct compare *cmp, struct compare_rows *rows, const struct pair *p)
{
	char *why;

	if (strncmp(p->v->job, "disk.", strlen("disk.")) == 0)
		return;
	if (!p->w) {
		add_unfit(cmp, rows, p->v, xstrdup("only the base run has it"));
		return;
	}
	why = unfit("base", p->base, p->v);
	why = why ? why : unfit("new", p->now, p->w);
	if (!why && strcmp(case_sha256(p->base, p->v->case_name),
			   case_sha256(p->now, p->v->case_name)) != 0)
		why = xstrdup("the case is not the same in both runs");
	if (why)
		add_unfit(cmp, rows, p->v, why);
	else
		add_metrics(cmp, rows, p);
}

void compare_rows_collect(struct compare_rows *rows, struct compare *cmp, const struct run *base,
			  const struct run *now)
{
	size_t block = 0;

	for (size_t i = 0; i < base->n_verdicts; i++) {
		const struct verdict *v = &base->verdicts[i];
		struct pair p = { base, now, v, find_verdict(now, v), 0 };

		block += i && strcmp(v->case_name, v[-1].case_name);
		p.block = block;
		add_job(cmp, rows, &p);
	}
	for (size_t i = 0; i < now->n_verdicts; i++) {
		const struct verdict *v = &now->verdicts[i];

		if (!find_verdict(base, v) && strncmp(v->job, "disk.", strlen("disk.")))
			add_unfit(cmp, rows, v, xstrdup("only the new run has it"));
	}
}

void compare_rows_release(struct compare_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		free(rows->r[i].a);
		free(rows->r[i].b);
	}
	free(rows->r);
	*rows = (struct compare_rows)COMPARE_ROWS_INIT;
}
