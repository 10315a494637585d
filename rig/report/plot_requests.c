/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures of a boot: what its log of requests shows. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "record/record.h"
#include "report/palette.h"
#include "report/plot_private.h"
#include "report/requests.h"

#define GRID_X 300	/* marks side by side that can be told apart */
#define GRID_Y 100
#define MIB (1024.0 * 1024.0)

/* The cell of n equal ones between 0 and max that v is in, or -1. */
static int cell(double v, double max, int n)
{
	int c = max > 0 && v >= 0 && v <= max ? (int)(v / max * n) : -1;

	return c < n ? c : n - 1;
}

static double end_of(const struct boot *b)
{
	return b->n_samples ? plot_boot_seconds(b->samples[b->n_samples - 1].ns,
						plot_boot_zero(b)) : 0;
}

static void add_slowest(struct plot *p, const struct plot_source *from, size_t disk)
{
	double *most __free(ptr) = xcalloc(PLOT_BOOT_POINTS, sizeof(*most));
	const char *name = from->b->disks[disk].name;
	double end = end_of(from->b);
	int64_t zero = plot_boot_zero(from->b);
	struct plot_series *s;
	bool any = false;

	for (size_t i = 0; i < from->r->n; i++) {
		const struct request *r = &from->r->v[i];
		double ms = (double)(r->done - r->issued) / 1e6;
		int at = cell(plot_boot_seconds(r->done, zero), end, PLOT_BOOT_POINTS);

		if (r->disk != disk || at < 0)
			continue;
		most[at] = ms > most[at] ? ms : most[at];
		any = true;
	}
	if (!any)
		return;
	s = plot_add(p, PLOT_DOTS, name, palette_index(from->colors, name), PLOT_BOOT_POINTS);
	for (int i = 0; i < PLOT_BOOT_POINTS; i++)
		if (most[i] > 0)
			plot_point(s, (i + 0.5) * end / PLOT_BOOT_POINTS, most[i], 0);
}

void plot_boot_latency(struct plot *p, const struct plot_source *from)
{
	plot_init(p, "latency", "Slowest request of each moment, issue to completion",
		  "guest time, s", "ms");
	p->log_y = true;
	for (size_t i = 0; from->r && i < from->b->n_disks && i < MSG_DISKS; i++)
		add_slowest(p, from, i);
	plot_boot_axis(p, from->b);
}

static void add_marks(struct plot *p, const struct plot_source *from, size_t disk,
		      enum request_op op, double top)
{
	char *seen __free(ptr) = xcalloc(GRID_X * GRID_Y, 1);
	const char *disk_name = from->b->disks[disk].name;
	char *name __free(ptr) =
		xstrfmt("%s %s", disk_name, op == REQUEST_READ ? "read" : "written");
	double end = end_of(from->b);
	int64_t zero = plot_boot_zero(from->b);
	struct plot_series *s;

	s = plot_add(p, op == REQUEST_READ ? PLOT_TICKS : PLOT_DOTS, name,
		     palette_index(from->colors, disk_name), GRID_X * GRID_Y);
	for (size_t i = 0; i < from->r->n; i++) {
		const struct request *r = &from->r->v[i];
		double at = plot_boot_seconds(r->done, zero), mib = (double)r->offset / MIB;
		int x = cell(at, end, GRID_X), y = cell(mib, top, GRID_Y);

		if (r->disk != disk || r->op != op || x < 0 || y < 0 || seen[x * GRID_Y + y])
			continue;
		seen[x * GRID_Y + y] = 1;
		plot_point(s, at, mib, 0);
	}
	if (!s->n) {
		free(s->name);
		s->name = NULL;
	}
}

void plot_boot_offsets(struct plot *p, const struct plot_source *from)
{
	double top = 0;

	plot_init(p, "offsets", "Where on each device requests began", "guest time, s", "MiB");
	for (size_t i = 0; from->r && i < from->r->n; i++)
		if (from->r->v[i].op != REQUEST_OTHER && (double)from->r->v[i].offset / MIB > top)
			top = (double)from->r->v[i].offset / MIB;
	for (size_t i = 0; from->r && i < from->b->n_disks && i < MSG_DISKS; i++) {
		add_marks(p, from, i, REQUEST_WRITE, top);
		add_marks(p, from, i, REQUEST_READ, top);
	}
	plot_boot_axis(p, from->b);
}
