/* SPDX-License-Identifier: GPL-2.0-only */
/* Host time and deadlines. All times are int64_t nanoseconds. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct err;

#define NS_PER_US 1000LL
#define NS_PER_MS 1000000LL
#define NS_PER_S  1000000000LL

/* CLOCK_MONOTONIC of the host. */
int64_t clock_ns(void);
/* "2026-11-30T17:04:05Z", from the host's real-time clock; buf has 32 bytes. */
const char *clock_utc(char *buf);

/* A wait's end, with the name that the message shows when it passes: "timed out after 30 s
 * waiting for NAME". */
struct deadline {
	const char *name;	/* borrowed, e.g. "QEMU's QMP greeting" */
	int64_t at;		/* clock_ns() at which it passes */
	int64_t length;
};
struct deadline deadline_in(const char *name, int64_t ns);
/* Milliseconds left for poll(), 0 when passed, rounded up, at most INT_MAX. */
int deadline_ms(const struct deadline *d);
bool deadline_passed(const struct deadline *d);
/* Fill err with that message; returns -ETIMEDOUT. */
int deadline_error(const struct deadline *d, struct err *err);

#endif
