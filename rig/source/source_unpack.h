/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's source out of a Debian source package: usr/src/linux-source-*.tar.* in the .deb is
 * unpacked as it is read, nothing lies on the disk twice.
 */
#ifndef SOURCE_SOURCE_UNPACK_H
#define SOURCE_SOURCE_UNPACK_H

struct err;

/*
 * Unpack deb's kernel tree to dir/tree, without the folder that holds everything in the archive,
 * and list its files and symbolic links in dir/files (source.h). Modes are 0644 or 0755, times are
 * now. progress() tells how far; what is the package's name. ERR_INPUT if the package is broken,
 * holds no source, or if its archive has a path or a link that is absolute or leads out of the
 * tree, a hard link, a device, a path twice, more than 200,000 files or 8 GiB. -EINTR when a stop
 * was asked for. What was made is left for the caller to remove after an error.
 */
int source_unpack(const char *deb, const char *dir, const char *what, struct err *err);

#endif
