/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RUN/progress.json: how far a run is, for whoever watches from elsewhere (iorig watch). The
 * scheduler rewrites it whole about once a second while it runs, and a last time at its end. It is
 * no result: nothing is judged from it, and a run that cannot write it goes on without.
 */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

struct err;
struct schedule_news;

#define PROGRESS_FILE "progress.json"
#define PROGRESS_FULL 2		/* of a guest's disks, those with most dirty pages */
#define PROGRESS_KEPT 64	/* ended boots that are told, the last ones */
#define PROGRESS_SLOTS 1024

/* A disk's dirty pages and those under writeback. */
struct progress_disk {
	char name[MSG_NAME];
	int64_t kib;		/* -1: there is no such disk */
};

struct progress_slot {
	char *case_name;	/* NULL = nothing runs here */
	uint32_t seed;
	enum stage stage;
	int64_t guest_ns, wall_ns;
	struct progress_disk full[PROGRESS_FULL];
};

struct progress_ended {
	size_t number;		/* 1.. in the order of ending */
	char *case_name, *reason;
	uint32_t seed;
	enum outcome outcome;
	int64_t wall_ns;
};

struct run_progress {
	int64_t pid;		/* of the scheduler */
	int64_t started, written;	/* its clock_ns(); written: as read, how old the run was */
	bool simulated, ended;
	size_t done, total;
	struct progress_slot *slots;
	struct progress_ended *last;
	size_t n_slots, n_last;
};

/* Of a scheduler with so many slots, which starts now. */
void run_progress_init(struct run_progress *p, size_t slots);
void run_progress_release(struct run_progress *p);
/* Take in what a schedule's watcher would be told. */
void run_progress_note(struct run_progress *p, const struct schedule_news *n);
/* Write the file below dir if a second has passed since the last time, or if now is true. The disk
 * is not waited for: a watcher does not need what a crash of the host would lose. */
int run_progress_write(struct run_progress *p, const char *dir, bool now, struct err *err);
/*
 * Read a file into p, which is zeroed or released. It is as hostile as any: types, counts and
 * strings are checked; -EBADMSG. started is 0 then, and written the run's age in ns at the time.
 */
int run_progress_read(struct run_progress *p, const char *path, struct err *err);
/* Nanoseconds until all boots have ended, if those left take as long as those that have; -1 before
 * the first has. */
int64_t run_progress_left(const struct run_progress *p);

#endif
