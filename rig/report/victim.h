/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When a victim got on, and when it did not. Nobody records each call of a dd, but what a job does
 * to its own disk shows its steps:
 *
 *	reads	each read of its disk that the log of requests says is complete
 *	writes	past the page cache: each write the same way
 *	dirties	through it: how much the disk's BdiDirtied grew from sample to sample
 *
 * Steps are the victim's only if no other job that runs beside it does the same to the same disk
 * (by its command's text, who_moves()); a job whose steps cannot be told has none. Pure.
 */
#ifndef REPORT_VICTIM_H
#define REPORT_VICTIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct boot;
struct job_result;
struct requests;
struct stalls;

enum victim_way { VICTIM_READS, VICTIM_WRITES, VICTIM_DIRTIES };

struct victim_step {
	int64_t at;		/* ns of the guest's clock */
	double n;		/* requests, or MiB dirtied; 0: it had not got on by then */
};

struct victim {
	const struct job_result *job;
	int disk;		/* its own, index into the boot's disks */
	enum victim_way way;
	int64_t from, to;	/* its command's time */
	int64_t slack;		/* how exact the moments are */
	struct victim_step *v;	/* by time, within from and to */
	size_t n;
};

#define VICTIM_INIT { .job = NULL }

/* False, with nothing in it, if the job is no victim, did not end, or its steps cannot be told. */
bool victim_steps(struct victim *v, const struct boot *b, const struct job_result *job,
		  const struct requests *r);
void victim_release(struct victim *v);

/*
 * Append the stalls of all victims of the boot: more than FACTS_STALL_NS from one step to the next
 * (facts.h; by samples some more, as a step lies anywhere between two), during which the processor
 * was idle or waited for more than half of the time. A job of the agent's timed each of its calls:
 * what is longer than the longest of them is a pause that it made itself.
 */
void victim_stalls(struct stalls *s, const struct boot *b, const struct requests *r);

#endif
