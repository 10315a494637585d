/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What source.c is made of: the two ways to have a source, an unpacked Debian package and a git
 * object store. Each function is one of source.h's for its kind, and promises what that does.
 */
#ifndef SOURCE_SOURCE_KINDS_H
#define SOURCE_SOURCE_KINDS_H

#include <stddef.h>

struct err;
struct source;
struct kernel_cache;

/* spec is what follows "debian:". */
int source_debian_resolve(struct source *s, const char *spec, struct kernel_cache *c,
			  struct err *err);

/* path is a real path. */
int source_tree_resolve(struct source *s, const char *path, struct kernel_cache *c,
			struct err *err);
int source_git_resolve(struct source *s, const char *rev, const char *tree,
		       struct kernel_cache *c, struct err *err);
int source_git_fill(struct source *s, const char *dir, struct err *err);
int source_git_update(struct source *s, const char *dir, struct err *err);

/*
 * The version ("6.1.192", "7.2.0-rc3") out of the text of a kernel's top Makefile: *version is the
 * caller's to free. ERR_INPUT, naming where, if it has no VERSION and PATCHLEVEL.
 */
int source_version(const char *makefile, const char *where, char **version, struct err *err);
/* The same of the tree in a folder; also ERR_INPUT if it has no Makefile or no Kconfig. */
int source_check_folder(const char *folder, char **version, struct err *err);

#endif
