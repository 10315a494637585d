/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-write: a file or disk, written block by block. */
#include "agent/applet.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "agent/now.h"
#include "agent/work.h"

/* How many blocks there are to go through: those of span, else of size, else of what the disk or
 * the file has; INT64_MAX for a stream that only grows. */
static int64_t blocks(const struct work *w, int fd, int64_t block)
{
	int64_t span = work_number(w, "span");

	if (!span && !work_is(w, "mode", "seq"))
		span = work_number(w, "size");
	if (!span)
		span = lseek(fd, 0, SEEK_END);
	if (span < 0)
		work_fail(w, errno, "cannot tell the size of '%s'", work_text(w, "file"));
	if (span)
		return span / block;
	if (!work_is(w, "mode", "seq"))
		work_fail(w, 0, "it needs 'span' or 'size': '%s' is empty", work_text(w, "file"));
	return INT64_MAX;
}

static int open_file(const struct work *w)
{
	int flags = O_WRONLY;

	if (!work_number(w, "keep"))
		flags |= O_TRUNC;
	if (work_number(w, "direct"))
		flags |= O_DIRECT;
	return work_open(w, flags);
}

void run_write(struct work *w)
{
	int64_t block = work_number(w, "block"), size = work_number(w, "size");
	int64_t rate = work_number(w, "rate"), every = work_number(w, "fsync-every");
	int64_t n;
	char *buf = work_buffer(w, block);
	int fd = open_file(w);
	struct order order;

	n = blocks(w, fd, block);
	if (!n)
		work_fail(w, 0, "'%s' is smaller than a block", work_text(w, "file"));
	order_begin(&order, work_order(w), n, work_number(w, "seed"));
	if (size)
		w->left = size / block;
	work_start(w);
	while (work_next(w)) {
		int64_t start = now_ns();

		work_done(w, start, pwrite(fd, buf, block, order_next(&order) * block));
		if (every && order.done % every == 0)
			work_also(w, "fsync", fsync(fd));
		if (rate)
			work_wait(w, work_due(w, order.done * block, rate));
	}
	if (work_is(w, "fsync", "end") && !work_stopped())
		work_also(w, "fsync", fsync(fd));
}
