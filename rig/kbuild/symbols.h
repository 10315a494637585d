/* SPDX-License-Identifier: GPL-2.0-only */
/* The unstripped vmlinux that gdb needs beside the image that is booted. */
#ifndef KBUILD_SYMBOLS_H
#define KBUILD_SYMBOLS_H

struct err;
struct kernel;
struct kernel_ask;

/*
 * Find it for k, which kernel_resolve() made of ask: the file 'given' if it is not NULL, else k's
 * own vmlinux if that has debug info, else one that is built like k, with debug info, and kept in
 * the cache. *vmlinux is the caller's to free. It is compared with the image (kernel/dwarf.h); the
 * vmlinux inside a bzImage is unpacked below dir for that. ERR_UNABLE: nobody has debug info of
 * this kernel, with what to do about it, or it is that of another kernel; ERR_INPUT: 'given' is
 * none.
 */
int symbols_find(char **vmlinux, const struct kernel_ask *ask, const struct kernel *k,
		 const char *given, const char *dir, struct err *err);
/* The folder with its source, before the user's patches, in a fresh string; NULL if the cache has
 * none. */
char *symbols_source(const struct kernel *k, const char *cache_dir);

#endif
