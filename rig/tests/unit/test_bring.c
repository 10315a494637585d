/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of image/bring and image/elf_needs: a real program of this host, and files that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "image/bring.h"
#include "image/elf_needs.h"

/* perl-base is essential in Debian: perl needs libc, libm, libcrypt and the interpreter. */
#define PROGRAM "/usr/bin/perl"

static bool has_suffix(const struct bring *b, const char *suffix)
{
	strvec_each(path, &b->paths) {
		size_t len = strlen(*path), tail = strlen(suffix);

		if (len > tail && strcmp(*path + len - tail, suffix) == 0)
			return true;
	}
	return false;
}

static void test_program(void **state)
{
	struct bring b = BRING_INIT;
	char *lacks = bring_add(&b, PROGRAM);
	size_t n = b.paths.n;
	int64_t bytes = b.bytes;

	(void)state;
	if (lacks)
		fail_msg("%s", lacks);
	assert_string_equal(b.paths.v[0], PROGRAM);
	assert_true(has_suffix(&b, "/libc.so.6"));
	assert_true(has_suffix(&b, "/libm.so.6"));
	assert_true(strvec_has(&b.paths, "/lib64/ld-linux-x86-64.so.2"));
	assert_true(bytes > 1 << 20);
	strvec_each(path, &b.paths)
		assert_true(path_is_file(*path));
	/* once is enough */
	assert_null(bring_add(&b, PROGRAM));
	assert_int_equal(b.paths.n, n);
	assert_int_equal(b.bytes, bytes);
	bring_release(&b);
	assert_int_equal(b.paths.n, 0);
	bring_release(&b);
}

static void refused(const char *program, const char *want)
{
	struct bring b = BRING_INIT;
	char *lacks = bring_add(&b, program);

	if (!lacks || !strstr(lacks, want))
		fail_msg("'%s' gave '%s', wanted '%s'", program, lacks ? lacks : "nothing", want);
	free(lacks);
	bring_release(&b);
}

static void test_refused(void **state)
{
	(void)state;
	refused("/usr/bin/no-such", "this host has no program '/usr/bin/no-such'");
	refused("/usr/bin", "this host has no program");
	refused("/usr/bin/no\033", "'/usr/bin/no\\x1b'");
	refused("/etc/passwd", "is not below /usr");
	refused("/usr/bin/ldd", "'/usr/bin/ldd' is no x86-64 program or library");
}

/* The smallest library: a segment that is all of the file, and four dynamic entries. */
struct tiny {
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdrs[3];
	Elf64_Dyn dyn[5];
	char strings[32];
};

static void fill_tiny(struct tiny *t)
{
	*t = (struct tiny){
		.ehdr = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			  .e_machine = EM_X86_64, .e_phoff = offsetof(struct tiny, phdrs),
			  .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3 },
		.phdrs = { { .p_type = PT_LOAD, .p_vaddr = 0x1000, .p_filesz = sizeof(*t) },
			   { .p_type = PT_DYNAMIC, .p_offset = offsetof(struct tiny, dyn),
			     .p_filesz = sizeof(t->dyn) },
			   { .p_type = PT_INTERP, .p_offset = offsetof(struct tiny, strings) + 19,
			     .p_filesz = 6 } },
		.dyn = { { DT_NEEDED, { 1 } },
			 { DT_STRTAB, { 0x1000 + offsetof(struct tiny, strings) } },
			 { DT_STRSZ, { 20 } }, { DT_RUNPATH, { 10 } } },
		.strings = "\0liba.so\0\0/x/lib\0\0\0/ld.so",
	};
}

static int read_tiny(const struct tiny *t, struct elf_needs *needs)
{
	char path[] = "/tmp/iorig-tiny-XXXXXX";
	int fd = mkstemp(path), ret;

	*needs = (struct elf_needs)ELF_NEEDS_INIT;
	assert_int_equal(write(fd, t, sizeof(*t)), sizeof(*t));
	close(fd);
	ret = elf_needs_read(needs, path);
	unlink(path);
	return ret;
}

static void test_tiny(void **state)
{
	struct elf_needs needs;
	struct tiny t;

	(void)state;
	fill_tiny(&t);
	assert_int_equal(read_tiny(&t, &needs), 0);
	assert_int_equal(needs.libraries.n, 1);
	assert_string_equal(needs.libraries.v[0], "liba.so");
	assert_string_equal(needs.run_path, "/x/lib");
	assert_string_equal(needs.interp, "/ld.so");
	elf_needs_release(&needs);
}

/* One lie each; unsigned, so that -1 is as far away as can be. */
static void test_tiny_lies(void **state)
{
	enum { CASES = 11 };

	(void)state;
	for (int i = 0; i < CASES; i++) {
		struct elf_needs needs;
		struct tiny t;

		fill_tiny(&t);
		switch (i) {
		case 0: t.dyn[0].d_un.d_val = 20; break;	/* behind the strings */
		case 1: t.dyn[0].d_un.d_val = (uint64_t)-1; break;
		case 2: t.dyn[2].d_un.d_val = 100; break;	/* behind the file */
		case 3: t.dyn[2].d_un.d_val = (uint64_t)-1; break;
		case 4: t.dyn[1].d_un.d_ptr = 0; break;	/* in no segment */
		case 5: t.phdrs[1].p_filesz = 1 << 20; break;
		case 6: t.phdrs[1].p_offset = (uint64_t)-1; break;
		case 7: t.phdrs[2].p_filesz = 1 << 20; break;
		case 8: t.ehdr.e_phnum = 0; break;
		case 9: t.ehdr.e_phoff = 4096; break;
		case 10: t.ehdr.e_machine = EM_386; break;
		}
		if (read_tiny(&t, &needs) == 0)
			fail_msg("lie %d was believed", i);
		elf_needs_release(&needs);
	}
}

/* Broken bytes and cuts in a program's headers are refused or read, and nothing worse: the
 * sanitizers watch. */
static void test_hostile_headers(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = ERR_INIT;
	int bad = 0, good = 0;
	char *dir, *path;

	(void)state;
	assert_int_equal(file_read(PROGRAM, (size_t)64 << 20, &text, &err), 0);
	assert_int_equal(dir_temp("/tmp/iorig-bring-", &dir, &err), 0);
	path = path_join(dir, "program");
	for (size_t i = 0; i < 1024; i += 3) {
		struct elf_needs needs = ELF_NEEDS_INIT;
		char saved = text.buf[i];

		text.buf[i] = (char)(i % 2 ? 0xff : saved + 1);
		assert_int_equal(file_write_atomic(path, text.buf, i % 4 ? text.len : 600 + i, 0644,
						   &err), 0);
		if (elf_needs_read(&needs, path) < 0)
			bad++;
		else
			good++;
		assert_true(needs.libraries.n <= ELF_NEEDS_MAX + 1);
		elf_needs_release(&needs);
		text.buf[i] = saved;
	}
	assert_true(bad > 100);
	assert_true(good > 10);
	dir_remove(dir, &err);
	free(dir);
	free(path);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_tiny),
		cmocka_unit_test(test_tiny_lies),
		cmocka_unit_test(test_hostile_headers),
	};

	return cmocka_run_group_tests_name("bring", tests, NULL, NULL);
}
