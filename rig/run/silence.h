/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a guest may say nothing before it is given up.
 *
 * On the real clock a guest that lives sends a sample each second, whatever it does, so the time
 * that passes is what counts. On the simulated clock a guest's second is made of what its processor
 * computes (idle time is jumped over), and passes at the pace of the host: so there what counts is
 * the CPU time that QEMU took. That gives up a guest that spins as soon on a fast host as on a slow
 * one, and never one that only waits for its turn on a host with other work. Only WALL_TIMES the
 * limit in passing time ends that, too, for a QEMU that stands still.
 */
#ifndef RUN_SILENCE_H
#define RUN_SILENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

struct follow;

#define SILENCE_WALL_TIMES 8

struct silence {
	bool by_cpu;
	struct deadline limit;	/* as if nothing else ran on the host */
	int64_t began, cpu;	/* when the guest was last heard: clock_ns(), CPU time of QEMU */
};

/*
 * The guest was heard just now, and cpu is the CPU time that QEMU took until now (unused with
 * by_cpu off). What may be silence now depends on how far f says the guest is; sample_ns is
 * between samples, 0 = none. IORIG_SILENCE=SECONDS in the environment stands for all limits, as
 * passing time: tests do not wait for minutes.
 */
void silence_heard(struct silence *s, const struct follow *f, int64_t sample_ns, int64_t cpu);
/* s->limit has passed: may it go on? Then s->limit is when to look again. */
bool silence_goes_on(struct silence *s, int64_t cpu);
/* For how long the guest has said nothing, passing time. */
int64_t silence_ns(const struct silence *s);

#endif
