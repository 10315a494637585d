/* SPDX-License-Identifier: GPL-2.0-only */
/* The vCPU's gate, its wait for work, and the jumps it makes itself. */
#include "sim/disks.h"
#include "sim/eventfds.h"
#include "sim/futex.h"
#include "sim/lockstep_parts.h"
#include "sim/pool.h"
#include "sim/symbols.h"

/* Every attribute of timers: external ones are due like others. */
#define ALL_TIMERS (~0)

static bool has_bql;
/*
 * It waited for work before and has not let go of the BQL since: QEMU tells the main loop of its
 * wait only once.
 */
static bool waits_again;
/* What QEMU writes to before the vCPU waits; -1: not seen yet. */
static int idle_fd = -1;
/* Where QEMU writes when it notifies the clock's timer lists, see learn(). */
static struct held clock_tells;

bool lockstep_vcpu_holds(int fd)
{
	return has_bql && eventfds_hold(fd);
}

/* Whether fd wakes other threads than the main loop's, or that for no reason of its own. */
static bool tells_little(int fd)
{
	bool little = fd == idle_fd;

	for (int i = 0; i < clock_tells.n && !little; i++)
		little = fd == clock_tells.fds[i];
	return little;
}

/*
 * Whether what is held can be sent while the main loop may run. It then sees one write after the
 * other, and must not act on some of them in between. What is written because there are bottom
 * halves, or timers have changed, does not count: whatever wakes the main loop, it looks at these.
 */
static bool sends_at_once(void)
{
	int n = 0;

	for (int i = 0; i < eventfds_held.n; i++)
		n += !tells_little(eventfds_held.fds[i]);
	return n <= 1;
}

/* The one that says least is the last. */
static void send_held(void)
{
	struct held held = eventfds_take();
	bool idle = false;

	for (int i = 0; i < held.n; i++)
		if (held.fds[i] != idle_fd)
			eventfds_write(held.fds[i]);
		else
			idle = true;
	atomic_store(&lockstep.vcpu_sends, false);
	if (idle)
		eventfds_write(idle_fd);
}

void lockstep_vcpu_blocks(void)
{
	if (!eventfds_held.n)
		return;
	send_held();
	atomic_store(&lockstep.notified, true);
}

void lockstep_vcpu_locked(void)
{
	has_bql = true;
}

/* ---- the gate ---- */

static void wait_for_nap(unsigned n)
{
	atomic_store(&lockstep.vcpu_place, "waits for the main loop");
	atomic_store(&lockstep.gate_waits, true);
	while (atomic_load(&lockstep.naps) == n)
		futex_wait(&lockstep.naps, n);
	atomic_store(&lockstep.gate_waits, false);
	atomic_store(&lockstep.vcpu_place, NULL);
}

static void gate(void)
{
	for (;;) {
		unsigned n = atomic_load(&lockstep.naps);

		if (atomic_load(&lockstep.nap) == NAP_NONE) {
			wait_for_nap(n);
		} else if (pool_busy()) {
			atomic_store(&lockstep.vcpu_place, "waits for the thread pool");
			pool_wait_idle();
			atomic_store(&lockstep.vcpu_place, NULL);
		} else if (atomic_load(&lockstep.notified)) {
			/*
			 * If the main loop woke up meanwhile and took what was ready, it is seen
			 * awake, or to have slept again, in the next round.
			 */
			atomic_store(&lockstep.notified, false);
			if (lockstep_main_has_work())
				wait_for_nap(n);
		} else if (disks_have_letters()) {
			lockstep_deliver(&lockstep.vcpu_place);
		} else {
			return;
		}
	}
}

/*
 * Each timer that comes due while the guest computes notifies all the clock's timer lists, QEMU
 * then runs the timers of the main loop's, and so nobody has anything to do unless one of another
 * list is due. If this is all that was written, it is for nothing.
 */
static void drop_clock_tells(void)
{
	if (clock_tells.n && eventfds_hold_just(&clock_tells, -1) &&
	    sim_qemu.deadline_ns_all(SIM_CLOCK_VIRTUAL, ALL_TIMERS) != 0)
		(void)eventfds_take();
}

void lockstep_vcpu_unlocks(void)
{
	if (!eventfds_held.n)
		return;
	drop_clock_tells();
	if (!sends_at_once())
		lockstep_vcpu_blocks();
}

void lockstep_vcpu_unlocked(void)
{
	has_bql = waits_again = false;
	lockstep_vcpu_blocks();
	gate();
}

/* ---- its wait for work ---- */

/* Whether what is held back is for nobody, or only because the vCPU is about to wait. */
static bool nothing_to_tell(void)
{
	static const struct held nothing;

	if (!eventfds_held.n)
		return true;
	return !waits_again && (eventfds_hold_just(&nothing, idle_fd) ||
				(clock_tells.n && eventfds_hold_just(&clock_tells, idle_fd)));
}

/* Nobody wakes it but this thread, or the host. */
static bool main_sleeps(void)
{
	return atomic_load(&lockstep.nap) == NAP_LOOP && !pool_busy() &&
	       !atomic_load(&lockstep.notified);
}

/* Whether nobody has anything to do, and nothing keeps the main loop from sleeping on. */
static bool all_rest(void)
{
	return sim_qemu.start_warp_timer && idle_fd >= 0 && main_sleeps() && nothing_to_tell() &&
	       !disks_have_letters();
}

/*
 * Which descriptors a notification of the clock's timer lists writes to while all sleep. What is
 * dropped must not be taken for something else: a lone write to the main loop may be meant for it.
 * The monitor's thread, which has a list of timers too, is the witness, once it sleeps.
 */
static void learn(void)
{
	struct held before;

	if (!sim_qemu.clock_notify || !main_sleeps())
		return;
	before = eventfds_take();
	sim_qemu.clock_notify(SIM_CLOCK_VIRTUAL);
	clock_tells = eventfds_take();
	if (clock_tells.n < 2)
		clock_tells.n = 0;
	eventfds_put_back(&before);
}

/*
 * The main loop's jump, without the main loop: to the next timer, and run those that are due, as
 * QEMU itself runs them in this thread when one comes due while the guest computes. Jumping
 * notifies whoever has timers, which only matters to those whose timers are due and are not of
 * the main loop's list. False: there is none to jump to, or the machine is stopped.
 */
static bool jump(void)
{
	unsigned kicks = atomic_load(&lockstep.kicks);
	struct held before = eventfds_take(), told;

	*sim_qemu.qtest_allowed = false;
	sim_qemu.start_warp_timer();
	*sim_qemu.qtest_allowed = true;
	told = eventfds_take();
	if (atomic_load(&lockstep.kicks) == kicks) {
		eventfds_put_back(&before);
		return false;
	}
	sim_qemu.run_timers(SIM_CLOCK_VIRTUAL);
	if (sim_qemu.deadline_ns_all(SIM_CLOCK_VIRTUAL, ALL_TIMERS) == 0)
		eventfds_put_back(&told);
	return true;
}

/* pthread_cond_wait(), but what is held back is sent after the lock is free. */
static void sleep_until_kicked(pthread_mutex_t *m)
{
	unsigned n = atomic_load(&lockstep.kicks);

	/* the main loop has to see that the vCPU waits, whatever it has seen before */
	if (idle_fd >= 0)
		(void)eventfds_hold(idle_fd);
	/* awake, it must not see that before it can see what was written */
	if (!main_sleeps() || !sends_at_once())
		lockstep_vcpu_blocks();
	/* until the last write it must not take what it sees for all there is, and jump */
	atomic_store(&lockstep.vcpu_sends, eventfds_held.n > 0);
	atomic_store(&lockstep.vcpu_waits, true);
	has_bql = false;
	sim_libc()->pthread_mutex_unlock(m);
	lockstep_vcpu_blocks();
	while (atomic_load(&lockstep.kicks) == n)
		futex_wait(&lockstep.kicks, n);
	atomic_store(&lockstep.vcpu_waits, false);
	sim_libc()->pthread_mutex_lock(m);
	has_bql = true;
}

int lockstep_vcpu_wait(pthread_cond_t *cond, pthread_mutex_t *m)
{
	if (cond != atomic_load(&lockstep.halt_cond)) {
		lockstep_vcpu_blocks();
		return sim_libc()->pthread_cond_wait(cond, m);
	}
	if (idle_fd < 0 && eventfds_held.n)
		idle_fd = eventfds_held.last;
	if (clock_tells.n < 2)
		learn();
	/* after a jump the caller looks whether it has work, as after any wait that ended early */
	if (!all_rest() || !jump())
		sleep_until_kicked(m);
	waits_again = true;
	return 0;
}
