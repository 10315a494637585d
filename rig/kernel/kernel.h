/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel to boot: from a name in kernels/, or a path to a bzImage or vmlinux, to files on disk.
 *
 * kernels/NAME.kernel is INI:
 *	[kernel]
 *	title   = Debian's packaged kernel
 *	package = linux-image-amd64	; newest that apt knows, fetched without root, cached
 *	image   = path/to/bzImage	; or this; relative to the description's folder
 *	modules = path/to/lib/modules/RELEASE	; with image: a modules tree, optional
 *	cmdline = extra words for the kernel's command line, optional
 *
 * What is fetched, unpacked or taken out of a bzImage goes to the cache, under names made of
 * content hashes, complete or not at all (built in a temporary folder, renamed at the end), under
 * a lock, so that two rigs at once do not disturb each other.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdbool.h>

#include "base/hash.h"

struct err;

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
};

#define KERNEL_INIT { .name = NULL }

/*
 * Find, fetch and unpack. spec is a name in data_dir/kernels or a path (it holds a slash or is an
 * existing file). Offline with a warm cache nothing is fetched. Errors: ERR_INPUT for an unknown
 * name (lists the known ones), a bad description, a file that is empty, is no kernel, or is one
 * of another architecture; ERR_UNABLE when a package cannot be had.
 */
int kernel_resolve(struct kernel *k, const char *spec, const char *data_dir, const char *cache_dir,
		   struct err *err);
void kernel_release(struct kernel *k);
/* Boot the bzImage although there is a vmlinux (for comparison). ERR_INPUT if there is none. */
int kernel_use_bzimage(struct kernel *k, struct err *err);

#endif
