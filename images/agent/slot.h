/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the agent's own jobs leave what they count. Each process has a file in its job's folder of
 * the tmpfs and counts straight into it, mapped; when the job has ended, PID 1 adds up what is in
 * the folder. So nothing is sent while a job runs, several processes of one command add up, and
 * the figures of a process that was killed are all there, up to its last complete call.
 */
#ifndef AGENT_SLOT_H
#define AGENT_SLOT_H

#include <stdint.h>

#include "wire/hist.h"

#define SLOT_ENV    "IORIG_RESULT"	/* the folder, for the job's processes */
#ifndef SLOT_FOLDER		/* tests have their own */
#define SLOT_FOLDER "/tmp/iorig"	/* holds one folder for each job, by its name */
#endif

struct slot {
	uint32_t magic;
	int64_t ops, bytes, errors;	/* calls that did it, what they moved, those that failed */
	int64_t first_ns, last_ns;	/* when the first call began and the last one ended */
	struct hist hist;		/* of the calls that did it */
};

/* This process's slot, zeroed or as the process of the same number left it. In no guest, or where
 * no file can be had, it is memory of its own; NULL without memory. */
struct slot *slot_open(void);
/* One call from start to end that moved so many bytes. */
void slot_add(struct slot *slot, int64_t start_ns, int64_t end_ns, int64_t bytes);
/* Add one to another; both may have been cut short anywhere, the sum is sound. */
void slot_merge(struct slot *sum, const struct slot *more);

/* The folder of a job into path (of SLOT_PATH bytes), made if it is not there. */
#define SLOT_PATH 160
void slot_folder(char *path, const char *job);
/* Add up all slots in the folder and remove them. How many there were. */
int slot_collect(const char *folder, struct slot *sum);

#endif
