/* SPDX-License-Identifier: GPL-2.0-only */
/* A bisect as a picture. */
#include <math.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "bisect/bisect.h"
#include "judge/followed.h"
#include "report/bisect.h"
#include "report/plot.h"
#include "stats/stats.h"

/* Documents have ns, bytes/s and bytes; people have s, MB/s and MiB. */
static const struct { const char *name; double divisor; } units[] = {
	[UNIT_RATIO] = { "times as much as alone", 1 }, [UNIT_TIME] = { "s", 1e9 },
	[UNIT_RATE] = { "MB/s", 1e6 }, [UNIT_BYTES] = { "MiB", 1048576 },
	[UNIT_NUMBER] = { "", 1 },
};

static double y_of(const struct bisect_report *r, double value)
{
	return r->followed->verdict ? value : value / units[r->followed->unit].divisor;
}

static void add_values(struct plot *p, const struct bisect_report *r)
{
	const struct bisect *b = r->b;
	struct plot_series *s = plot_add(p, PLOT_DOTS, "a boot", PLOT_INK, b->n_boots);

	for (size_t i = 0; i < b->n_boots; i++)
		plot_point(s, (double)b->boots[i].commit, y_of(r, b->boots[i].value), 0);
}

static void add_skipped(struct plot *p, const struct bisect_report *r)
{
	const struct bisect *b = r->b;
	struct plot_series *s = plot_add(p, PLOT_TICKS, "not to be tested", PLOT_SOFT, b->h.n);

	for (size_t i = 0; i < b->h.n; i++) {
		if (b->c[i].skipped)
			plot_point(s, (double)i, p->y_min, 0);
	}
}

/* Ratios that large would press the good ones to the bottom. */
static bool wants_log(const struct bisect_report *r)
{
	double min = INFINITY, max = 0;

	for (size_t i = 0; i < r->b->n_boots; i++) {
		min = fmin(min, r->b->boots[i].value);
		max = fmax(max, r->b->boots[i].value);
	}
	return min > 0 && isfinite(min) && max > 10 * min;
}

void report_bisect_plot(const struct bisect_report *r, struct plot *p)
{
	const struct followed *f = r->followed;
	struct strbuf title __release(strbuf) = STRBUF_INIT;

	strbuf_addf(&title, "%s of %s, commit by commit", f->name, r->case_name);
	plot_init(p, "bisect", title.buf, "commits after the good one",
		  f->verdict ? "0 = pass, 1 = fail" : units[f->unit].name);
	p->log_y = !f->verdict && wants_log(r);
	add_values(p, r);
	if (f->limit > 0)
		plot_line_at(p, PLOT_LEVEL, "limit", PLOT_LIMIT, y_of(r, f->limit));
	if (f->floor > 0)
		plot_line_at(p, PLOT_LEVEL, "floor", PLOT_LIMIT, y_of(r, f->floor));
	if (r->end->what == BISECT_FOUND)
		plot_line_at(p, PLOT_UPRIGHT, "the first bad commit", PLOT_GOOD,
			     (double)r->end->commit);
	p->x_min = 0;
	p->x_max = (double)(r->b->h.n - 1);
	plot_fit(p);
	add_skipped(p, r);
}
