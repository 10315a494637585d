/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-make-files: small files, laid out one after the other, with a filler between them. */
#include "agent/applet.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "agent/boot.h"
#include "agent/files.h"
#include "agent/now.h"
#include "agent/text.h"
#include "agent/work.h"

#define PIECE (64 * 1024)

static int make(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

/* So much at the place; what it is does not matter. */
static int add(int fd, const char *buf, int64_t len, int64_t at)
{
	while (len > 0) {
		int64_t n = len < PIECE ? len : PIECE;

		if (work_write_all(fd, buf, n, at) < 0)
			return -1;
		at += n;
		len -= n;
	}
	/* written back now, so that a filesystem cannot choose the places of many at once */
	return fsync(fd);
}

static int add_file(const char *path, const char *buf, int64_t size)
{
	int fd = make(path), failed;

	if (fd < 0)
		return -1;
	failed = add(fd, buf, size, 0);
	close(fd);
	return failed;
}

void run_make_files(struct work *w)
{
	const char *dir = work_text(w, "dir");
	int64_t files = work_number(w, "files"), size = work_number(w, "size");
	int64_t gap = work_number(w, "spread") / files, i;
	char *buf = work_buffer(w, PIECE);
	char path[TEXT_PATH];
	int filler = -1, error = boot_mkdir(dir);

	if (error)
		work_fail(w, -error, "cannot make '%s'", dir);
	snprintf(path, sizeof(path), "%s/filler", dir);
	if (gap)
		filler = make(path);
	if (gap && filler < 0)
		work_fail(w, errno, "cannot make '%s'", path);
	work_start(w);
	for (i = 0; i < files && !work_stopped(); i++) {
		int64_t start = now_ns();

		files_path(path, dir, i);
		if (!work_done(w, start, add_file(path, buf, size) < 0 ? -1 : size))
			break;
		if (gap && add(filler, buf, gap, i * gap) < 0)
			work_fail(w, errno, "the filler, byte %" PRId64, i * gap);
	}
}
