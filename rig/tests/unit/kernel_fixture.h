/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Handmade kernels for the tests of rig/kernel: a vmlinux of a few hundred bytes, bzImages around
 * it, and packages. All functions fail the running test if they cannot do their work.
 */
#ifndef TESTS_KERNEL_FIXTURE_H
#define TESTS_KERNEL_FIXTURE_H

#include <archive.h>
#include <archive_entry.h>
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#define FIXTURE_RELEASE "6.1.0-test"
#define FIXTURE_SETUP	1024 /* bytes before a bzImage's protected-mode code */

/* cmocka's setup and teardown of a group: *state is a folder of the test's own. */
static inline int fixture_setup(void **state)
{
	struct err err = ERR_INIT;
	char *dir = NULL;

	if (dir_temp("/tmp/iorig-test-", &dir, &err) < 0)
		return -1;
	*state = dir;
	return 0;
}

static inline int fixture_teardown(void **state)
{
	struct err err = ERR_INIT;
	int ret = dir_remove(*state, &err);

	free(*state);
	return ret;
}

static inline void fixture_write(const char *path, const void *data, size_t len)
{
	struct err err = ERR_INIT;

	if (file_write_atomic(path, data, len, 0644, &err) < 0)
		fail_msg("%s", err.msg);
}

static inline void fixture_put16(struct strbuf *sb, size_t at, uint16_t v)
{
	memcpy(sb->buf + at, &v, sizeof(v));
}

static inline void fixture_put32(struct strbuf *sb, size_t at, uint32_t v)
{
	memcpy(sb->buf + at, &v, sizeof(v));
}

/* An ELF for x86-64 with one PT_LOAD that holds a banner, and one PT_NOTE of the given type:
 * XEN_ELFNOTE_PHYS32_ENTRY is 18. Offsets: headers 0 and 64, note 0xb0, banner 0xe0. */
static inline void fixture_vmlinux(struct strbuf *sb, uint32_t note_type)
{
	static const char banner[] =
		"Linux version %s\n\0Linux version " FIXTURE_RELEASE " (x@y)\n";
	const struct {
		Elf64_Nhdr h;
		char name[4];
		uint32_t entry, pad;
	} note = { { 4, 8, note_type }, "Xen", 0x1000000, 0 };
	const Elf64_Ehdr eh = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 2,
	};
	const Elf64_Phdr ph[2] = {
		{ .p_type = PT_LOAD, .p_offset = 0xe0, .p_filesz = sizeof(banner) },
		{ .p_type = PT_NOTE, .p_offset = 0xb0, .p_filesz = sizeof(note) },
	};

	strbuf_add(sb, &eh, sizeof(eh));
	strbuf_add(sb, ph, sizeof(ph));
	strbuf_add(sb, &note, sizeof(note));
	while (sb->len < 0xe0)
		strbuf_addch(sb, 0);
	strbuf_add(sb, banner, sizeof(banner));
	/* Something that packs, as kernels do. */
	for (int i = 0; i < 20000; i++)
		strbuf_addf(sb, "%d,", i * i);
}

static inline la_ssize_t fixture_sink(struct archive *a, void *sb, const void *data, size_t len)
{
	(void)a;
	strbuf_add(sb, data, len);
	return (la_ssize_t)len;
}

typedef int (*fixture_option)(struct archive *);

/* An archive with one file; raw format: just its content, compressed. */
static inline void fixture_pack(struct strbuf *out, const struct strbuf *in, fixture_option filter)
{
	struct archive *a = archive_write_new();
	struct archive_entry *e = archive_entry_new();

	archive_write_set_bytes_per_block(a, 0);
	assert_int_equal(filter(a), ARCHIVE_OK);
	assert_int_equal(archive_write_set_format_raw(a), ARCHIVE_OK);
	assert_int_equal(archive_write_open(a, out, NULL, fixture_sink, NULL), ARCHIVE_OK);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_pathname(e, "data");
	assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
	assert_int_equal(archive_write_data(a, in->buf, in->len), in->len);
	assert_int_equal(archive_write_close(a), ARCHIVE_OK);
	archive_entry_free(e);
	archive_write_free(a);
}

/* A bzImage with a packed payload. Its size is appended, which gzip has of itself. */
static inline void fixture_bzimage(struct strbuf *sb, const struct strbuf *vmlinux,
				   fixture_option filter)
{
	static const char version[] = FIXTURE_RELEASE " (x@y) #1";
	size_t start = FIXTURE_SETUP, at = sb->len;

	for (size_t i = 0; i < start + 16; i++)
		strbuf_addch(sb, 0);
	fixture_pack(sb, vmlinux, filter);
	if (filter != archive_write_add_filter_gzip) {
		uint32_t size = (uint32_t)vmlinux->len;

		strbuf_add(sb, &size, sizeof(size));
	}
	sb->buf[at + 0x1f1] = 1;
	fixture_put16(sb, at + 0x1fe, 0xaa55);
	memcpy(sb->buf + at + 0x202, "HdrS", 4);
	fixture_put16(sb, at + 0x206, 0x20f);
	fixture_put16(sb, at + 0x20e, 0x300 - 0x200);
	fixture_put16(sb, at + 0x236, 1);
	fixture_put32(sb, at + 0x248, 16);
	fixture_put32(sb, at + 0x24c, (uint32_t)(sb->len - at - start - 16));
	memcpy(sb->buf + at + 0x300, version, sizeof(version));
}

/* One member of a package. */
struct fixture_file {
	const char *path;
	unsigned int type; /* AE_IFREG, AE_IFLNK, ... */
	const char *data;  /* content, or the link's target */
	size_t len;	   /* of the content, 0: strlen */
	bool hardlink;
};

static inline void fixture_member(struct archive *a, const struct fixture_file *f)
{
	struct archive_entry *e = archive_entry_new();
	size_t len = f->len || !f->data ? f->len : strlen(f->data);

	archive_entry_set_pathname(e, f->path);
	archive_entry_set_mode(e, f->type | 0644);
	if (f->hardlink)
		archive_entry_set_hardlink(e, f->data);
	else if (f->type == AE_IFLNK)
		archive_entry_set_symlink(e, f->data);
	else if (f->type == AE_IFREG)
		archive_entry_set_size(e, (la_int64_t)len);
	assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
	if (f->type == AE_IFREG && !f->hardlink)
		assert_int_equal(archive_write_data(a, f->data, len), len);
	archive_entry_free(e);
}

static inline void fixture_archive(struct strbuf *out, fixture_option format, fixture_option filter,
				   const struct fixture_file *files, size_t n)
{
	struct archive *a = archive_write_new();

	assert_int_equal(format(a), ARCHIVE_OK);
	assert_int_equal(filter(a), ARCHIVE_OK);
	/* Not padded to whole tape blocks, which no packer of packages does. */
	archive_write_set_bytes_in_last_block(a, 1);
	assert_int_equal(archive_write_open(a, out, NULL, fixture_sink, NULL), ARCHIVE_OK);
	for (size_t i = 0; i < n; i++)
		fixture_member(a, &files[i]);
	assert_int_equal(archive_write_close(a), ARCHIVE_OK);
	archive_write_free(a);
}

/* A Debian package: an ar archive of debian-binary, control.tar.gz and the packed data.tar. */
static inline void fixture_deb(struct strbuf *out, const char *data_name, fixture_option filter,
			       const struct fixture_file *files, size_t n)
{
	struct strbuf data = STRBUF_INIT;

	fixture_archive(&data, archive_write_set_format_gnutar, filter, files, n);
	const struct fixture_file members[] = {
		{ .path = "debian-binary", .type = AE_IFREG, .data = "2.0\n" },
		{ .path = "control.tar.gz", .type = AE_IFREG, .data = "not looked at" },
		{ .path = data_name, .type = AE_IFREG, .data = data.buf, .len = data.len },
	};
	fixture_archive(out, archive_write_set_format_ar_svr4, archive_write_add_filter_none,
			members, 3);
	strbuf_release(&data);
}

#endif
