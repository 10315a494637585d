/* SPDX-License-Identifier: GPL-2.0-only */
/* What a finished build leaves in the cache: image, configuration, modules, log, and about.json. */
#ifndef KBUILD_OUTPUT_H
#define KBUILD_OUTPUT_H

#include <stdbool.h>

struct err;
struct kernel_cache;
struct patchset;
struct source;

struct output {
	struct kernel_cache *cache;
	const char *key;
	const char *tree;		/* a built kernel tree */
	const char *log;
	const struct source *source;
	const char *compiler;
	const struct patchset *sets[2];	/* of the description, of the user */
	int compiled;
	bool debug_info;
};

/*
 * Copy vmlinux if it can be booted by PVH or is wanted for its debug info, else bzImage, .config
 * and modules out of the tree and publish them as cache/trees/KEY. about.json names the source, the
 * compiler, and each patch with its subject and hash.
 */
int output_publish(const struct output *o, struct err *err);

#endif
