/* SPDX-License-Identifier: GPL-2.0-only */
/* Stalls, and where a job's time went. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "record/record.h"
#include "report/facts.h"
#include "report/requests.h"

#define FACTS_BUSY	0.7	/* a disk that is busy for so long is what one waits for */
#define FACTS_IDLE	0.5	/* one that is busy for less is not */
#define FACTS_AT_LIMIT	0.7	/* of the dirty limit: balance_dirty_pages() paces from there on;
				 * the kernel's setpoint is 3/4 of it (mm/page-writeback.c) */
#define FACTS_CPU	0.2	/* less idle and iowait than that */

enum { IO_READS = 0, IO_READ_SECTORS = 2, IO_WRITES = 4, IO_WRITE_SECTORS = 6, IO_TICKS = 9 };
enum { VM_B = 1, VM_ID = 14, VM_WA = 15 };

static const struct msg_sample_disk *disk_in(const struct msg_sample *s, const char *name)
{
	for (int i = 0; i < s->n_disks && i < MSG_DISKS; i++)
		if (!strcmp(s->disks[i].name, name))
			return &s->disks[i];
	return NULL;
}

static double pages_of(const struct msg_sample_disk *d)
{
	return (d->dirty > 0 ? (double)d->dirty : 0) +
	       (d->writeback > 0 ? (double)d->writeback : 0);
}

static bool waiting(const struct msg_sample *s, const char *name)
{
	const struct msg_sample_disk *d = disk_in(s, name);

	return d && pages_of(d) > 0;
}

static void add_stall(struct stalls *s, int disk, int64_t from, int64_t to)
{
	if (to - from > FACTS_STALL_NS && s->n < FACTS_STALLS)
		*array_grow(s->v, s->n) = (struct stall){ .disk = disk, .from = from, .to = to };
}

/* Were there pages for the disk during all of the gap? At least one sample has to say so. */
static bool pages_during(const struct boot *b, const char *name, int64_t from, int64_t to)
{
	bool any = false, before = false;

	for (size_t i = 0; i < b->n_samples; i++) {
		const struct msg_sample *s = &b->samples[i];

		if (s->ns < from) {
			before = waiting(s, name);
		} else if (s->ns <= to) {
			if (!waiting(s, name))
				return false;
			any = true;
		}
	}
	return any || before;
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void stalls_of_log(struct stalls *s, const struct boot *b, const struct requests *r,
			  int disk)
{
	int64_t *done __free(ptr) = xcalloc(r->n + 2, sizeof(*done));
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].disk == disk)
			done[n++] = r->v[i].done;
	/* a disk that never completes anything again stalls to the last sample */
	if (b->n_samples)
		done[n++] = b->samples[b->n_samples - 1].ns;
	qsort(done, n, sizeof(*done), by_number);
	for (size_t i = 1; i < n && s->n < FACTS_STALLS; i++)
		if (done[i] - done[i - 1] > FACTS_STALL_NS &&
		    pages_during(b, b->disks[disk].name, done[i - 1], done[i]))
			add_stall(s, disk, done[i - 1], done[i]);
}

static int64_t completed(const struct msg_sample *s, const char *name)
{
	const struct msg_sample_disk *d = disk_in(s, name);

	return d && d->n_io > IO_WRITES ? (int64_t)((uint64_t)d->io[IO_READS] +
						    (uint64_t)d->io[IO_WRITES]) : -1;
}

static void stalls_of_samples(struct stalls *s, const struct boot *b, int disk)
{
	const char *name = b->disks[disk].name;
	size_t first = 0;

	for (size_t i = 1; i <= b->n_samples; i++) {
		const struct msg_sample *now = &b->samples[i];

		if (i < b->n_samples && waiting(now, name) && waiting(&b->samples[first], name) &&
		    now->ns > now[-1].ns && completed(now, name) >= 0 &&
		    completed(now, name) == completed(&b->samples[first], name))
			continue;
		if (i - 1 > first)
			add_stall(s, disk, b->samples[first].ns, now[-1].ns);
		first = i;
	}
}

void facts_stalls(struct stalls *s, const struct boot *b, const struct requests *r)
{
	for (size_t i = 0; i < b->n_disks && i < MSG_DISKS; i++) {
		if (r && r->n && !r->cut)
			stalls_of_log(s, b, r, (int)i);
		else if (b->n_samples)
			stalls_of_samples(s, b, (int)i);
	}
}

void stalls_release(struct stalls *s)
{
	free(s->v);
	*s = (struct stalls)STALLS_INIT;
}

/* What grew between two samples, -1 if that cannot be told. */
static double grown(const struct msg_sample_disk *a, const struct msg_sample_disk *b, int field)
{
	if (!a || !b || a->n_io <= field || b->n_io <= field || b->io[field] < a->io[field])
		return -1;
	return (double)b->io[field] - (double)a->io[field];
}

static int64_t bytes_of(double sectors)
{
	return sectors < 0 ? -1 : sectors < 1e15 ? (int64_t)sectors * 512 : INT64_MAX;
}

static void look_at_disk(struct facts_disk *f, const struct msg_sample *a,
			 const struct msg_sample *b, const char *name)
{
	const struct msg_sample_disk *x = disk_in(a, name), *y = disk_in(b, name);
	double ms = ((double)b->ns - (double)a->ns) / 1e6;
	double ticks = grown(x, y, IO_TICKS), reads = grown(x, y, IO_READS);
	double writes = grown(x, y, IO_WRITES);

	f->busy = ticks < 0 || ms <= 0 ? -1 : ticks > ms ? 1 : ticks / ms;
	f->written = bytes_of(grown(x, y, IO_WRITE_SECTORS));
	f->read = bytes_of(grown(x, y, IO_READ_SECTORS));
	f->requests = reads < 0 || writes < 0 || reads + writes > 1e15 ? -1
								       : (int64_t)(reads + writes);
}

struct sums {
	double full, idle, iowait, blocked, held[MSG_DISKS];
	size_t n_full, n_held, n_vm;
};

static void add_sample(struct sums *sum, const struct boot *b, const struct msg_sample *s)
{
	double pages[MSG_DISKS] = { 0 }, all = 0;

	for (size_t i = 0; i < b->n_disks && i < MSG_DISKS; i++) {
		const struct msg_sample_disk *d = disk_in(s, b->disks[i].name);

		pages[i] = d ? pages_of(d) : 0;
		all += pages[i];
	}
	if (s->limit > 0 && s->dirty >= 0 && s->writeback >= 0) {
		sum->full += ((double)s->dirty + (double)s->writeback) / (double)s->limit;
		sum->n_full++;
	}
	for (size_t i = 0; i < b->n_disks && i < MSG_DISKS && all > 0; i++)
		sum->held[i] += pages[i] / all;
	sum->n_held += all > 0;
	if (s->vmstat[VM_ID] >= 0 && s->vmstat[VM_WA] >= 0 && s->vmstat[VM_B] >= 0) {
		sum->idle += (double)s->vmstat[VM_ID] / 100;
		sum->iowait += (double)s->vmstat[VM_WA] / 100;
		sum->blocked += (double)s->vmstat[VM_B];
		sum->n_vm++;
	}
}

static int64_t overlap(int64_t a_from, int64_t a_to, int64_t b_from, int64_t b_to)
{
	int64_t from = a_from > b_from ? a_from : b_from, to = a_to < b_to ? a_to : b_to;

	return to > from ? to - from : 0;
}

bool facts_job(struct facts *f, const struct boot *b, const struct job_result *job,
	       const struct stalls *stalls)
{
	const struct msg_sample *first = NULL, *last = NULL;
	struct sums sum = { .n_full = 0 };
	int64_t from = job->end.start_ns, to;

	*f = (struct facts){ .full = -1, .idle = -1, .iowait = -1, .blocked = -1, .own = -1 };
	if (!job->ended || job->end.wall_ns < 0 || from < 0 || from > INT64_MAX - job->end.wall_ns)
		return false;
	to = from + job->end.wall_ns;
	for (size_t i = 0; i < b->n_samples; i++) {
		if (b->samples[i].ns < from || b->samples[i].ns > to)
			continue;
		first = first ? first : &b->samples[i];
		last = &b->samples[i];
		add_sample(&sum, b, last);
		f->n_samples++;
	}
	if (f->n_samples < 2)
		return false;
	f->full = sum.n_full ? sum.full / (double)sum.n_full : -1;
	f->idle = sum.n_vm ? sum.idle / (double)sum.n_vm : -1;
	f->iowait = sum.n_vm ? sum.iowait / (double)sum.n_vm : -1;
	f->blocked = sum.n_vm ? sum.blocked / (double)sum.n_vm : -1;
	for (size_t i = 0; i < b->n_disks && i < MSG_DISKS; i++) {
		look_at_disk(&f->disks[i], first, last, b->disks[i].name);
		f->disks[i].held = sum.n_held ? sum.held[i] / (double)sum.n_held : -1;
	}
	for (size_t i = 0; stalls && i < stalls->n; i++)
		if (!stalls->v[i].victim)
			f->disks[stalls->v[i].disk].stalled_ns +=
				overlap(from, to, stalls->v[i].from, stalls->v[i].to);
	return true;
}

int facts_disk_of(const struct boot *b, const char *command)
{
	static const char *const before[] = { "/mnt/", "/dev/iorig/" };
	const char *best = NULL;
	int disk = -1;

	for (size_t i = 0; i < b->n_disks && i < MSG_DISKS; i++) {
		for (size_t k = 0; k < ARRAY_SIZE(before); k++) {
			char *path __free(ptr) = xstrfmt("%s%s", before[k], b->disks[i].name);
			const char *at = strstr(command, path);
			char next = at ? at[strlen(path)] : 'x';

			/* "/mnt/hda" is no part of "/mnt/hda2" */
			if (!at || (next && !strchr("/ \t\"';&|)", next)) || (best && at > best))
				continue;
			best = at;
			disk = (int)i;
		}
	}
	return disk;
}

enum mechanism facts_mechanism(const struct facts *f, size_t n_disks, int *other)
{
	double own = f->own >= 0 ? f->disks[f->own].busy : -1;
	int most = -1;

	for (int i = 0; i < (int)n_disks && i < MSG_DISKS; i++)
		if (f->disks[i].held > 0 && (most < 0 || f->disks[i].held > f->disks[most].held))
			most = i;
	*other = most;
	if (own < 0)
		return MECHANISM_UNKNOWN;
	if (own >= FACTS_BUSY)
		return MECHANISM_DISK;
	if (f->full >= FACTS_AT_LIMIT && most >= 0 && own < FACTS_IDLE)
		return most == f->own ? MECHANISM_LIMIT_OWN : MECHANISM_LIMIT_OTHER;
	if (f->idle >= 0 && f->idle + f->iowait < FACTS_CPU)
		return MECHANISM_CPU;
	return own < FACTS_IDLE ? MECHANISM_ELSEWHERE : MECHANISM_UNKNOWN;
}
