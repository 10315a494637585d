/* SPDX-License-Identifier: GPL-2.0-only */
/* One case of the matrix, and one case with one mutant. */
#include "judge/matrix_cell.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "record/record.h"

static bool value_expected(const struct verdict_value *v)
{
	return v->limit >= 0 || v->floor >= 0 || v->was >= 0;
}

static bool verdict_expected(const struct verdict *v)
{
	for (size_t i = 0; i < v->n_values; i++) {
		if (value_expected(&v->values[i]))
			return true;
	}
	return false;
}

/* The run's verdicts of that case of which something is expected: the one behind 'after' (NULL:
 * the first), or NULL. */
static const struct verdict *next(const struct run *run, const char *name,
				  const struct verdict *after)
{
	for (size_t i = after ? (size_t)(after - run->verdicts) + 1 : 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (!strcmp(v->case_name, name) && verdict_expected(v))
			return v;
	}
	return NULL;
}

bool matrix_case_expected(const struct run *run, const char *name)
{
	return next(run, name, NULL) != NULL;
}

static enum matrix_cell_kind kind_of(const struct verdict *v)
{
	switch (v->kind) {
	case VERDICT_PASS:
	case VERDICT_IMPROVED:
		return CELL_PASS;
	case VERDICT_REGRESSED:
	case VERDICT_KNOWN:	/* stock does not pass; a mutant has no waiver of its own */
		return CELL_REGRESSED;
	case VERDICT_SKIPPED:
		return CELL_SKIPPED;
	case VERDICT_INCONCLUSIVE:
	case VERDICT_BROKEN:
	case VERDICT_NONE:
		return CELL_UNJUDGED;
	}
	return CELL_UNJUDGED;
}

static const struct verdict *find_kind(const struct run *run, const char *name,
				       enum matrix_cell_kind kind)
{
	for (const struct verdict *v = next(run, name, NULL); v; v = next(run, name, v)) {
		if (kind_of(v) == kind)
			return v;
	}
	return NULL;
}

/* "hdd regressed: slowdown 9 above limit 5", not escaped. */
static char *reason_of(const struct verdict *v)
{
	bool more = v->reason && *v->reason;

	return xstrfmt("%s %s%s%s", v->job, verdict_name(v->kind), more ? ": " : "",
		       more ? v->reason : "");
}

void matrix_case_judge(struct matrix_case *c, const struct run *stock)
{
	static const enum matrix_cell_kind bad[] = { CELL_REGRESSED, CELL_UNJUDGED, CELL_SKIPPED };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const struct verdict *v = find_kind(stock, c->name, bad[i]);

		if (!v)
			continue;
		c->stock = bad[i] == CELL_SKIPPED ? CELL_SKIPPED : CELL_UNJUDGED;
		c->reason = reason_of(v);
		return;
	}
	c->stock = CELL_PASS;
	c->reason = xstrdup("");
}

static const struct verdict_value *find_value(const struct run *run, const struct verdict *like,
					      const char *metric)
{
	for (const struct verdict *v = next(run, like->case_name, NULL); v;
	     v = next(run, like->case_name, v)) {
		for (size_t i = 0; i < v->n_values && !strcmp(v->job, like->job); i++) {
			if (!strcmp(v->values[i].metric, metric))
				return &v->values[i];
		}
	}
	return NULL;
}

/* now / base; counts may be 0. */
static double ratio(double now, double base)
{
	if (base > 0)
		return now / base;
	return now > 0 ? (double)INFINITY : 1;
}

/* How much worse, in logarithms: above 0 is worse. */
static double harm(const struct verdict_value *v, double change)
{
	double log_change = log(change);

	return v->higher ? -log_change : log_change;
}

/* Take the value's change if it is worse than what the cell has. */
static void consider(struct matrix_cell *cell, double *worst, bool *worst_regressed,
		     const struct verdict *v, const struct verdict_value *now,
		     const struct verdict_value *base)
{
	bool regressed = now->kind == VERDICT_REGRESSED;
	double change = ratio(now->value, base->value), bad = harm(now, change);

	if (cell->job && (regressed == *worst_regressed ? bad <= *worst : *worst_regressed))
		return;
	*worst = bad;
	*worst_regressed = regressed;
	cell->job = v->job;
	cell->metric = now->metric;
	cell->unit = now->unit;
	cell->base = base->value;
	cell->now = now->value;
	cell->change = change;
}

static void find_change(struct matrix_cell *cell, const char *name, const struct run *stock,
			const struct run *run)
{
	double worst = 0;
	bool regressed = false;

	cell->base = cell->now = cell->change = -1;
	for (const struct verdict *v = next(run, name, NULL); v; v = next(run, name, v)) {
		for (size_t i = 0; i < v->n_values; i++) {
			const struct verdict_value *now = &v->values[i], *base;

			base = value_expected(now) ? find_value(stock, v, now->metric) : NULL;
			if (base && base->value >= 0 && now->value >= 0)
				consider(cell, &worst, &regressed, v, now, base);
		}
	}
}

/* Every verdict that stock has of the case. */
static bool all_there(const struct run *stock, const struct run *run, const char *name)
{
	for (const struct verdict *b = next(stock, name, NULL); b; b = next(stock, name, b)) {
		const struct verdict *v = next(run, name, NULL);

		while (v && strcmp(v->job, b->job) != 0)
			v = next(run, name, v);
		if (!v)
			return false;
	}
	return true;
}

void matrix_cell_judge(struct matrix_cell *cell, const struct matrix_case *c,
		       const struct run *stock, const struct run *run)
{
	static const enum matrix_cell_kind order[] = { CELL_REGRESSED, CELL_UNJUDGED,
						       CELL_SKIPPED };

	find_change(cell, c->name, stock, run);
	cell->kind = c->stock;
	if (c->stock != CELL_PASS) {
		cell->reason = xstrfmt("stock: %s", c->reason);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		const struct verdict *v = find_kind(run, c->name, order[i]);

		if (!v)
			continue;
		/* what stock has, the mutant must not lack */
		cell->kind = order[i] == CELL_SKIPPED ? CELL_UNJUDGED : order[i];
		cell->reason = reason_of(v);
		return;
	}
	if (!all_there(stock, run, c->name)) {
		cell->kind = CELL_UNJUDGED;
		cell->reason = xstrdup("it has not all the verdicts that stock has");
		return;
	}
	cell->reason = xstrdup("");
}
