/* SPDX-License-Identifier: GPL-2.0-only */
/* SplitMix64 as a stream of bytes. */
#include <endian.h>
#include <string.h>

#include "image/content.h"

void content_init(struct content *c, uint32_t seed)
{
	c->state = seed;
}

static uint64_t next(struct content *c)
{
	uint64_t z = c->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

void content_next(struct content *c, void *buf, size_t len)
{
	unsigned char *p = buf;

	while (len) {
		uint64_t v = htole64(next(c));
		size_t n = len < sizeof(v) ? len : sizeof(v);

		memcpy(p, &v, n);
		p += n;
		len -= n;
	}
}
