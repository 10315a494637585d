/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One job's own process beside PID 1: it starts the command, waits for it, measures, and syncs,
 * so that a disk that does not answer holds up nobody else. It tells PID 1 through a pipe, with
 * one struct report as each step ends; the later one holds all of the earlier. The command leads
 * a process group of its own; what it leaves behind in there is killed when it ends.
 */
#ifndef AGENT_SUPERVISOR_H
#define AGENT_SUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

#define OUTPUT_MAX 400	/* last bytes of what the command printed */

enum report_step { REPORT_NONE, REPORT_STARTED, REPORT_ENDED, REPORT_SYNCED };

struct report {			/* below PIPE_BUF: it arrives whole or not at all */
	enum report_step step;
	pid_t group;		/* the command's process group */
	int64_t start_ns;	/* just before fork and exec */
	int64_t wall_ns;	/* from there to the command's end */
	int64_t user_ns, sys_ns; /* of the command and all it waited for */
	int exit, signal;
	int64_t sync_start_ns, sync_ns;
	int sync_error;
	uint32_t output_len;
	char output[OUTPUT_MAX];
};

struct command {
	const char *run;	/* for /bin/sh -c */
	const char *sync_path;	/* a mount point, whose filesystem is synced afterwards, or a block
				 * device; NULL for none */
	const char *results;	/* where jobs of the agent leave their figures (slot.h) */
	const char *cgroup;	/* the folder of the group that it runs in; NULL for none */
};

/* Does it all and exits; to be called in a fresh child of PID 1. */
_Noreturn void supervisor_run(const struct command *command, int report_fd);

/* Pure. Append to the report's output, keeping the last OUTPUT_MAX bytes. */
void report_append(struct report *report, const char *data, size_t len);

#endif
