/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-touch-memory: anonymous memory, touched piece by piece. */
#include "agent/applet.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/now.h"
#include "agent/work.h"

void run_touch_memory(struct work *w)
{
	int64_t page = sysconf(_SC_PAGESIZE), size = work_number(w, "size");
	int64_t chunk = work_number(w, "chunk"), chunks, at = 0, i;
	bool fresh = work_number(w, "fresh");
	volatile char *memory;

	chunk -= chunk % page;
	chunks = size / chunk;
	if (!chunks)
		work_fail(w, 0, "'size' is less than 'chunk'");
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		work_fail(w, errno, "cannot map %" PRId64 " bytes", size);
	work_default_count(w, chunks);
	work_start(w);
	while (work_next(w)) {
		int64_t start = now_ns();

		for (i = 0; i < chunk; i += page)
			memory[at + i]++;
		work_done(w, start, chunk);
		at += chunk;
		if (at < chunks * chunk)
			continue;
		at = 0;
		if (fresh)
			madvise((void *)memory, size, MADV_DONTNEED);
	}
}
