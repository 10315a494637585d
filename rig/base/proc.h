/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A child process is a struct that one fills in, then proc_start / proc_wait / proc_stop.
 * No shell is involved. The child dies with its parent (PR_SET_PDEATHSIG, checked against the
 * race), starts with default signals and an empty mask, and inherits no descriptor but 0, 1, 2
 * and those listed in keep. proc_release() on a running child stops it: TERM, grace, KILL, reap.
 */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "base/strvec.h"

struct err;
struct deadline;

struct proc {
	/* filled in by the caller before proc_start() */
	struct strvec argv;	/* argv[0] is looked up in PATH unless it has a slash */
	struct strvec env;	/* NAME=VALUE to add, or NAME to remove */
	const char *dir;	/* working directory, or NULL */
	int in_fd, out_fd, err_fd; /* -1: /dev/null for in and out, inherited for err */
	int keep[4];		/* open descriptors above 2, passed on as they are; -1: unused */
	bool own_group;		/* a process group of its own; proc_stop signals the group */
	/* filled in by proc_start() */
	pid_t pid;		/* 0 before the start and after it was reaped */
	int pidfd;		/* readable when it ended, for poll(); -1 if none */
	int status;		/* waitpid status once reaped */
};

#define PROC_INIT                                                                                  \
	{ .argv = STRVEC_INIT, .env = STRVEC_INIT, .in_fd = -1, .out_fd = -1, .err_fd = -1,        \
	  .keep = { -1, -1, -1, -1 }, .pidfd = -1 }

void proc_init(struct proc *p);
/* Stop it if it runs, and free everything. Safe twice. Does not close in_fd, out_fd, err_fd. */
void proc_release(struct proc *p);
/* -ENOENT with a message naming the program if there is none; exec errors are reported here. */
int proc_start(struct proc *p, struct err *err);
/*
 * Wait until it ended (0, p->status is set and it is reaped), the deadline passed (-ETIMEDOUT,
 * message names the deadline and the program; the child still runs) or a stop was asked for
 * (-EINTR; still runs).
 */
int proc_wait(struct proc *p, const struct deadline *d, struct err *err);
/* TERM, wait grace_ns for its end, KILL, reap. No-op if not running. */
void proc_stop(struct proc *p, int64_t grace_ns);
/* CPU time, user and system, that it has taken with all its threads; 0 when it does not run. */
int64_t proc_cpu_ns(const struct proc *p);
/* "exited with status 3", "killed by signal 11 (Segmentation fault)". Static ring of buffers. */
const char *proc_status_text(int status);

/*
 * Run a command to its end and collect what it prints: stdout in out (may be NULL: discarded),
 * stderr in errout (NULL: the last line goes into the message on failure). Output above max
 * bytes is an error (-E2BIG). A non-zero exit is an error (-EIO) that names the program, its
 * status and its last line of stderr. The child is stopped when the deadline passes.
 */
int proc_capture(struct proc *p, const struct deadline *d, size_t max, struct strbuf *out,
		 struct strbuf *errout, struct err *err);
/* Path of a program found in PATH (free it), or NULL. */
char *proc_find(const char *name);

#endif
