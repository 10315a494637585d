/* SPDX-License-Identifier: GPL-2.0-only */
/* Dirty pages by the console's lines, as tables and as CSV. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "record/record.h"
#include "report/columns.h"
#include "report/csv.h"
#include "report/dirty.h"

#define GAP	  2
#define TIME_SIZE 32

/* "12.346", or "#3" of lines without a time, counted from 1. */
static int add_time(char *buf, const struct dirty_value *v)
{
	if (v->ns < 0)
		return snprintf(buf, TIME_SIZE, "#%" PRIu32, v->round + 1);
	return snprintf(buf, TIME_SIZE, "%.3f", (double)v->ns / 1e9);
}

struct grid {
	int time;			/* the columns' widths */
	int device[DIRTYLINES_DEVICES];
};

static int wider(int width, int by)
{
	return by > width ? by : width;
}

static void measure(struct grid *g, const struct dirtylines *d)
{
	char buf[TIME_SIZE];

	g->time = (int)strlen("TIME");
	for (size_t i = 0; i < d->n_devices; i++)
		g->device[i] = (int)strlen(d->names[i]);
	for (size_t i = 0; i < d->n; i++) {
		const struct dirty_value *v = &d->v[i];

		g->time = wider(g->time, add_time(buf, v));
		g->device[v->device] = wider(g->device[v->device],
					     snprintf(NULL, 0, "%" PRId64, v->pages));
	}
}

/* A round's values, from v on. */
static size_t add_round(struct strbuf *out, const struct grid *g, const struct dirtylines *d,
			size_t first)
{
	const struct dirty_value *of[DIRTYLINES_DEVICES] = { NULL };
	size_t i = first, last = 0;
	char buf[TIME_SIZE];

	for (; i < d->n && d->v[i].round == d->v[first].round; i++) {
		of[d->v[i].device] = &d->v[i];
		last = d->v[i].device > last ? d->v[i].device : last;
	}
	add_time(buf, &d->v[first]);
	strbuf_addf(out, "%*s", g->time, buf);
	for (size_t k = 0; k <= last; k++) {
		if (of[k])
			strbuf_addf(out, "%*" PRId64, GAP + g->device[k], of[k]->pages);
		else
			strbuf_addf(out, "%*s", GAP + g->device[k], "");
	}
	strbuf_addch(out, '\n');
	return i;
}

static void add_series(struct strbuf *out, const struct dirtylines *d)
{
	struct grid g;

	measure(&g, d);
	strbuf_addf(out, "%*s", g.time, "TIME");
	for (size_t i = 0; i < d->n_devices; i++)
		strbuf_addf(out, "%*s", GAP + g.device[i], d->names[i]);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < d->n;)
		i = add_round(out, &g, d, i);
}

enum { S_DEVICE, S_DISK, S_VALUES, S_MEAN, S_MAX };

static void add_stats(struct strbuf *out, const struct dirtylines *d, const struct boot *b)
{
	static const struct columns_spec spec[] = {
		{ "DEVICE", false }, { "DISK", false }, { "VALUES", true }, { "MEAN", true },
		{ "MAXIMUM", true },
	};
	struct columns t;

	columns_init(&t, spec, ARRAY_SIZE(spec));
	for (size_t i = 0; i < d->n_devices; i++) {
		struct dirty_stats s = dirtylines_stats(d, i);
		int disk = dirty_disk(b, d->names[i]);

		columns_row(&t);
		columns_put(&t, S_DEVICE, "%s", d->names[i]);
		if (disk >= 0)
			columns_put(&t, S_DISK, "%s", str_escape(b->disks[disk].name));
		columns_put(&t, S_VALUES, "%zu", s.n);
		if (!s.n)
			continue;
		columns_put(&t, S_MEAN, "%.1f", s.mean);
		columns_put(&t, S_MAX, "%" PRId64, s.max);
	}
	columns_print(&t, out);
	columns_release(&t);
}

enum { C_DEVICE, C_DISK, C_MOMENTS, C_MEAN, C_SAMPLED, C_DIFF, C_MAX, C_SAMPLED_MAX, C_DIFF_MAX };

/* By how much a is off b. */
static void put_difference(struct columns *t, size_t column, double a, double b)
{
	if (b > 0)
		columns_put(t, column, "%+.1f%%", (a / b - 1) * 100);
	else
		columns_put(t, column, "%s", a > 0 ? "-" : "0%");
}

static bool put_compared(struct columns *t, const struct dirtylines *d, size_t device,
			 const struct boot *b)
{
	struct dirty_track track __release(dirty_track) = DIRTY_TRACK_INIT;
	int disk = dirty_disk(b, d->names[device]);
	struct dirty_compared c;

	dirty_track_make(&track, b, disk);
	c = dirty_compare(d, device, &track);
	if (!c.n)
		return false;
	columns_row(t);
	columns_put(t, C_DEVICE, "%s", d->names[device]);
	columns_put(t, C_DISK, "%s", str_escape(b->disks[disk].name));
	columns_put(t, C_MOMENTS, "%zu", c.n);
	columns_put(t, C_MEAN, "%.1f", c.mean);
	columns_put(t, C_SAMPLED, "%.1f", c.sampled_mean);
	put_difference(t, C_DIFF, c.mean, c.sampled_mean);
	columns_put(t, C_MAX, "%.0f", c.max);
	columns_put(t, C_SAMPLED_MAX, "%.0f", c.sampled_max);
	put_difference(t, C_DIFF_MAX, c.max, c.sampled_max);
	return true;
}

static void add_compared(struct strbuf *out, const struct dirtylines *d, const struct boot *b)
{
	static const struct columns_spec spec[] = {
		{ "DEVICE", false }, { "DISK", false },	   { "MOMENTS", true },
		{ "MEAN", true },    { "SAMPLED", true },  { "DIFF", true },
		{ "MAXIMUM", true }, { "SAMPLED", true },  { "DIFF", true },
	};
	struct columns t;
	bool any = false;

	columns_init(&t, spec, ARRAY_SIZE(spec));
	for (size_t i = 0; i < d->n_devices; i++)
		any = put_compared(&t, d, i, b) || any;
	if (any) {
		strbuf_addstr(out, "\nbeside the samples, between which values are "
				   "interpolated:\n");
		columns_print(&t, out);
	} else {
		strbuf_addstr(out, "\nno samples of these devices at these times\n");
	}
	columns_release(&t);
}

void dirty_text(struct strbuf *out, const char *title, const struct dirtylines *d,
		const struct boot *b)
{
	strbuf_addf(out, "%s: dirty and writeback pages by %zu line%s of the console", title,
		    d->lines, d->lines == 1 ? "" : "s");
	if (d->bad)
		strbuf_addf(out, ", %zu bad %s left out", d->bad, d->bad == 1 ? "one" : "ones");
	if (d->cut)
		strbuf_addstr(out, "; there were more than fit");
	strbuf_addch(out, '\n');
	if (!d->n)
		return;
	add_series(out, d);
	strbuf_addch(out, '\n');
	add_stats(out, d, b);
	if (b)
		add_compared(out, d, b);
}

void dirty_csv_head(struct strbuf *out)
{
	strbuf_addstr(out, "run,case,seed,round,time_s,device,disk,pages,sampled_pages\n");
}

static void add_row(struct strbuf *out, const struct run *run, const struct boot *b, int disk,
		    const char *device, const struct dirty_value *v, double sampled)
{
	csv_text(out, run ? run->id : "");
	csv_text(out, b ? b->case_name : "");
	if (b)
		strbuf_addf(out, "%" PRIu32, b->seed);
	strbuf_addf(out, ",%" PRIu32 ",", v->round + 1);
	if (v->ns >= 0)
		strbuf_addf(out, "%" PRId64 ".%09" PRId64, v->ns / 1000000000,
			    v->ns % 1000000000);
	strbuf_addch(out, ',');
	csv_text(out, device);
	csv_text(out, disk >= 0 ? b->disks[disk].name : "");
	strbuf_addf(out, "%" PRId64 ",", v->pages);
	if (sampled >= 0)
		strbuf_addf(out, "%.9g", sampled);
	strbuf_addch(out, '\n');
}

/* The rows of a device after each other: whoever draws one takes them as they are. */
void dirty_csv(struct strbuf *out, const struct run *run, const struct boot *b,
	       const struct dirtylines *d)
{
	for (size_t k = 0; k < d->n_devices; k++) {
		struct dirty_track track __release(dirty_track) = DIRTY_TRACK_INIT;
		int disk = dirty_disk(b, d->names[k]);

		dirty_track_make(&track, b, disk);
		for (size_t i = 0; i < d->n; i++) {
			const struct dirty_value *v = &d->v[i];

			if (v->device == k)
				add_row(out, run, b, disk, d->names[k], v,
					dirty_track_at(&track, v->ns));
		}
	}
}
