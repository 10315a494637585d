/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file that keeps a host's noise floors: {"iorig-noise": 1, ...}, its keys the names of the
 * fields. A file of the cache is hostile input as any other: types and bounds are checked.
 */
#ifndef RECORD_NOISE_H
#define RECORD_NOISE_H

#include "record/record.h"

#define NOISE_VERSION 1
#define NOISE_FLOORS  4096	/* in one file */
#define NOISE_MOST    100.0	/* a floor of 10,000 %: more is no measurement */

struct noise {
	struct { char *cpu, *kernel; int cpus; } host;
	char *qemu, *accel, *timing;	/* version and words, as in a run's document */
	struct run_floor *floors;	/* the one that was measured last is the last */
	size_t n_floors;
};

#define NOISE_INIT { .n_floors = 0 }
void noise_release(struct noise *n);
/* -ENOENT if there is none; -EBADMSG with the place of what is wrong. After an error n is empty. */
int noise_read(struct noise *n, const char *path, struct err *err);
/* A file, complete or not at all. */
int noise_write(const struct noise *n, const char *path, struct err *err);

void run_floor_copy(struct run_floor *to, const struct run_floor *from);
void run_floor_release(struct run_floor *f);

#endif
