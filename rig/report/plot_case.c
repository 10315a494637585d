/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures over seeds and runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "case/metric.h"
#include "judge/compare.h"
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

static void add_row(struct plot *p, const struct run *run, const struct verdict *v, bool ratio,
		    bool several, double *top)
{
	double times[SEEDS_MAX];
	size_t n = spark_times(run, v, times, SEEDS_MAX);
	double unit = ratio ? v->alone_ns / 1e9 : 1;
	char *name __free(ptr) = xstrfmt("%s%s%s%s", v->role == PLAN_LOAD ? "+" : "", v->job,
					 several ? " " : "", several ? run->kernel.name : "");
	struct plot_series *s;

	plot_add_row(p, name);
	s = plot_add(p, PLOT_DOTS, NULL, v->role == PLAN_LOAD ? PLOT_SOFT : PLOT_INK, n);
	for (size_t i = 0; i < n; i++) {
		if (times[i] < 0)
			continue;
		plot_point(s, times[i] / unit, (double)(p->n_rows - 1), 0);
		*top = times[i] / unit > *top ? times[i] / unit : *top;
	}
}

static void add_bound(struct plot *p, const char *name, int color, double v, double *top)
{
	if (v < 0)
		return;
	plot_line_at(p, PLOT_UPRIGHT, name, color, v);
	*top = v > *top ? v : *top;
}

void plot_case_seeds(struct plot *p, const struct run *const *runs, size_t n_runs,
		     const char *case_name)
{
	const struct verdict *judged = NULL;
	double top = 0;
	bool ratio = false;

	for (size_t i = 0; i < n_runs; i++)
		ratio = ratio || has_slowdown(runs[i], case_name);
	plot_init(p, "seeds",
		  ratio ? "Slowdown, a mark for each seed" : "Time, a mark for each seed",
		  ratio ? "times as long as alone" : "s", "");
	for (size_t r = 0; r < n_runs; r++) {
		for (size_t i = 0; i < runs[r]->n_verdicts; i++) {
			const struct verdict *v = &runs[r]->verdicts[i];

			if (strcmp(v->case_name, case_name) || v->time_ns < 0 ||
			    (ratio && !(v->alone_ns > 0)))
				continue;
			add_row(p, runs[r], v, ratio, n_runs > 1, &top);
			if (!judged && v->limit >= 0)
				judged = v;
		}
	}
	if (ratio && judged) {
		add_bound(p, "limit", PLOT_LIMIT, judged->limit, &top);
		add_bound(p, "goal", PLOT_GOOD, judged->goal, &top);
		add_bound(p, "last accepted", PLOT_SOFT, judged->was, &top);
	}
	p->x_max = top > 0 ? top * 1.04 : 1;
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
	char *name __free(ptr) = xstrfmt("%s %s", path_base(c->case_name), c->job);
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

void plot_change(struct plot *p, const struct compare *cmp)
{
	const struct change **c __free(ptr) = xcalloc(cmp->n + 1, sizeof(const void *));
	double most = 1.2;
	size_t n = 0;

	plot_init(p, "change", "Time against the base, with its interval", "times the base's", "");
	for (size_t i = 0; i < cmp->n; i++)
		if (cmp->c[i].metric == METRIC_TIME && cmp->c[i].ratio && cmp->c[i].change > 0 &&
		    isfinite(cmp->c[i].change) && cmp->c[i].kind != CHANGE_NOT_COMPARED)
			c[n++] = &cmp->c[i];
	qsort(c, n, sizeof(const void *), by_size);
	for (size_t i = 0; i < n && i < PLOT_CHANGES; i++)
		add_change(p, c[i], &most);
	plot_line_at(p, PLOT_UPRIGHT, "no change", PLOT_SOFT, 1);
	p->x_max = most * 1.04;
	plot_fit(p);
}
