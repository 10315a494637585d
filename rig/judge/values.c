/* SPDX-License-Identifier: GPL-2.0-only */
/* What boots say about one metric. */
#include "judge/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "case/case.h"
#include "judge/boots.h"
#include "judge/dd.h"
#include "record/record.h"
#include "stats/stats.h"
#include "wire/hist.h"

#define SECTOR	512.0
#define KB	1024.0

/* Fields of /proc/diskstats from the fourth on (Documentation/admin-guide/iostats.rst). */
enum { IO_READS = 0, IO_SECTORS_READ = 2, IO_WRITES = 4, IO_SECTORS_WRITTEN = 6 };

static double or_none(int64_t v)
{
	return v < 0 ? -1 : (double)v;
}

/* Bytes that the job moved, for each second of its time and its sync. */
static double rate_of(const struct job_result *r)
{
	double ns = or_none(r->end.wall_ns) + (r->end.sync_ns > 0 ? (double)r->end.sync_ns : 0);
	double bytes = or_none(r->measured ? r->result.bytes : dd_bytes(r->end.output));

	return bytes < 0 || ns <= 0 ? -1 : bytes / (ns / NS_PER_S);
}

static double total_of(const struct msg_end *end)
{
	return end->wall_ns < 0 || end->sync_ns < 0 ? -1 :
	       (double)end->wall_ns + (double)end->sync_ns;
}

bool values_are_merged(enum metric metric)
{
	return metric == METRIC_MEAN || metric == METRIC_MAX || metric == METRIC_P50 ||
	       metric == METRIC_P90 || metric == METRIC_P99 || metric == METRIC_P999;
}

static double hist_value(const struct hist *h, enum metric metric)
{
	switch ((int)metric) {
	case METRIC_P50:
		return (double)hist_percentile(h, 500);
	case METRIC_P90:
		return (double)hist_percentile(h, 900);
	case METRIC_P99:
		return (double)hist_percentile(h, 990);
	case METRIC_P999:
		return (double)hist_percentile(h, 999);
	case METRIC_MAX:
		return (double)hist_percentile(h, 1000);
	case METRIC_MEAN:
		return hist_mean(h);
	}
	BUG("metric %d has no distribution", (int)metric);
}

static double result_value(const struct job_result *r, enum metric metric)
{
	if (!r->measured)
		return -1;
	if (values_are_merged(metric))
		return hist_value(&r->result.hist, metric);
	if (metric == METRIC_OPS)
		return or_none(r->result.ops);
	if (metric == METRIC_BYTES)
		return or_none(r->result.bytes);
	if (metric == METRIC_ERRORS)
		return or_none(r->result.errors);
	BUG_ON(metric != METRIC_IOPS);
	return r->end.wall_ns > 0 ? or_none(r->result.ops) / ((double)r->end.wall_ns / NS_PER_S) :
				    -1;
}

/* -1 if this boot has none. */
static double job_value(const struct case_job *job, const struct job_result *r,
			enum metric metric)
{
	if (!boots_did_work(job, r))
		return -1;
	if (metric_info(metric)->of == METRIC_OF_RESULT)
		return result_value(r, metric);
	if (metric == METRIC_RATE)
		return rate_of(r);
	if (boots_was_stopped(job, r))
		return -1;
	if (metric == METRIC_SYNC)
		return or_none(r->end.sync_ns);
	return metric == METRIC_TOTAL ? total_of(&r->end) : or_none(r->end.wall_ns);
}

static const struct msg_sample_disk *sample_disk(const struct msg_sample *s, const char *name)
{
	for (int i = 0; i < s->n_disks; i++) {
		if (strcmp(s->disks[i].name, name) == 0)
			return &s->disks[i];
	}
	return NULL;
}

static double dirty_max(const struct boot *b, const char *name)
{
	double most = -1;

	for (size_t i = 0; i < b->n_samples; i++) {
		const struct msg_sample_disk *d = sample_disk(&b->samples[i], name);
		double kb = d && d->dirty >= 0 && d->writeback >= 0 ?
			    (double)d->dirty + (double)d->writeback : -1;

		most = kb > most ? kb : most;
	}
	return most < 0 ? -1 : most * KB;
}

/* The estimate moves while the disk writes only. */
static double bandwidth(const struct boot *b, const char *name)
{
	const struct msg_sample_disk *before = NULL;
	double last = -1;

	for (size_t i = 0; i < b->n_samples; i++) {
		const struct msg_sample_disk *d = sample_disk(&b->samples[i], name);

		if (!d)
			continue;
		if (before && before->written >= 0 && d->written > before->written &&
		    d->bandwidth >= 0)
			last = (double)d->bandwidth * KB;
		before = d;
	}
	return last;
}

/* How much a counter grew from the first sample of the disk to the last; -1 without two. */
static double io_growth(const struct boot *b, const char *name, int field)
{
	const struct msg_sample_disk *first = NULL, *last = NULL;

	for (size_t i = 0; i < b->n_samples; i++) {
		const struct msg_sample_disk *d = sample_disk(&b->samples[i], name);

		if (!d || d->n_io <= field)
			continue;
		first = first ? first : d;
		last = d;
	}
	if (!first || first == last || first->io[field] < 0 ||
	    last->io[field] < first->io[field])
		return -1;
	return (double)last->io[field] - (double)first->io[field];
}

static double mean_size(const struct boot *b, const char *name, int sectors, int requests)
{
	double n = io_growth(b, name, requests), of = io_growth(b, name, sectors);

	return n > 0 && of >= 0 ? of * SECTOR / n : -1;
}

static double io_bytes(const struct boot *b, const char *name, int field)
{
	double n = io_growth(b, name, field);

	return n < 0 ? -1 : n * SECTOR;
}

static double disk_value(const struct boot *b, const char *name, enum metric metric)
{
	if (b->outcome != OUTCOME_DONE)
		return -1;
	switch ((int)metric) {
	case METRIC_DIRTY_MAX:
		return dirty_max(b, name);
	case METRIC_BANDWIDTH:
		return bandwidth(b, name);
	case METRIC_WRITE_SIZE:
		return mean_size(b, name, IO_SECTORS_WRITTEN, IO_WRITES);
	case METRIC_READ_SIZE:
		return mean_size(b, name, IO_SECTORS_READ, IO_READS);
	case METRIC_WRITTEN:
		return io_bytes(b, name, IO_SECTORS_WRITTEN);
	case METRIC_READ:
		return io_bytes(b, name, IO_SECTORS_READ);
	}
	BUG("metric %d is none of disks", (int)metric);
}

DEFINE_FREE(hist, struct hist *, free(_T))

void values_collect(struct values *v, const struct run *run, const struct kase *c,
		    const char *subject, enum metric metric)
{
	bool of_disk = metric_info(metric)->of == METRIC_OF_DISK;
	bool merged = values_are_merged(metric);
	const struct case_job *job = of_disk ? NULL : kase_job(c, subject);
	struct hist *all __free(hist) = merged ? xcalloc(1, sizeof(*all)) : NULL;
	double *sorted __free(ptr) = NULL;

	BUG_ON(!of_disk && !job);
	*v = (struct values)VALUES_INIT;
	v->v = xcalloc(run->n_boots, sizeof(double));
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];
		const struct job_result *r = of_disk ? NULL : boots_result(b, subject);
		double one;

		if (strcmp(b->case_name, c->name) != 0 || boot_is_void(b))
			continue;
		one = of_disk ? disk_value(b, subject + strlen("disk."), metric) :
				job_value(job, r, metric);
		if (one < 0)
			continue;
		v->v[v->n++] = one;
		if (merged)
			hist_merge(all, &r->result.hist);
	}
	if (!v->n)
		return;
	sorted = xcalloc(v->n, sizeof(double));
	memcpy(sorted, v->v, v->n * sizeof(double));
	v->value = merged ? hist_value(all, metric) : stats_median(sorted, v->n);
	v->min = stats_min(v->v, v->n);
	v->max = stats_max(v->v, v->n);
}

void values_release(struct values *v)
{
	free(v->v);
	*v = (struct values)VALUES_INIT;
}
