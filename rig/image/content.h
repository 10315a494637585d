/* SPDX-License-Identifier: GPL-2.0-only */
/* The pseudo-random bytes of a read-only disk's file; disk.h documents the generator. */
#ifndef IMAGE_CONTENT_H
#define IMAGE_CONTENT_H

#include <stddef.h>
#include <stdint.h>

struct content {
	uint64_t state;
};

void content_init(struct content *c, uint32_t seed);
/* The next len bytes; but for the last call len is a multiple of 8. */
void content_next(struct content *c, void *buf, size_t len);

#endif
