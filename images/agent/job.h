/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One job as PID 1 sees it: its supervisor's pipe, its times, and its frames ("start", "result" if
 * the agent's own jobs ran in it, "end").
 *
 *	waiting -> running -> ended
 *
 * A running job ends by itself; or is killed at its deadline (timeout); or is asked to end with
 * TERM, then killed (stopped). After a kill at the deadline the supervisor has JOB_GIVE_UP_NS to
 * report: a process that a dead disk holds in the kernel cannot be killed, so PID 1 then reports
 * in its place what is known.
 */
#ifndef AGENT_JOB_H
#define AGENT_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/slot.h"
#include "agent/supervisor.h"

#define JOB_GIVE_UP_NS	5000000000LL
#define JOB_TERM_NS	2000000000LL	/* between TERM and KILL */
#define JOB_NEVER	INT64_MAX

struct plan_job;

enum job_state { JOB_WAITING, JOB_RUNNING, JOB_ENDED };

struct job {
	const struct plan_job *plan;
	const char *sync_path;	/* NULL: no sync */
	char results[SLOT_PATH];	/* the folder of its processes' slots */
	enum job_state state;
	bool timeout, stopped;
	int pipe;		/* of the supervisor's reports; -1 unless running */
	pid_t supervisor;
	int pending;		/* a signal for a command that is not yet there */
	int64_t deadline_at, kill_at, give_up_at;	/* JOB_NEVER if not set */
	struct report report;
};

/* Makes the folder for its results, too. */
void job_init(struct job *job, const struct plan_job *plan, const char *sync_path);
/* waiting -> running, with its frame. (-> ended, if not even a process can be made.) */
void job_start(struct job *job);
/* The pipe has something: a report, or its end, which ends the job. */
void job_read(struct job *job);
/* A load is no longer needed: ask it to end, or end it at once if it still waits. */
void job_stop(struct job *job);
/* Do what is due for a running job. */
void job_tick(struct job *job, int64_t now);
/* When the next thing is due for a running job; JOB_NEVER for others. */
int64_t job_next(const struct job *job);

#endif
