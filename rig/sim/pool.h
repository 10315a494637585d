/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counting QEMU's thread-pool workers that have something to do. While one has, neither may the
 * guest run nor its time jump: what a worker does takes host time.
 *
 * A worker is busy from its creation, or from the moment when it is signalled (the signaller
 * counts for it, so there is no gap until it runs), until it waits for its next job, ends, or
 * is parked. A parked worker waits for the simulated disk; whoever finishes its request counts
 * it again before it wakes.
 *
 * All functions may be called by any thread, with any of QEMU's locks held.
 */
#ifndef SIM_POOL_H
#define SIM_POOL_H

#include <pthread.h>
#include <stdbool.h>

bool pool_busy(void);
/* Sleep until it is not. */
void pool_wait_idle(void);

/* By the creator of a thread that may be a worker, before it creates it; and if that failed. */
void pool_thread_coming(void);
void pool_thread_failed(void);
/* By a thread itself: it was counted by its creator. */
void pool_thread_counted(void);
/* By a thread itself: it is no worker, or it ends. No-op if it is not counted. */
void pool_thread_leaves(void);

/* Around a worker's wait for its next job on cond. */
void pool_wait_begins(pthread_cond_t *cond);
void pool_wait_ended(void);
/* Before cond is signalled or broadcast by anybody. */
void pool_signalled(pthread_cond_t *cond, bool all);

/* By a worker that is going to wait for a simulated disk, and after that wait. */
void pool_park(void);
void pool_unparked(void);
/* By whoever ends that wait, before he does. */
void pool_unpark(void);

/* For the watchdog's report. */
unsigned pool_busy_count(void);

#endif
