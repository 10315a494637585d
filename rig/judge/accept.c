/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of a run as the accepted ones. */
#include "judge/accept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "case/case.h"
#include "judge/noise.h"
#include "judge/row.h"
#include "record/record.h"

#define WITHIN_LEAST 0.05

void accept_release(struct accept *a)
{
	free(a->rows);
	*a = (struct accept)ACCEPT_INIT;
}

static const struct verdict *find_verdict(const struct run *run, const struct kase *c,
					  const char *job)
{
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (!strcmp(v->case_name, c->name) && !strcmp(v->job, job))
			return v;
	}
	return NULL;
}

/* How far a seed is from the value, as a part of it. */
static double farthest(const struct verdict_value *v)
{
	return fmax(fabs(v->max - v->value), fabs(v->value - v->min)) / v->value;
}

static double within_for(const struct expectation *e, const struct verdict_value *v, double noise)
{
	double far = farthest(v), wide = ceil(far * 200 - 1e-9) / 100;
	double least = fmax(WITHIN_LEAST, ceil(noise * 100 - 1e-9) / 100);

	if (e->within >= 0 && far <= e->within && e->within >= noise)
		return -1;
	return fmax(wide, least);
}

/* Outside of what is still the same, or never accepted. */
static bool is_news(const struct expectation *e, const struct verdict_value *v)
{
	if (e->was < 0)
		return false;
	return e->within < 0 || v->value > e->was * (1 + e->within) ||
	       v->value < e->was * (1 - e->within);
}

static void propose_was(struct accept_row *row, const struct accept_options *o, double noise)
{
	if (!(row->v->value > 0) || !(is_news(row->e, row->v) || o->all))
		return;
	row->was = row->v->value;
	row->within = within_for(row->e, row->v, noise);
}

static void propose_limit(struct accept_row *row, const struct accept_options *o)
{
	const struct expectation *e = row->e;
	const struct verdict_value *v = row->v;

	if (o->margin < 0)
		return;
	if (v->higher) {
		row->floor = fmin(v->min, v->value) * (1 - o->margin);
		if (e->limit >= 0)
			row->floor = fmin(row->floor, e->limit);
		if (e->goal >= 0)
			row->floor = fmin(row->floor, e->goal);
		row->looser = e->floor >= 0 && row->floor < e->floor;
		return;
	}
	row->limit = fmax(fmax(v->max, v->value) * (1 + o->margin), fmax(e->goal, e->floor));
	row->looser = e->limit >= 0 && row->limit > e->limit;
}

static void propose(struct accept *a, const struct expectation *e, const struct verdict_value *v,
		    const struct accept_options *o, double noise)
{
	struct accept_row row = { .e = e, .v = v, .was = -1, .within = -1, .limit = -1,
				  .floor = -1 };

	if (v->kind == VERDICT_BROKEN || v->kind == VERDICT_SKIPPED || v->seeds < ACCEPT_SEEDS ||
	    v->value < 0)
		return;
	propose_was(&row, o, noise);
	propose_limit(&row, o);
	if (row.was >= 0 || row.limit >= 0 || row.floor >= 0)
		*array_grow(a->rows, a->n) = row;
}

void accept_propose(struct accept *a, const struct run *run, const struct kase *c,
		    const struct expect *x, const struct accept_options *o)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct expectation *e = &x->e[i];
		const struct verdict *verdict = find_verdict(run, c, e->job);
		char *name __free(ptr) = row_value_name(e->metric, e->alone);
		const struct verdict_value *v = verdict ? row_value(verdict, name) : NULL;

		if (v)
			propose(a, e, v, o, noise_floor_expected(run, c, e));
	}
}
