/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures over seeds and runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "case/case.h"
#include "case/metric.h"
#include "judge/compare.h"
#include "judge/values.h"
#include "record/record.h"
#include "report/plot.h"
#include "report/plot_case.h"
#include "report/spark.h"

#define SEEDS_MAX 200	/* marks of one row */

static bool has_slowdown(const struct run *run, const char *case_name)
{
	for (size_t i = 0; i < run->n_verdicts; i++)
		if (!strcmp(run->verdicts[i].case_name, case_name) &&
		    run->verdicts[i].slowdown >= 0 && run->verdicts[i].alone_ns > 0)
			return true;
	return false;
}

/* Which bounds of a picture have their word in the legend already. */
struct legend {
	bool limit, goal, was;
};

/* A short line across the last row. */
static void add_bound(struct plot *p, const char *name, bool *named, int color, double v,
		      double *top)
{
	double y = (double)p->n_rows - 1;
	struct plot_series *s;

	if (!(v >= 0) || !isfinite(v))
		return;
	s = plot_add(p, PLOT_LINE, *named ? NULL : name, color, 2);
	*named = true;
	plot_point(s, v, y - 0.4, 0);
	plot_point(s, v, y + 0.4, 0);
	*top = v > *top ? v : *top;
}

static const struct verdict *find_verdict(const struct run *run, const struct verdict *like)
{
	for (size_t i = 0; i < run->n_verdicts; i++)
		if (!strcmp(run->verdicts[i].case_name, like->case_name) &&
		    !strcmp(run->verdicts[i].job, like->job))
			return &run->verdicts[i];
	return NULL;
}

/* Has a run before number r a row for the same job, behind which this one's stands? */
static bool is_before(const struct run *const *runs, size_t r, const struct verdict *v)
{
	for (size_t k = 0; k < r; k++)
		if (find_verdict(runs[k], v))
			return true;
	return false;
}

/* What tells a run from the others beside it: its kernel's name, of a patched one what is new. */
static const char *row_kernel(const struct run *const *runs, size_t n_runs, size_t r)
{
	const char *name = runs[r]->kernel.name, *first = runs[0]->kernel.name;
	size_t len = strlen(first);

	if (n_runs < 2)
		return "";
	return r && !strncmp(name, first, len) && name[len] == '+' ? name + len : name;
}

static void add_row(struct plot *p, const struct run *run, const struct verdict *v, bool ratio,
		    const char *kernel, double *top, struct legend *legend)
{
	double times[SEEDS_MAX];
	size_t n = spark_times(run, v, times, SEEDS_MAX);
	double unit = ratio ? v->alone_ns / 1e9 : 1;
	char *name __free(ptr) = xstrfmt("%s%s%s%s", v->role == PLAN_LOAD ? "+" : "", v->job,
					 *kernel ? " " : "", kernel);
	struct plot_series *s;

	plot_add_row(p, name);
	if (ratio) {
		add_bound(p, "limit", &legend->limit, PLOT_LIMIT, v->limit, top);
		add_bound(p, "goal", &legend->goal, PLOT_GOOD, v->goal, top);
		add_bound(p, "last accepted", &legend->was, PLOT_SOFT, v->was, top);
	}
	s = plot_add(p, PLOT_DOTS, NULL, v->role == PLAN_LOAD ? PLOT_SOFT : PLOT_INK, n);
	for (size_t i = 0; i < n; i++) {
		if (times[i] < 0)
			continue;
		plot_point(s, times[i] / unit, (double)(p->n_rows - 1), 0);
		*top = times[i] / unit > *top ? times[i] / unit : *top;
	}
}

void plot_case_seeds(struct plot *p, const struct run *const *runs, size_t n_runs,
		     const char *case_name)
{
	struct legend legend = { .limit = false };
	double top = 0;
	bool ratio = false;

	for (size_t i = 0; i < n_runs; i++)
		ratio = ratio || has_slowdown(runs[i], case_name);
	plot_init(p, "seeds",
		  ratio ? "Slowdown, a mark for each seed" : "Time, a mark for each seed",
		  ratio ? "times as long as alone" : "s", "");
	for (size_t r = 0; r < n_runs; r++) {
		for (size_t i = 0; i < runs[r]->n_verdicts; i++) {
			const struct verdict *v = &runs[r]->verdicts[i], *w;

			if (strcmp(v->case_name, case_name) || is_before(runs, r, v))
				continue;
			for (size_t k = r; k < n_runs; k++) {
				w = k == r ? v : find_verdict(runs[k], v);
				if (w && w->time_ns >= 0 && (!ratio || w->alone_ns > 0))
					add_row(p, runs[k], w, ratio, row_kernel(runs, n_runs, k),
						&top, &legend);
			}
		}
	}
	p->x_max = top > 0 ? top * 1.04 : 1;
	plot_fit(p);
}

/* What each seed gave of a value, as a part of 'whole'. */
static void add_values(struct plot *p, const struct run *run, const struct verdict *v,
		       const struct verdict_value *x, double whole, double *top)
{
	struct case_job job = { .name = v->job, .run = (char *)"", .role = v->role,
				.stop = v->role == PLAN_LOAD ? PLAN_STOP_VICTIMS : PLAN_STOP_END };
	struct kase c = { .name = v->case_name, .jobs = &job, .n_jobs = 1 };
	struct values values __release(values) = VALUES_INIT;
	char *name __free(ptr) = xstrndup(x->metric, strcspn(x->metric, "/"));
	bool of_disk = !strncmp(v->job, "disk.", 5), alone = strchr(x->metric, '/');
	int metric = metric_find(name, of_disk);
	double y = (double)p->n_rows - 1;
	struct plot_series *s;

	if (metric < 0 || metric == METRIC_SLOWDOWN || (alone && !(x->alone > 0)))
		return;
	values_collect(&values, run, &c, v->job, (enum metric)metric);
	s = plot_add(p, PLOT_DOTS, NULL, v->role == PLAN_LOAD ? PLOT_SOFT : PLOT_INK,
		     values.n);
	for (size_t i = 0; i < values.n && i < SEEDS_MAX; i++) {
		double at = values.v[i] / whole / (alone ? x->alone : 1);

		plot_point(s, at, y, 0);
		*top = at > *top ? at : *top;
	}
}

static void add_judged(struct plot *p, const struct run *run, const struct verdict *v,
		       const struct verdict_value *x, const char *kernel, double *top,
		       struct legend *legend)
{
	double whole = x->limit > 0 ? x->limit : x->floor > 0 ? x->floor : x->was;
	int unit = metric_unit_parse(x->unit);
	char *name __free(ptr) = NULL;
	char buf[32];

	if (x->kind == VERDICT_NONE || !(whole > 0) || unit < 0 ||
	    !strcmp(x->metric, metric_name(METRIC_SLOWDOWN)))
		return;
	metric_format((enum metric_unit)unit, whole, buf);
	name = xstrfmt("%s%s %s %s", v->role == PLAN_LOAD ? "+" : "", v->job, x->metric,
		       *kernel ? kernel : buf);
	plot_add_row(p, name);
	add_bound(p, "goal", &legend->goal, PLOT_GOOD, x->goal / whole, top);
	add_bound(p, "last accepted", &legend->was, PLOT_SOFT, x->was / whole, top);
	add_values(p, run, v, x, whole, top);
}

static const struct verdict_value *find_value(const struct verdict *v, const char *metric)
{
	for (size_t i = 0; v && i < v->n_values; i++)
		if (!strcmp(v->values[i].metric, metric))
			return &v->values[i];
	return NULL;
}

/* A figure's rows of all runs from number r on stand together. */
static void add_judged_of_all(struct plot *p, const struct run *const *runs, size_t n_runs,
			      size_t r, const struct verdict *v, const struct verdict_value *x,
			      double *top, struct legend *legend)
{
	add_judged(p, runs[r], v, x, row_kernel(runs, n_runs, r), top, legend);
	for (size_t k = r + 1; k < n_runs; k++) {
		const struct verdict *w = find_verdict(runs[k], v);
		const struct verdict_value *y = find_value(w, x->metric);

		if (y)
			add_judged(p, runs[k], w, y, row_kernel(runs, n_runs, k), top, legend);
	}
}

void plot_case_judged(struct plot *p, const struct run *const *runs, size_t n_runs,
		      const char *case_name)
{
	struct legend legend = { .limit = false };
	double top = 1;

	plot_init(p, "judged", "What else is judged, a mark for each seed",
		  "part of the limit, or of the floor (then more is better)", "");
	for (size_t r = 0; r < n_runs; r++) {
		for (size_t i = 0; i < runs[r]->n_verdicts; i++) {
			const struct verdict *v = &runs[r]->verdicts[i];

			if (strcmp(v->case_name, case_name) || is_before(runs, r, v))
				continue;
			for (size_t k = 0; k < v->n_values; k++)
				add_judged_of_all(p, runs, n_runs, r, v, &v->values[k], &top,
						  &legend);
		}
	}
	plot_line_at(p, PLOT_UPRIGHT, "limit or floor", PLOT_LIMIT, 1);
	p->x_max = top * 1.04;
	plot_fit(p);
}

static double size_of(const struct change *c)
{
	return fabs(log(c->change));
}

static int by_size(const void *a, const void *b)
{
	const struct change *x = *(const struct change *const *)a;
	const struct change *y = *(const struct change *const *)b;

	return (size_of(x) < size_of(y)) - (size_of(x) > size_of(y));
}

static void add_change(struct plot *p, const struct change *c, double *most)
{
	bool time = c->metric == METRIC_TIME;
	char *name __free(ptr) = xstrfmt("%s %s%s%s", path_base(c->case_name), c->job,
					 time ? "" : " ",
					 time ? "" : metric_name((enum metric)c->metric));
	struct plot_series *s;
	double y;

	plot_add_row(p, name);
	y = (double)(p->n_rows - 1);
	s = plot_add(p, PLOT_LINE, NULL, PLOT_INK, 2);
	plot_point(s, c->low, y, 0);
	plot_point(s, c->high, y, 0);
	s = plot_add(p, PLOT_DOTS, NULL, PLOT_INK, 1);
	plot_point(s, c->change, y, 0);
	*most = c->change > *most ? c->change : *most;
	*most = isfinite(c->high) && c->high > *most ? c->high : *most;
}

/* A job has the one or the other. */
static bool is_drawn(int metric)
{
	return metric == METRIC_TIME || metric == METRIC_RATE;
}

void plot_change(struct plot *p, const struct compare *cmp)
{
	const struct change **c __free(ptr) = xcalloc(cmp->n + 1, sizeof(const void *));
	double most = 1.2;
	size_t n = 0;

	plot_init(p, "change", "Times against the base, and rates of what was stopped",
		  "times the base's; the bar is the interval", "");
	for (size_t i = 0; i < cmp->n; i++)
		if (is_drawn(cmp->c[i].metric) && cmp->c[i].ratio && cmp->c[i].change > 0 &&
		    isfinite(cmp->c[i].change) && cmp->c[i].kind != CHANGE_NOT_COMPARED)
			c[n++] = &cmp->c[i];
	qsort(c, n, sizeof(const void *), by_size);
	for (size_t i = 0; i < n && i < PLOT_CHANGES; i++)
		add_change(p, c[i], &most);
	plot_line_at(p, PLOT_UPRIGHT, "no change", PLOT_SOFT, 1);
	p->x_max = most * 1.04;
	plot_fit(p);
}
