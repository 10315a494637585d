/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kernel/kernel and kernel/config: names, descriptions, files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "kbuild/resolve.h"
#include "kernel/config.h"
#include "kernel/kernel.h"
#include "kernel_fixture.h"

static char *cache_dir;

static int setup(void **state)
{
	if (fixture_setup(state) < 0)
		return -1;
	cache_dir = path_join(*state, "cache");
	return 0;
}

static int teardown(void **state)
{
	free(cache_dir);
	return fixture_teardown(state);
}

static char *write_file(const char *dir, const char *name, const void *data, size_t len)
{
	char *path = path_join(dir, name), *folder = xstrndup(path, path_base(path) - path);
	struct err err = ERR_INIT;

	assert_int_equal(dir_make(folder, &err), 0);
	fixture_write(path, data, len);
	free(folder);
	return path;
}

static char *write_bzimage(const char *dir, const char *name, uint32_t note)
{
	struct strbuf vmlinux = STRBUF_INIT, bz = STRBUF_INIT;
	char *path;

	fixture_vmlinux(&vmlinux, note);
	fixture_bzimage(&bz, &vmlinux, archive_write_add_filter_zstd);
	path = write_file(dir, name, bz.buf, bz.len);
	strbuf_release(&vmlinux);
	strbuf_release(&bz);
	return path;
}

static char *write_vmlinux(const char *dir, const char *name, uint32_t note, bool banner)
{
	struct strbuf sb = STRBUF_INIT;
	char *path;

	fixture_vmlinux(&sb, note);
	if (!banner)
		memset(sb.buf + 0xe0, 0, 64);
	path = write_file(dir, name, sb.buf, sb.len);
	strbuf_release(&sb);
	return path;
}

static void resolve(struct kernel *k, const char *spec, const char *data_dir)
{
	const struct kernel_ask ask = { .spec = spec, .data_dir = data_dir, .cache_dir = cache_dir };
	struct err err = ERR_INIT;

	if (kernel_resolve(k, &ask, &err) < 0)
		fail_msg("%s", err.msg);
}

static void refuse(const char *spec, const char *data_dir, const char *says)
{
	const struct kernel_ask ask = { .spec = spec, .data_dir = data_dir, .cache_dir = cache_dir };
	struct kernel k = KERNEL_INIT;
	struct err err = ERR_INIT;

	assert_true(kernel_resolve(&k, &ask, &err) < 0);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_null(k.name);
	if (!strstr(err.msg, says))
		fail_msg("'%s' does not say '%s'", err.msg, says);
}

static void test_bzimage(void **state)
{
	char *path = write_bzimage(*state, "bzImage", 18), hex[HASH_HEX];
	struct kernel k = KERNEL_INIT;
	struct err err = ERR_INIT;

	/* Cold, then out of the cache. */
	for (int i = 0; i < 2; i++) {
		resolve(&k, path, *state);
		assert_string_equal(k.name, "bzImage");
		assert_string_equal(k.release, FIXTURE_RELEASE);
		assert_string_equal(k.bzimage, path);
		assert_string_equal(k.image, k.vmlinux);
		assert_int_equal(hash_file(k.vmlinux, hex, &err), 0);
		assert_string_equal(k.image_sha256, hex);
		assert_null(k.modules_dir);
		assert_null(k.config);
		assert_string_equal(k.config_sha256, "");
	}
	assert_int_equal(kernel_use_bzimage(&k, &err), 0);
	assert_int_equal(hash_file(path, hex, &err), 0);
	assert_string_equal(k.image, path);
	assert_string_equal(k.image_sha256, hex);
	kernel_release(&k);
	free(path);
}

/* Without PVH, or with a payload that cannot be unpacked, the bzImage itself is booted. */
static void test_bzimage_only(void **state)
{
	char *plain = write_bzimage(*state, "plain", 17), *odd = write_bzimage(*state, "odd", 18);
	struct strbuf sb = STRBUF_INIT;
	struct kernel k = KERNEL_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(file_read(odd, 1 << 20, &sb, &err), 0);
	memset(sb.buf + FIXTURE_SETUP + 16, 0, 8);
	fixture_write(odd, sb.buf, sb.len);
	for (int i = 0; i < 4; i++) {
		const char *path = i % 2 ? odd : plain;

		resolve(&k, path, *state);
		assert_string_equal(k.image, path);
		assert_null(k.vmlinux);
		assert_string_equal(k.release, FIXTURE_RELEASE);
		assert_int_equal(strlen(k.image_sha256), HASH_HEX - 1);
	}
	kernel_release(&k);
	strbuf_release(&sb);
	free(plain);
	free(odd);
}

static void test_vmlinux(void **state)
{
	char *path = write_vmlinux(*state, "vmlinux", 18, true);
	char *no_pvh = write_vmlinux(*state, "no-pvh", 17, true);
	char *other = write_vmlinux(*state, "program", 18, false);
	struct kernel k = KERNEL_INIT;
	struct err err = ERR_INIT;

	resolve(&k, path, *state);
	assert_string_equal(k.image, path);
	assert_string_equal(k.vmlinux, path);
	assert_null(k.bzimage);
	assert_string_equal(k.release, FIXTURE_RELEASE);
	assert_int_equal(kernel_use_bzimage(&k, &err), -EINVAL);
	refuse(no_pvh, *state, "without CONFIG_PVH");
	refuse(other, *state, "no Linux kernel");
	free(write_file(*state, "kernels/small.config", "", 0));
	refuse(*state, *state, "no kernel tree");
	refuse("/nonexistent/bzImage", *state, "No such file");
	kernel_release(&k);
	free(path);
	free(no_pvh);
	free(other);
}

/* As an installed kernel lies: boot/vmlinuz-R, boot/config-R, lib/modules/R. */
static void test_neighbours(void **state)
{
	char *root = path_join(*state, "root");
	char *image = write_bzimage(root, "boot/vmlinuz-" FIXTURE_RELEASE, 18);
	char *config = write_file(root, "boot/config-" FIXTURE_RELEASE, "CONFIG_A=y\n", 11);
	char *order = write_file(root, "lib/modules/" FIXTURE_RELEASE "/modules.order", "", 0);
	struct kernel k = KERNEL_INIT;
	char *index;

	refuse(image, *state, "no modules.dep.bin: run depmod");
	index = write_file(root, "lib/modules/" FIXTURE_RELEASE "/modules.dep.bin", "x", 1);
	resolve(&k, image, *state);
	assert_string_equal(k.config, config);
	assert_int_equal(strlen(k.config_sha256), HASH_HEX - 1);
	assert_string_equal(path_base(k.modules_dir), FIXTURE_RELEASE);
	kernel_release(&k);
	free(root);
	free(image);
	free(config);
	free(order);
	free(index);
}

static void test_built_tree(void **state)
{
	char *tree = path_join(*state, "linux");
	char *image = write_bzimage(tree, "arch/x86/boot/bzImage", 18);
	char *config = write_file(tree, ".config", "CONFIG_A=y\n", 11);
	struct kernel k = KERNEL_INIT;

	resolve(&k, image, *state);
	assert_string_equal(k.config, config);
	kernel_release(&k);
	free(tree);
	free(image);
	free(config);
}

static void test_description(void **state)
{
	static const char text[] = "[kernel]\ntitle = A title\nimage = files/bz\n"
				   "modules = files/mods\ncmdline = quiet noacpi\n";
	char *data = path_join(*state, "data"), *mods = path_join(data, "kernels/files/mods");
	char *ini = write_file(data, "kernels/mine.kernel", text, strlen(text));
	char *image = write_bzimage(data, "kernels/files/bz", 18);
	char *index = write_file(mods, "modules.dep.bin", "x", 1);
	struct kernel k = KERNEL_INIT;

	resolve(&k, "mine", data);
	assert_string_equal(k.name, "mine");
	assert_string_equal(k.title, "A title");
	assert_string_equal(k.cmdline, "quiet noacpi");
	assert_string_equal(k.bzimage, image);
	assert_string_equal(k.modules_dir, mods);
	refuse("yours", data, "known are mine");
	refuse("../kernels/mine", data, "No such file");
	refuse("", data, "unknown kernel ''");
	kernel_release(&k);
	free(data);
	free(mods);
	free(ini);
	free(image);
	free(index);
}

static void test_bad_descriptions(void **state)
{
	static const struct {
		const char *text, *says;
	} table[] = {
		{ "", "bad.kernel:1: a section [kernel] is missing" },
		{ "[kernel]\ntitle = x\n", "bad.kernel:1: one of" },
		{ "[kernel]\npackage = abc\nimage = x\n", "bad.kernel:1: one of" },
		{ "[kernel]\npackage = abc\nmodules = x\n", "bad.kernel:1: 'modules' goes" },
		{ "[kernel]\n\npackage = -o\n", "bad.kernel:3: '-o' is no name" },
		{ "[kernel]\nimage =\n", "bad.kernel:2: 'image' is empty" },
		{ "[kernel]\nimage = x\nimages = y\n", "bad.kernel:3: unknown key 'images'" },
		{ "[kernel]\nimage = x\n[disk a]\n", "bad.kernel:3: unknown section 'disk'" },
		{ "[kernel]\nimage = nowhere\n", "bad.kernel: cannot read the kernel" },
	};
	char *data = path_join(*state, "bad");

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		free(write_file(data, "kernels/bad.kernel", table[i].text, strlen(table[i].text)));
		refuse("bad", data, table[i].says);
	}
	free(data);
}

static void test_config(void **state)
{
	static const char text[] = "# CONFIG_NOT is not set\nCONFIG_YES=y\nCONFIG_MOD=m\n"
				   "CONFIG_NO=n\nCONFIG_STR=\"x\"\nCONFIG_LAST=y";
	static const struct {
		const char *symbol;
		enum kernel_config state;
	} table[] = {
		{ "CONFIG_YES", KERNEL_CONFIG_YES },   { "CONFIG_MOD", KERNEL_CONFIG_MODULE },
		{ "CONFIG_NO", KERNEL_CONFIG_NO },     { "CONFIG_NOT", KERNEL_CONFIG_NO },
		{ "CONFIG_STR", KERNEL_CONFIG_YES },   { "CONFIG_LAST", KERNEL_CONFIG_YES },
		{ "CONFIG_ABSENT", KERNEL_CONFIG_NO }, { "CONFIG_YE", KERNEL_CONFIG_NO },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		assert_int_equal(kernel_config_get(text, table[i].symbol), table[i].state);
	assert_int_equal(kernel_config_get("", "CONFIG_A"), KERNEL_CONFIG_NO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bzimage),		 cmocka_unit_test(test_bzimage_only),
		cmocka_unit_test(test_vmlinux),		 cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_built_tree),	 cmocka_unit_test(test_description),
		cmocka_unit_test(test_bad_descriptions), cmocka_unit_test(test_config),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
