/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the jobs' processes are, looked at every plan->stack_ns from time zero on by a process of
 * its own: reading another's stack can take long, and neither the samples nor the starts may wait
 * for it. It counts in memory that it shares with PID 1, which sends the frames ("stacks", "stack")
 * when all is over.
 *
 * A look takes each process of a job's group, or the supervisor while it syncs for the job: its
 * state, and, if it sleeps (S or D), the names of the kernel functions that it sleeps in. A shell
 * that waits for its command is left out. At most WAITS_LOOKS processes are looked at in a round,
 * so that hundreds of jobs do not cost more than a few; the next round goes on with the job
 * after, and only rounds in which a job had its turn count for it.
 */
#ifndef AGENT_WAITS_H
#define AGENT_WAITS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define WAITS_LOOKS  24		/* processes in a round */
#define WAITS_STACKS 64		/* distinct ones of a job; more are "other" */
#define WAITS_TEXTS  512	/* distinct ones of all jobs */
#define WAITS_TEXT   1024	/* bytes of one, its end included */

struct plan;

/* Get ready; nothing happens without plan->stack_ns, and none of the rest does anything then. */
void waits_open(const struct plan *plan);
/* Begin to look, from ready_ns on. */
void waits_start(int64_t ready_ns);
/* The processes of the plan's job: those of a group, a single one, or none (both 0). */
void waits_watch(size_t job, pid_t group, pid_t single);
/* Stop looking, and tell. */
void waits_send(void);

#endif
