/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unit tests of kernel/from_package with handmade packages: first fetch, cache, damage, offline.
 * In place of apt two scripts answer out of a folder, because what apt and the network do when
 * they fail cannot be had otherwise; the rest is real, depmod included.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/strvec.h"
#include "kernel/cache.h"
#include "kernel/kernel.h"
#include "kernel/resolved.h"
#include "kernel/source.h"
#include "kernel_fixture.h"

#define META  "linux-image-test"
#define IMAGE "linux-image-" FIXTURE_RELEASE

static char *apt_dir, *cache_dir, last_progress[512];

static void keep_progress(const char *line)
{
	snprintf(last_progress, sizeof(last_progress), "%s", line);
}

static void put(const char *name, const void *data, size_t len, mode_t mode)
{
	char *path = path_join(apt_dir, name);

	fixture_write(path, data, len);
	assert_int_equal(chmod(path, mode), 0);
	free(path);
}

static void drop(const char *name)
{
	char *path = path_join(apt_dir, name);

	unlink(path);
	free(path);
}

/* A package's file and what apt-cache says of it. */
static void offer(const char *name, const char *key, const char *depends,
		  const struct fixture_file *files, size_t n)
{
	struct strbuf deb = STRBUF_INIT, text = STRBUF_INIT;
	char hex[HASH_HEX], *file = xstrfmt("%s.deb", name);

	fixture_deb(&deb, "data.tar.xz", archive_write_add_filter_xz, files, n);
	hash_mem(deb.buf, deb.len, hex);
	put(file, deb.buf, deb.len, 0644);
	strbuf_addf(&text, "Package: %s\nVersion: 1-2\nDepends: kmod%s\nSHA256: %s\n", name,
		    depends, hex);
	put(key, text.buf, text.len, 0644);
	strbuf_release(&deb);
	strbuf_release(&text);
	free(file);
}

static void offer_kernel(void)
{
	struct strbuf vmlinux = STRBUF_INIT, bz = STRBUF_INIT;

	fixture_vmlinux(&vmlinux, 18);
	fixture_bzimage(&bz, &vmlinux, archive_write_add_filter_xz);
	const struct fixture_file files[] = {
		{ "./boot/vmlinuz-" FIXTURE_RELEASE, AE_IFREG, bz.buf, bz.len, false },
		{ "./boot/config-" FIXTURE_RELEASE, AE_IFREG, "CONFIG_PVH=y\n", 0, false },
		{ "./usr/lib/modules/" FIXTURE_RELEASE "/modules.order", AE_IFREG, "\n", 0, false },
		{ "./usr/lib/modules/" FIXTURE_RELEASE "/modules.builtin", AE_IFREG, "\n", 0,
		  false },
	};
	offer(META, META, ", " IMAGE " (= 1-2)", files, 0);
	offer(IMAGE, IMAGE "=1-2", "", files, ARRAY_SIZE(files));
	strbuf_release(&vmlinux);
	strbuf_release(&bz);
}

static void put_script(const char *name, const char *body)
{
	char *script =
		xstrfmt("#!/bin/sh\ncd '%s' || exit 1\necho \"$*\" >>calls\n%s", apt_dir, body);

	put(name, script, strlen(script), 0755);
	free(script);
}

static int setup(void **state)
{
	struct err err = ERR_INIT;
	char *path;

	if (fixture_setup(state) < 0)
		return -1;
	apt_dir = path_join(*state, "apt");
	cache_dir = path_join(*state, "cache");
	assert_int_equal(dir_make(apt_dir, &err), 0);
	put_script("apt-cache", "cat \"$3\" || exit 100\n");
	put_script("apt-get", "for last; do :; done\ncp \"${last%%=*}.deb\" \"$OLDPWD\"\n");
	path = xstrfmt("%s:%s", apt_dir, getenv("PATH"));
	setenv("PATH", path, 1);
	free(path);
	progress_set_sink(keep_progress);
	offer_kernel();
	return 0;
}

static int teardown(void **state)
{
	free(apt_dir);
	free(cache_dir);
	return fixture_teardown(state);
}

static void expect_nothing_half_made(const char *cache)
{
	char *kernels = path_join(cache, "kernels");
	struct strvec names = STRVEC_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(dir_list(kernels, NULL, &names, &err), 0);
	strvec_each(name, &names)
		assert_int_not_equal(strncmp(*name, "new-", 4), 0);
	strvec_release(&names);
	free(kernels);
}

/* How often apt-get was asked so far. */
static int downloads(void)
{
	char *path = path_join(apt_dir, "calls");
	struct strbuf sb = STRBUF_INIT;
	struct strvec lines = STRVEC_INIT;
	struct err err = ERR_INIT;
	int n = 0;

	if (file_read(path, 1 << 20, &sb, &err) == 0)
		strvec_split(&lines, sb.buf, "\n");
	strvec_each(line, &lines)
		n += strstr(*line, "download") != NULL;
	strvec_release(&lines);
	strbuf_release(&sb);
	free(path);
	return n;
}

/* As if apt's lists had changed since the last answer. */
static void forget_lists(const char *cache)
{
	struct kernel_cache c = KERNEL_CACHE_INIT;
	struct resolved r;
	struct err err = ERR_INIT;

	assert_int_equal(kernel_cache_open(&c, cache, &err), 0);
	resolved_load(&r, &c, META);
	assert_true(r.key[0]);
	memset(r.lists, '0', HASH_HEX - 1);
	assert_int_equal(resolved_save(&r, &c, META, &err), 0);
	kernel_cache_release(&c);
}

static void resolve(struct kernel *k)
{
	struct err err = ERR_INIT;

	if (kernel_from_package(k, META, cache_dir, &err) < 0)
		fail_msg("%s", err.msg);
}

static void test_first(void **state)
{
	struct kernel k = KERNEL_INIT;
	struct strbuf config = STRBUF_INIT;
	struct err err = ERR_INIT;
	char *index, hex[HASH_HEX];

	(void)state;
	resolve(&k);
	assert_int_equal(downloads(), 2);
	assert_string_equal(k.release, FIXTURE_RELEASE);
	assert_string_equal(k.package, IMAGE " 1-2");
	assert_string_equal(k.image, k.vmlinux);
	assert_true(path_is_file(k.bzimage));
	assert_int_equal(hash_file(k.vmlinux, hex, &err), 0);
	assert_string_equal(k.image_sha256, hex);
	assert_int_equal(file_read(k.config, 1000, &config, &err), 0);
	assert_string_equal(config.buf, "CONFIG_PVH=y\n");
	index = path_join(k.modules_dir, "modules.dep.bin");
	assert_true(path_is_file(index));
	expect_nothing_half_made(cache_dir);
	assert_int_equal(kernel_use_bzimage(&k, &err), 0);
	assert_string_equal(k.image, k.bzimage);
	assert_string_not_equal(k.image_sha256, hex);
	strbuf_release(&config);
	kernel_release(&k);
	free(index);
}

/* Other lists, same packages: apt is asked, nothing is fetched. */
static void test_same_packages(void **state)
{
	struct kernel k = KERNEL_INIT;
	int before = downloads();

	(void)state;
	forget_lists(cache_dir);
	resolve(&k);
	assert_int_equal(downloads(), before);
	kernel_release(&k);
}

/* A tree that lost a file is made again, out of the packages in the cache. */
static void test_damage(void **state)
{
	struct kernel k = KERNEL_INIT;
	int before = downloads();
	char *index;

	(void)state;
	resolve(&k);
	assert_int_equal(unlink(k.vmlinux), 0);
	kernel_release(&k);
	resolve(&k);
	assert_true(path_is_file(k.vmlinux));
	index = path_join(k.modules_dir, "modules.dep.bin");
	assert_int_equal(unlink(index), 0);
	kernel_release(&k);
	resolve(&k);
	assert_true(path_is_file(index));
	assert_int_equal(downloads(), before);
	kernel_release(&k);
	free(index);
}

static void test_offline(void **state)
{
	struct kernel k = KERNEL_INIT;

	(void)state;
	forget_lists(cache_dir);
	drop(META);
	last_progress[0] = '\0';
	resolve(&k);
	assert_string_equal(k.release, FIXTURE_RELEASE);
	assert_non_null(strstr(last_progress, "taking " IMAGE " 1-2 from the cache"));
	kernel_release(&k);
	offer_kernel();
}

static void expect_unable(const char *cache, const char *says)
{
	struct kernel k = KERNEL_INIT;
	struct err err = ERR_INIT;
	char *trees = xstrfmt("%s/kernels/trees", cache);
	struct strvec names = STRVEC_INIT;

	assert_true(kernel_from_package(&k, META, cache, &err) < 0);
	assert_int_equal(err.kind, ERR_UNABLE);
	if (!strstr(err.msg, says))
		fail_msg("'%s' does not say '%s'", err.msg, says);
	err = (struct err)ERR_INIT;
	assert_int_equal(dir_list(trees, NULL, &names, &err), 0);
	assert_int_equal(names.n, 0);
	expect_nothing_half_made(cache);
	strvec_release(&names);
	kernel_release(&k);
	free(trees);
}

static void test_cannot_be_had(void **state)
{
	char *cache = path_join(*state, "empty-cache");

	drop(META);
	expect_unable(cache, "run apt-get update or 'make deps'");
	offer_kernel();
	drop(IMAGE ".deb");
	expect_unable(cache, "cannot fetch " IMAGE " 1-2");
	offer_kernel();
	put(IMAGE ".deb", "another file", 12, 0644);
	expect_unable(cache, "not what apt's lists say");
	offer_kernel();
	free(cache);
}

static void test_no_kernel_inside(void **state)
{
	static const struct fixture_file none[] = {
		{ "./boot/System.map-1", AE_IFREG, "x", 0, false },
	};
	static const struct fixture_file two[] = {
		{ "./boot/vmlinuz-1", AE_IFREG, "x", 0, false },
		{ "./boot/vmlinuz-2", AE_IFREG, "x", 0, false },
	};
	char *cache = path_join(*state, "empty-cache-2");

	offer(IMAGE, IMAGE "=1-2", "", none, 1);
	expect_unable(cache, "holds no kernel");
	offer(IMAGE, IMAGE "=1-2", "", two, 2);
	expect_unable(cache, "more than one kernel");
	offer_kernel();
	free(cache);
}

/* Packages that depend on each other in a ring are each asked for once. */
static void test_ring(void **state)
{
	struct kernel k = KERNEL_INIT;
	char *cache = path_join(*state, "ring-cache");
	struct fixture_file unused = { .path = NULL };
	struct err err = ERR_INIT;

	offer(META, META, ", linux-image-ring", &unused, 0);
	offer("linux-image-ring", "linux-image-ring", ", " META, &unused, 0);
	assert_true(kernel_from_package(&k, META, cache, &err) < 0);
	assert_non_null(strstr(err.msg, "holds no kernel"));
	offer_kernel();
	kernel_release(&k);
	free(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first),	      cmocka_unit_test(test_same_packages),
		cmocka_unit_test(test_damage),	      cmocka_unit_test(test_offline),
		cmocka_unit_test(test_cannot_be_had), cmocka_unit_test(test_no_kernel_inside),
		cmocka_unit_test(test_ring),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
