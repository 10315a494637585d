/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kernel/dwarf: what counts as the same kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "kernel/dwarf.h"
#include "kernel_fixture.h"

#define VADDR 0xffffffff81000000
#define CODE  4096

/* One segment with code and a build ID, a second one if asked for; sections .text, .debug_info. */
struct elf {
	Elf64_Ehdr eh;
	Elf64_Phdr ph[2];
	Elf64_Shdr sh[4];
	char names[32];
	unsigned char code[CODE];
};

static const char names[] = "\0.text\0.debug_info\0.names";

static struct elf *make_elf(void)
{
	struct elf *e = xcalloc(1, sizeof(*e));

	e->eh = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_phoff = offsetof(struct elf, ph),
		.e_shoff = offsetof(struct elf, sh), .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 4, .e_shstrndx = 3,
	};
	e->ph[0] = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = offsetof(struct elf, code),
		.p_vaddr = VADDR, .p_paddr = 0x1000000, .p_filesz = CODE, .p_memsz = 2 * CODE,
	};
	e->ph[1] = e->ph[0];
	e->sh[1] = (Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC,
				 .sh_addr = VADDR, .sh_size = CODE };
	e->sh[2] = (Elf64_Shdr){ .sh_name = 7, .sh_type = SHT_PROGBITS };
	e->sh[3] = (Elf64_Shdr){ .sh_name = 19, .sh_type = SHT_STRTAB, .sh_size = sizeof(names),
				 .sh_offset = offsetof(struct elf, names) };
	memcpy(e->names, names, sizeof(names));
	memset(e->code, 0x90, CODE);
	memcpy(e->code + 100, "\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0aaaaaaaaaaaaaaaaaaaa", 36);
	return e;
}

static char *put(void **state, const char *name, const struct elf *e)
{
	char *path = path_join(*state, name);

	fixture_write(path, e, sizeof(*e));
	return path;
}

static void fits(void **state, const struct elf *e)
{
	struct elf *whole __free(ptr) = make_elf();
	char *a __free(ptr) = put(state, "a", whole), *b __free(ptr) = put(state, "b", e);
	struct err err = ERR_INIT;

	if (dwarf_fits(a, b, &err))
		fail_msg("%s", err.msg);
}

static void differs(void **state, const struct elf *e, const char *says)
{
	struct elf *whole __free(ptr) = make_elf();
	char *a __free(ptr) = put(state, "a", whole), *b __free(ptr) = put(state, "b", e);
	struct err err = ERR_INIT;

	assert_int_not_equal(dwarf_fits(a, b, &err), 0);
	assert_int_equal(err.kind, ERR_UNABLE);
	if (!strstr(err.msg, says) || !strstr(err.msg, a))
		fail_msg("'%s' lacks '%s'", err.msg, says);
}

static void test_same(void **state)
{
	struct elf *e __free(ptr) = make_elf();

	fits(state, e);
	/* stripped: neither sections nor their names matter */
	e->eh.e_shnum = 0;
	memset(e->sh, 0xff, sizeof(e->sh));
	fits(state, e);
	/* nor a segment that is not loaded, nor another build ID */
	e->eh.e_phnum = 2;
	e->ph[1].p_type = PT_NOTE;
	memset(e->code + 116, 'b', 20);
	fits(state, e);
}

static void test_bytes(void **state)
{
	struct elf *e __free(ptr) = make_elf();

	e->code[50] = 0xcc;
	e->code[CODE - 1] = 0xcc;
	differs(state, e, "2 bytes differ, the first at 0xffffffff81000032 (.text)");
	e->code[50] = 0x90;
	differs(state, e, "1 bytes differ, the first at 0xffffffff81000fff (.text)");
	e->code[CODE - 1] = 0x90;
	e->code[116 + 20] = 0xcc;	/* behind the build ID */
	differs(state, e, "1 bytes differ, the first at 0xffffffff81000088");
	e->code[116 + 20] = 0x90;
	e->code[112] = 'B';		/* no build ID, so its bytes count */
	e->code[116] = 'b';
	differs(state, e, "2 bytes differ");
}

/* A build ID's beginning at the very end of a segment. */
static void test_cut_build_id(void **state)
{
	struct elf *e __free(ptr) = make_elf(), *other __free(ptr) = make_elf();
	char *a __free(ptr) = NULL, *b __free(ptr) = NULL;
	struct err err = ERR_INIT;

	memcpy(e->code + CODE - 17, e->code + 100, 17);
	memcpy(other->code + CODE - 17, e->code + 100, 16);
	other->code[CODE - 1] = 'c';
	a = put(state, "a", e);
	b = put(state, "b", other);
	assert_int_not_equal(dwarf_fits(a, b, &err), 0);
	assert_non_null(strstr(err.msg, "1 bytes differ"));
}

static void test_segments(void **state)
{
	struct elf *e __free(ptr) = make_elf();

	e->eh.e_phnum = 2;
	differs(state, e, "one has more segments than the other");
	e->eh.e_phnum = 1;
	e->ph[0].p_memsz++;
	differs(state, e, "has 8192 bytes, that at 0xffffffff81000000 8193");
	e->ph[0].p_memsz--;
	e->ph[0].p_flags |= PF_W;
	differs(state, e, "segment");
	e->ph[0].p_flags &= ~(Elf64_Word)PF_W;
	e->ph[0].p_vaddr += 4096;
	differs(state, e, "that at 0xffffffff81001000");
}

static void test_present(void **state)
{
	struct elf *e __free(ptr) = make_elf();
	char *path __free(ptr) = put(state, "a", e);
	struct err err = ERR_INIT;
	bool present = false;

	assert_int_equal(dwarf_present(path, &present, &err), 0);
	assert_true(present);
	e->names[9] = 'z';
	fixture_write(path, e, sizeof(*e));
	assert_int_equal(dwarf_present(path, &present, &err), 0);
	assert_false(present);
	e->eh.e_shnum = 0;
	fixture_write(path, e, sizeof(*e));
	assert_int_equal(dwarf_present(path, &present, &err), 0);
	assert_false(present);
}

static void test_hostile(void **state)
{
	struct elf *e __free(ptr) = make_elf();
	char *path __free(ptr) = NULL, *whole __free(ptr) = put(state, "whole", e);
	struct err err = ERR_INIT;
	bool present = false;

	e->sh[2].sh_name = 0xffffffff;	/* behind the names: none */
	path = put(state, "a", e);
	assert_int_equal(dwarf_present(path, &present, &err), 0);
	assert_false(present);
	e->sh[3].sh_offset = UINT64_MAX - 8;
	fixture_write(path, e, sizeof(*e));
	assert_int_not_equal(dwarf_present(path, &present, &err), 0);
	assert_int_equal(err.kind, ERR_INPUT);
	e->sh[3].sh_size = UINT64_MAX;
	fixture_write(path, e, sizeof(*e));
	assert_int_not_equal(dwarf_present(path, &present, &err), 0);
	e->eh.e_shstrndx = 4;
	fixture_write(path, e, sizeof(*e));
	assert_int_not_equal(dwarf_present(path, &present, &err), 0);
	assert_non_null(strstr(err.msg, "sections make no sense"));
	e->ph[0].p_filesz = UINT64_MAX;
	fixture_write(path, e, sizeof(*e));
	assert_int_not_equal(dwarf_fits(path, path, &err), 0);
	assert_non_null(strstr(err.msg, "larger than 256 MiB"));
	e->ph[0].p_filesz = CODE;
	e->ph[0].p_offset = UINT64_MAX - 16;
	fixture_write(path, e, sizeof(*e));
	assert_int_not_equal(dwarf_fits(path, path, &err), 0);
	assert_non_null(strstr(err.msg, "behind the file's end"));
	e->eh.e_ident[0] = 0;
	fixture_write(path, e, sizeof(*e));
	assert_int_not_equal(dwarf_fits(path, whole, &err), 0);
	assert_non_null(strstr(err.msg, "no ELF for x86-64"));
	assert_int_equal(err.kind, ERR_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),	 cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_cut_build_id), cmocka_unit_test(test_segments),
		cmocka_unit_test(test_present),	 cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
