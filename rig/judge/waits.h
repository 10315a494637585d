/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a job's processes waited: from the stacks that the agent saw (struct job_wait, guest/msg.h)
 * to mechanisms of the kernel, and their shares over seeds. Pure.
 *
 * A stack has the first mechanism, in the order of enum waits_kind, of which a function is
 * anywhere in it: what a page reclaimer waits for is reclaim's doing, and a request that waits for
 * its tag inside of a read is tags and not device. The names are those of Linux 5.10 to 7.x; what
 * a compiler adds to one (".constprop.0") does not count.
 */
#ifndef JUDGE_WAITS_H
#define JUDGE_WAITS_H

#include <stdbool.h>
#include <stdint.h>

struct run;

enum waits_kind {
	WAITS_RECLAIM,		/* frees memory, or waits for somebody who does */
	WAITS_THROTTLED,	/* balance_dirty_pages(): a writer above its share of the limit */
	WAITS_WBT,		/* the writeback throttling of the block layer, blk-wbt.c */
	WAITS_TAGS,		/* all requests of the queue are taken */
	WAITS_JOURNAL,		/* a transaction of the file system */
	WAITS_SYNC,		/* the flusher that works for a sync */
	WAITS_LOCK,		/* a mutex or semaphore that somebody else holds */
	WAITS_DEVICE,		/* a request that is on its way, or a page or buffer in one */
	WAITS_RUNNING,		/* it runs or wants to */
	WAITS_ASLEEP,		/* of its own will: a timer, a pipe, a child */
	WAITS_OTHER,		/* nothing of the above; stacks that were not kept */
	WAITS_N
};

struct waits {
	double looks;			/* at processes of the job, over all seeds */
	double share[WAITS_N];		/* of the looks; 0 without any */
};

/* state: as in /proc/PID/stat, or "other"; stack: names with blanks between, innermost first. */
enum waits_kind waits_classify(const char *state, const char *stack);
const char *waits_name(enum waits_kind kind);	/* "throttled", "device", ... */
/* All boots of the case; false if nobody looked at the job. Counts are hostile: those that are not
 * positive are left out. */
bool waits_collect(struct waits *w, const struct run *run, const char *case_name, const char *job);

#endif
