/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lockstep: QEMU's main loop and its vCPU thread, which left alone race for the big lock (BQL),
 * take turns at moments that depend on guest time only.
 *
 *  1. The vCPU runs guest code only while the main loop sleeps in ppoll() with nothing ready
 *     and no worker is busy. It asks at its gate: whenever it has released the BQL.
 *  2. Guest time jumps only when the vCPU waits for work, no worker is busy, no letter waits
 *     (disks.h) and the main loop has nothing to do. If it sleeps already, the vCPU's thread
 *     makes the jump itself, and both threads stay where they are.
 *
 * The order in which the conditions are read is what makes this free of races. Each can be
 * made false again only by somebody who is known to be at rest from the conditions before it:
 *
 *  - the gate reads 'main loop asleep', 'no busy worker', 'nothing notified', 'no letter'. The
 *    main loop went to sleep after its own ppoll() found nothing; a worker notifies before it
 *    stops being busy; a letter is posted before that too.
 *  - the main loop reads 'vCPU waits', 'no busy worker', then polls, then 'no letter'. A vCPU
 *    that waits submits nothing to workers, an idle worker notifies nobody.
 *
 * 'Notified' means that somebody wrote an eventfd since the gate last looked; the gate then
 * polls the main loop's descriptors itself, because not every eventfd is the main loop's.
 * The main thread's ppoll() is the main loop's if it does not hold the BQL; otherwise it is a
 * nested loop's, which may not wait for anybody who needs that lock.
 *
 * Threads change for what has to be done and not for less. What the vCPU writes to eventfds is
 * held back until it lets go of the BQL (eventfds.h); the main loop wakes the vCPU when it lies
 * down. Whoever blocks in another way sends and wakes first: lockstep_blocks().
 *
 * Host events (QMP, signals) wake the main loop at any time; they are outside of the promise.
 */
#ifndef SIM_LOCKSTEP_H
#define SIM_LOCKSTEP_H

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The clock is simulated: called once, before QEMU's main(). */
void lockstep_enable(void);
bool lockstep_enabled(void);

/* By the vCPU thread when it starts. */
void lockstep_vcpu_starts(void);
/* By any thread that has taken m. */
void lockstep_locked(pthread_mutex_t *m);
/* By any thread that is about to release m, and that has; returns when it may go on. */
void lockstep_unlocks(pthread_mutex_t *m);
void lockstep_unlocked(pthread_mutex_t *m);
/* The main loop's and the vCPU's pthread_cond_wait(). */
int lockstep_cond_wait(pthread_cond_t *cond, pthread_mutex_t *m);
/* Before cond is signalled by anybody. */
void lockstep_signalled(pthread_cond_t *cond);
/* write() of n to an eventfd, by any thread; may be held back (eventfds.h). */
ssize_t lockstep_notify(int fd, uint64_t n);
/* Before the caller blocks in a way that is none of these. */
void lockstep_blocks(void);
/* The main loop's and the vCPU's ppoll(). */
int lockstep_poll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		  const sigset_t *mask);
/* Around another kind of wait for events, in a nested event loop. */
void lockstep_nested_begins(void);
void lockstep_nested_ended(void);

/*
 * At the first request: has all of the above been seen to work? Ends QEMU with the reason if
 * not.
 */
void lockstep_handshake(void);

/* For the watchdog. A number that changes as long as anything moves. */
unsigned lockstep_beat(void);
/* What the threads are doing, one line; true if one of them waits for another. */
bool lockstep_describe(char *text, size_t size);

#endif
