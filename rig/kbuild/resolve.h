/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what the user asked for to a kernel that can be booted: a name in kernels/, the path of a
 * bzImage or vmlinux, the path of a kernel tree, or a source as source.h spells them.
 */
#ifndef KBUILD_RESOLVE_H
#define KBUILD_RESOLVE_H

#include <stdbool.h>

#include "base/strvec.h"

struct err;
struct kernel;

struct kernel_ask {
	const char *spec;
	const char *name;		/* k->name, also for messages; NULL = as below */
	const char *data_dir, *cache_dir;
	const char *tree;		/* --tree, for git:REV; NULL = none */
	const char *like;		/* --like: a name in kernels/ with whose configuration,
					 * series and command line a source or tree is built; NULL
					 * = the small configuration, nothing else */
	const struct strvec *patches;	/* paths of patches, folders and mboxes; NULL = none */
	bool debug_info;		/* of one that is built here: the same code with DWARF in
					 * its vmlinux, for gdb and not to be booted */
};

/*
 * Find, fetch, unpack, build. With a warm cache nothing is fetched or built. k->name is the name,
 * the file's or folder's base name, or the source's spec; patches append "+NAME" of the last
 * path's base name without its suffix. Errors: ERR_INPUT for an unknown name (lists the known
 * ones), a bad description, a file that is empty, is no kernel, or is one of another architecture,
 * patches for a kernel that is not built here, or that do not apply, 'like' with what is no source
 * or tree, or of a kernel that is not built here; ERR_UNABLE when a package cannot be had or the
 * kernel does not build.
 */
int kernel_resolve(struct kernel *k, const struct kernel_ask *ask, struct err *err);
/* Was it built here, so that patches can be tried on it? ERR_INPUT if not; spec is for the text. */
int kernel_check_built(const struct kernel *k, const char *spec, struct err *err);

#endif
