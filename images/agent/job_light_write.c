/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-light-write: a small write now and then. */
#include "agent/applet.h"

#include <fcntl.h>
#include <unistd.h>

#include "agent/now.h"
#include "agent/work.h"

#define SPAN_BLOCKS 16

void run_light_write(struct work *w)
{
	bool append = work_is(w, "mode", "append");
	int64_t block = work_number(w, "block"), span = work_number(w, "span"), at = 0;
	char *buf = work_buffer(w, block);
	int fd = work_open(w, O_WRONLY | (append ? O_TRUNC : 0));

	if (!span)
		span = SPAN_BLOCKS * block;
	work_start(w);
	while (work_next(w)) {
		int64_t start = now_ns();

		work_done(w, start, pwrite(fd, buf, block, at));
		at += block;
		if (!append && at >= span)
			at = 0;
	}
}
