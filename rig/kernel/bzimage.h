/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compressed kernel that x86 boot loaders load, and the vmlinux inside it. Offsets are those
 * of the kernel's Documentation/x86/boot.rst. The file is hostile: it may be at most 256 MiB, and
 * what comes out of it at most 1 GiB.
 */
#ifndef KERNEL_BZIMAGE_H
#define KERNEL_BZIMAGE_H

#include <stddef.h>

#include "kernel/vmlinux.h"

struct err;

struct bzimage {
	int protocol;			/* 0x0208 = 2.08 */
	char release[KERNEL_RELEASE_MAX]; /* "" if the header does not give it */
	size_t payload, payload_len;	/* place in the file; 0, 0 before protocol 2.08 */
};

/* ERR_INPUT for a broken header or a 32-bit kernel; path is for messages. */
int bzimage_parse(struct bzimage *bz, const char *path, const void *data, size_t len,
		  struct err *err);
/*
 * Unpack the vmlinux of the bzImage at path into the new file out. -EOPNOTSUPP (ERR_UNABLE) if it
 * has none that can be unpacked here: a protocol before 2.08, or LZO, which libarchive knows only
 * with a library that Debian does not give it. A payload that is cut off, broken, or not as long
 * as its trailer says is ERR_INPUT. out is gone on failure.
 */
int bzimage_extract(const char *path, const char *out, struct bzimage *bz, struct err *err);

#endif
