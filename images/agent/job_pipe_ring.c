/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iorig-pipe-ring: processes that hand a message round through pipes; each round is a call. One of
 * them wants to run at any time, and each time another one.
 */
#include "agent/applet.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/now.h"
#include "agent/work.h"

/* All of a message, which may come in pieces. len, less at the end of the pipe, or -1. */
static int64_t read_all(int fd, char *buf, int64_t len)
{
	int64_t at = 0;

	while (at < len) {
		ssize_t n = read(fd, buf + at, len - at);

		if (n <= 0)
			return n < 0 ? -1 : at;
		at += n;
	}
	return at;
}

static int64_t write_all(int fd, const char *buf, int64_t len)
{
	int64_t at = 0;

	while (at < len) {
		ssize_t n = write(fd, buf + at, len - at);

		if (n < 0)
			return -1;
		at += n;
	}
	return at;
}

static _Noreturn void hand_on(int in, int out, char *buf, int64_t len)
{
	while (read_all(in, buf, len) == len && write_all(out, buf, len) == len)
		;
	_exit(0);
}

/* One more process that reads from 'in'; returns what it writes to. */
static int add_process(const struct work *w, int first, int in, char *buf, int64_t len)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		work_fail(w, errno, "no pipe");
	pid = fork();
	if (pid < 0)
		work_fail(w, errno, "no process");
	if (pid == 0) {
		/* the pipes end one after the other when the first one does */
		close(first);
		close(ends[0]);
		hand_on(in, ends[1], buf, len);
	}
	close(ends[1]);
	close(in);
	return ends[0];
}

void run_pipe_ring(struct work *w)
{
	int64_t len = work_number(w, "block"), n = work_number(w, "processes"), i;
	char *buf = work_buffer(w, len);
	int ends[2], in;

	if (pipe2(ends, O_CLOEXEC) < 0)
		work_fail(w, errno, "no pipe");
	in = ends[0];
	for (i = 1; i < n; i++)
		in = add_process(w, ends[1], in, buf, len);
	work_start(w);
	while (work_next(w)) {
		int64_t start = now_ns(), got = write_all(ends[1], buf, len);

		if (got == len)
			got = read_all(in, buf, len);
		if (got >= 0 && got < len) {
			if (work_stopped())
				break;
			work_fail(w, 0, "a process of the ring has ended");
		}
		work_done(w, start, got);
	}
	close(ends[1]);
	close(in);
	/* their time is this job's */
	while (wait(NULL) > 0 || errno == EINTR)
		;
}
