/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kernel/identify: every kind of file that somebody may take for a kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "kernel/identify.h"
#include "kernel_fixture.h"

static void expect_no_kernel(const char *path, const char *says)
{
	struct err err = ERR_INIT;
	enum kernel_file what;

	assert_int_equal(kernel_identify(path, &what, &err), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	if (!strstr(err.msg, says) || !strstr(err.msg, path))
		fail_msg("'%s' does not say '%s'", err.msg, says);
}

static void test_kernels(void **state)
{
	char *path = path_join(*state, "kernel");
	struct strbuf vmlinux = STRBUF_INIT, bz = STRBUF_INIT;
	struct err err = ERR_INIT;
	enum kernel_file what;

	fixture_vmlinux(&vmlinux, 18);
	fixture_write(path, vmlinux.buf, vmlinux.len);
	assert_int_equal(kernel_identify(path, &what, &err), 0);
	assert_int_equal(what, KERNEL_FILE_VMLINUX);

	fixture_bzimage(&bz, &vmlinux, archive_write_add_filter_gzip);
	fixture_write(path, bz.buf, bz.len);
	assert_int_equal(kernel_identify(path, &what, &err), 0);
	assert_int_equal(what, KERNEL_FILE_BZIMAGE);

	strbuf_release(&vmlinux);
	strbuf_release(&bz);
	free(path);
}

static void test_other_files(void **state)
{
	static const struct {
		size_t at;
		const char *bytes;
		size_t len;
		const char *says;
	} table[] = {
		{ 0x38, "ARM\x64", 4, "an Image for arm64" },
		{ 0x38, "RSC\x05", 4, "an Image for RISC-V" },
		{ 0x24, "\x18\x28\x6f\x01", 4, "32-bit Arm" },
		{ 0, "\x1f\x8b\x08", 3, "a gzip file" },
		{ 0, "\xfd\x37zXZ", 5, "an xz file" },
		{ 0, "!<arch>\ndebian-binary", 21, "a Debian package" },
		{ 0, "!<arch>\nx", 9, "an ar archive" },
		{ 0x101, "ustar", 5, "a tar archive" },
		{ 0, "MZ", 2, "EFI" },
		{ 0, "#!/bin/sh\n", 10, "a script" },
		{ 0, "\x01\x02", 2, "data of no known kind" },
	};
	char *path = path_join(*state, "other");

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		char data[1024] = "";

		memcpy(data + table[i].at, table[i].bytes, table[i].len);
		fixture_write(path, data, sizeof(data));
		expect_no_kernel(path, table[i].says);
	}
	fixture_write(path, "just words\n", 11);
	expect_no_kernel(path, "text");
	fixture_write(path, "", 0);
	expect_no_kernel(path, "is empty");
	free(path);
}

static void test_other_elfs(void **state)
{
	static const struct {
		int machine, class, data;
		const char *says;
	} table[] = {
		{ EM_AARCH64, ELFCLASS64, ELFDATA2LSB, "an ELF for AArch64" },
		{ EM_X86_64, ELFCLASS32, ELFDATA2LSB, "an ELF for x86-64's 32-bit ABI" },
		{ EM_386, ELFCLASS32, ELFDATA2LSB, "an ELF for 32-bit x86" },
		{ EM_PPC64, ELFCLASS64, ELFDATA2MSB, "an ELF for 64-bit PowerPC" },
		{ 0x1234, ELFCLASS64, ELFDATA2LSB, "an ELF for machine 4660" },
	};
	char *path = path_join(*state, "elf");

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct strbuf sb = STRBUF_INIT;
		int m = table[i].machine;

		fixture_vmlinux(&sb, 18);
		sb.buf[EI_CLASS] = (char)table[i].class;
		sb.buf[EI_DATA] = (char)table[i].data;
		if (table[i].data == ELFDATA2MSB)
			m = __builtin_bswap16((uint16_t)m);
		fixture_put16(&sb, offsetof(Elf64_Ehdr, e_machine), (uint16_t)m);
		fixture_write(path, sb.buf, sb.len);
		expect_no_kernel(path, table[i].says);
		strbuf_release(&sb);
	}
	fixture_write(path, "\177ELF\2\1\1", 7);
	expect_no_kernel(path, "cut-off ELF");
	free(path);
}

static void test_no_files(void **state)
{
	char *path = path_join(*state, "fifo");

	expect_no_kernel(path, "No such file");
	assert_int_equal(mkfifo(path, 0600), 0);
	expect_no_kernel(path, "no regular file");
	expect_no_kernel(*state, "no regular file");
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_other_files),
		cmocka_unit_test(test_other_elfs),
		cmocka_unit_test(test_no_files),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
