/* SPDX-License-Identifier: GPL-2.0-only */
/* Host time and deadlines. */
#include "base/clock.h"

#include <limits.h>
#include <time.h>

#include "base/err.h"
#include "base/units.h"

int64_t clock_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts) < 0)
		BUG("no monotonic clock");
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

const char *clock_utc(char *buf)
{
	time_t now = time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) || !strftime(buf, 32, "%Y-%m-%dT%H:%M:%SZ", &tm))
		BUG("real-time clock is beyond the calendar");
	return buf;
}

struct deadline deadline_in(const char *name, int64_t ns)
{
	struct deadline d = { .name = name, .length = ns };

	if (__builtin_add_overflow(clock_ns(), ns, &d.at))
		d.at = ns < 0 ? INT64_MIN : INT64_MAX;
	return d;
}

int deadline_ms(const struct deadline *d)
{
	int64_t now = clock_ns(), ms;

	if (now >= d->at)
		return 0;
	/* rounded up: a poll that ends early would make its caller spin */
	ms = (d->at - now - 1) / NS_PER_MS + 1;
	return ms < INT_MAX ? (int)ms : INT_MAX;
}

bool deadline_passed(const struct deadline *d)
{
	return clock_ns() >= d->at;
}

int deadline_error(const struct deadline *d, struct err *err)
{
	char length[32];

	return err_set(err, -ETIMEDOUT, "timed out after %s waiting for %s",
		       format_time(d->length, length), d->name);
}
