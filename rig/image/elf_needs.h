/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the headers of an x86-64 ELF program or library say that it needs to run. Nothing in the
 * file is believed: offsets, sizes and counts are checked, texts are bounded.
 */
#ifndef IMAGE_ELF_NEEDS_H
#define IMAGE_ELF_NEEDS_H

#include "base/strvec.h"

#define ELF_NEEDS_PATH	1024	/* no path or name is as long as this */
#define ELF_NEEDS_MAX	256	/* libraries of one file */

struct elf_needs {
	char *interp;		/* PT_INTERP; NULL = none */
	char *run_path;		/* DT_RUNPATH, else DT_RPATH; NULL = none */
	struct strvec libraries; /* DT_NEEDED */
};

#define ELF_NEEDS_INIT { .interp = NULL, .libraries = STRVEC_INIT }

/* needs is ELF_NEEDS_INIT, and to be released after a failure, too. -ENOEXEC for a file that is
 * missing or no such program. */
int elf_needs_read(struct elf_needs *needs, const char *path);
void elf_needs_release(struct elf_needs *needs);

#endif
