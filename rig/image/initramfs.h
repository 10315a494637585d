/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An initramfs in cpio's newc format, made with libarchive without root: entries are collected,
 * then written sorted by path with fixed owner, times and inode numbers, so that the same content
 * always gives the same bytes. Parent folders are made by themselves. Uncompressed: unpacking
 * costs the guest more than reading.
 */
#ifndef IMAGE_INITRAMFS_H
#define IMAGE_INITRAMFS_H

#include <stddef.h>
#include <sys/types.h>

struct err;
struct initramfs_entry;

struct initramfs {
	struct initramfs_entry *entries;
	size_t n;
};

#define INITRAMFS_INIT { .entries = NULL, .n = 0 }
void initramfs_release(struct initramfs *fs);
/* Guest paths are absolute: "/init". Adding a path twice is a BUG, but for a folder: that sets its
 * mode. A file is at most 256 MiB. */
void initramfs_add_dir(struct initramfs *fs, const char *path, mode_t mode);
void initramfs_add_data(struct initramfs *fs, const char *path, mode_t mode, const void *data,
			size_t len);
/* The host file is read when the archive is written. */
void initramfs_add_file(struct initramfs *fs, const char *path, mode_t mode, const char *host);
void initramfs_add_symlink(struct initramfs *fs, const char *path, const char *target);
void initramfs_add_chardev(struct initramfs *fs, const char *path, mode_t mode, unsigned int major,
			   unsigned int minor);
/* Write to path, complete or not at all. */
int initramfs_write(const struct initramfs *fs, const char *path, struct err *err);

#endif
