/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of a growing file. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "vm/tail.h"

int vm_tail_open(struct vm_tail *tail, const char *path, const char *what, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_sys(err, -errno, "cannot read '%s'", str_escape(path));
	*tail = (struct vm_tail)VM_TAIL_INIT;
	tail->fd = fd;
	tail->what = what;
	return 0;
}

/* Read on. The number of bytes, 0 at the end of what is there. */
static ssize_t read_more(struct vm_tail *tail, struct err *err)
{
	ssize_t n;

	strbuf_consume(&tail->buf, tail->taken);
	tail->searched -= tail->taken;
	tail->taken = 0;
	strbuf_reserve(&tail->buf, VM_LINE_MAX);
	do {
		n = read(tail->fd, tail->buf.buf + tail->buf.len, VM_LINE_MAX);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_sys(err, -errno, "cannot read the guest's %s", tail->what);
	strbuf_grown(&tail->buf, (size_t)n);
	tail->total += n;
	if (tail->total > VM_FILE_MAX)
		return err_set(err, -EFBIG, "the guest's %s has more than %lld MiB", tail->what,
			       VM_FILE_MAX >> 20);
	return n;
}

/* Deliver len bytes of the buffer, and pass over skip more. */
static int deliver(struct vm_tail *tail, size_t n, size_t skip, const char **line, size_t *len)
{
	*line = tail->buf.buf + tail->taken;
	*len = n;
	tail->taken += n + skip;
	if (tail->searched < tail->taken)
		tail->searched = tail->taken;
	return 1;
}

int vm_tail_next(struct vm_tail *tail, bool last, const char **line, size_t *len,
		 struct err *err)
{
	for (;;) {
		const char *from = tail->buf.buf + tail->searched;
		const char *end = memchr(from, '\n', tail->buf.len - tail->searched);
		size_t to = end ? (size_t)(end - tail->buf.buf) : tail->buf.len;
		size_t waiting = to - tail->taken;
		ssize_t n;

		/* A piece that ends just before the newline takes it along: no empty line. */
		if (waiting > VM_LINE_MAX)
			return deliver(tail, VM_LINE_MAX, 0, line, len);
		if (end)
			return deliver(tail, waiting, 1, line, len);
		tail->searched = tail->buf.len;
		n = read_more(tail, err);
		if (n < 0)
			return (int)n;
		if (n > 0)
			continue;
		waiting = tail->buf.len - tail->taken;
		return last && waiting ? deliver(tail, waiting, 0, line, len) : 0;
	}
}

void vm_tail_release(struct vm_tail *tail)
{
	if (tail->fd >= 0)
		close(tail->fd);
	strbuf_release(&tail->buf);
	*tail = (struct vm_tail)VM_TAIL_INIT;
}
