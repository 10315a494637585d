/* SPDX-License-Identifier: GPL-2.0-only */
/* Telling kernels from everything else by magic numbers. */
#include <ctype.h>
#include <elf.h>
#include <endian.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "kernel/identify.h"

#define HEAD_BYTES 1024

struct head {
	unsigned char data[HEAD_BYTES];
	size_t len;
};

struct magic {
	size_t at;
	const char *bytes;
	size_t len;
	const char *what;
};

#define MAGIC(_at, _bytes, _what)                                                                  \
	{                                                                                          \
		_at, _bytes, sizeof(_bytes) - 1, _what                                             \
	}

/* The first that fits is taken. Offsets of the Image formats: the kernel's
 * Documentation/arm64/booting.rst and Documentation/riscv/boot-image-header.rst. */
static const struct magic other_kernels[] = {
	MAGIC(0x38, "ARM\x64", "an Image for arm64"),
	MAGIC(0x38, "RSC\x05", "an Image for RISC-V"),
	MAGIC(0x24, "\x18\x28\x6f\x01", "a zImage for 32-bit Arm"),
};

static const struct magic other_files[] = {
	MAGIC(0, "\x1f\x8b", "a gzip file"),
	MAGIC(0, "\xfd\x37zXZ", "an xz file"),
	MAGIC(0, "\x28\xb5\x2f\xfd", "a zstd file"),
	MAGIC(0, "BZh", "a bzip2 file"),
	MAGIC(0, "\x02\x21\x4c\x18", "an lz4 file"),
	MAGIC(0, "!<arch>\ndebian-binary", "a Debian package"),
	MAGIC(0, "!<arch>\n", "an ar archive"),
	MAGIC(0, "070701", "a cpio archive"),
	MAGIC(0, "PK\x03\x04", "a zip file"),
	MAGIC(0x101, "ustar", "a tar archive"),
	MAGIC(0, "QFI\xfb", "a qcow2 disk image"),
	MAGIC(0, "\x27\x05\x19\x56", "a U-Boot image"),
	MAGIC(0, "MZ", "an EFI or DOS program"),
	MAGIC(0, "#!", "a script"),
};

static const struct {
	int machine;
	const char *name;
} machines[] = {
	{ EM_386, "32-bit x86" },
	{ EM_AARCH64, "AArch64" },
	{ EM_ARM, "32-bit Arm" },
	{ EM_RISCV, "RISC-V" },
	{ EM_PPC64, "64-bit PowerPC" },
	{ EM_S390, "s390" },
	{ EM_MIPS, "MIPS" },
	{ EM_PPC, "32-bit PowerPC" },
	{ EM_SPARCV9, "SPARC" },
	{ EM_LOONGARCH, "LoongArch" },
	{ EM_X86_64, "x86-64's 32-bit ABI" },
};

static const char *magic_find(const struct head *h, const struct magic *magics, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct magic *m = &magics[i];

		if (h->len >= m->at + m->len && !memcmp(h->data + m->at, m->bytes, m->len))
			return m->what;
	}
	return NULL;
}

static bool looks_like_text(const struct head *h)
{
	for (size_t i = 0; i < h->len; i++) {
		if (!isprint(h->data[i]) && !isspace(h->data[i]))
			return false;
	}
	return true;
}

static int identify_elf(const char *path, const struct head *h, struct err *err)
{
	const unsigned char *ident = h->data;
	uint16_t machine;

	if (h->len < sizeof(Elf64_Ehdr))
		return err_input(err, "'%s' is a cut-off ELF", str_escape(path));
	memcpy(&machine, h->data + offsetof(Elf64_Ehdr, e_machine), sizeof(machine));
	machine = ident[EI_DATA] == ELFDATA2MSB ? be16toh(machine) : le16toh(machine);
	if (machine == EM_X86_64 && ident[EI_CLASS] == ELFCLASS64 && ident[EI_DATA] == ELFDATA2LSB)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		if (machines[i].machine == machine)
			return err_input(err,
					 "'%s' is an ELF for %s; kernels for x86-64 are needed",
					 str_escape(path), machines[i].name);
	}
	return err_input(err, "'%s' is an ELF for machine %u; kernels for x86-64 are needed",
			 str_escape(path), machine);
}

static int identify_head(const char *path, const struct head *h, enum kernel_file *what,
			 struct err *err)
{
	const char *other;

	if (h->len >= 0x206 && !memcmp(h->data + 0x202, "HdrS", 4)) {
		*what = KERNEL_FILE_BZIMAGE;
		return 0;
	}
	if (h->len >= SELFMAG && !memcmp(h->data, ELFMAG, SELFMAG)) {
		*what = KERNEL_FILE_VMLINUX;
		return identify_elf(path, h, err);
	}
	other = magic_find(h, other_kernels, ARRAY_SIZE(other_kernels));
	if (other)
		return err_input(err, "'%s' is %s; kernels for x86-64 are needed", str_escape(path),
				 other);
	other = magic_find(h, other_files, ARRAY_SIZE(other_files));
	if (!other)
		other = looks_like_text(h) ? "text" : "data of no known kind";
	return err_input(err, "'%s' is no kernel: it looks like %s", str_escape(path), other);
}

int kernel_identify(const char *path, enum kernel_file *what, struct err *err)
{
	/* O_NONBLOCK: opening a FIFO must not wait for its writer. */
	int fd __free(fd) = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct head h = { .len = 0 };
	struct stat st;

	if (fd < 0)
		return err_input(err, "cannot read the kernel '%s': %s", str_escape(path),
				 strerror(errno));
	if (fstat(fd, &st) < 0)
		return err_sys(err, -errno, "cannot stat '%s'", str_escape(path));
	if (!S_ISREG(st.st_mode))
		return err_input(err, "'%s' is no kernel: it is no regular file", str_escape(path));
	while (h.len < sizeof(h.data)) {
		ssize_t n = read(fd, h.data + h.len, sizeof(h.data) - h.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, -errno, "cannot read '%s'", str_escape(path));
		if (n == 0)
			break;
		h.len += (size_t)n;
	}
	if (h.len == 0)
		return err_input(err, "'%s' is empty", str_escape(path));
	return identify_head(path, &h, what, err);
}
