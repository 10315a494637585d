/* SPDX-License-Identifier: GPL-2.0-only */
/* An ELF kernel's notes and banner. */
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "kernel/elf_file.h"
#include "kernel/vmlinux.h"

#define XEN_ELFNOTE_PHYS32_ENTRY 18
#define NOTES_MAX		 (1 << 20)
#define SCAN_MAX		 (1LL << 30)
#define SCAN_CHUNK		 (1 << 20)

static const char banner[] = "Linux version ";

/* Notes are a 12-byte header, then name and descriptor, both padded to 4 bytes. */
static bool notes_have_pvh(const unsigned char *notes, size_t len)
{
	size_t at = 0;

	while (len - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr n;
		size_t name, desc;

		memcpy(&n, notes + at, sizeof(n));
		at += sizeof(n);
		name = ((size_t)n.n_namesz + 3) & ~(size_t)3;
		desc = ((size_t)n.n_descsz + 3) & ~(size_t)3;
		if (name > len - at || desc > len - at - name)
			return false;
		if (n.n_type == XEN_ELFNOTE_PHYS32_ENTRY && n.n_namesz == sizeof("Xen") &&
		    !memcmp(notes + at, "Xen", sizeof("Xen")) && n.n_descsz >= 4)
			return true;
		at += name + desc;
	}
	return false;
}

static int read_notes(struct vmlinux *v, const struct elf_file *f, const Elf64_Phdr *ph,
		      struct err *err)
{
	unsigned char *notes __free(ptr) = NULL;
	int ret;

	if (ph->p_filesz > NOTES_MAX)
		return err_input(err, "'%s': its notes are larger than 1 MiB", str_escape(f->path));
	notes = xmalloc(ph->p_filesz + 1);
	ret = elf_file_read(f, notes, ph->p_filesz, ph->p_offset, err);
	if (ret < 0)
		return ret;
	if (notes_have_pvh(notes, ph->p_filesz))
		v->pvh = true;
	return 0;
}

/* The word after the banner, if it is one that could be a release. */
static bool take_release(struct vmlinux *v, const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[n] > ' ' && s[n] < 0x7f && s[n] != '/')
		n++;
	/* "%s" and the like: the format string of another message. */
	if (n == 0 || n >= sizeof(v->release) || n == len || s[0] < '0' || s[0] > '9')
		return false;
	memcpy(v->release, s, n);
	v->release[n] = '\0';
	return true;
}

static bool find_banner(struct vmlinux *v, const char *data, size_t len)
{
	const char *end = data + len, *hit = data;

	while ((hit = memmem(hit, (size_t)(end - hit), banner, sizeof(banner) - 1))) {
		hit += sizeof(banner) - 1;
		if (take_release(v, hit, (size_t)(end - hit)))
			return true;
	}
	return false;
}

static int scan_segment(struct vmlinux *v, const struct elf_file *f, const Elf64_Phdr *ph,
			int64_t *budget, struct err *err)
{
	/* Chunks overlap so that a banner across their border is seen whole. */
	const size_t overlap = sizeof(banner) + KERNEL_RELEASE_MAX;
	char *buf __free(ptr) = xmalloc(SCAN_CHUNK);
	uint64_t at = 0;

	if (!elf_file_has(f, ph->p_offset, ph->p_filesz))
		return err_input(err, "'%s': a segment reaches behind the file's end",
				 str_escape(f->path));
	while (at<ph->p_filesz && * budget> 0 && !v->release[0]) {
		uint64_t left = ph->p_filesz - at;
		size_t len = left < SCAN_CHUNK ? (size_t)left : SCAN_CHUNK;
		int ret = elf_file_read(f, buf, len, ph->p_offset + at, err);

		if (ret < 0)
			return ret;
		if (find_banner(v, buf, len) || len == left)
			break;
		at += len - overlap;
		*budget -= (int64_t)len;
	}
	return 0;
}

static int read_segments(struct vmlinux *v, const struct elf_file *f, struct err *err)
{
	int64_t budget = SCAN_MAX;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < f->n_segments; i++) {
		const Elf64_Phdr *ph = &f->segments[i];

		if (ph->p_type == PT_NOTE)
			ret = read_notes(v, f, ph, err);
		else if (ph->p_type == PT_LOAD && !v->release[0])
			ret = scan_segment(v, f, ph, &budget, err);
	}
	return ret;
}

int vmlinux_read(struct vmlinux *v, const char *path, struct err *err)
{
	struct elf_file f __release(elf_file) = ELF_FILE_INIT;
	int ret = elf_file_open(&f, path, err);

	*v = (struct vmlinux){ .pvh = false };
	return ret < 0 ? ret : read_segments(v, &f, err);
}
