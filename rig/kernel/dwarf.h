/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An unstripped vmlinux, for a debugger, beside the image that is booted. Names and lines of one
 * kernel over the addresses of another would be lies that look like truths, so both are compared
 * byte by byte as they are loaded.
 *
 * Files are hostile as vmlinux.h's are; segments are at most DWARF_SEGMENT_MAX bytes each.
 */
#ifndef KERNEL_DWARF_H
#define KERNEL_DWARF_H

#include <stdbool.h>

struct err;

#define DWARF_SEGMENT_MAX (256 << 20)

/* Has it debug info (a section .debug_info)? ERR_INPUT for what is no ELF for x86-64. */
int dwarf_present(const char *vmlinux, bool *present, struct err *err);
/*
 * Are the loadable segments of both the same: number, addresses, sizes, flags and bytes? Build IDs
 * do not count: they are hashes over the debug info, too, and the vDSO in the kernel has one of its
 * own. 0, or ERR_UNABLE that names the first difference. image: a vmlinux; the one in a bzImage
 * has to be unpacked first (bzimage.h).
 */
int dwarf_fits(const char *vmlinux, const char *image, struct err *err);

#endif
