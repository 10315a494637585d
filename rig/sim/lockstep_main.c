/* SPDX-License-Identifier: GPL-2.0-only */
/* The main loop's sleep, and the permission for time to jump. */
#include <string.h>

#include "sim/disks.h"
#include "sim/fatal.h"
#include "sim/futex.h"
#include "sim/lockstep_parts.h"
#include "sim/pool.h"
#include "sim/stop.h"
#include "sim/symbols.h"

#define POLL_FDS_MAX 256
/* While the machine is stopped, how long the main loop sleeps between two looks. */
#define STOPPED_NS   100000000L

/* What the main loop sleeps on. It writes this while awake; the vCPU copies it. */
static pthread_mutex_t nap_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pollfd nap_fds[POLL_FDS_MAX];
static nfds_t nap_n;

/* The vCPU was kicked by this thread, and not woken yet. */
static bool wake_owed;
/* 'kicks' when time was last allowed to jump. */
static unsigned jumped_at;
static bool jumped;

static const struct timespec no_time;

/*
 * Woken at once the vCPU would only find the BQL taken, and then the main loop not asleep: four
 * changes of threads for nothing.
 */
void lockstep_main_kicks(void)
{
	wake_owed = true;
}

void lockstep_main_blocks(void)
{
	if (wake_owed)
		futex_wake(&lockstep.kicks);
	wake_owed = false;
}

static void lie_down(enum nap nap, const struct pollfd *fds, nfds_t n)
{
	if (n > POLL_FDS_MAX)
		fatal("QEMU's main loop polls %lu descriptors, %d is the limit", (unsigned long)n,
		      POLL_FDS_MAX);
	pthread_mutex_lock(&nap_lock);
	if (n)
		memcpy(nap_fds, fds, n * sizeof(*fds));
	nap_n = n;
	pthread_mutex_unlock(&nap_lock);
	atomic_store(&lockstep.nap, nap);
	atomic_fetch_add(&lockstep.naps, 1);
	if (atomic_load(&lockstep.gate_waits))
		futex_wake(&lockstep.naps);
	lockstep_main_blocks();
}

static void get_up(void)
{
	atomic_store(&lockstep.nap, NAP_NONE);
}

static int sleep_in_poll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
			 const sigset_t *mask)
{
	int ready;

	lie_down(NAP_LOOP, fds, n);
	ready = sim_libc()->ppoll(fds, n, timeout, mask);
	get_up();
	return ready;
}

int lockstep_main_wait(pthread_cond_t *cond, pthread_mutex_t *m)
{
	int ret;

	lie_down(NAP_WAIT, NULL, 0);
	ret = sim_libc()->pthread_cond_wait(cond, m);
	get_up();
	return ret;
}

bool lockstep_main_has_work(void)
{
	struct pollfd fds[POLL_FDS_MAX];
	nfds_t n;

	pthread_mutex_lock(&nap_lock);
	n = nap_n;
	memcpy(fds, nap_fds, n * sizeof(*fds));
	pthread_mutex_unlock(&nap_lock);
	return n && sim_libc()->ppoll(fds, n, &no_time, NULL) != 0;
}

/*
 * Everything is at rest. Let the caller's iteration of the main loop jump to the next timer,
 * unless the last jump woke nobody: then there was none to make, since every jump wakes the
 * vCPU; the machine is stopped, or has no timer.
 */
static bool may_jump(void)
{
	unsigned n = atomic_load(&lockstep.kicks);

	if (jumped && jumped_at == n) {
		jumped = false;
		return false;
	}
	jumped = true;
	jumped_at = n;
	return true;
}

int lockstep_main_poll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		       const sigset_t *mask)
{
	static const struct timespec stopped = { 0, STOPPED_NS };

	stop_check();
	*sim_qemu.qtest_allowed = true;
	for (;;) {
		bool vcpu_rests = atomic_load(&lockstep.vcpu_waits) &&
				  !atomic_load(&lockstep.vcpu_sends);
		int ready;

		if (pool_busy()) {
			lockstep_main_blocks();
			atomic_store(&lockstep.main_place, "waits for the thread pool");
			pool_wait_idle();
			atomic_store(&lockstep.main_place, NULL);
			continue;
		}
		/* what was written before this is seen by the poll */
		atomic_store(&lockstep.notified, false);
		ready = sim_libc()->ppoll(fds, n, &no_time, mask);
		if (ready || (timeout && !timeout->tv_sec && !timeout->tv_nsec))
			return ready;
		if (!vcpu_rests)
			return sleep_in_poll(fds, n, timeout, mask);
		if (disks_have_letters()) {
			lockstep_deliver(&lockstep.main_place);
			continue;
		}
		if (!may_jump())
			return sleep_in_poll(fds, n, &stopped, mask);
		*sim_qemu.qtest_allowed = false;
		return 0;
	}
}
