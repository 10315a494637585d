/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of a verdict. */
#include "judge/row.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "judge/values.h"

static double ratio_or_none(double v, double of)
{
	return v >= 0 && of > 0 ? v / of : -1;
}

struct verdict_value *row_value(const struct verdict *v, const char *metric)
{
	for (size_t i = 0; i < v->n_values; i++) {
		if (strcmp(v->values[i].metric, metric) == 0)
			return &v->values[i];
	}
	return NULL;
}

char *row_value_name(enum metric metric, bool alone)
{
	return xstrfmt("%s%s", metric_name(metric), alone ? "/alone" : "");
}

static const struct expectation *find_expected(const struct row *r, enum metric metric, bool alone)
{
	for (size_t i = 0; i < r->x->n; i++) {
		const struct expectation *e = &r->x->e[i];

		if (e->metric == metric && e->alone == alone && strcmp(e->job, r->subject) == 0)
			return e;
	}
	return NULL;
}

/* A new row of the verdict's values; what is expected is shown whatever becomes of it. */
static struct verdict_value *add_value(struct row *r, enum metric metric, bool alone,
				       const struct values *values)
{
	const struct metric_info *info = metric_info(metric);
	const struct expectation *e = find_expected(r, metric, alone);
	struct verdict_value *v = array_grow(r->v->values, r->v->n_values);
	enum metric_unit unit = alone ? UNIT_RATIO : info->unit;

	*v = (struct verdict_value){
		.metric = row_value_name(metric, alone), .unit = xstrdup(metric_unit_word(unit)),
		.higher = info->higher, .kind = VERDICT_NONE, .seeds = (int)values->n,
		.value = values->value, .min = values->min, .max = values->max, .alone = -1,
		.limit = e ? e->limit : -1, .floor = e ? e->floor : -1, .goal = e ? e->goal : -1,
		.was = e ? e->was : -1, .within = e ? e->within : -1,
	};
	return v;
}

/* The same over what the job has alone: named "slowdown" of the time. */
static void add_relative(struct row *r, enum metric metric, bool alone,
			 const struct values *values)
{
	enum metric of = metric == METRIC_SLOWDOWN ? METRIC_TIME : metric;
	struct values base __release(values) = VALUES_INIT;
	struct verdict_value *v;

	if (r->alone_job)
		values_collect(&base, r->run, r->alone, r->alone_job->name, of);
	v = add_value(r, metric, alone, values);
	v->alone = base.value;
	v->value = ratio_or_none(values->value, base.value);
	v->min = ratio_or_none(values->min, base.value);
	v->max = ratio_or_none(values->max, base.value);
}

/* All that there is of the job or disk, and all that is expected of it. */
static void fill_values(struct row *r)
{
	for (int i = 0; i < METRIC_N; i++) {
		enum metric metric = (enum metric)i;
		enum metric of = metric == METRIC_SLOWDOWN ? METRIC_TIME : metric;
		struct values values __release(values) = VALUES_INIT;
		bool relative = find_expected(r, metric, true);

		if ((metric_info(metric)->of == METRIC_OF_DISK) != !r->job)
			continue;
		values_collect(&values, r->run, r->c, r->subject, of);
		if (metric == METRIC_SLOWDOWN) {
			if ((r->alone_job && values.n) || find_expected(r, metric, false))
				add_relative(r, metric, false, &values);
			continue;
		}
		if (values.n || relative || find_expected(r, metric, false))
			add_value(r, metric, false, &values);
		if (relative)
			add_relative(r, metric, true, &values);
	}
}

/* The columns that every table has, from the values. */
static void fill_times(struct row *r)
{
	struct verdict *v = r->v;
	const struct verdict_value *time = row_value(v, "time"), *sync = row_value(v, "sync");
	const struct verdict_value *total = row_value(v, "total");
	const struct verdict_value *slowdown = row_value(v, "slowdown");
	struct values alone __release(values) = VALUES_INIT;

	v->seeds = time ? time->seeds : 0;
	v->time_ns = time ? time->value : -1;
	v->time_min_ns = time ? time->min : -1;
	v->time_max_ns = time ? time->max : -1;
	v->sync_ns = sync ? sync->value : -1;
	v->total_ns = total ? total->value : -1;
	v->slowdown = slowdown ? slowdown->value : -1;
	if (r->alone_job)
		values_collect(&alone, r->run, r->alone, r->alone_job->name, METRIC_TIME);
	v->alone_ns = alone.value;
}

static void fill_expected(struct row *r)
{
	const struct expectation *e = find_expected(r, METRIC_SLOWDOWN, false);
	const struct case_job *job = r->job;
	struct verdict *v = r->v;

	v->limit = e ? e->limit : -1;
	v->goal = e ? e->goal : -1;
	v->was = e ? e->was : -1;
	v->report_ns = job && job->report_ns > 0 ? (double)job->report_ns : -1;
	v->report_slowdown = -1;
	if (job && job->report_ns > 0 && job->report_alone_ns > 0)
		v->report_slowdown = v->report_ns / (double)job->report_alone_ns;
}

void row_fill(struct row *r)
{
	fill_expected(r);
	fill_values(r);
	fill_times(r);
}
