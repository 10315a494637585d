/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-cpu: units of always the same computation. */
#include "agent/applet.h"

#include "agent/now.h"
#include "agent/work.h"

#define STEPS 100000	/* of a unit */

/* A chain: no step can begin before the one before it, and none can be left out. */
static uint64_t compute(uint64_t x)
{
	int i;

	for (i = 0; i < STEPS; i++) {	/* xorshift64 (Marsaglia 2003) */
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

void run_cpu(struct work *w)
{
	static volatile uint64_t state = 1;

	work_start(w);
	while (work_next(w)) {
		int64_t start = now_ns();

		state = compute(state);
		work_done(w, start, 0);
	}
}
