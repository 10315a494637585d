/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading an ELF file for x86-64 that may be anything: every place is checked against the file's
 * end before it is read, and errors (ERR_INPUT) name the file.
 */
#ifndef KERNEL_ELF_FILE_H
#define KERNEL_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

#define ELF_FILE_SEGMENTS 256

struct elf_file {
	const char *path;	/* borrowed */
	int fd;
	uint64_t size;
	Elf64_Ehdr header;
	Elf64_Phdr segments[ELF_FILE_SEGMENTS];
	size_t n_segments;	/* at least one */
};

#define ELF_FILE_INIT { .fd = -1 }

/* Open it and read its header and program headers. */
int elf_file_open(struct elf_file *f, const char *path, struct err *err);
void elf_file_release(struct elf_file *f);
bool elf_file_has(const struct elf_file *f, uint64_t at, uint64_t len);
int elf_file_read(const struct elf_file *f, void *buf, size_t len, uint64_t at, struct err *err);

#endif
