/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-create: one file after the other is made, filled, renamed and removed. */
#include "agent/applet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/boot.h"
#include "agent/now.h"
#include "agent/text.h"
#include "agent/work.h"

static int fill(const char *path, const char *buf, int64_t size, bool sync)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int failed;

	if (fd < 0)
		return -1;
	failed = work_write_all(fd, buf, size, 0);
	if (!failed && sync)
		failed = fsync(fd);
	if (close(fd) < 0)
		failed = -1;
	return failed;
}

void run_create(struct work *w)
{
	char new[TEXT_PATH], old[TEXT_PATH];
	int64_t size = work_number(w, "size");
	bool sync = work_number(w, "fsync");
	const char *dir = work_text(w, "dir");
	char *buf = work_buffer(w, size ? size : 1);
	int error = boot_mkdir(dir);

	if (error)
		work_fail(w, -error, "cannot make '%s'", dir);
	/* several such jobs may share a folder */
	snprintf(new, sizeof(new), "%s/%d.new", dir, (int)getpid());
	snprintf(old, sizeof(old), "%s/%d.old", dir, (int)getpid());
	work_start(w);
	while (work_next(w)) {
		int64_t start = now_ns();
		int failed = fill(new, buf, size, sync) || rename(new, old) || unlink(old);

		work_done(w, start, failed ? -1 : size);
	}
}
