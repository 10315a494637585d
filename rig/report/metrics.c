/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of all metrics. */
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "case/metric.h"
#include "record/record.h"
#include "report/columns.h"
#include "report/metrics.h"

enum { C_JOB, C_METRIC, C_VALUE, C_MIN, C_MAX, C_ALONE, C_BOUND, C_VERDICT, C_N };

static const struct columns_spec spec[C_N] = {
	[C_JOB] = { "JOB", false }, [C_METRIC] = { "METRIC", false },
	[C_VALUE] = { "MEDIAN", true }, [C_MIN] = { "LEAST", true }, [C_MAX] = { "MOST", true },
	[C_ALONE] = { "ALONE", true }, [C_BOUND] = { "LIMIT", true },
	[C_VERDICT] = { "VERDICT", false },
};

static void put(struct columns *t, size_t column, const struct verdict_value *v, double value)
{
	int unit = metric_unit_parse(v->unit);
	char buf[32];

	if (value >= 0)
		columns_put(t, column, "%s", metric_format(unit < 0 ? UNIT_NUMBER
								    : (enum metric_unit)unit,
							   value, buf));
}

static void add_value(struct columns *t, const struct verdict *v, const struct verdict_value *w,
		      bool first)
{
	columns_row(t);
	if (first)
		columns_put(t, C_JOB, "%s%s", v->role == PLAN_LOAD ? "+" : "", str_escape(v->job));
	columns_put(t, C_METRIC, "%s", str_escape(w->metric));
	put(t, C_VALUE, w, w->value);
	if (w->seeds > 1) {
		put(t, C_MIN, w, w->min);
		put(t, C_MAX, w, w->max);
	}
	put(t, C_ALONE, w, w->alone);
	put(t, C_BOUND, w, w->limit >= 0 ? w->limit : w->floor);
	if (w->kind != VERDICT_NONE)
		columns_put(t, C_VERDICT, "%s", verdict_name(w->kind));
}

void metrics_run(struct strbuf *out, const struct run *run)
{
	const char *before = NULL;
	struct columns t;

	columns_init(&t, spec, C_N);
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (v->n_values && (!before || strcmp(before, v->case_name)))
			columns_title(&t, str_escape(v->case_name));
		before = v->n_values ? v->case_name : before;
		for (size_t k = 0; k < v->n_values; k++)
			add_value(&t, v, &v->values[k], !k);
	}
	if (t.n_rows) {
		strbuf_addch(out, '\n');
		columns_print(&t, out);
	}
	columns_release(&t);
}
