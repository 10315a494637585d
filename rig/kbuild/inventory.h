/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel part of the cache holds, how large it is, when it was used last, and getting rid
 * of it. Nothing in the cache is precious: whatever is removed is fetched or built again when it
 * is needed.
 */
#ifndef KBUILD_INVENTORY_H
#define KBUILD_INVENTORY_H

#include <stddef.h>
#include <stdint.h>

struct err;

enum cache_kind {
	CACHE_KERNEL,	/* trees/KEY: an unpacked or built kernel */
	CACHE_BUILD,	/* builds/LINE: sources with objects, to build the next patch from */
	CACHE_SOURCE,	/* sources/ID: an unpacked source package */
	CACHE_GIT,	/* git/HASH: what git noted of a user's tree */
	CACHE_PACKAGE,	/* debs/: packages as fetched */
	CACHE_OTHER,	/* unpacked modules, apt's lists, logs of failed builds */
	CACHE_KINDS
};

struct cache_item {
	enum cache_kind kind;
	char *path;
	char *label;	/* "6.1.192 linux-source-6.1 6.1.192-3 + 2 patches", escaped */
	int64_t bytes;	/* on the disk; files that a build shares with its source count there */
	int64_t used;	/* seconds since the epoch */
};

struct inventory {
	struct cache_item *items;	/* by kind, then most recently used first */
	size_t n;
};

#define INVENTORY_INIT { .items = NULL }
void inventory_release(struct inventory *inv);

const char *cache_kind_name(enum cache_kind kind);	/* "kernel", "build", ... */
/* -1 if there is no such kind. */
int cache_kind_parse(const char *name);
/* A cache that is not there yet is empty. */
int inventory_read(struct inventory *inv, const char *cache_dir, struct err *err);
/* Remove one item. What another rig is working on is left alone: 0 then, else 1. */
int inventory_remove(const struct cache_item *item, const char *cache_dir, struct err *err);
/* Note that it was used now; a failure does not matter. */
void inventory_touch(const char *path);

#endif
