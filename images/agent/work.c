/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments, pace, end and counting of the agent's own jobs. */
#include "agent/work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/now.h"
#include "agent/slot.h"

static volatile sig_atomic_t stopped;

static void on_term(int sig)
{
	(void)sig;
	stopped = 1;
}

static _Noreturn void refuse(const struct jobargs_job *job, const char *why)
{
	dprintf(STDERR_FILENO, "%s: %s\n", job->name, why);
	_exit(2);
}

void work_begin(struct work *w, const struct jobargs_job *job, int argc, char **argv)
{
	struct sigaction term = { .sa_handler = on_term };
	char why[JOBARGS_WHY];
	int i;

	*w = (struct work){ .end_at = INT64_MAX, .left = INT64_MAX };
	jobargs_begin(&w->args, job);
	for (i = 1; i < argc; i++) {
		if (jobargs_take(&w->args, argv[i], false, why) < 0)
			refuse(job, why);
	}
	if (jobargs_finish(&w->args, why) < 0)
		refuse(job, why);
	w->slot = slot_open();
	if (!w->slot)
		work_fail(w, ENOMEM, "no memory for its figures");
	w->count_errors = work_is(w, "errors", "count");
	w->period = work_number(w, "period");
	if (jobargs_given(&w->args, "count"))
		w->left = work_number(w, "count");
	/* no SA_RESTART: what can be broken off is */
	sigaction(SIGTERM, &term, NULL);
}

void work_start(struct work *w)
{
	w->begun = w->next_at = now_ns();
	if (jobargs_given(&w->args, "time"))
		w->end_at = w->begun + work_number(w, "time");
}

void work_default_count(struct work *w, int64_t count)
{
	if (!jobargs_given(&w->args, "count") && !jobargs_given(&w->args, "time"))
		w->left = count;
}

bool work_stopped(void)
{
	return stopped;
}

void work_wait(const struct work *w, int64_t until_ns)
{
	int64_t until = until_ns < w->end_at ? until_ns : w->end_at;
	sigset_t term, before;

	/* TERM comes before the look at the flag or into the wait, but not in between */
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, &before);
	for (;;) {
		int64_t left = until - now_ns();
		struct timespec time = { .tv_sec = left / SEC, .tv_nsec = left % SEC };

		if (stopped || left <= 0)
			break;
		ppoll(NULL, 0, &time, &before);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

int64_t work_due(const struct work *w, int64_t bytes, int64_t rate)
{
	return w->begun + (int64_t)((__int128)bytes * SEC / rate);
}

bool work_next(struct work *w)
{
	int64_t now;

	if (stopped || w->left <= 0)
		return false;
	if (w->period) {
		work_wait(w, w->next_at);
		if (stopped)
			return false;
	}
	now = now_ns();
	if (now >= w->end_at)
		return false;
	if (w->period)
		w->next_at += ((now - w->next_at) / w->period + 1) * w->period;
	if (w->left != INT64_MAX)
		w->left--;
	return true;
}

bool work_done(struct work *w, int64_t start_ns, int64_t bytes)
{
	int error = errno;
	int64_t end_ns = now_ns();

	if (bytes >= 0) {
		slot_add(w->slot, start_ns, end_ns, bytes);
		return true;
	}
	/* a call that TERM broke off has not failed */
	if (error == EINTR && stopped)
		return false;
	w->slot->errors++;
	if (!w->count_errors)
		work_fail(w, error, "call %" PRId64, w->slot->ops + w->slot->errors);
	return false;
}

void work_also(struct work *w, const char *what, int result)
{
	int error = errno;

	w->slot->last_ns = now_ns();
	if (result == 0)
		return;
	w->slot->errors++;
	if (!w->count_errors)
		work_fail(w, error, "%s", what);
}

void work_fail(const struct work *w, int error, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	dprintf(STDERR_FILENO, "%s: %s%s%s\n", w->args.job->name, text, error ? ": " : "",
		error ? strerror(error) : "");
	_exit(1);
}

void work_end(struct work *w)
{
	const struct slot *slot = w->slot;
	const struct hist *h = &slot->hist;

	if (!getenv(SLOT_ENV))
		dprintf(STDOUT_FILENO, "%s: ops %" PRId64 " bytes %" PRId64 " errors %" PRId64
			" ns: p50 %" PRId64 " p99 %" PRId64 " max %" PRId64 "\n",
			w->args.job->name, slot->ops, slot->bytes, slot->errors,
			hist_percentile(h, 500), hist_percentile(h, 990),
			hist_percentile(h, 1000));
	_exit(0);
}

int64_t work_number(const struct work *w, const char *name)
{
	return jobargs_number(&w->args, name);
}

const char *work_text(const struct work *w, const char *name)
{
	return jobargs_text(&w->args, name);
}

bool work_is(const struct work *w, const char *name, const char *word)
{
	return jobargs_is(&w->args, name, word);
}

enum order_mode work_order(const struct work *w)
{
	return (enum order_mode)work_number(w, "mode");
}

char *work_buffer(const struct work *w, int64_t len)
{
	/* from a mapping: aligned to a page, as O_DIRECT wants it */
	uint64_t *buf = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t x = 1;
	int64_t i;

	if (buf == MAP_FAILED)
		work_fail(w, errno, "no memory for a block of %" PRId64 " bytes", len);
	for (i = 0; i < len; i += 8) {
		x = x * 6364136223846793005u + 1442695040888963407u;	/* Knuth, MMIX */
		buf[i / 8] = x;
	}
	return (char *)buf;
}

int work_open(const struct work *w, int flags)
{
	const char *file = work_text(w, "file");
	bool make = (flags & O_ACCMODE) != O_RDONLY && strncmp(file, "/dev/", 5) != 0;
	int fd = open(file, flags | O_CLOEXEC | (make ? O_CREAT : 0), 0644);

	if (fd < 0)
		work_fail(w, errno, "cannot open '%s'", file);
	return fd;
}

int work_write_all(int fd, const char *buf, int64_t len, int64_t at)
{
	while (len > 0) {
		ssize_t n = pwrite(fd, buf, len, at);

		if (n < 0 && errno == EINTR && !stopped)
			continue;
		if (n < 0)
			return -1;
		buf += n;
		at += n;
		len -= n;
	}
	return 0;
}
