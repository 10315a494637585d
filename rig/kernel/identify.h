/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a file that somebody calls a kernel really is, told from its first bytes.
 */
#ifndef KERNEL_IDENTIFY_H
#define KERNEL_IDENTIFY_H

struct err;

enum kernel_file {
	KERNEL_FILE_BZIMAGE,	/* x86 boot protocol 2.00 or later */
	KERNEL_FILE_VMLINUX	/* a 64-bit x86-64 ELF; vmlinux.h tells whether it is a kernel */
};

/*
 * ERR_INPUT, with the path, for an empty file, something that is no kernel (the message says what
 * it looks like), a kernel of another architecture. A missing file is ERR_INPUT, too.
 */
int kernel_identify(const char *path, enum kernel_file *what, struct err *err);

#endif
