/* SPDX-License-Identifier: GPL-2.0-only */
/* What both halves share: who is who, the functions that hooks call, and the checks. */
#include "sim/lockstep.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/disks.h"
#include "sim/eventfds.h"
#include "sim/fatal.h"
#include "sim/futex.h"
#include "sim/lockstep_parts.h"
#include "sim/pool.h"
#include "sim/symbols.h"
#include "sim/thread.h"

__thread enum thread_role thread_role;

struct lockstep lockstep;

/* The main thread has released the BQL, and not taken it again: a ppoll() is the main loop's. */
static bool main_released;

void lockstep_enable(void)
{
	lockstep.enabled = true;
}

bool lockstep_enabled(void)
{
	return lockstep.enabled;
}

void lockstep_vcpu_starts(void)
{
	thread_role = THREAD_VCPU;
	if (lockstep.enabled)
		atomic_store(&lockstep.running, true);
}

ssize_t lockstep_notify(int fd, uint64_t n)
{
	ssize_t ret;

	if (lockstep.enabled && thread_role == THREAD_VCPU && lockstep_vcpu_holds(fd))
		return sizeof(n);
	ret = sim_libc()->write(fd, &n, sizeof(n));
	/* the main loop looks at its descriptors itself before it sleeps */
	if (ret == sizeof(n) && thread_role != THREAD_MAIN)
		atomic_store(&lockstep.notified, true);
	return ret;
}

void lockstep_signalled(pthread_cond_t *cond)
{
	if (!lockstep.enabled || cond != atomic_load(&lockstep.halt_cond))
		return;
	atomic_store(&lockstep.vcpu_waits, false);
	atomic_fetch_add(&lockstep.kicks, 1);
	if (thread_role == THREAD_MAIN)
		lockstep_main_kicks();
	else if (thread_role != THREAD_VCPU)
		futex_wake(&lockstep.kicks);
}

void lockstep_blocks(void)
{
	if (!lockstep.enabled)
		return;
	if (thread_role == THREAD_MAIN)
		lockstep_main_blocks();
	else if (thread_role == THREAD_VCPU)
		lockstep_vcpu_blocks();
}

void lockstep_deliver(_Atomic(const char *) *place)
{
	pthread_mutex_t *m = atomic_load(&lockstep.bql);

	atomic_store(place, "waits for the big lock");
	sim_libc()->pthread_mutex_lock(m);
	atomic_store(place, NULL);
	disks_deliver();
	sim_libc()->pthread_mutex_unlock(m);
}

/* ---- waits for events ---- */

static bool may_nest(void)
{
	return thread_role == THREAD_MAIN || thread_role == THREAD_VCPU;
}

void lockstep_nested_begins(void)
{
	lockstep_blocks();
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

	if (main_loop && atomic_load(&lockstep.running))
		return lockstep_main_poll(fds, n, timeout, mask);
	if (!main_loop && (!timeout || timeout->tv_sec || timeout->tv_nsec))
		return poll_nested(fds, n, timeout, mask);
	/* a look at what was written includes what this thread wrote itself */
	lockstep_blocks();
	return sim_libc()->ppoll(fds, n, timeout, mask);
}

/* ---- locks ---- */

void lockstep_locked(pthread_mutex_t *m)
{
	if (m != atomic_load_explicit(&lockstep.bql, memory_order_relaxed))
		return;
	if (thread_role == THREAD_MAIN)
		main_released = false;
	else if (thread_role == THREAD_VCPU)
		lockstep_vcpu_locked();
}

void lockstep_unlocks(pthread_mutex_t *m)
{
	if (thread_role == THREAD_VCPU && lockstep.enabled &&
	    m == atomic_load_explicit(&lockstep.bql, memory_order_relaxed))
		lockstep_vcpu_unlocks();
}

void lockstep_unlocked(pthread_mutex_t *m)
{
	if (m != atomic_load_explicit(&lockstep.bql, memory_order_relaxed))
		return;
	if (thread_role == THREAD_MAIN)
		main_released = true;
	else if (thread_role == THREAD_VCPU && lockstep.enabled)
		lockstep_vcpu_unlocked();
}

int lockstep_cond_wait(pthread_cond_t *cond, pthread_mutex_t *m)
{
	if (thread_role == THREAD_VCPU && !atomic_load(&lockstep.bql)) {
		atomic_store(&lockstep.halt_cond, cond);
		atomic_store(&lockstep.bql, m);
		lockstep_vcpu_locked();
	}
	if (lockstep.enabled && thread_role == THREAD_VCPU)
		return lockstep_vcpu_wait(cond, m);
	if (thread_role == THREAD_MAIN && atomic_load(&lockstep.running))
		return lockstep_main_wait(cond, m);
	return sim_libc()->pthread_cond_wait(cond, m);
}

/* ---- checks ---- */

void lockstep_handshake(void)
{
	static bool done;

	/* QEMU reads the first sectors of a disk before it makes a CPU */
	if (done || !lockstep.enabled || sim_qemu.clock_get_ns(SIM_CLOCK_VIRTUAL) == 0)
		return;
	if (sim_qemu.use_icount && !*sim_qemu.use_icount)
		fatal("the clock cannot be simulated without -icount shift=1,sleep=off");
	if (!atomic_load(&lockstep.running) || !atomic_load(&lockstep.bql))
		fatal("no single vCPU thread was seen; this needs -accel tcg,thread=single and "
		      "-name ...,debug-threads=on");
	if (!atomic_load(&lockstep.naps))
		fatal("QEMU's main loop was never seen to sleep in ppoll()");
	done = true;
}

unsigned lockstep_beat(void)
{
	return atomic_load(&lockstep.naps) + atomic_load(&lockstep.kicks) + pool_busy_count();
}

bool lockstep_describe(char *text, size_t size)
{
	const char *m = atomic_load(&lockstep.main_place), *v = atomic_load(&lockstep.vcpu_place);

	snprintf(text, size,
		 "main loop %s; vCPU %s; %u workers busy; %s; %s; slept %u times, %u kicks",
		 m ? m : atomic_load(&lockstep.nap) != NAP_NONE ? "sleeps" : "works",
		 v ? v : atomic_load(&lockstep.vcpu_waits) ? "waits for work" : "works",
		 pool_busy_count(),
		 atomic_load(&lockstep.notified) ? "an event is noted" : "no event is noted",
		 disks_have_letters() ? "a disk request waits to be delivered" : "no letters",
		 atomic_load(&lockstep.naps), atomic_load(&lockstep.kicks));
	return m || v;
}
