/* SPDX-License-Identifier: GPL-2.0-only */
/* Sparklines. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "record/record.h"
#include "report/spark.h"

#define SPARK_SEEDS 40		/* of one line; more are cut */
#define LEAST_RANGE 0.1	/* of the greatest value: what a line is high at least */
#define NAME_COLUMNS 34		/* of case and job; what is longer is cut */

static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const ascii[] = { "_", ".", "-", "=", "^" };

static bool none(double v)
{
	return !isfinite(v) || v < 0;
}

void spark_add(struct strbuf *out, const double *v, size_t n, bool utf8)
{
	const char *const *ramp = utf8 ? blocks : ascii;
	size_t steps = utf8 ? ARRAY_SIZE(blocks) : ARRAY_SIZE(ascii);
	double min = INFINITY, max = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		if (none(v[i]))
			continue;
		min = v[i] < min ? v[i] : min;
		max = v[i] > max ? v[i] : max;
	}
	/* noise is not blown up to hills */
	if (max - min < max * LEAST_RANGE) {
		double middle = (max + min) / 2;

		min = middle - max * LEAST_RANGE / 2;
		max = middle + max * LEAST_RANGE / 2;
	}
	for (size_t i = 0; i < n; i++) {
		double part = max > min ? (v[i] - min) / (max - min) : 0.5;
		size_t step = none(v[i]) ? 0 : (size_t)(part * (double)steps);

		strbuf_addstr(out, none(v[i]) ? (utf8 ? " " : ".")
					      : ramp[step < steps ? step : steps - 1]);
	}
}

size_t spark_times(const struct run *run, const struct verdict *v, double *times, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_boots && n < max; i++) {
		const struct boot *b = &run->boots[i];

		if (strcmp(b->case_name, v->case_name))
			continue;
		times[n] = -1;
		for (size_t k = 0; k < b->n_jobs; k++)
			if (!strcmp(b->jobs[k].name, v->job) && b->jobs[k].ended &&
			    !b->jobs[k].end.stopped)
				times[n] = (double)b->jobs[k].end.wall_ns / 1e9;
		n++;
	}
	return n;
}

static const char *seconds(double s, char *buf)
{
	return format_time(s < 9e9 ? (int64_t)(s * 1e9) : INT64_MAX, buf);
}

static void add_name(struct strbuf *out, const struct verdict *v)
{
	struct strbuf name = STRBUF_INIT;
	size_t columns = 0, i = 0;

	strbuf_addf(&name, "%s %s", str_escape(v->case_name), str_escape(v->job));
	for (; name.buf[i]; i++) {
		columns += (name.buf[i] & 0xc0) != 0x80;
		if (columns > NAME_COLUMNS)
			break;
		strbuf_addch(out, name.buf[i]);
	}
	for (; columns < NAME_COLUMNS; columns++)
		strbuf_addch(out, ' ');
	strbuf_release(&name);
}

void spark_run(struct strbuf *out, const struct run *run, bool utf8)
{
	bool any = false;

	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];
		char min[32], max[32];
		double times[SPARK_SEEDS], least = INFINITY, most = -1;
		size_t n = v->role == PLAN_VICTIM ? spark_times(run, v, times, SPARK_SEEDS) : 0;

		for (size_t k = 0; k < n; k++) {
			least = times[k] >= 0 && times[k] < least ? times[k] : least;
			most = times[k] > most ? times[k] : most;
		}
		if (n < 2 || most < 0)
			continue;
		if (!any)
			strbuf_addstr(out, "\nVictims' times, seed by seed:\n");
		any = true;
		add_name(out, v);
		strbuf_addstr(out, "  ");
		spark_add(out, times, n, utf8);
		strbuf_addf(out, "  %s to %s\n", seconds(least, min), seconds(most, max));
	}
}
