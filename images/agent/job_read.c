/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-read: a file or disk, read block by block. */
#include "agent/applet.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "agent/now.h"
#include "agent/work.h"

void run_read(struct work *w)
{
	int64_t block = work_number(w, "block"), size = work_number(w, "size");
	int64_t rate = work_number(w, "rate"), span = work_number(w, "span");
	bool direct = work_number(w, "direct");
	const char *file = work_text(w, "file");
	char *buf = work_buffer(w, block);
	int fd = work_open(w, O_RDONLY | (direct ? O_DIRECT : 0));
	int64_t end = lseek(fd, 0, SEEK_END);
	struct order order;

	if (end < 0)
		work_fail(w, errno, "cannot tell the size of '%s'", file);
	if (span > end || end < block)
		work_fail(w, 0, "'%s' has only %lld bytes", file, (long long)end);
	order_begin(&order, work_order(w), (span ? span : end) / block, work_number(w, "seed"));
	if (size)
		w->left = size / block;
	else
		work_default_count(w, order.n);
	work_start(w);
	while (work_next(w)) {
		int64_t start = now_ns();
		ssize_t n = pread(fd, buf, block, order_next(&order) * block);

		/* it was there when it was measured */
		if (n == 0)
			work_fail(w, 0, "'%s' has become shorter", file);
		work_done(w, start, n);
		/* a round that follows comes from the disk again */
		if (order.done % order.n == 0)
			posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		if (rate)
			work_wait(w, work_due(w, order.done * block, rate));
	}
}
