/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs of other packages that the rig runs. Administrators' programs (mke2fs, depmod) are not
 * in every user's PATH, so /usr/sbin and /sbin are searched after it.
 */
#ifndef BASE_TOOL_H
#define BASE_TOOL_H

struct err;

/* The program's path in *path (free it). -ENOENT with a message that names the Debian package to
 * install if it is nowhere. */
int tool_find(const char *name, const char *package, char **path, struct err *err);

#endif
