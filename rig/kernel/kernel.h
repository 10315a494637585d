/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel to boot, as files on disk. kbuild/resolve.h makes one from what the user asked for.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"

struct err;

struct kernel_patch {
	char *name, *subject;
	char sha256[HASH_HEX];
};

struct kernel {
	char *name;		/* what the user asked for; a file: its base name */
	char *title;		/* from the description, or NULL */
	char *image;		/* what QEMU boots: the vmlinux if there is one */
	char *bzimage;		/* the bzImage, or NULL if only a vmlinux was given */
	char *vmlinux;		/* the PVH vmlinux, or NULL */
	char *release;		/* "6.1.0-57-amd64"; "" if it cannot be told from the file */
	char *package;		/* name and version, "linux-image-X 6.1.192-3", or NULL */
	char *config;		/* its .config, or NULL */
	char *modules_dir;	/* .../lib/modules/RELEASE with depmod's indexes, or NULL */
	char *cmdline;		/* extra words, or NULL */
	char image_sha256[HASH_HEX];	/* of the booted image */
	char config_sha256[HASH_HEX];	/* "" without a config */

	/* of one that was built here; NULL, "" and 0 otherwise */
	char *source;		/* "linux-source-6.1 6.1.192-3", for people */
	char *compiler;
	char *build_log;
	char source_id[HASH_HEX]; /* of the source's content, before patches */
	struct kernel_patch *patches;
	size_t n_patches;
};

#define KERNEL_INIT { .name = NULL }

void kernel_release(struct kernel *k);
/* Would both boot the same bytes with the same command line? Never told of kernels with modules,
 * which an image does not name. */
bool kernel_same(const struct kernel *a, const struct kernel *b);
/* Boot the bzImage although there is a vmlinux (for comparison). ERR_INPUT if there is none. */
int kernel_use_bzimage(struct kernel *k, struct err *err);

#endif
