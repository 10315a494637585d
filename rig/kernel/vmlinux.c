/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading an ELF kernel's program headers, notes and banner. */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "kernel/vmlinux.h"

#define XEN_ELFNOTE_PHYS32_ENTRY 18
#define SEGMENTS_MAX		 256
#define NOTES_MAX		 (1 << 20)
#define SCAN_MAX		 (1LL << 30)
#define SCAN_CHUNK		 (1 << 20)

static const char banner[] = "Linux version ";

struct elf_file {
	const char *path;
	int fd;
	uint64_t size;
};

static bool elf_has(const struct elf_file *f, uint64_t at, uint64_t len)
{
	return at <= f->size && len <= f->size - at;
}

static int elf_pread(const struct elf_file *f, void *buf, size_t len, uint64_t at, struct err *err)
{
	size_t done = 0;

	if (!elf_has(f, at, len))
		return err_input(err, "'%s': a header points behind the file's end",
				 str_escape(f->path));
	while (done < len) {
		ssize_t n = pread(f->fd, (char *)buf + done, len - done, (off_t)(at + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_sys(err, n < 0 ? -errno : -EIO, "cannot read '%s'",
				       str_escape(f->path));
		done += (size_t)n;
	}
	return 0;
}

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
	ret = elf_pread(f, notes, ph->p_filesz, ph->p_offset, err);
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

	if (!elf_has(f, ph->p_offset, ph->p_filesz))
		return err_input(err, "'%s': a segment reaches behind the file's end",
				 str_escape(f->path));
	while (at<ph->p_filesz && * budget> 0 && !v->release[0]) {
		uint64_t left = ph->p_filesz - at;
		size_t len = left < SCAN_CHUNK ? (size_t)left : SCAN_CHUNK;
		int ret = elf_pread(f, buf, len, ph->p_offset + at, err);

		if (ret < 0)
			return ret;
		if (find_banner(v, buf, len) || len == left)
			break;
		at += len - overlap;
		*budget -= (int64_t)len;
	}
	return 0;
}

static int read_header(Elf64_Ehdr *eh, const struct elf_file *f, struct err *err)
{
	int ret = elf_pread(f, eh, sizeof(*eh), 0, err);

	if (ret < 0)
		return ret;
	if (memcmp(eh->e_ident, ELFMAG, SELFMAG) != 0 || eh->e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh->e_ident[EI_DATA] != ELFDATA2LSB || eh->e_machine != EM_X86_64)
		return err_input(err, "'%s' is no ELF for x86-64", str_escape(f->path));
	if (eh->e_phentsize != sizeof(Elf64_Phdr) || eh->e_phnum == 0 || eh->e_phnum > SEGMENTS_MAX)
		return err_input(err, "'%s': its ELF program headers make no sense",
				 str_escape(f->path));
	return 0;
}

static int read_segments(struct vmlinux *v, const struct elf_file *f, struct err *err)
{
	Elf64_Phdr ph[SEGMENTS_MAX];
	int64_t budget = SCAN_MAX;
	Elf64_Ehdr eh;
	int ret = read_header(&eh, f, err);

	if (ret == 0)
		ret = elf_pread(f, ph, eh.e_phnum * sizeof(ph[0]), eh.e_phoff, err);
	for (int i = 0; ret == 0 && i < eh.e_phnum; i++) {
		if (ph[i].p_type == PT_NOTE)
			ret = read_notes(v, f, &ph[i], err);
		else if (ph[i].p_type == PT_LOAD && !v->release[0])
			ret = scan_segment(v, f, &ph[i], &budget, err);
	}
	return ret;
}

int vmlinux_read(struct vmlinux *v, const char *path, struct err *err)
{
	int fd __free(fd) = open(path, O_RDONLY | O_CLOEXEC);
	struct elf_file f = { .path = path, .fd = fd };
	struct stat st;

	*v = (struct vmlinux){ .pvh = false };
	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(err, -errno, "cannot open '%s'", str_escape(path));
	f.size = (uint64_t)st.st_size;
	return read_segments(v, &f, err);
}
