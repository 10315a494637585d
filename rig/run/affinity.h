/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the host's CPUs a simulated machine stays on. QEMU's main loop and its vCPU take turns
 * (rig/sim/lockstep.h): on one CPU the turn is a switch of threads, on two it is the wake-up of a
 * CPU that had gone to sleep. Nothing that is measured depends on it.
 */
#ifndef RUN_AFFINITY_H
#define RUN_AFFINITY_H

#include <sched.h>
#include <stddef.h>

/*
 * The CPU for place slot of slots that are used at once: each place has one of those allowed to
 * itself, beginning with the turn-th, so that runs side by side do not all begin with the first.
 * -1 when there are more places than CPUs: then the host's scheduler knows better.
 */
int affinity_choose(const cpu_set_t *allowed, size_t slot, size_t slots, size_t turn);
/* The same for this process's CPUs and its pid. */
int affinity_cpu(size_t slot, size_t slots);
/* Keep the calling process, and what it will start, on that CPU; -1 does nothing. A host that does
 * not allow it is as good, only slower. */
void affinity_stay(int cpu);

#endif
