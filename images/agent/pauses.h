/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long writers were made to pause for each disk, from the kernel's tracepoint
 * writeback:balance_dirty_pages: the kernel keeps each pause in its trace buffer, which is read as
 * text at each sample and summed up by the disk's number. A line is read by the names in it; that
 * they are there is seen in the event's format file. Events without a pause are filtered out by the
 * kernel itself. Nothing of it is touched unless the plan asks for it; what the kernel lacks is
 * told as a note and ends nothing.
 */
#ifndef AGENT_PAUSES_H
#define AGENT_PAUSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disks;
struct plan;

/* Get ready, and let the kernel trace from now on; disks must stay where it is. */
void pauses_open(const struct plan *plan, const struct disks *disks);
/* Take what has come since. */
void pauses_take(void);
/* Take the rest, and tell: a frame "tracing", and "pauses" for each disk. */
void pauses_send(void);

/* Pure. Does the event's format say that its text names the device and the pause? */
bool pauses_format_ok(const char *format);
/* Pure. One line of the buffer: "... bdi 8:16: ... pause=12 ..." fills major, minor and ms;
 * "... [LOST 5 EVENTS]" fills lost. False for any other. */
struct pauses_line {
	unsigned int major, minor;
	int64_t ms, lost;
};
bool pauses_parse(const char *line, struct pauses_line *out);

#endif
