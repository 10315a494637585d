/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The agent's frames: how the guest tells the host what it did, over a serial port that nothing
 * else writes to. One frame is one line:
 *
 *	@SEQ CRC JSON\n		SEQ decimal from 0, CRC 8 lower-case hex digits
 *
 * CRC is CRC-32 (IEEE 802.3, as in zlib) over "SEQ " and the JSON text. JSON is one object in
 * printable ASCII without a newline. A line that is not a good frame (noise from a firmware, a
 * frame cut short by a crash) is reported as such and never guessed at; a gap in SEQ shows that
 * something was lost. Shared by the agent (musl) and the rig (glibc): only libc here.
 */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_MAX 32768	/* longest line, newline included */

struct frame {
	uint32_t seq;
	const char *json;	/* points into the line given to frame_decode() */
	size_t json_len;
};

enum frame_fault {
	FRAME_OK,
	FRAME_NOISE,	/* does not begin as a frame does */
	FRAME_BAD_CRC,	/* damaged, or cut short */
	FRAME_TOO_LONG
};

/* CRC-32 of data, continuing from crc (0 to begin). */
uint32_t frame_crc(uint32_t crc, const void *data, size_t len);
/* Write one frame line into out. Its length without a NUL, or -1 if it does not fit in cap. */
int frame_encode(char *out, size_t cap, uint32_t seq, const char *json, size_t json_len);
/* Check one line, given without its newline (a trailing CR is tolerated). */
enum frame_fault frame_decode(const char *line, size_t len, struct frame *frame);

#endif
