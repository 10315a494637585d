/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running make in a kernel tree. The result depends on the tree, the .config and the compiler and
 * on nothing else: time stamp, user, host and build number are fixed, the environment is reduced
 * (make_env.h).
 * What make prints goes to the log; progress() gets a line at most once a second: how many files
 * are compiled so far, of how many (from the last build of the same configuration if known, else
 * left out), and which one: "debian-6.1: [312 of 1290] CC mm/page-writeback.o".
 */
#ifndef KBUILD_MAKE_H
#define KBUILD_MAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"

struct err;

struct make_task {
	const char *tree;	/* where make runs */
	const char *log;	/* everything printed is appended here */
	const char *what;	/* for messages: "debian-6.1" */
	int expected;		/* files to compile, 0 = unknown */
	bool debug_info;	/* with DWARF in vmlinux; the code is the same */
	int compiled;		/* out: files that were compiled (C and assembly) */
};

/*
 * The compiler that will be used ("gcc (Debian 12.2.0-14+deb12u1) 12.2.0, GNU ld (...) 2.40") and
 * a hash of it. ERR_UNABLE, code -ENOENT, without one, or without make, flex, bison, bc or libelf's
 * header (for the kernel's objtool): names what is missing and the Debian packages that have it.
 */
int make_compiler(char **label, char hex[HASH_HEX], struct err *err);
/*
 * Configuration targets, and VARIABLE=VALUE for make: quick, no progress, a deadline of ten
 * minutes. On failure as make_kernel().
 */
int make_target(const struct make_task *t, const char *const *targets, struct err *err);
/*
 * Build vmlinux, arch/x86/boot/bzImage unless the .config has CONFIG_PVH=y (then vmlinux is what is
 * booted), and modules if the .config has any =m (then installed below tree/.iorig-modules with
 * depmod run). Deadline: three hours. On failure:
 *	ERR_UNABLE	"cannot build 'debian-6.1': " and the first error of compiler, assembler,
 *			linker, objtool, kconfig or make, with up to five more (watch.h): not the
 *			log's tail
 *	ERR_RIG		-ENOSPC: the disk is full; -ENOMEM: the compiler was killed for want of
 *			memory; make cannot be run or the log not be written
 *	-EINTR		a stop was asked for: make and all its children are gone then
 */
int make_kernel(struct make_task *t, struct err *err);

#endif
