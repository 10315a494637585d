/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all of the agent's own jobs share: their arguments, the pace and the end of their calls,
 * and the counting. A job is a loop:
 *
 *	while (work_next(w)) {
 *		int64_t start = now_ns();
 *		ssize_t n = write(...);
 *		work_done(w, start, n);
 *	}
 *
 * A job ends when it has made "count" calls, when "time" is over, or at SIGTERM; whichever comes
 * first, a call that runs is waited for. All of them then exit 0. What it cannot go on without
 * (its file, memory) ends it with a message as its last line and exit 1, wrong arguments with
 * exit 2. A call that fails does so too, unless "errors=count".
 *
 * "period" is a raster from the job's start: a call that takes longer than a period lets the next
 * ones fall out, they are not made up for; the count of calls shows it.
 */
#ifndef AGENT_WORK_H
#define AGENT_WORK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/order.h"
#include "wire/jobargs.h"

struct slot;

struct work {
	struct jobargs args;
	struct slot *slot;
	int64_t begun, end_at;	/* INT64_MAX: no end */
	int64_t period, next_at;
	int64_t left;		/* calls; INT64_MAX: no bound */
	bool count_errors;
};

/* Check the arguments and get ready; ends the process if they are wrong. argv[0] is the job. */
void work_begin(struct work *w, const struct jobargs_job *job, int argc, char **argv);
/* The job's clock starts now: after it has opened and made what it needs. */
void work_start(struct work *w);
/* Without count, time or anything else that ends it: this many calls. */
void work_default_count(struct work *w, int64_t count);
/* Wait for the next call's moment; false if there is none any more. */
bool work_next(struct work *w);
/* Has it been asked to end? */
bool work_stopped(void);
/* Wait until the moment, or the job's end, or the request to end. */
void work_wait(const struct work *w, int64_t until_ns);
/* When so many bytes have gone through at the rate, bytes a second, from the job's start on. */
int64_t work_due(const struct work *w, int64_t bytes, int64_t rate);
/* A call that began at start has just returned bytes, or -1 with errno. Did it do it? */
bool work_done(struct work *w, int64_t start_ns, int64_t bytes);
/* A call that is part of the job but not among its latencies (an fsync) has returned this. */
void work_also(struct work *w, const char *what, int result);
/* Say what happened, with errno's text if error is not 0, and exit 1. */
_Noreturn void work_fail(const struct work *w, int error, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* All is done: exit 0. In no guest (no IORIG_RESULT) it prints what it has counted. */
_Noreturn void work_end(struct work *w);

/* Shorter ways to the arguments. */
int64_t work_number(const struct work *w, const char *name);
const char *work_text(const struct work *w, const char *name);
bool work_is(const struct work *w, const char *name, const char *word);
enum order_mode work_order(const struct work *w);	/* of "mode" */

/* len bytes of memory fit for O_DIRECT, filled with what does not compress. Never NULL. */
char *work_buffer(const struct work *w, int64_t len);
/* The job's "file", open; made unless it is below /dev. flags as of open(2). */
int work_open(const struct work *w, int flags);
/* Write all of it at the place; what a device or a full disk leaves over is an error. 0 or -1. */
int work_write_all(int fd, const char *buf, int64_t len, int64_t at);

#endif
