/* SPDX-License-Identifier: GPL-2.0-only */
/* One line of the agent's serial protocol: encoding, and checking what arrives. */
#include "wire/frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The reflected polynomial 0xedb88320, four bits at a time: small enough for the agent. */
static const uint32_t crc_nibble[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
	0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

uint32_t frame_crc(uint32_t crc, const void *data, size_t len)
{
	const unsigned char *p = data;

	crc = ~crc;
	while (len--) {
		crc ^= *p++;
		crc = crc >> 4 ^ crc_nibble[crc & 15];
		crc = crc >> 4 ^ crc_nibble[crc & 15];
	}
	return ~crc;
}

int frame_encode(char *out, size_t cap, uint32_t seq, const char *json, size_t json_len)
{
	char number[16];
	uint32_t crc;
	int n, head;

	n = snprintf(number, sizeof(number), "%" PRIu32 " ", seq);
	crc = frame_crc(frame_crc(0, number, n), json, json_len);
	if (cap > FRAME_MAX)
		cap = FRAME_MAX;
	head = snprintf(out, cap, "@%s%08" PRIx32 " ", number, crc);
	/* head counts no NUL: the newline takes its place. */
	if ((size_t)head >= cap || json_len > cap - head - 1)
		return -1;
	memcpy(out + head, json, json_len);
	out[head + json_len] = '\n';
	return head + json_len + 1;
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits and a space; what they cost in bytes, or 0. */
static size_t take_seq(const char *s, size_t len, uint32_t *seq)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < len && is_digit(s[i]); i++) {
		value = value * 10 + (s[i] - '0');
		if (value > UINT32_MAX)
			return 0;
	}
	if (i == 0 || i == len || s[i] != ' ' || (i > 1 && s[0] == '0'))
		return 0;
	*seq = value;
	return i + 1;
}

/* Eight lower-case hex digits and a space, which are at s. */
static int take_crc(const char *s, uint32_t *crc)
{
	uint32_t value = 0;
	int i;

	for (i = 0; i < 8; i++) {
		if (is_digit(s[i]))
			value = value << 4 | (s[i] - '0');
		else if (s[i] >= 'a' && s[i] <= 'f')
			value = value << 4 | (s[i] - 'a' + 10);
		else
			return -1;
	}
	*crc = value;
	return s[8] == ' ' ? 0 : -1;
}

enum frame_fault frame_decode(const char *line, size_t len, struct frame *frame)
{
	uint32_t seq, crc;
	size_t n, i;

	if (len && line[len - 1] == '\r')
		len--;
	if (len < 2 || line[0] != '@' || !is_digit(line[1]))
		return FRAME_NOISE;
	if (len > FRAME_MAX - 1)
		return FRAME_TOO_LONG;
	line++;
	len--;
	n = take_seq(line, len, &seq);
	if (!n || len - n < 9 || take_crc(line + n, &crc) < 0)
		return FRAME_BAD_CRC;
	frame->seq = seq;
	frame->json = line + n + 9;
	frame->json_len = len - n - 9;
	if (frame_crc(frame_crc(0, line, n), frame->json, frame->json_len) != crc)
		return FRAME_BAD_CRC;
	/* A right sum over bytes that no agent sends is damage as well. */
	for (i = 0; i < frame->json_len; i++) {
		if (frame->json[i] < ' ' || frame->json[i] > '~')
			return FRAME_BAD_CRC;
	}
	return FRAME_OK;
}
