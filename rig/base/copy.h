/* SPDX-License-Identifier: GPL-2.0-only */
/* Copying files: sharing their blocks where the filesystem can. */
#ifndef BASE_COPY_H
#define BASE_COPY_H

#include <sys/types.h>

struct err;

/* Copy the regular file from to the new file to with this mode. Not durable: no fsync. What was
 * made is gone after an error. */
int file_copy(const char *from, const char *to, mode_t mode, struct err *err);
/* The same between descriptors, len bytes from their beginnings. 0 or -errno. */
int fd_copy(int from, int to, off_t len);

#endif
