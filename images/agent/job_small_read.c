/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-small-read: small files from the disk, each timed from its opening to its last byte. */
#include "agent/applet.h"

#include <fcntl.h>
#include <unistd.h>

#include "agent/files.h"
#include "agent/now.h"
#include "agent/work.h"

#define PIECE (64 * 1024)

void run_small_read(struct work *w)
{
	const char *dir = work_text(w, "dir");
	int64_t files = work_number(w, "files");
	char *buf = work_buffer(w, PIECE);
	struct order order;
	char path[TEXT_PATH];

	order_begin(&order, work_order(w), files, work_number(w, "seed"));
	work_default_count(w, files);
	files_path(path, dir, files - 1);
	if (access(path, R_OK) < 0)
		work_fail(w, 0, "'%s' is not there: iorig-make-files has to make it", path);
	work_start(w);
	while (work_next(w)) {
		int64_t start, bytes = 0;
		ssize_t n = -1;
		int fd;

		files_path(path, dir, order_next(&order));
		start = now_ns();
		fd = open(path, O_RDONLY | O_CLOEXEC);
		while (fd >= 0 && (n = read(fd, buf, PIECE)) > 0)
			bytes += n;
		work_done(w, start, n < 0 ? -1 : bytes);
		if (fd < 0)
			continue;
		/* the next time it comes from the disk again */
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		close(fd);
	}
}
