/* SPDX-License-Identifier: GPL-2.0-only */
/* Picture of a boot: how long its victims wait for each step. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "record/record.h"
#include "report/palette.h"
#include "report/plot_private.h"
#include "report/victim.h"

static double ms_between(int64_t from, int64_t to)
{
	return ((double)to - (double)from) / 1e6;
}

/* The slowest of each part of the time. */
static void add_requests(struct plot *p, const struct boot *b, const struct victim *v, int color)
{
	double most[PLOT_BOOT_POINTS] = { 0 }, length = (double)v->to - (double)v->from;
	const char *what = v->way == VICTIM_READS ? "read" : "write";
	char *name __free(ptr) = xstrfmt("%s, for each %s", v->job->name, what);
	struct plot_series *s;
	int64_t last = v->from;
	double from = plot_boot_seconds(v->from, plot_boot_zero(b));

	if (!(length > 0))
		return;
	for (size_t i = 0; i < v->n; i++) {
		double part = ((double)v->v[i].at - (double)v->from) / length;
		size_t at = (size_t)(part * PLOT_BOOT_POINTS);
		double ms = ms_between(last, v->v[i].at);

		at = at < PLOT_BOOT_POINTS ? at : PLOT_BOOT_POINTS - 1;
		most[at] = ms > most[at] ? ms : most[at];
		last = v->v[i].at;
	}
	s = plot_add(p, PLOT_DOTS, name, color, PLOT_BOOT_POINTS);
	for (int i = 0; i < PLOT_BOOT_POINTS; i++)
		if (most[i] > 0)
			plot_point(s, from + (i + 0.5) * length / 1e9 / PLOT_BOOT_POINTS, most[i],
				   0);
}

/* Between samples, or several of them where there are very many. */
static void add_dirtied(struct plot *p, const struct boot *b, const struct victim *v, int color)
{
	char *name __free(ptr) = xstrfmt("%s, for each MiB", v->job->name);
	struct plot_series *s = plot_add(p, PLOT_STEPS, name, color, v->n + 1);
	size_t group = 1 + v->n / PLOT_BOOT_POINTS;
	int64_t zero = plot_boot_zero(b), last = v->from;
	double mib = 0, idle = 0, ms;

	for (size_t i = 0; i < v->n; i++) {
		mib += v->v[i].n;
		/* nothing until now: it waits at least for so long, however much comes at once */
		if (!(mib > 0))
			idle = ms_between(last, v->v[i].at);
		if (!(mib > 0) || (i + 1) % group)
			continue;
		ms = ms_between(last, v->v[i].at) / mib;
		ms = idle > ms ? idle : ms;
		/* the first one holds from the start on */
		if (!s->n)
			plot_point(s, plot_boot_seconds(v->from, zero), ms, 0);
		plot_point(s, plot_boot_seconds(v->v[i].at, zero), ms, 0);
		last = v->v[i].at;
		mib = 0;
		idle = 0;
	}
}

void plot_boot_victim(struct plot *p, const struct plot_source *from)
{
	const struct boot *b = from->b;

	plot_init(p, "victim", "How long the victim waits for each step", "guest time, s", "ms");
	p->log_y = true;
	for (size_t i = 0; i < b->n_jobs; i++) {
		struct victim v __release(victim) = VICTIM_INIT;
		int color;

		if (!victim_steps(&v, b, &b->jobs[i], from->r))
			continue;
		color = palette_index(from->colors, b->disks[v.disk].name);
		if (v.way == VICTIM_DIRTIES)
			add_dirtied(p, b, &v, color);
		else
			add_requests(p, b, &v, color);
	}
	plot_boot_axis(p, b);
}
