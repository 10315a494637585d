/* SPDX-License-Identifier: GPL-2.0-only */
/* The timer that pauses the machine. */
#include "sim/stop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/disks.h"
#include "sim/fatal.h"
#include "sim/log.h"
#include "sim/symbols.h"

/* RUN_STATE_PAUSED of QEMU's enum RunState (qapi/run-state.json), unchanged since 1.2. */
#define PAUSED 4

static int64_t at;
static bool armed;
static _Atomic int64_t stopped;	/* when it was; 0: not yet, or what follows has been checked */
static char timer[SIM_TIMER_SIZE] __attribute__((aligned(16)));

/* With the BQL, in the vCPU thread or, if the guest waits, in the main loop. */
static void fire(void *unused)
{
	(void)unused;
	disks_lock();
	log_close();
	disks_unlock();
	stopped = sim_qemu.clock_get_ns(SIM_CLOCK_VIRTUAL);
	/*
	 * Not vm_stop(): that waits for timers to be done, and this is one. The request wakes the
	 * main loop, which pauses the machine; lockstep lets no vCPU begin another slice before
	 * the main loop has done so and sleeps again.
	 */
	sim_qemu.vmstop_request_prepare();
	sim_qemu.vmstop_request(PAUSED);
}

void stop_at(int64_t ns)
{
	if (!sim_qemu.vmstop_request_prepare || !sim_qemu.vmstop_request || !sim_qemu.is_running)
		fatal("this QEMU does not export what stops a machine");
	at = ns;
}

void stop_arm(void)
{
	if (!at || armed)
		return;
	armed = true;
	sim_qemu.timer_init_full(timer, NULL, SIM_CLOCK_VIRTUAL, 1, 0, fire, NULL);
	sim_qemu.timer_mod_ns(timer, at);
}

void stop_check(void)
{
	int64_t late;

	if (!stopped || sim_qemu.is_running())
		return;
	late = sim_qemu.clock_get_ns(SIM_CLOCK_VIRTUAL) - stopped;
	if (late)
		fatal("the guest ran on for %lld ns after it was stopped", (long long)late);
	stopped = 0;
}
