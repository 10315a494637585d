/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a package name led to when apt was asked last: kept in the kernel cache so that a warm
 * start need not ask apt (which takes about a second), and so that it works offline.
 */
#ifndef KERNEL_RESOLVED_H
#define KERNEL_RESOLVED_H

#include "base/hash.h"

struct err;
struct kernel_cache;

struct resolved {
	char lists[HASH_HEX];	/* apt_lists_stamp() then */
	char key[HASH_HEX];	/* the tree in the cache; "" if nothing is known */
};

/* Whatever is wrong with the file counts as nothing known. */
void resolved_load(struct resolved *r, const struct kernel_cache *c, const char *package);
int resolved_save(const struct resolved *r, const struct kernel_cache *c, const char *package,
		  struct err *err);

#endif
