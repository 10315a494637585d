/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stopping the machine at a moment of the guest's clock, for a look inside.
 *
 * A timer on QEMU's virtual clock ends the vCPU's slice there, as a device's timer would, and asks
 * QEMU to pause the machine (QMP tells a STOP event). A guest does not see where slices end, so
 * nothing before that moment is any different, and every run stops at the same instruction.
 *
 * QEMU drains its disks when it pauses: what is in flight is finished at once. The guest's memory
 * has the data and the device the completions, but the processor does not run, so to the kernel
 * these requests are in flight still. It is no measurement, so the log of requests ends at the
 * stop. A machine that is let go on afterwards is no longer the one that was not stopped.
 */
#ifndef SIM_STOP_H
#define SIM_STOP_H

#include <stdint.h>

/* Once, before QEMU's main(): ns of the virtual clock. Ends QEMU if it cannot be paused. */
void stop_at(int64_t ns);
/* By the vCPU thread when it starts, before the guest runs. No-op without stop_at(). */
void stop_arm(void);
/* By the main loop, whenever it goes to sleep: ends QEMU if the guest ran on after the stop. */
void stop_check(void);

#endif
