/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A vmlinux (ELF) and what QEMU needs of it: the note XEN_ELFNOTE_PHYS32_ENTRY, by which a
 * kernel built with CONFIG_PVH says where it can be entered without firmware and without
 * unpacking itself. The file is hostile: every offset is checked, and at most 1 MiB of notes and
 * 1 GiB of segments are looked at.
 */
#ifndef KERNEL_VMLINUX_H
#define KERNEL_VMLINUX_H

#include <stdbool.h>

struct err;

#define KERNEL_RELEASE_MAX 128

struct vmlinux {
	bool pvh;
	/* From the banner "Linux version RELEASE ("; "" if the file has none, so is no kernel. */
	char release[KERNEL_RELEASE_MAX];
};

/* ERR_INPUT if the file is no ELF for x86-64 or its headers point outside of it. */
int vmlinux_read(struct vmlinux *v, const char *path, struct err *err);

#endif
