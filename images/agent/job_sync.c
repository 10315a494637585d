/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-sync: timed sync(2), or syncfs(2) of one filesystem. */
#include "agent/applet.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "agent/now.h"
#include "agent/work.h"

void run_sync(struct work *w)
{
	const char *path = work_text(w, "path");
	int fd = *path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (*path && fd < 0)
		work_fail(w, errno, "cannot open '%s'", path);
	work_default_count(w, 1);
	work_start(w);
	while (work_next(w)) {
		int64_t start = now_ns();
		int failed = 0;

		if (fd >= 0)
			failed = syncfs(fd);
		else
			sync();
		work_done(w, start, failed ? -1 : 0);
	}
}
