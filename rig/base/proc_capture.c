/* SPDX-License-Identifier: GPL-2.0-only */
/* Running a child process to its end and collecting what it prints. */
#include "base/proc.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/sig.h"

#define STOP_GRACE (2 * NS_PER_S)
#define CHUNK	   ((size_t)64 * 1024)
/* What is kept of an stderr that only a message needs. */
#define TAIL_BYTES	((size_t)4096)
#define LAST_LINE_BYTES ((size_t)400)

/* One of the child's outputs. */
struct stream {
	int fd; /* our end of the pipe, -1 once it has ended or if there is none */
	struct strbuf *sb;
	size_t max;  /* bytes that it may print, or that are kept of it */
	size_t used; /* so far */
	bool tail;   /* forget the beginning instead of failing at max */
};

/* Make the pipe; returns the child's end or -errno. */
static int stream_open(struct stream *s)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	s->fd = fds[0];
	if (fcntl(s->fd, F_SETFL, O_NONBLOCK) < 0) {
		close(fds[1]);
		return -errno;
	}
	return fds[1];
}

static void stream_release(struct stream *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* Read what is there, at most a chunk: its size, 0 at the end of the stream, or -errno. */
static ssize_t stream_read(struct stream *s)
{
	ssize_t got;

	strbuf_reserve(s->sb, CHUNK);
	got = read(s->fd, s->sb->buf + s->sb->len, CHUNK);
	if (got < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	if (got == 0)
		stream_release(s);
	strbuf_grown(s->sb, (size_t)got);
	s->used += (size_t)got;
	if (!s->tail)
		return s->used > s->max ? -E2BIG : got;
	if (s->sb->len > s->max)
		strbuf_consume(s->sb, s->sb->len - s->max);
	return got;
}

/*
 * The child has ended: take what it left in the pipe. Others may still hold the pipe and write to
 * it, so neither wait for its end nor read more than it could hold at the child's end.
 */
static int stream_drain(struct stream *s)
{
	ssize_t left = s->fd >= 0 ? fcntl(s->fd, F_GETPIPE_SZ) : 0, got = 0;

	while (s->fd >= 0 && left > 0 && got >= 0) {
		got = stream_read(s);
		left -= got;
	}
	return got < 0 && got != -EAGAIN ? (int)got : 0;
}

static int read_error(const struct proc *p, const struct stream *s, int code, struct err *err)
{
	const char *name = str_escape(p->argv.v[0]);

	if (code == -E2BIG)
		return err_set(err, code, "'%s' printed more than the %zu bytes it may", name,
			       s->max);
	return err_sys(err, code, "cannot read the output of '%s'", name);
}

/* Serve the streams until the child has ended; it is not reaped yet. */
static int pump(struct proc *p, struct stream *streams, const struct deadline *d, struct err *err)
{
	for (;;) {
		struct pollfd fds[] = {
			{ .fd = streams[0].fd, .events = POLLIN },
			{ .fd = streams[1].fd, .events = POLLIN },
			{ .fd = p->pidfd, .events = POLLIN },
			{ .fd = sig_fd(), .events = POLLIN },
		};
		int n = poll(fds, ARRAY_SIZE(fds), deadline_ms(d));

		if (n < 0 && errno != EINTR)
			return err_sys(err, -errno, "cannot wait for '%s'",
				       str_escape(p->argv.v[0]));
		for (int i = 0; n > 0 && i < 2; i++) {
			ssize_t got = fds[i].revents ? stream_read(&streams[i]) : 0;

			if (got < 0 && got != -EAGAIN)
				return read_error(p, &streams[i], (int)got, err);
		}
		/* a deadline and a request to stop are proc_wait()'s to report, below */
		if ((n > 0 && fds[2].revents) || sig_stop_asked() || deadline_passed(d))
			return 0;
	}
}

/* The last line of sb that is not blank, escaped into 'line' behind ": ". */
static void last_line(const struct strbuf *sb, struct strbuf *line)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	const char *newline;
	size_t start;

	strbuf_add(&text, sb->buf, sb->len);
	strbuf_trim(&text);
	if (!text.len)
		return;
	newline = memrchr(text.buf, '\n', text.len);
	start = newline ? (size_t)(newline + 1 - text.buf) : 0;
	strbuf_addstr(line, ": ");
	strbuf_add_escaped(line, text.buf + start, text.len - start, LAST_LINE_BYTES);
}

static int status_error(const struct proc *p, const struct strbuf *errors, struct err *err)
{
	struct strbuf line __release(strbuf) = STRBUF_INIT;

	if (WIFEXITED(p->status) && WEXITSTATUS(p->status) == 0)
		return 0;
	last_line(errors, &line);
	return err_set(err, -EIO, "'%s' %s%s", str_escape(p->argv.v[0]),
		       proc_status_text(p->status), line.buf);
}

/* From the start to the reaped child. */
static int run(struct proc *p, struct stream *streams, const struct deadline *d, struct err *err)
{
	int ret = pump(p, streams, d, err);

	if (!ret)
		ret = proc_wait(p, d, err);
	for (int i = 0; i < 2 && !ret; i++) {
		ret = stream_drain(&streams[i]);
		if (ret < 0)
			return read_error(p, &streams[i], ret, err);
	}
	return ret;
}

/* Start the child with its outputs in the streams. A stream without a buffer is not made. */
static int start(struct proc *p, struct stream *streams, struct err *err)
{
	int *const ends[] = { &p->out_fd, &p->err_fd };
	const int saved[] = { p->out_fd, p->err_fd };
	int ret = 0;

	for (int i = 0; i < 2 && !ret; i++) {
		int end = streams[i].sb ? stream_open(&streams[i]) : saved[i];

		if (streams[i].sb && end < 0)
			ret = err_sys(err, end, "cannot make a pipe");
		else
			*ends[i] = end;
	}
	if (!ret)
		ret = proc_start(p, err);
	for (int i = 0; i < 2; i++) {
		if (*ends[i] != saved[i])
			close(*ends[i]);
		*ends[i] = saved[i];
	}
	return ret;
}

int proc_capture(struct proc *p, const struct deadline *d, size_t max, struct strbuf *out,
		 struct strbuf *errout, struct err *err)
{
	struct strbuf tail __release(strbuf) = STRBUF_INIT;
	struct stream streams[] = {
		{ .fd = -1, .sb = out, .max = max },
		{ .fd = -1, .sb = errout, .max = max },
	};
	int ret;

	if (!errout)
		streams[1] =
			(struct stream){ .fd = -1, .sb = &tail, .max = TAIL_BYTES, .tail = true };
	ret = start(p, streams, err);
	if (!ret)
		ret = run(p, streams, d, err);
	proc_stop(p, STOP_GRACE);
	stream_release(&streams[0]);
	stream_release(&streams[1]);
	return ret < 0 ? ret : status_error(p, streams[1].sb, err);
}
