/* SPDX-License-Identifier: GPL-2.0-only */
/* Did the jobs of a boot do what their case asks of them, and how long did it take. */
#include "judge/boots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "judge/dd.h"

#define EVIDENCE_MAX 160	/* bytes of a command's output in a reason */

const struct boot *boots_find(const struct run *run, const char *case_name, enum outcome outcome)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (b->outcome == outcome && strcmp(b->case_name, case_name) == 0)
			return b;
	}
	return NULL;
}

const struct boot *boots_find_broken(const struct run *run, const char *case_name)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (b->outcome == OUTCOME_BROKEN && !boot_is_void(b) &&
		    strcmp(b->case_name, case_name) == 0)
			return b;
	}
	return NULL;
}

size_t boots_count(const struct run *run, const char *case_name)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_boots; i++)
		n += strcmp(run->boots[i].case_name, case_name) == 0;
	return n;
}

const struct job_result *boots_result(const struct boot *b, const char *job)
{
	for (size_t i = 0; i < b->n_jobs; i++) {
		if (strcmp(b->jobs[i].name, job) == 0)
			return &b->jobs[i];
	}
	return NULL;
}

/* How the job ended in this boot, or NULL. */
static const struct msg_end *find_end(const struct boot *b, const char *job)
{
	const struct job_result *r = boots_result(b, job);

	return r && r->ended ? &r->end : NULL;
}

/* Ended by the agent because all victims had: how it was killed says nothing about it. */
static bool was_stopped(const struct case_job *job, const struct msg_end *end)
{
	return end->stopped && job->stop == PLAN_STOP_VICTIMS;
}

/* The last line that looks like a complaint ("dd: error writing ..."), or the last of all. */
static void add_complaint(struct strbuf *why, const char *output)
{
	const char *best = NULL, *line = output;
	size_t best_len = 0;
	bool complaint = false;

	while (*line) {
		size_t len = strcspn(line, "\r\n");
		bool this_one = memmem(line, len, ": ", 2);

		if (len && (this_one || !complaint)) {
			best = line;
			best_len = len;
			complaint = complaint || this_one;
		}
		line += len;
		line += strspn(line, "\r\n");
	}
	if (!best)
		return;
	strbuf_addstr(why, ": ");
	strbuf_add_escaped(why, best, best_len, EVIDENCE_MAX);
}

static void add_sync_failure(struct strbuf *why, int64_t error)
{
	if (error > 0 && error < 4096)
		strbuf_addf(why, "failed to sync: %s", strerror((int)error));
	else
		strbuf_addf(why, "failed to sync: error %" PRId64, error);
}

/* What is wrong with the end of a job, as the rest of a sentence that begins with it. */
static bool add_failure(struct strbuf *why, const struct case_job *job, const struct msg_end *end)
{
	size_t before = why->len;
	char time[32];

	if (!end) {
		strbuf_addstr(why, "never started or has no end");
	} else if (end->timeout) {
		strbuf_addf(why, "met its deadline of %s", format_time(job->deadline_ns, time));
	} else if (was_stopped(job, end)) {
		return false;
	} else if (end->stopped) {
		strbuf_addstr(why, "was stopped before its end");
	} else if (end->signal) {
		strbuf_addf(why, "was killed by signal %" PRId64, end->signal);
		add_complaint(why, end->output);
	} else if (end->exit) {
		strbuf_addf(why, "exited with status %" PRId64, end->exit);
		add_complaint(why, end->output);
	} else if (end->start_ns < 0 || end->wall_ns < 0) {
		strbuf_addstr(why, "has no time");
	} else if (!dd_is_short(job->run, end->output, why) && job->sync && end->sync_error) {
		add_sync_failure(why, end->sync_error);
	} else if (why->len == before && job->sync && end->sync_ns < 0) {
		strbuf_addstr(why, "has no time of its sync");
	}
	return why->len > before;
}

bool boots_did_work(const struct case_job *job, const struct job_result *r)
{
	struct strbuf ignored __release(strbuf) = STRBUF_INIT;

	return r && r->ended && !add_failure(&ignored, job, &r->end);
}

bool boots_was_stopped(const struct case_job *job, const struct job_result *r)
{
	return r->ended && was_stopped(job, &r->end);
}

/* "seed 3: " where there are several. */
static void add_seed(struct strbuf *why, const struct run *run, const struct boot *b)
{
	if (boots_count(run, b->case_name) > 1)
		strbuf_addf(why, "seed %" PRIu32 ": ", b->seed);
}

bool boots_job_broken(const struct run *run, const struct kase *c, const struct case_job *job,
		      struct strbuf *why)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];
		struct strbuf failure __release(strbuf) = STRBUF_INIT;

		if (strcmp(b->case_name, c->name) != 0 || b->outcome != OUTCOME_DONE)
			continue;
		if (!add_failure(&failure, job, find_end(b, job->name)))
			continue;
		add_seed(why, run, b);
		strbuf_addf(why, "%s '%s' %s", job->role == PLAN_LOAD ? "load" : "job", job->name,
			    failure.buf);
		return true;
	}
	return false;
}

struct interval {
	int64_t start, end;
};

static int64_t overlap(struct interval a, struct interval b)
{
	int64_t start = a.start > b.start ? a.start : b.start;
	int64_t end = a.end < b.end ? a.end : b.end;

	return end > start ? end - start : 0;
}

/* a + b for times of which a guest may claim anything. */
static int64_t add_times(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* The load's data is still on its way to the disk while it syncs: that counts as running. */
static struct interval load_interval(const struct msg_end *end)
{
	int64_t length = add_times(end->wall_ns, end->sync_ns > 0 ? end->sync_ns : 0);

	return (struct interval){ end->start_ns, add_times(end->start_ns, length) };
}

static bool add_absence(struct strbuf *why, const struct case_job *load,
			const struct msg_end *load_end, const struct msg_end *victim_end,
			double alone_ns)
{
	struct interval l = load_interval(load_end);
	struct interval v = { victim_end->start_ns,
			      add_times(victim_end->start_ns, victim_end->wall_ns) };
	int64_t both = overlap(l, v);
	char time[32], of[32];

	/* A victim that got very slow outlasts any load; that load did run beside it. */
	if (both > 0 && (both >= victim_end->wall_ns / 2 ||
			 (alone_ns > 0 && (double)both >= alone_ns)))
		return false;
	strbuf_addf(why, "load '%s' ", load->name);
	if (both > 0)
		strbuf_addf(why, "ran beside it for %s of %s only", format_time(both, time),
			    format_time(victim_end->wall_ns, of));
	else if (l.end <= v.start)
		strbuf_addf(why, "ended %s before it began", format_time(v.start - l.end, time));
	else
		strbuf_addf(why, "began %s after it had ended",
			    format_time(l.start - v.end, time));
	return true;
}

/* One boot: all loads of the case against the victim. */
static bool add_boot_absence(struct strbuf *why, const struct kase *c, const struct boot *b,
			     const struct msg_end *victim_end, double alone_ns)
{
	for (size_t i = 0; i < c->n_jobs; i++) {
		const struct case_job *load = &c->jobs[i];
		const struct msg_end *end = find_end(b, load->name);
		struct strbuf failure __release(strbuf) = STRBUF_INIT;

		if (load->role != PLAN_LOAD)
			continue;
		if (add_failure(&failure, load, end)) {
			strbuf_addf(why, "load '%s' %s", load->name, failure.buf);
			return true;
		}
		if (add_absence(why, load, end, victim_end, alone_ns))
			return true;
	}
	return false;
}

bool boots_load_missing(const struct run *run, const struct kase *c, const struct case_job *victim,
			double alone_ns, struct strbuf *why)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];
		const struct msg_end *end = find_end(b, victim->name);
		struct strbuf absence __release(strbuf) = STRBUF_INIT;

		if (strcmp(b->case_name, c->name) != 0 || b->outcome != OUTCOME_DONE || !end)
			continue;
		if (!add_boot_absence(&absence, c, b, end, alone_ns))
			continue;
		add_seed(why, run, b);
		strbuf_addstr(why, absence.buf);
		return true;
	}
	return false;
}
