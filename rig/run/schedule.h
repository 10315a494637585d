/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running all boots of a run: one worker process for each, at most options->jobs at a time. The
 * parent starts, watches and reaps; a worker sets up, boots and leaves boot.json behind. Seeds go
 * round-robin (all cases once, then all again), so that a host that slows down or a run that is
 * stopped early touches every case alike.
 */
#ifndef RUN_SCHEDULE_H
#define RUN_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

struct err;
struct kernel;
struct run_options;
struct suite;

enum schedule_event { BOOT_STARTED, BOOT_NEWS, BOOT_ENDED };

/* What the display gets to know; fields are valid during the call only. */
struct schedule_news {
	enum schedule_event event;
	const char *case_name;
	uint32_t seed;
	size_t slot;		/* which of the parallel places, 0.. */
	size_t done, total;	/* boots of this run */
	enum stage stage;	/* BOOT_NEWS */
	int64_t guest_ns, wall_ns;
	const struct boot *boot;	/* BOOT_ENDED */
};

struct schedule {
	const struct run_options *o;
	const struct kernel *k;
	const struct suite *suite;
	const char *run_dir;
	void (*news)(const struct schedule_news *n);	/* NULL = nobody watches */
};

/*
 * Run every case of the suite for every seed and append the boots to run in the order of cases
 * and seeds, rewriting run.json after each. -EINTR when a stop was asked for (workers were told,
 * waited for and what they had is in run); a worker's rig error stops the run with that error.
 */
int schedule_run(const struct schedule *s, struct run *run, struct err *err);

#endif
