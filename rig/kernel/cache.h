/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel part of the cache, CACHE/kernels:
 *
 *	debs/SHA256.deb		packages as fetched, by content
 *	trees/KEY/		unpacked kernels, KEY is a hash of what they were made from:
 *		vmlinuz, vmlinux, config	each may be absent
 *		lib/modules/RELEASE/		with depmod's indexes, may be absent
 *		complete.json			written last: names, release and hashes
 *	resolved/PACKAGE.json	which tree a package name led to, and under which apt lists
 *	new-xxxxxx/		a tree in the making, renamed to trees/KEY when complete
 *	modules/SHA256.ko	modules that were compressed (ko.h)
 *	sources/ builds/ git/	of kernels that are built here (source/source.h, build.h)
 *	lock			held by whoever makes something
 *
 * A tree never changes once it has its name, so readers need no lock. A tree without a valid
 * complete.json, or without a file that it names, counts as absent and is made again.
 */
#ifndef KERNEL_CACHE_H
#define KERNEL_CACHE_H

#include <stdbool.h>

struct err;
struct kernel;

struct kernel_cache {
	char *dir;	/* CACHE/kernels */
	int lock_fd;	/* -1: not locked */
};

#define KERNEL_CACHE_INIT { .dir = NULL, .lock_fd = -1 }

/* Make the folders if they are missing. */
int kernel_cache_open(struct kernel_cache *c, const char *cache_dir, struct err *err);
void kernel_cache_release(struct kernel_cache *c);
/* Wait for the lock (named deadline, 30 minutes: another rig may be fetching), and clear away
 * what a rig that died left half made. */
int kernel_cache_lock(struct kernel_cache *c, struct err *err);
/* Let go of it before the release. */
void kernel_cache_unlock(struct kernel_cache *c);
/* Path of a tree, a fresh string. */
char *kernel_cache_tree(const struct kernel_cache *c, const char *key);
/* A fresh folder to make a tree in; under the lock. */
int kernel_cache_new(const struct kernel_cache *c, char **dir, struct err *err);
/* Write complete.json for what lies in dir, and give dir its name; under the lock. A package of
 * NULL means that the tree was made from a file. */
int kernel_cache_publish(const struct kernel_cache *c, const char *dir, const char *key,
			 const char *release, const char *package, struct err *err);
/* Fill in bzimage, vmlinux, release, package, config, modules_dir, image and the hashes from a
 * complete tree. False, with k untouched, if there is none. */
bool kernel_cache_load(const struct kernel_cache *c, const char *key, struct kernel *k);

#endif
