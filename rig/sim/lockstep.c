/* SPDX-License-Identifier: GPL-2.0-only */
/* The gate, the main loop's sleep, and the permission for time to jump. */
#include "sim/lockstep.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "sim/disks.h"
#include "sim/fatal.h"
#include "sim/futex.h"
#include "sim/pool.h"
#include "sim/stop.h"
#include "sim/symbols.h"
#include "sim/thread.h"

#define POLL_FDS_MAX 256
/* While the machine is stopped, how long the main loop sleeps between two looks. */
#define STOPPED_NS   100000000L

__thread enum thread_role thread_role;

static bool enabled;		/* the clock is simulated */
static atomic_bool running;	/* ... and the vCPU thread is there */

/* Both learnt from the vCPU's first wait. */
static _Atomic(pthread_mutex_t *) bql;
static _Atomic(pthread_cond_t *) halt_cond;

static atomic_bool asleep;	/* the main loop sleeps, with nothing to do when it lay down */
static atomic_uint naps;	/* how often it lay down: the word that the gate sleeps on */
static atomic_bool gate_waits;	/* ... and whether it does */
static atomic_bool vcpu_waits;	/* in its wait for work, and not signalled since */
static atomic_uint kicks;	/* how often it was */
static atomic_bool notified;
static _Atomic(const char *) main_place, vcpu_place;	/* for the watchdog; NULL: busy */

/* What the main loop sleeps on. It writes this while awake; the gate copies it. */
static pthread_mutex_t nap_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pollfd nap_fds[POLL_FDS_MAX];
static nfds_t nap_n;

/* The main thread has released the BQL, and not taken it again: a ppoll() is the main loop's. */
static bool main_released;
/* 'kicks' when time was last allowed to jump. */
static unsigned jumped_at;
static bool jumped;

static const struct timespec no_time;

void lockstep_enable(void)
{
	enabled = true;
}

bool lockstep_enabled(void)
{
	return enabled;
}

void lockstep_vcpu_starts(void)
{
	thread_role = THREAD_VCPU;
	if (enabled)
		atomic_store(&running, true);
}

void lockstep_notified(void)
{
	/* the main loop looks at its descriptors itself before it sleeps */
	if (thread_role != THREAD_MAIN)
		atomic_store(&notified, true);
}

void lockstep_signalled(pthread_cond_t *cond)
{
	if (cond != atomic_load(&halt_cond))
		return;
	atomic_store(&vcpu_waits, false);
	atomic_fetch_add(&kicks, 1);
}

/* ---- the main loop ---- */

static void lie_down(const struct pollfd *fds, nfds_t n)
{
	if (n > POLL_FDS_MAX)
		fatal("QEMU's main loop polls %lu descriptors, %d is the limit", (unsigned long)n,
		      POLL_FDS_MAX);
	pthread_mutex_lock(&nap_lock);
	if (n)
		memcpy(nap_fds, fds, n * sizeof(*fds));
	nap_n = n;
	pthread_mutex_unlock(&nap_lock);
	atomic_store(&asleep, true);
	atomic_fetch_add(&naps, 1);
	if (atomic_load(&gate_waits))
		futex_wake(&naps);
}

static void get_up(void)
{
	atomic_store(&asleep, false);
}

static int sleep_in_poll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
			 const sigset_t *mask)
{
	int ready;

	lie_down(fds, n);
	ready = sim_libc()->ppoll(fds, n, timeout, mask);
	get_up();
	return ready;
}

static bool is_zero(const struct timespec *t)
{
	return t && !t->tv_sec && !t->tv_nsec;
}

static void deliver_letters(void)
{
	_Atomic(const char *) *place = thread_role == THREAD_MAIN ? &main_place : &vcpu_place;
	pthread_mutex_t *m = atomic_load(&bql);

	atomic_store(place, "waits for the big lock");
	sim_libc()->pthread_mutex_lock(m);
	atomic_store(place, NULL);
	disks_deliver();
	sim_libc()->pthread_mutex_unlock(m);
}

/*
 * Everything is at rest. Let the caller's iteration of the main loop jump to the next timer,
 * unless the last jump woke nobody: then there was none to make, since every jump wakes the
 * vCPU; the machine is stopped, or has no timer.
 */
static bool may_jump(void)
{
	unsigned n = atomic_load(&kicks);

	if (jumped && jumped_at == n) {
		jumped = false;
		return false;
	}
	jumped = true;
	jumped_at = n;
	return true;
}

static int poll_main_loop(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
			  const sigset_t *mask)
{
	static const struct timespec stopped = { 0, STOPPED_NS };

	stop_check();
	*sim_qemu.qtest_allowed = true;
	for (;;) {
		bool vcpu_rests = atomic_load(&vcpu_waits);
		int ready;

		if (pool_busy()) {
			atomic_store(&main_place, "waits for the thread pool");
			pool_wait_idle();
			atomic_store(&main_place, NULL);
			continue;
		}
		ready = sim_libc()->ppoll(fds, n, &no_time, mask);
		if (ready || is_zero(timeout))
			return ready;
		if (!vcpu_rests)
			return sleep_in_poll(fds, n, timeout, mask);
		if (disks_have_letters()) {
			deliver_letters();
			continue;
		}
		if (!may_jump())
			return sleep_in_poll(fds, n, &stopped, mask);
		*sim_qemu.qtest_allowed = false;
		return 0;
	}
}

static bool may_nest(void)
{
	return thread_role == THREAD_MAIN || thread_role == THREAD_VCPU;
}

void lockstep_nested_begins(void)
{
	if (may_nest())
		disks_drain_begins();
}

void lockstep_nested_ended(void)
{
	if (may_nest())
		disks_drain_ended();
}

static int poll_nested(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		       const sigset_t *mask)
{
	int ready;

	lockstep_nested_begins();
	ready = sim_libc()->ppoll(fds, n, timeout, mask);
	lockstep_nested_ended();
	return ready;
}

int lockstep_poll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		  const sigset_t *mask)
{
	bool main_loop = thread_role == THREAD_MAIN && main_released;

	if (main_loop && atomic_load(&running))
		return poll_main_loop(fds, n, timeout, mask);
	if (!main_loop && !is_zero(timeout))
		return poll_nested(fds, n, timeout, mask);
	return sim_libc()->ppoll(fds, n, timeout, mask);
}

/* ---- the vCPU ---- */

static void wait_for_nap(unsigned n)
{
	atomic_store(&vcpu_place, "waits for the main loop");
	atomic_store(&gate_waits, true);
	while (atomic_load(&naps) == n)
		futex_wait(&naps, n);
	atomic_store(&gate_waits, false);
	atomic_store(&vcpu_place, NULL);
}

/* Whether the sleeping main loop is going to wake up. */
static bool main_has_work(void)
{
	struct pollfd fds[POLL_FDS_MAX];
	nfds_t n;

	pthread_mutex_lock(&nap_lock);
	n = nap_n;
	memcpy(fds, nap_fds, n * sizeof(*fds));
	pthread_mutex_unlock(&nap_lock);
	return n && sim_libc()->ppoll(fds, n, &no_time, NULL) != 0;
}

static void gate(void)
{
	for (;;) {
		unsigned n = atomic_load(&naps);

		if (!atomic_load(&asleep)) {
			wait_for_nap(n);
		} else if (pool_busy()) {
			atomic_store(&vcpu_place, "waits for the thread pool");
			pool_wait_idle();
			atomic_store(&vcpu_place, NULL);
		} else if (atomic_load(&notified)) {
			/*
			 * If the main loop woke up meanwhile and took what was ready, it is seen
			 * awake, or to have slept again, in the next round.
			 */
			atomic_store(&notified, false);
			if (main_has_work())
				wait_for_nap(n);
		} else if (disks_have_letters()) {
			deliver_letters();
		} else {
			return;
		}
	}
}

void lockstep_locked(pthread_mutex_t *m)
{
	if (m == atomic_load_explicit(&bql, memory_order_relaxed))
		main_released = false;
}

void lockstep_unlocked(pthread_mutex_t *m)
{
	if (thread_role == THREAD_OTHER || m != atomic_load_explicit(&bql, memory_order_relaxed))
		return;
	if (thread_role == THREAD_MAIN)
		main_released = true;
	else if (thread_role == THREAD_VCPU && enabled)
		gate();
}

static int vcpu_cond_wait(pthread_cond_t *cond, pthread_mutex_t *m)
{
	int ret;

	if (!atomic_load(&bql)) {
		atomic_store(&halt_cond, cond);
		atomic_store(&bql, m);
	}
	if (cond != atomic_load(&halt_cond))
		return sim_libc()->pthread_cond_wait(cond, m);
	atomic_store(&vcpu_waits, true);
	ret = sim_libc()->pthread_cond_wait(cond, m);
	atomic_store(&vcpu_waits, false);
	return ret;
}

int lockstep_cond_wait(pthread_cond_t *cond, pthread_mutex_t *m)
{
	int ret;

	if (thread_role == THREAD_VCPU)
		return vcpu_cond_wait(cond, m);
	if (thread_role != THREAD_MAIN || !atomic_load(&running))
		return sim_libc()->pthread_cond_wait(cond, m);
	/* the main loop waits for the vCPU (to pause, say), which must be able to go on */
	lie_down(NULL, 0);
	ret = sim_libc()->pthread_cond_wait(cond, m);
	get_up();
	return ret;
}

/* ---- checks ---- */

void lockstep_handshake(void)
{
	static bool done;

	/* QEMU reads the first sectors of a disk before it makes a CPU */
	if (done || !enabled || sim_qemu.clock_get_ns(SIM_CLOCK_VIRTUAL) == 0)
		return;
	if (sim_qemu.use_icount && !*sim_qemu.use_icount)
		fatal("the clock cannot be simulated without -icount shift=1,sleep=off");
	if (!atomic_load(&running) || !atomic_load(&bql))
		fatal("no single vCPU thread was seen; this needs -accel tcg,thread=single and "
		      "-name ...,debug-threads=on");
	if (!atomic_load(&naps))
		fatal("QEMU's main loop was never seen to sleep in ppoll()");
	done = true;
}

unsigned lockstep_beat(void)
{
	return atomic_load(&naps) + atomic_load(&kicks) + pool_busy_count();
}

bool lockstep_describe(char *text, size_t size)
{
	const char *m = atomic_load(&main_place), *v = atomic_load(&vcpu_place);

	snprintf(text, size,
		 "main loop %s; vCPU %s; %u workers busy; %s; %s; slept %u times, %u kicks",
		 m ? m : atomic_load(&asleep) ? "sleeps" : "works",
		 v ? v : atomic_load(&vcpu_waits) ? "waits for work" : "works", pool_busy_count(),
		 atomic_load(&notified) ? "an event is noted" : "no event is noted",
		 disks_have_letters() ? "a disk request waits to be delivered" : "no letters",
		 atomic_load(&naps), atomic_load(&kicks));
	return m || v;
}
