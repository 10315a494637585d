/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A worker: a forked process that does one boot. It tells news through a pipe and leaves
 * boot.json in the boot's folder, whatever happened; a rig error goes to the parent's pipe as its
 * last line. It dies with its parent, and its QEMU with it.
 */
#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "record/record.h"
#include "run/boot.h"
#include "run/progress.h"

struct worker {
	pid_t pid;		/* 0 = no worker */
	int news_fd;		/* to read from; -1 = closed */
	int64_t started;	/* clock_ns() */
	struct strbuf line;
	enum stage stage;	/* as last told */
	int64_t guest_ns;
	struct progress_disk full[PROGRESS_FULL]; /* as last told */
	struct err err;		/* what it reported, code 0 = nothing */
};

#define WORKER_INIT                                                                                \
	{                                                                                          \
		.news_fd = -1, .line = STRBUF_INIT, .err = ERR_INIT, .full = {                     \
			{ .kib = -1 },                                                             \
			{ .kib = -1 }                                                              \
		}                                                                                  \
	}

/* Fork one for the task, which is copied; what it points to is read by the worker alone. */
int worker_start(struct worker *w, const struct boot_task *t, struct err *err);
/* Read what it says; call when news_fd is readable. 0, or 1 once it has closed the pipe. */
int worker_read(struct worker *w);
/* After the pipe is closed: reap it and load what it left into b, which is as boot_init() makes it.
 * A worker that left nothing (it was killed, or crashed) is described as a broken boot of the
 * stage that it last told. Negative: the rig error, or the stop, that it reported. */
int worker_finish(struct worker *w, const struct boot_task *t, struct boot *b, struct err *err);
/* Ask it to stop; it ends its QEMU, writes what it has and closes the pipe. */
void worker_ask_to_stop(const struct worker *w);
/* KILL and reap, if it runs; its QEMU dies with it. */
void worker_release(struct worker *w);

#endif
