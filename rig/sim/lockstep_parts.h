/* SPDX-License-Identifier: GPL-2.0-only */
/* What the halves of lockstep know of each other; for lockstep*.c alone. */
#ifndef SIM_LOCKSTEP_PARTS_H
#define SIM_LOCKSTEP_PARTS_H

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

enum nap {
	NAP_NONE,	/* the main thread works, or is about to look for work */
	NAP_LOOP,	/* it sleeps in its main loop, with nothing to do when it lay down */
	NAP_WAIT	/* it waits for another thread, with the BQL released: no time may pass */
};

struct lockstep {
	bool enabled;		/* the clock is simulated */
	atomic_bool running;	/* ... and the vCPU thread is there */

	/* both learnt from the vCPU's first wait */
	_Atomic(pthread_mutex_t *) bql;
	_Atomic(pthread_cond_t *) halt_cond;

	_Atomic(enum nap) nap;
	atomic_uint naps;	/* how often it lay down: the word that the gate sleeps on */
	atomic_bool gate_waits;	/* ... and whether it does */
	atomic_bool vcpu_waits;	/* in its wait for work, and not signalled since */
	atomic_bool vcpu_sends;	/* it waits, but some of what it wrote is not sent yet */
	atomic_uint kicks;	/* how often it was: the word that it sleeps on */
	atomic_bool notified;	/* an eventfd was written, see lockstep.h */

	_Atomic(const char *) main_place, vcpu_place;	/* for the watchdog; NULL: busy */
};

extern struct lockstep lockstep;

/* lockstep_main.c, for the main thread */

/* Somebody kicked the vCPU. It is woken when the main thread sleeps next, at the latest. */
void lockstep_main_kicks(void);
/* Before the main thread blocks in any other way: wake the vCPU if it is to be. */
void lockstep_main_blocks(void);
/* The main loop's ppoll(), see lockstep_poll(). */
int lockstep_main_poll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		       const sigset_t *mask);
/* It waits for another thread: such a wait may be for the vCPU, which has to be able to go on. */
int lockstep_main_wait(pthread_cond_t *cond, pthread_mutex_t *m);
/* Whether the sleeping main loop is going to wake up. By the vCPU. */
bool lockstep_main_has_work(void);

/* lockstep_vcpu.c, for the vCPU's thread */

/* It writes an eventfd. False: not held back. */
bool lockstep_vcpu_holds(int fd);
/* Before it blocks: send what is held back. */
void lockstep_vcpu_blocks(void);
void lockstep_vcpu_locked(void);
/* Send what is held back, about to unlock it or after that; then wait at the gate. */
void lockstep_vcpu_unlocks(void);
void lockstep_vcpu_unlocked(void);
int lockstep_vcpu_wait(pthread_cond_t *cond, pthread_mutex_t *m);

/* lockstep.c: take letters to their disks, by the thread whose place that is. */
void lockstep_deliver(_Atomic(const char *) *place);

#endif
