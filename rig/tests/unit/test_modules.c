/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unit tests of kernel/modules and kernel/ko, on a tree of handmade modules: real ELF objects
 * with real exports and imports, indexed by the real depmod.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/proc.h"
#include "base/tool.h"
#include "kernel/kernel.h"
#include "kernel/ko.h"
#include "kernel/modules.h"
#include "kernel_fixture.h"

static char *root, *tree, *cache_dir;

/* A module, as far as depmod and libkmod look: what it exports, imports and says of itself. */
static const struct ko {
	const char *file, *exports, *imports, *modinfo;
} kos[] = {
	{ "drivers/scsi/scsi_mod.ko", "scsi_scan", NULL, "license=GPL" },
	{ "drivers/ata/libata.ko", "ata_init", "scsi_scan", "license=GPL" },
	{ "drivers/ata/ata_piix.ko", NULL, "ata_init", "license=GPL" },
	{ "lib/crc_a.ko", NULL, NULL, "alias=crypto-crct" },
	{ "drivers/scsi/sd_mod.ko", NULL, "scsi_scan", "softdep=pre: crypto-crct not-built" },
	{ "fs/jbd2.ko", "journal", NULL, "license=GPL" },
	{ "fs/ext4.ko", NULL, "journal", "alias=fs-ext2" },
	{ "fs/isofs.ko.xz", NULL, NULL, "license=GPL" },
};

static void run(const char *program, const char *package, char *const *args)
{
	struct deadline deadline = deadline_in(program, 60 * NS_PER_S);
	struct proc p = PROC_INIT;
	struct err err = ERR_INIT;
	char *path;

	assert_int_equal(tool_find(program, package, &path, &err), 0);
	strvec_push(&p.argv, path);
	strvec_pushv(&p.argv, args);
	if (proc_capture(&p, &deadline, 1 << 20, NULL, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	proc_release(&p);
	free(path);
}

static void compress(const char *path)
{
	struct strbuf plain = STRBUF_INIT, packed = STRBUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(file_read(path, 1 << 20, &plain, &err), 0);
	fixture_pack(&packed, &plain, archive_write_add_filter_xz);
	fixture_write(path, packed.buf, packed.len);
	strbuf_release(&plain);
	strbuf_release(&packed);
}

static void make_ko(const struct ko *ko)
{
	char *path = xstrfmt("%s/kernel/%s", tree, ko->file), *source = path_join(root, "ko.s");
	char *folder = xstrndup(path, (size_t)(path_base(path) - path));
	char *args[] = { (char *)"-c", source, (char *)"-o", path, NULL };
	struct strbuf s = STRBUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(dir_make(folder, &err), 0);
	strbuf_addf(&s, ".section .modinfo,\"a\"\n.asciz \"%s\"\n", ko->modinfo);
	if (ko->exports)
		strbuf_addf(&s, ".section __ksymtab_strings,\"a\"\n.asciz \"%s\"\n", ko->exports);
	if (ko->imports)
		strbuf_addf(&s, ".text\ncall %s\n", ko->imports);
	fixture_write(source, s.buf, s.len);
	run("gcc", "gcc", args);
	if (strstr(path, ".xz"))
		compress(path);
	strbuf_release(&s);
	free(path);
	free(source);
	free(folder);
}

static int setup(void **state)
{
	static const char builtin[] = "kernel/drivers/ata/ahci.ko\n";
	char *path;

	if (fixture_setup(state) < 0)
		return -1;
	root = *state;
	cache_dir = path_join(root, "cache");
	tree = path_join(root, "lib/modules/1.0");
	for (size_t i = 0; i < ARRAY_SIZE(kos); i++)
		make_ko(&kos[i]);
	path = path_join(tree, "modules.builtin");
	fixture_write(path, builtin, strlen(builtin));
	free(path);
	path = path_join(tree, "modules.order");
	fixture_write(path, "", 0);
	free(path);
	char *args[] = { (char *)"-b", root, (char *)"1.0", NULL };
	run("depmod", "kmod", args);
	return 0;
}

static int teardown(void **state)
{
	free(cache_dir);
	free(tree);
	return fixture_teardown(state);
}

static void add(struct module_set *set, const char *modules_dir, char *config, const char *feature)
{
	struct kernel k = { .modules_dir = (char *)modules_dir, .config = config };
	struct err err = ERR_INIT;

	if (module_set_add(set, &k, cache_dir, feature, &err) < 0)
		fail_msg("%s", err.msg);
}

static void expect(const struct strvec *got, const char *words)
{
	struct strbuf sb = STRBUF_INIT;

	strvec_each(s, got)
		strbuf_addf(&sb, "%s%s", sb.len ? "; " : "", *s);
	assert_string_equal(sb.buf, words);
	strbuf_release(&sb);
}

static void test_order(void **state)
{
	struct module_set set = MODULE_SET_INIT;

	(void)state;
	add(&set, tree, NULL, "ide");
	expect(&set.names, "scsi_mod; libata; ata_piix; crc_a; sd_mod");
	expect(&set.missing, "");
	assert_int_equal(set.paths.n, set.names.n);
	for (size_t i = 0; i < set.names.n; i++) {
		assert_non_null(strstr(set.paths.v[i], set.names.v[i]));
		assert_true(path_is_file(set.paths.v[i]));
	}
	/* Once more, and through an alias: only what is new. */
	add(&set, tree, NULL, "ide");
	add(&set, tree, NULL, "ext2");
	expect(&set.names, "scsi_mod; libata; ata_piix; crc_a; sd_mod; jbd2; ext4");
	module_set_release(&set);
}

static void test_missing_and_built_in(void **state)
{
	struct module_set set = MODULE_SET_INIT;

	(void)state;
	add(&set, tree, NULL, "ahci");
	expect(&set.names, "crc_a; scsi_mod; sd_mod");
	expect(&set.missing, "");
	add(&set, tree, NULL, "scsi");
	add(&set, tree, NULL, "scsi");
	add(&set, tree, NULL, "ext3");
	expect(&set.missing, "scsi: none of am53c974; ext3: none of ext3, fs-ext3");
	module_set_release(&set);
}

static void test_compressed(void **state)
{
	struct module_set set = MODULE_SET_INIT;
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < 2; i++) {
		module_set_release(&set);
		add(&set, tree, NULL, "iso9660");
		expect(&set.names, "isofs");
		assert_memory_equal(set.paths.v[0], cache_dir, strlen(cache_dir));
	}
	assert_int_equal(file_read(set.paths.v[0], 1 << 20, &sb, &err), 0);
	assert_memory_equal(sb.buf, ELFMAG, SELFMAG);
	strbuf_release(&sb);
	module_set_release(&set);
}

static void test_broken_compressed(void **state)
{
	char *path = path_join(*state, "x.ko.xz"), *plain = NULL;
	struct strbuf sb = STRBUF_INIT, packed = STRBUF_INIT;
	uint32_t random = 1;
	struct err err = ERR_INIT;

	/* Cut off in the middle, so late that unpacking starts well. */
	for (int i = 0; i < 1 << 20; i++) {
		random = random * 1103515245 + 12345;
		strbuf_addch(&sb, random >> 24);
	}
	fixture_pack(&packed, &sb, archive_write_add_filter_xz);
	fixture_write(path, packed.buf, packed.len / 2);
	assert_int_equal(ko_plain(path, cache_dir, &plain, &err), -EBADMSG);
	assert_null(plain);
	strbuf_release(&sb);
	strbuf_release(&packed);
	fixture_write(path, "\xfd\x37zXZ\0 and nonsense", 20);
	assert_int_equal(ko_plain(path, cache_dir, &plain, &err), -EBADMSG);
	assert_null(plain);
	free(path);
}

static void test_no_tree(void **state)
{
	static const char text[] = "CONFIG_ATA_PIIX=y\nCONFIG_BLK_DEV_SD=m\n"
				   "CONFIG_EXT4_USE_FOR_EXT2=y\n# CONFIG_UDF_FS is not set\n";
	char *config = path_join(*state, "config");
	struct module_set set = MODULE_SET_INIT;

	fixture_write(config, text, strlen(text));
	add(&set, NULL, NULL, "ide");
	add(&set, NULL, NULL, "udf");
	expect(&set.missing, "");
	add(&set, NULL, config, "ide");
	add(&set, NULL, config, "ext2");
	add(&set, NULL, config, "udf");
	expect(&set.missing, "ide: none of sd_mod (a module, and the kernel came without its "
			     "modules); udf: none of udf");
	expect(&set.names, "");
	module_set_release(&set);
	free(config);
}

static void test_broken_tree(void **state)
{
	struct kernel k = { .modules_dir = path_join(*state, "broken") };
	char *index = path_join(k.modules_dir, "modules.dep.bin");
	struct module_set set = MODULE_SET_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(dir_make(k.modules_dir, &err), 0);
	fixture_write(index, "not an index at all", 19);
	assert_true(module_set_add(&set, &k, cache_dir, "ide", &err) < 0);
	assert_non_null(strstr(err.msg, "broken"));
	module_set_release(&set);
	free(k.modules_dir);
	free(index);
}

static void test_known(void **state)
{
	struct module_set set = MODULE_SET_INIT;
	struct kernel k = KERNEL_INIT;
	struct err err = ERR_INIT;
	int status;
	pid_t pid;

	(void)state;
	assert_true(module_feature_known("ide"));
	assert_true(module_feature_known("bfq"));
	assert_false(module_feature_known("floppy"));
	assert_false(module_feature_known(""));
	pid = fork();
	if (pid == 0) {
		close(STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		module_set_add(&set, &k, cache_dir, "floppy", &err);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),	   cmocka_unit_test(test_missing_and_built_in),
		cmocka_unit_test(test_compressed), cmocka_unit_test(test_broken_compressed),
		cmocka_unit_test(test_no_tree),	   cmocka_unit_test(test_broken_tree),
		cmocka_unit_test(test_known),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
