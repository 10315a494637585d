/* SPDX-License-Identifier: GPL-2.0-only */
/* The guest's clock: CLOCK_MONOTONIC in nanoseconds, as in every frame. */
#ifndef AGENT_NOW_H
#define AGENT_NOW_H

#include <stdint.h>
#include <time.h>

#define MS 1000000LL
#define SEC 1000000000LL

static inline int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * SEC + ts.tv_nsec;
}

#endif
