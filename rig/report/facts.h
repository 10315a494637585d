/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a boot's samples and requests say about where a job's time went. Pure. Times are ns of the
 * guest's clock. Samples are hostile: any order, any number.
 */
#ifndef REPORT_FACTS_H
#define REPORT_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest/msg.h"

struct boot;
struct job_result;
struct requests;

/*
 * A stall: a disk has dirty pages, or pages under writeback, and completes no request for more
 * than FACTS_STALL_NS. With a log of requests its completions are exact, and the pages are those
 * of the last sample before the gap's end and of every sample in it; without one, all samples of
 * the gap have to show the same count of completed reads and writes.
 */
#define FACTS_STALL_NS 1000000000LL
#define FACTS_STALLS 10000	/* more are not looked for */

struct stall {
	int disk;		/* index into the boot's disks */
	/* NULL: the disk's own; else this victim's (victim.h), whose disk it is. Borrowed. */
	const struct job_result *victim;
	int64_t from, to;
};

struct stalls {
	struct stall *v;	/* by disk, then time; behind them the victims' */
	size_t n;
};

#define STALLS_INIT { .v = NULL }

/* Those of the disks. */
void facts_stalls(struct stalls *s, const struct boot *b, const struct requests *r);
void stalls_release(struct stalls *s);

/* A disk during a job; -1 where the samples do not say. */
struct facts_disk {
	double busy;		/* part of the time that requests were in flight (io_ticks) */
	double held;		/* its part of all disks' dirty and writeback pages, mean */
	int64_t written, read;	/* bytes completed */
	int64_t stalled_ns;
	int64_t requests;
};

struct facts {
	double full;		/* dirty and writeback pages of the guest / dirty limit, mean; -1 */
	double idle, iowait;	/* of the guest's processor, mean; -1 */
	double blocked;		/* processes in uninterruptible sleep, mean; -1 */
	size_t n_samples;	/* that it rests on */
	int own;		/* the job's own disk, -1 = not known */
	struct facts_disk disks[MSG_DISKS];
};

/* Of the time between a job's start and its command's end. False if there were not two samples. */
bool facts_job(struct facts *f, const struct boot *b, const struct job_result *job,
	       const struct stalls *s);
/* The boot's disk that a command line names as /mnt/NAME or /dev/iorig/NAME, the first; -1. */
int facts_disk_of(const struct boot *b, const char *command);

/* Where the job waits, as far as the facts can tell. */
enum mechanism {
	MECHANISM_UNKNOWN,
	MECHANISM_LIMIT_OTHER,	/* at the dirty limit, which another disk's pages fill */
	MECHANISM_LIMIT_OWN,	/* at the dirty limit, which its own disk's pages fill */
	MECHANISM_DISK,		/* for its own disk, which is busy */
	MECHANISM_CPU,		/* for the processor */
	MECHANISM_ELSEWHERE	/* its disk idles and the limit is far: memory, locks, the bus */
};

/* *other: the disk that holds most pages, where that is part of the answer. The limits are
 * FACTS_BUSY and the like in facts.c, and the page tells the figures beside the conclusion. */
enum mechanism facts_mechanism(const struct facts *f, size_t n_disks, int *other);

#endif
