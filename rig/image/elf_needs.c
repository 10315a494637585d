/* SPDX-License-Identifier: GPL-2.0-only */
/* The program headers and the dynamic section of an x86-64 ELF file. */
#include "image/elf_needs.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"

#define MAX_PHDRS	128
#define MAX_DYNAMIC	((size_t)1 << 16)
#define MAX_STRINGS	((size_t)16 << 20)

/* An open file and its program headers. */
struct elf {
	int fd;
	Elf64_Phdr *phdrs;
	size_t n_phdrs;
};

#define ELF_INIT { .fd = -1 }

static void elf_release(struct elf *e)
{
	if (e->fd >= 0)
		close(e->fd);
	free(e->phdrs);
}

void elf_needs_release(struct elf_needs *n)
{
	free(n->interp);
	free(n->run_path);
	strvec_release(&n->libraries);
	*n = (struct elf_needs)ELF_NEEDS_INIT;
}

/* size bytes from offset with a NUL behind them, NULL if they are not all there. */
static char *read_at(int fd, uint64_t offset, size_t size)
{
	char *data __free(ptr) = xmalloc(size + 1);

	if (offset > INT64_MAX || pread(fd, data, size, (off_t)offset) != (ssize_t)size)
		return NULL;
	data[size] = '\0';
	return no_free_ptr(data);
}

static const Elf64_Phdr *find_phdr(const struct elf *e, Elf64_Word type)
{
	for (size_t i = 0; i < e->n_phdrs; i++) {
		if (e->phdrs[i].p_type == type)
			return &e->phdrs[i];
	}
	return NULL;
}

/* Where in the file the byte of that address is; UINT64_MAX for none. */
static uint64_t offset_of(const struct elf *e, uint64_t address)
{
	for (size_t i = 0; i < e->n_phdrs; i++) {
		const Elf64_Phdr *p = &e->phdrs[i];

		if (p->p_type == PT_LOAD && address >= p->p_vaddr &&
		    address - p->p_vaddr < p->p_filesz)
			return p->p_offset + (address - p->p_vaddr);
	}
	return UINT64_MAX;
}

static bool read_headers(struct elf *e)
{
	Elf64_Ehdr *h __free(ptr) = (Elf64_Ehdr *)(void *)read_at(e->fd, 0, sizeof(*h));

	if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
	    h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_machine != EM_X86_64 ||
	    h->e_phentsize != sizeof(Elf64_Phdr) || !h->e_phnum || h->e_phnum > MAX_PHDRS)
		return false;
	e->phdrs = (Elf64_Phdr *)(void *)read_at(e->fd, h->e_phoff,
						 h->e_phnum * sizeof(Elf64_Phdr));
	e->n_phdrs = e->phdrs ? h->e_phnum : 0;
	return e->phdrs;
}

static bool read_interp(struct elf_needs *needs, const struct elf *e)
{
	const Elf64_Phdr *p = find_phdr(e, PT_INTERP);

	if (!p)
		return true;
	needs->interp = p->p_filesz < ELF_NEEDS_PATH ?
			read_at(e->fd, p->p_offset, p->p_filesz) : NULL;
	return needs->interp;
}

/* The string at that place of the table, NULL if it is not in there. */
static const char *string_at(const char *strings, uint64_t size, uint64_t at)
{
	return at < size ? strings + at : NULL;
}

static bool take_dynamic(struct elf_needs *needs, const Elf64_Dyn *d, size_t n,
			 const char *strings, uint64_t size)
{
	for (size_t i = 0; i < n && d[i].d_tag != DT_NULL; i++) {
		bool needed = d[i].d_tag == DT_NEEDED;
		bool path = d[i].d_tag == DT_RUNPATH || d[i].d_tag == DT_RPATH;
		const char *s = needed || path ? string_at(strings, size, d[i].d_un.d_val) : "";

		if (!s || strlen(s) >= ELF_NEEDS_PATH || needs->libraries.n > ELF_NEEDS_MAX)
			return false;
		if (needed)
			strvec_push(&needs->libraries, s);
		/* a DT_RUNPATH beside it makes ld.so ignore DT_RPATH */
		if (path && (!needs->run_path || d[i].d_tag == DT_RUNPATH)) {
			free(needs->run_path);
			needs->run_path = xstrdup(s);
		}
	}
	return true;
}

static bool read_dynamic(struct elf_needs *needs, const struct elf *e)
{
	const Elf64_Phdr *p = find_phdr(e, PT_DYNAMIC);
	Elf64_Dyn *d __free(ptr) = NULL;
	char *strings __free(ptr) = NULL;
	uint64_t table = UINT64_MAX, size = 0;
	size_t n;

	if (!p)
		return true;
	n = p->p_filesz / sizeof(*d);
	if (p->p_filesz > MAX_DYNAMIC)
		return false;
	d = (Elf64_Dyn *)(void *)read_at(e->fd, p->p_offset, n * sizeof(*d));
	for (size_t i = 0; d && i < n && d[i].d_tag != DT_NULL; i++) {
		if (d[i].d_tag == DT_STRTAB)
			table = offset_of(e, d[i].d_un.d_ptr);
		else if (d[i].d_tag == DT_STRSZ)
			size = d[i].d_un.d_val;
	}
	if (!d || table == UINT64_MAX || size > MAX_STRINGS)
		return false;
	strings = read_at(e->fd, table, size);
	return strings && take_dynamic(needs, d, n, strings, size);
}

int elf_needs_read(struct elf_needs *needs, const char *path)
{
	struct elf e __release(elf) = ELF_INIT;
	struct err ignored = ERR_INIT;

	e.fd = file_open(path, &ignored);
	if (e.fd >= 0 && read_headers(&e) && read_interp(needs, &e) && read_dynamic(needs, &e))
		return 0;
	return -ENOEXEC;
}
