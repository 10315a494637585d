/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-fsync: a little is written, and the fsync after it is timed. */
#include "agent/applet.h"

#include <fcntl.h>
#include <unistd.h>

#include "agent/now.h"
#include "agent/work.h"

void run_fsync(struct work *w)
{
	bool append = work_is(w, "mode", "append");
	int64_t size = work_number(w, "size"), at = 0;
	char *buf = work_buffer(w, size);
	int fd = work_open(w, O_WRONLY | (append ? O_TRUNC : 0));

	work_start(w);
	while (work_next(w)) {
		int failed = work_write_all(fd, buf, size, at);
		int64_t start = now_ns();

		/* what cannot be written cannot be synced: the call counts as failed */
		if (!failed)
			failed = fsync(fd);
		work_done(w, start, failed ? -1 : size);
		at += append ? size : 0;
	}
}
