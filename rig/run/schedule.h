/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running all boots of a run: one worker process for each, at most options->jobs at a time. The
 * parent starts, watches and reaps; a worker sets up, boots and leaves boot.json behind. Seeds go
 * round-robin (all cases once, then all again), so that a host that slows down or a run that is
 * stopped early touches every case alike.
 */
#ifndef RUN_SCHEDULE_H
#define RUN_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

struct err;
struct kernel;
struct progress_disk;
struct run_options;
struct suite;

enum schedule_event { BOOT_STARTED, BOOT_NEWS, BOOT_ENDED };

/* What the display gets to know; fields are valid during the call only. BOOT_NEWS comes for every
 * running boot at least once a second. */
struct schedule_news {
	enum schedule_event event;
	const char *case_name;
	uint32_t seed;
	size_t slot;		/* which of the parallel places, 0.. */
	size_t done, total;	/* of the boots that were missing: those that have ended, and all */
	enum stage stage;	/* as the worker last told */
	int64_t guest_ns, wall_ns;	/* of this boot; 0 guest_ns: nothing from the guest yet */
	bool simulated;		/* guest_ns is on the simulated clock */
	const struct progress_disk *full; /* PROGRESS_FULL fullest disks, BOOT_NEWS; or NULL */
	const struct boot *boot;	/* BOOT_ENDED */
};

struct schedule {
	const struct run_options *o;
	const struct kernel *k;
	const struct suite *suite;
	const char *run_dir;
	/* If so many boots have ended before any got further than STAGE_BOOT, no more are started:
	 * a kernel that hangs would cost minutes each. 0 = never. */
	size_t dead_after;
	void (*news)(const struct schedule_news *n);	/* NULL = nobody watches */
};

/*
 * Run every case of the suite for every seed that run has no boot of, and put the boots into it, in
 * the order of cases and seeds. run.json is rewritten as they end, for a twentieth of the time at
 * most, and before this returns; progress.json (progress.h) about once a second. Of a case that is
 * given up (steady.h) no more boots are started; those left out are in run, broken or void, with
 * the reason.
 * -EINTR when a stop was asked for; a worker's rig error, or a document that cannot be written,
 * stops the run with that error. Then the other workers are told, waited for 20 s and killed, and
 * what they had is in run.
 */
int schedule_run(const struct schedule *s, struct run *run, struct err *err);

#endif
