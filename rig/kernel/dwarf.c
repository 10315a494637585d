/* SPDX-License-Identifier: GPL-2.0-only */
/* Comparing what two vmlinux load. */
#include "kernel/dwarf.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "kernel/elf_file.h"

#define SECTIONS_MAX 4096
#define NAMES_MAX    (1 << 20)
#define BUILD_ID     20	/* bytes: a SHA-1, which kbuild asks the linker for */

/* A build ID's note up to its bytes: lengths of name and ID, NT_GNU_BUILD_ID, the name. */
static const char note[] = "\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU";

struct sections {
	Elf64_Shdr *v;
	size_t n;
	char *names;		/* ends with a NUL of its own */
	size_t names_len;
};

static void sections_release(struct sections *s)
{
	free(s->v);
	free(s->names);
	*s = (struct sections){ .v = NULL };
}

/* A file without sections has none. */
static int sections_read(struct sections *s, const struct elf_file *f, struct err *err)
{
	const Elf64_Ehdr *eh = &f->header;
	const Elf64_Shdr *names;
	int ret;

	if (!eh->e_shnum)
		return 0;
	if (eh->e_shentsize != sizeof(Elf64_Shdr) || eh->e_shnum > SECTIONS_MAX ||
	    eh->e_shstrndx >= eh->e_shnum)
		return err_input(err, "'%s': its ELF sections make no sense", str_escape(f->path));
	s->v = xcalloc(eh->e_shnum, sizeof(*s->v));
	ret = elf_file_read(f, s->v, eh->e_shnum * sizeof(*s->v), eh->e_shoff, err);
	if (ret < 0)
		return ret;
	s->n = eh->e_shnum;
	names = &s->v[eh->e_shstrndx];
	if (names->sh_size > NAMES_MAX)
		return err_input(err, "'%s': its sections' names are larger than 1 MiB",
				 str_escape(f->path));
	s->names_len = names->sh_size;
	s->names = xcalloc(s->names_len + 1, 1);
	return elf_file_read(f, s->names, s->names_len, names->sh_offset, err);
}

static const char *section_name(const struct sections *s, size_t i)
{
	return s->v[i].sh_name < s->names_len ? s->names + s->v[i].sh_name : "";
}

int dwarf_present(const char *vmlinux, bool *present, struct err *err)
{
	struct elf_file f __release(elf_file) = ELF_FILE_INIT;
	struct sections s __release(sections) = { .v = NULL };
	int ret = elf_file_open(&f, vmlinux, err);

	*present = false;
	if (ret == 0)
		ret = sections_read(&s, &f, err);
	for (size_t i = 0; ret == 0 && i < s.n; i++)
		*present = *present || !strcmp(section_name(&s, i), ".debug_info");
	return ret;
}

/* The section that is loaded to an address, or "". */
static const char *section_at(const struct sections *s, uint64_t address)
{
	for (size_t i = 0; i < s->n; i++) {
		const Elf64_Shdr *sh = &s->v[i];

		if ((sh->sh_flags & SHF_ALLOC) && address >= sh->sh_addr &&
		    address - sh->sh_addr < sh->sh_size)
			return section_name(s, i);
	}
	return "";
}

/* The next segment that is loaded, from number *i on; NULL at the end. */
static const Elf64_Phdr *next_load(const struct elf_file *f, size_t *i)
{
	while (*i < f->n_segments) {
		const Elf64_Phdr *ph = &f->segments[(*i)++];

		if (ph->p_type == PT_LOAD)
			return ph;
	}
	return NULL;
}

static int read_segment(char **data, const struct elf_file *f, const Elf64_Phdr *ph,
			struct err *err)
{
	if (ph->p_filesz > DWARF_SEGMENT_MAX)
		return err_input(err, "'%s': a segment is larger than %d MiB", str_escape(f->path),
				 DWARF_SEGMENT_MAX >> 20);
	*data = xmalloc(ph->p_filesz + 1);
	return elf_file_read(f, *data, ph->p_filesz, ph->p_offset, err);
}

/* Where both have a build ID, let them have the same one. */
static void forget_build_ids(char *a, const char *b, size_t len)
{
	const size_t whole = sizeof(note) + BUILD_ID;
	char *at = a;

	while ((at = memmem(at, len - (size_t)(at - a), note, sizeof(note)))) {
		size_t offset = (size_t)(at - a);

		if (whole <= len - offset && !memcmp(b + offset, note, sizeof(note)))
			memcpy(at + sizeof(note), b + offset + sizeof(note), BUILD_ID);
		at++;
	}
}

static int compare_bytes(const struct elf_file *f, const Elf64_Phdr *ph, const char *a,
			 const char *b, struct err *err)
{
	struct sections s __release(sections) = { .v = NULL };
	struct err ignored = ERR_INIT;
	size_t first = 0, n = 0;

	for (size_t i = ph->p_filesz; i--;) {
		if (a[i] != b[i]) {
			first = i;
			n++;
		}
	}
	if (!n)
		return 0;
	sections_read(&s, f, &ignored);
	return err_unable(err, "%zu bytes differ, the first at 0x%llx (%s)", n,
			  (unsigned long long)(ph->p_vaddr + first),
			  str_escape(section_at(&s, ph->p_vaddr + first)));
}

static int compare_segment(const struct elf_file *f, const Elf64_Phdr *x, const struct elf_file *g,
			   const Elf64_Phdr *y, struct err *err)
{
	char *a __free(ptr) = NULL, *b __free(ptr) = NULL;
	int ret;

	if (x->p_vaddr != y->p_vaddr || x->p_paddr != y->p_paddr || x->p_filesz != y->p_filesz ||
	    x->p_memsz != y->p_memsz || x->p_flags != y->p_flags)
		return err_unable(err, "the segment at 0x%llx has %llu bytes, that at 0x%llx %llu",
				  (unsigned long long)x->p_vaddr, (unsigned long long)x->p_memsz,
				  (unsigned long long)y->p_vaddr, (unsigned long long)y->p_memsz);
	ret = read_segment(&a, f, x, err);
	if (ret == 0)
		ret = read_segment(&b, g, y, err);
	if (ret < 0)
		return ret;
	forget_build_ids(a, b, x->p_filesz);
	return compare_bytes(f, x, a, b, err);
}

int dwarf_fits(const char *vmlinux, const char *image, struct err *err)
{
	struct elf_file f __release(elf_file) = ELF_FILE_INIT;
	struct elf_file g __release(elf_file) = ELF_FILE_INIT;
	size_t i = 0, k = 0;
	int ret = elf_file_open(&f, vmlinux, err);

	if (ret == 0)
		ret = elf_file_open(&g, image, err);
	while (ret == 0) {
		const Elf64_Phdr *x = next_load(&f, &i), *y = next_load(&g, &k);

		if (!x && !y)
			return 0;
		if (!x || !y)
			ret = err_unable(err, "one has more segments than the other");
		else
			ret = compare_segment(&f, x, &g, y, err);
	}
	return err->kind != ERR_UNABLE ? ret :
	       err_wrap(err, "the debug info in '%s' is not that of the kernel that is booted",
			str_escape(vmlinux));
}
