/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures of a boot: what its samples show. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "record/record.h"
#include "report/facts.h"
#include "report/palette.h"
#include "report/plot_private.h"

#define PAGE_KIB 4.0		/* of x86 */
#define KIB_PER_MIB 1024.0

int64_t plot_boot_zero(const struct boot *b)
{
	int64_t zero = INT64_MAX;

	for (size_t i = 0; i < b->n_jobs; i++)
		if (b->jobs[i].ended && b->jobs[i].end.start_ns >= 0 &&
		    b->jobs[i].end.start_ns < zero)
			zero = b->jobs[i].end.start_ns;
	if (zero == INT64_MAX)
		zero = b->n_samples ? b->samples[0].ns : 0;
	return zero;
}

double plot_boot_seconds(int64_t ns, int64_t zero)
{
	return ((double)ns - (double)zero) / 1e9;
}

void plot_boot_axis(struct plot *p, const struct boot *b)
{
	int64_t zero = plot_boot_zero(b);

	p->x_min = 0;
	if (b->n_samples)
		p->x_max = plot_boot_seconds(b->samples[b->n_samples - 1].ns, zero);
	plot_fit(p);
}

const struct msg_sample_disk *plot_boot_disk(const struct msg_sample *s, const char *name)
{
	for (int i = 0; i < s->n_disks && i < MSG_DISKS; i++)
		if (!strcmp(s->disks[i].name, name))
			return &s->disks[i];
	return NULL;
}

static double kib(int64_t v)
{
	return v > 0 ? (double)v : 0;
}

static double pages(const struct msg_sample *s)
{
	double sum = 0;

	for (int i = 0; i < s->n_disks && i < MSG_DISKS; i++)
		sum += kib(s->disks[i].dirty) + kib(s->disks[i].writeback);
	return sum;
}

/* Which samples are drawn: of each of PLOT_BOOT_POINTS equal parts the one with most pages. */
static size_t *choose(const struct boot *b, size_t *n)
{
	size_t *chosen = xcalloc(b->n_samples + 1, sizeof(*chosen));
	size_t group = 1 + b->n_samples / PLOT_BOOT_POINTS;

	*n = 0;
	for (size_t i = 0; i < b->n_samples; i += group) {
		size_t best = i;

		for (size_t k = i; k < i + group && k < b->n_samples; k++)
			if (pages(&b->samples[k]) > pages(&b->samples[best]))
				best = k;
		chosen[(*n)++] = best;
	}
	return chosen;
}

/* One layer: a disk's dirty or writeback pages upon what lies below it, which grows. */
static void add_layer(struct plot *p, const struct plot_source *from, size_t disk, bool writeback,
		      const size_t *chosen, size_t n, double *below, double unit)
{
	const char *name = from->b->disks[disk].name;
	struct plot_series *s;
	int64_t zero = plot_boot_zero(from->b);
	double most = 0;

	s = plot_add(p, PLOT_AREA, NULL, palette_index(from->colors, name), n);
	s->pale = writeback;
	for (size_t i = 0; i < n; i++) {
		const struct msg_sample *sample = &from->b->samples[chosen[i]];
		const struct msg_sample_disk *d = plot_boot_disk(sample, name);
		double v = d ? kib(writeback ? d->writeback : d->dirty) / unit : 0;

		plot_point(s, plot_boot_seconds(sample->ns, zero), below[i] + v, below[i]);
		below[i] += v;
		most = v > most ? v : most;
	}
	/* a colour that is nowhere needs no word */
	if (most > 0 || !writeback)
		s->name = xstrfmt("%s %s", name, writeback ? "under writeback" : "dirty");
}

static void add_limits(struct plot *p, const struct boot *b, const size_t *chosen, size_t n,
		       double unit)
{
	struct plot_series *limit, *background;
	int64_t zero = plot_boot_zero(b);

	limit = plot_add(p, PLOT_LINE, "dirty limit", PLOT_LIMIT, n);
	for (size_t i = 0; i < n; i++) {
		const struct msg_sample *s = &b->samples[chosen[i]];

		if (s->limit > 0)
			plot_point(limit, plot_boot_seconds(s->ns, zero),
				   (double)s->limit * PAGE_KIB / unit, 0);
	}
	background = plot_add(p, PLOT_LINE, "background limit", PLOT_SOFT, n);
	for (size_t i = 0; i < n; i++) {
		const struct msg_sample *s = &b->samples[chosen[i]];

		if (s->background > 0)
			plot_point(background, plot_boot_seconds(s->ns, zero),
				   (double)s->background * PAGE_KIB / unit, 0);
	}
}

static void add_job_lanes(struct plot *p, const struct boot *b)
{
	int64_t zero = plot_boot_zero(b);
	bool syncs = false;

	for (size_t i = 0; i < b->n_jobs; i++) {
		const struct msg_end *e = &b->jobs[i].end;
		double from = plot_boot_seconds(e->start_ns, zero), to;
		char *name __free(ptr) = NULL;
		struct plot_lane *lane;

		if (!b->jobs[i].ended || b->jobs[i].role == PLAN_PREPARE)
			continue;
		name = xstrfmt("%s %s", b->jobs[i].role == PLAN_LOAD ? "load" : "victim",
			       b->jobs[i].name);
		lane = plot_add_lane(p, name, b->jobs[i].role == PLAN_LOAD ? PLOT_SOFT : PLOT_INK);
		to = from + (double)e->wall_ns / 1e9;
		plot_add_span(lane, from, to, false);
		if (e->sync_ns > 0)
			plot_add_span(lane, to, to + (double)e->sync_ns / 1e9, true);
		syncs = syncs || e->sync_ns > 0;
	}
	/* a word in the legend for what only the bars have */
	if (syncs)
		plot_add(p, PLOT_AREA, "end of a bar: its sync", PLOT_INK, 0)->pale = true;
}

/* A lane for the stalls of a victim, or (victim NULL) of a disk; none without them. */
static void add_stall_lane(struct plot *p, const struct plot_source *from, int disk,
			   const struct job_result *victim)
{
	int64_t zero = plot_boot_zero(from->b);
	struct plot_lane *lane = NULL;

	for (size_t i = 0; i < from->s->n; i++) {
		const struct stall *s = &from->s->v[i];

		if (s->victim != victim || (!victim && s->disk != disk))
			continue;
		if (!lane) {
			const char *who = victim ? victim->name : from->b->disks[disk].name;
			char *name __free(ptr) = xstrfmt("%s stalls", who);

			lane = plot_add_lane(p, name, victim ? PLOT_LIMIT
							     : palette_index(from->colors, who));
		}
		plot_add_span(lane, plot_boot_seconds(s->from, zero),
			      plot_boot_seconds(s->to, zero), false);
	}
}

static void add_stall_lanes(struct plot *p, const struct plot_source *from)
{
	const struct boot *b = from->b;

	if (!from->s)
		return;
	for (size_t i = 0; i < b->n_jobs; i++)
		if (b->jobs[i].role == PLAN_VICTIM)
			add_stall_lane(p, from, -1, &b->jobs[i]);
	for (size_t i = 0; i < b->n_disks && i < MSG_DISKS; i++)
		add_stall_lane(p, from, (int)i, NULL);
}

void plot_boot_dirty(struct plot *p, const struct plot_source *from, bool in_pages)
{
	double unit = in_pages ? PAGE_KIB : KIB_PER_MIB;
	size_t n;
	size_t *chosen __free(ptr) = choose(from->b, &n);
	double *below __free(ptr) = xcalloc(n + 1, sizeof(*below));

	plot_init(p, "dirty", "Dirty and writeback pages, device upon device", "guest time, s",
		  in_pages ? "pages of 4 KiB" : "MiB");
	for (size_t i = 0; n && i < from->b->n_disks && i < MSG_DISKS; i++) {
		add_layer(p, from, i, false, chosen, n, below, unit);
		add_layer(p, from, i, true, chosen, n, below, unit);
	}
	add_limits(p, from->b, chosen, n, unit);
	add_job_lanes(p, from->b);
	add_stall_lanes(p, from);
	plot_boot_axis(p, from->b);
}

enum { IO_READ_SECTORS = 2, IO_WRITE_SECTORS = 6 };

static void add_rate(struct plot *p, const struct plot_source *from, size_t disk, int field)
{
	const struct boot *b = from->b;
	const char *name = b->disks[disk].name;
	size_t group = 1 + b->n_samples / PLOT_BOOT_POINTS;
	struct plot_series *s;
	double most = 0;

	s = plot_add(p, PLOT_STEPS, NULL, palette_index(from->colors, name), b->n_samples);
	s->pale = field == IO_READ_SECTORS;
	for (size_t i = 0; i + group < b->n_samples; i += group) {
		const struct msg_sample *from_s = &b->samples[i], *to_s = &b->samples[i + group];
		const struct msg_sample_disk *x = plot_boot_disk(from_s, name);
		const struct msg_sample_disk *y = plot_boot_disk(to_s, name);
		double seconds = plot_boot_seconds(to_s->ns, from_s->ns), rate = 0;

		if (seconds > 0 && x && y && x->n_io > field && y->n_io > field &&
		    y->io[field] > x->io[field])
			rate = ((double)y->io[field] - (double)x->io[field]) / 2048 / seconds;
		most = rate > most ? rate : most;
		plot_point(s, plot_boot_seconds(to_s->ns, plot_boot_zero(b)), rate, 0);
	}
	if (most < 0.01)
		s->n = 0;	/* nothing moved: no line, no legend */
	else
		s->name = xstrfmt("%s %s", name, s->pale ? "read" : "written");
}

void plot_boot_throughput(struct plot *p, const struct plot_source *from)
{
	plot_init(p, "throughput", "What each device moves", "guest time, s", "MiB/s");
	for (size_t i = 0; i < from->b->n_disks && i < MSG_DISKS; i++) {
		add_rate(p, from, i, IO_WRITE_SECTORS);
		add_rate(p, from, i, IO_READ_SECTORS);
	}
	plot_boot_axis(p, from->b);
}

void plot_boot_make(struct plot *p, int which, const struct plot_source *from)
{
	switch (which) {
	case 0:
		plot_boot_dirty(p, from, false);
		break;
	case 1:
		plot_boot_throughput(p, from);
		break;
	case 2:
		plot_boot_victim(p, from);
		break;
	case 3:
		plot_boot_latency(p, from);
		break;
	default:
		plot_boot_offsets(p, from);
		break;
	}
}
