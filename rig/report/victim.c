/* SPDX-License-Identifier: GPL-2.0-only */
/* A victim's steps. */
#include "report/victim.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "record/record.h"
#include "report/facts.h"
#include "report/requests.h"
#include "report/who.h"
#include "report/words.h"

#define MIB_KIB 1024.0
#define LOG_SLACK_NS 100000000LL	/* a call is a little longer than its requests */
#define COMPUTES 50			/* percent: then it is not for a disk that it waits */

enum { VM_US = 12, VM_SY = 13 };

void victim_release(struct victim *v)
{
	free(v->v);
	*v = (struct victim)VICTIM_INIT;
}

/* What all others that are there beside it do to that disk. */
static unsigned int others_move(const struct boot *b, const struct job_result *job, int disk)
{
	unsigned int moves = 0;

	for (size_t i = 0; i < b->n_jobs; i++) {
		char *run __free(ptr) = words_of(b, "job", b->jobs[i].name, "run");

		if (&b->jobs[i] != job && b->jobs[i].role != PLAN_PREPARE && run &&
		    facts_disk_of(b, run) == disk)
			moves |= who_moves(run);
	}
	return moves;
}

/* Which of its steps are its own; false if none are. */
static bool choose_way(struct victim *v, const struct boot *b, const char *run, bool has_log)
{
	unsigned int moves = who_moves(run) & ~others_move(b, v->job, v->disk);

	if ((moves & WHO_READS) && has_log) {
		v->way = VICTIM_READS;
		v->slack = LOG_SLACK_NS;
	} else if ((moves & WHO_WRITES) && who_direct(run)) {
		v->way = VICTIM_WRITES;
		v->slack = LOG_SLACK_NS;
		return has_log;
	} else {
		v->way = VICTIM_DIRTIES;
		return moves & WHO_WRITES;
	}
	return true;
}

static int by_time(const void *a, const void *b)
{
	const struct victim_step *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static void steps_of_log(struct victim *v, const struct requests *r)
{
	enum request_op op = v->way == VICTIM_READS ? REQUEST_READ : REQUEST_WRITE;
	size_t alloc = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct request *q = &r->v[i];

		if (q->disk != v->disk || q->op != op || q->done < v->from || q->done > v->to)
			continue;
		if (v->n == alloc) {
			alloc = alloc ? alloc * 2 : 64;
			v->v = xreallocarray(v->v, alloc, sizeof(*v->v));
		}
		v->v[v->n++] = (struct victim_step){ q->done, 1 };
	}
	if (v->n)
		qsort(v->v, v->n, sizeof(*v->v), by_time);
}

static const struct msg_sample_disk *disk_in(const struct msg_sample *s, const char *name)
{
	for (int i = 0; i < s->n_disks && i < MSG_DISKS; i++)
		if (!strcmp(s->disks[i].name, name))
			return &s->disks[i];
	return NULL;
}

static void steps_of_samples(struct victim *v, const struct boot *b)
{
	const char *name = b->disks[v->disk].name;

	for (size_t i = 1; i < b->n_samples; i++) {
		const struct msg_sample *s = &b->samples[i];
		const struct msg_sample_disk *x = disk_in(&s[-1], name), *y = disk_in(s, name);

		if (!x || !y || x->dirtied < 0 || y->dirtied < x->dirtied || s->ns <= s[-1].ns ||
		    s->ns <= v->from || s->ns > v->to)
			continue;
		if (s->ns - s[-1].ns > v->slack)
			v->slack = s->ns - s[-1].ns;
		*array_grow(v->v, v->n) = (struct victim_step){
			s->ns, ((double)y->dirtied - (double)x->dirtied) / MIB_KIB
		};
	}
}

bool victim_steps(struct victim *v, const struct boot *b, const struct job_result *job,
		  const struct requests *r)
{
	char *run __free(ptr) = words_of(b, "job", job->name, "run");
	bool has_log = r && r->n && !r->cut;

	*v = (struct victim){ .job = job, .from = job->end.start_ns };
	if (!run || job->role != PLAN_VICTIM || !job->ended || job->end.wall_ns < 0 ||
	    v->from < 0 || v->from > INT64_MAX - job->end.wall_ns)
		return false;
	v->to = v->from + job->end.wall_ns;
	v->disk = facts_disk_of(b, run);
	if (v->disk < 0 || !choose_way(v, b, run, has_log))
		return false;
	if (v->way == VICTIM_DIRTIES)
		steps_of_samples(v, b);
	else
		steps_of_log(v, r);
	return v->n;
}

/* Does the processor compute for most of the time? Without a sample nobody knows. */
static bool computes(const struct boot *b, int64_t from, int64_t to)
{
	int64_t sum = 0, n = 0;

	for (size_t i = 0; i < b->n_samples; i++) {
		const struct msg_sample *s = &b->samples[i];

		if (s->ns <= from || s->ns > to || s->vmstat[VM_US] < 0 || s->vmstat[VM_SY] < 0 ||
		    s->vmstat[VM_US] > 100 || s->vmstat[VM_SY] > 100)
			continue;
		sum += s->vmstat[VM_US] + s->vmstat[VM_SY];
		n++;
	}
	return !n || sum > n * COMPUTES;
}

static void add_gap(struct stalls *s, const struct boot *b, const struct victim *v, int64_t from,
		    int64_t to)
{
	const struct hist *h = v->job->measured ? &v->job->result.hist : NULL;
	int64_t least = FACTS_STALL_NS + (v->way == VICTIM_DIRTIES ? FACTS_STALL_NS / 10 : 0);
	int64_t longest = h && h->count ? h->max : -1;

	if (to - from <= least || s->n >= FACTS_STALLS || computes(b, from, to))
		return;
	if (longest >= 0 && (longest <= FACTS_STALL_NS || to - from - 2 * v->slack > longest))
		return;
	*array_grow(s->v, s->n) =
		(struct stall){ .disk = v->disk, .victim = v->job, .from = from, .to = to };
}

static void stalls_of(struct stalls *s, const struct boot *b, const struct victim *v)
{
	int64_t last = v->from;

	for (size_t i = 0; i < v->n; i++) {
		if (!(v->v[i].n > 0))
			continue;
		/* by samples it got on somewhere in the last interval, so not in those before */
		if (v->way != VICTIM_DIRTIES)
			add_gap(s, b, v, last, v->v[i].at);
		else if (i)
			add_gap(s, b, v, last, v->v[i - 1].at);
		last = v->v[i].at;
	}
	if (v->way != VICTIM_DIRTIES)
		add_gap(s, b, v, last, v->to);
	else if (v->n)
		add_gap(s, b, v, last, v->v[v->n - 1].at);
}

void victim_stalls(struct stalls *s, const struct boot *b, const struct requests *r)
{
	for (size_t i = 0; i < b->n_jobs; i++) {
		struct victim v __release(victim) = VICTIM_INIT;

		if (victim_steps(&v, b, &b->jobs[i], r))
			stalls_of(s, b, &v);
	}
}
