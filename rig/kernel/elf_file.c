/* SPDX-License-Identifier: GPL-2.0-only */
/* Header, program headers and bytes of an ELF file. */
#include "kernel/elf_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/strbuf.h"

bool elf_file_has(const struct elf_file *f, uint64_t at, uint64_t len)
{
	return at <= f->size && len <= f->size - at;
}

int elf_file_read(const struct elf_file *f, void *buf, size_t len, uint64_t at, struct err *err)
{
	size_t done = 0;

	if (!elf_file_has(f, at, len))
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

static int read_headers(struct elf_file *f, struct err *err)
{
	Elf64_Ehdr *eh = &f->header;
	int ret = elf_file_read(f, eh, sizeof(*eh), 0, err);

	if (ret < 0)
		return ret;
	if (memcmp(eh->e_ident, ELFMAG, SELFMAG) != 0 || eh->e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh->e_ident[EI_DATA] != ELFDATA2LSB || eh->e_machine != EM_X86_64)
		return err_input(err, "'%s' is no ELF for x86-64", str_escape(f->path));
	if (eh->e_phentsize != sizeof(Elf64_Phdr) || eh->e_phnum == 0 ||
	    eh->e_phnum > ELF_FILE_SEGMENTS)
		return err_input(err, "'%s': its ELF program headers make no sense",
				 str_escape(f->path));
	f->n_segments = eh->e_phnum;
	return elf_file_read(f, f->segments, f->n_segments * sizeof(f->segments[0]), eh->e_phoff,
			     err);
}

int elf_file_open(struct elf_file *f, const char *path, struct err *err)
{
	struct stat st;

	f->path = path;
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0 || fstat(f->fd, &st) < 0)
		return err_sys(err, -errno, "cannot open '%s'", str_escape(path));
	f->size = (uint64_t)st.st_size;
	return read_headers(f, err);
}

void elf_file_release(struct elf_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}
