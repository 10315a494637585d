/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kernel/vmlinux: the PVH note, the banner, and headers that lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/alloc.h"
#include "kernel/vmlinux.h"
#include "kernel_fixture.h"

#define PH(field)   (sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, field))
#define NOTE(field) (sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, field))

static void test_pvh(void **state)
{
	char *path = path_join(*state, "vmlinux");
	struct err err = ERR_INIT;
	struct vmlinux v;

	for (uint32_t type = 17; type <= 19; type++) {
		struct strbuf sb = STRBUF_INIT;

		fixture_vmlinux(&sb, type);
		fixture_write(path, sb.buf, sb.len);
		assert_int_equal(vmlinux_read(&v, path, &err), 0);
		assert_int_equal(v.pvh, type == 18);
		assert_string_equal(v.release, FIXTURE_RELEASE);
		strbuf_release(&sb);
	}
	free(path);
}

static void test_other_notes_name(void **state)
{
	char *path = path_join(*state, "vmlinux");
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct vmlinux v;

	fixture_vmlinux(&sb, 18);
	memcpy(sb.buf + 0xb0 + sizeof(Elf64_Nhdr), "GNU", 4);
	fixture_write(path, sb.buf, sb.len);
	assert_int_equal(vmlinux_read(&v, path, &err), 0);
	assert_false(v.pvh);
	strbuf_release(&sb);
	free(path);
}

/* The segment is read in pieces of 1 MiB: put the banner across their border, at every offset. */
static void test_banner_across_chunks(void **state)
{
	static const char banner[] = "Linux version 7.0-across (x@y)";
	char *path = path_join(*state, "vmlinux");
	struct err err = ERR_INIT;
	struct vmlinux v;

	for (size_t back = 0; back < sizeof(banner) + 2; back += 3) {
		struct strbuf sb = STRBUF_INIT;
		uint64_t size;

		fixture_vmlinux(&sb, 18);
		sb.len = 0xe0;
		for (size_t i = 0; i < (1 << 20) - back; i++)
			strbuf_addch(&sb, 'x');
		strbuf_add(&sb, banner, sizeof(banner));
		size = sb.len - 0xe0;
		memcpy(sb.buf + PH(p_filesz), &size, sizeof(size));
		fixture_write(path, sb.buf, sb.len);
		assert_int_equal(vmlinux_read(&v, path, &err), 0);
		assert_string_equal(v.release, "7.0-across");
		strbuf_release(&sb);
	}
	free(path);
}

static void test_lies(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
		size_t len;
		const char *says;
	} table[] = {
		{ offsetof(Elf64_Ehdr, e_phoff), UINT64_MAX - 8, 8, "behind the file's end" },
		{ offsetof(Elf64_Ehdr, e_phoff), 1 << 30, 8, "behind the file's end" },
		{ offsetof(Elf64_Ehdr, e_phnum), 0, 2, "make no sense" },
		{ offsetof(Elf64_Ehdr, e_phnum), 0xffff, 2, "make no sense" },
		{ offsetof(Elf64_Ehdr, e_phentsize), 1, 2, "make no sense" },
		{ offsetof(Elf64_Ehdr, e_machine), EM_386, 2, "no ELF for x86-64" },
		{ PH(p_filesz), UINT64_MAX, 8, "behind the file's end" },
		{ PH(p_offset), UINT64_MAX, 8, "behind the file's end" },
		{ NOTE(p_filesz), 2 << 20, 8, "larger than 1 MiB" },
		{ NOTE(p_offset), 1 << 30, 8, "behind the file's end" },
	};
	char *path = path_join(*state, "vmlinux");

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct strbuf sb = STRBUF_INIT;
		struct err err = ERR_INIT;
		struct vmlinux v;

		fixture_vmlinux(&sb, 18);
		memcpy(sb.buf + table[i].at, &table[i].value, table[i].len);
		fixture_write(path, sb.buf, sb.len);
		assert_int_equal(vmlinux_read(&v, path, &err), -EINVAL);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, table[i].says))
			fail_msg("row %zu: '%s'", i, err.msg);
		strbuf_release(&sb);
	}
	free(path);
}

/* Every byte of the headers and the note, with four values: nothing may crash or hang. */
static void test_every_byte(void **state)
{
	char *path = path_join(*state, "vmlinux");
	struct strbuf sb = STRBUF_INIT;
	int refused = 0, pvh = 0;

	fixture_vmlinux(&sb, 18);
	for (size_t i = 0; i < 0xe0 * 4; i++) {
		static const char values[] = { 0, 1, 0x7f, (char)0xff };
		struct err err = ERR_INIT;
		char kept = sb.buf[i / 4];
		struct vmlinux v;

		sb.buf[i / 4] = values[i % 4];
		fixture_write(path, sb.buf, 4096);
		refused += vmlinux_read(&v, path, &err) < 0;
		pvh += v.pvh;
		sb.buf[i / 4] = kept;
	}
	assert_true(refused > 50);
	assert_true(pvh > 200);
	strbuf_release(&sb);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pvh),
		cmocka_unit_test(test_other_notes_name),
		cmocka_unit_test(test_banner_across_chunks),
		cmocka_unit_test(test_lies),
		cmocka_unit_test(test_every_byte),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
