/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kernel/deb: what is taken out of a package, and packages that want more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/strvec.h"
#include "kernel/deb.h"
#include "kernel_fixture.h"

static const struct fixture_file honest[] = {
	{ .path = "./boot", .type = AE_IFDIR },
	{ .path = "./boot/vmlinuz-1", .type = AE_IFREG, .data = "kernel" },
	{ .path = "./lib/modules/1/a.ko", .type = AE_IFREG, .data = "module a" },
	{ .path = "./usr/lib/modules/1/b.ko", .type = AE_IFREG, .data = "module b" },
	{ .path = "./usr/share/doc/x", .type = AE_IFREG, .data = "not wanted" },
	{ .path = "./lib/modules/1/build", .type = AE_IFLNK, .data = "/usr/src/1" },
	{ .path = "./bootleg", .type = AE_IFREG, .data = "not wanted" },
};

/* Make the package, unpack it to a fresh folder "out". */
static int unpack(const char *dir, const char *data_name, fixture_option filter,
		  const struct fixture_file *files, size_t n, struct err *err)
{
	char *deb = path_join(dir, "x.deb"), *out = path_join(dir, "out");
	struct strbuf sb = STRBUF_INIT;
	int ret;

	assert_int_equal(dir_remove(out, err), 0);
	assert_int_equal(dir_make(out, err), 0);
	fixture_deb(&sb, data_name, filter, files, n);
	fixture_write(deb, sb.buf, sb.len);
	ret = deb_unpack(deb, out, err);
	strbuf_release(&sb);
	free(deb);
	free(out);
	return ret;
}

static void test_honest(void **state)
{
	static const struct {
		const char *name;
		fixture_option filter;
	} table[] = {
		{ "data.tar.xz", archive_write_add_filter_xz },
		{ "data.tar.gz", archive_write_add_filter_gzip },
		{ "data.tar.zst", archive_write_add_filter_zstd },
		{ "data.tar", archive_write_add_filter_none },
	};
	char *out = path_join(*state, "out"), *b = path_join(out, "lib/modules/1/b.ko");
	char *link = path_join(out, "lib/modules/1/build");

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct strvec names = STRVEC_INIT;
		struct strbuf got = STRBUF_INIT;
		struct err err = ERR_INIT;
		struct stat st;

		if (unpack(*state, table[i].name, table[i].filter, honest, ARRAY_SIZE(honest),
			   &err) < 0)
			fail_msg("%s: %s", table[i].name, err.msg);
		assert_int_equal(dir_walk(out, NULL, &names, &err), 0);
		assert_int_equal(names.n, 3);
		assert_string_equal(names.v[0], "boot/vmlinuz-1");
		assert_string_equal(names.v[1], "lib/modules/1/a.ko");
		assert_string_equal(names.v[2], "lib/modules/1/b.ko");
		assert_int_equal(file_read(b, 100, &got, &err), 0);
		assert_string_equal(got.buf, "module b");
		assert_int_equal(lstat(link, &st), -1);
		strvec_release(&names);
		strbuf_release(&got);
	}
	free(out);
	free(b);
	free(link);
}

static void test_hostile(void **state)
{
	static const struct {
		struct fixture_file files[2];
		const char *says;
	} table[] = {
		{ { { "boot/../../evil", AE_IFREG, "x", 0, false } }, "leads out" },
		{ { { "/lib/modules/../../../evil", AE_IFREG, "x", 0, false } }, "leads out" },
		{ { { "usr/lib/modules/1/..", AE_IFREG, "x", 0, false } }, "leads out" },
		{ { { "boot/x", AE_IFREG, "/etc/passwd", 0, true } }, "hard link" },
		{ { { "boot/x", AE_IFREG, "1", 0, false }, { "boot/x", AE_IFREG, "2", 0, false } },
		  "the same file twice" },
		{ { { "boot/x", AE_IFREG, "1", 0, false },
		    { "boot/x/y", AE_IFREG, "2", 0, false } },
		  "boot/x" },
	};
	char *evil = path_join(*state, "evil"), *link = path_join(*state, "out/boot/x");

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct err err = ERR_INIT;
		size_t n = table[i].files[1].path ? 2 : 1;

		if (unpack(*state, "data.tar.gz", archive_write_add_filter_gzip, table[i].files, n,
			   &err) == 0)
			fail_msg("row %zu was unpacked", i);
		if (!strstr(err.msg, table[i].says))
			fail_msg("row %zu: '%s'", i, err.msg);
		assert_false(path_is_file(evil));
	}
	free(evil);
	free(link);
}

/* A folder that is a link in the package must not lead a later file astray. */
static void test_link_then_file(void **state)
{
	const struct fixture_file files[] = {
		{ .path = "./boot", .type = AE_IFLNK, .data = *state },
		{ .path = "./lib/modules/1", .type = AE_IFLNK, .data = *state },
		{ .path = "./lib/modules/1/astray", .type = AE_IFREG, .data = "x" },
	};
	char *astray = path_join(*state, "astray");
	char *kept = path_join(*state, "out/lib/modules/1/astray");
	struct err err = ERR_INIT;

	assert_int_equal(unpack(*state, "data.tar.xz", archive_write_add_filter_xz, files,
				ARRAY_SIZE(files), &err),
			 0);
	assert_false(path_is_file(astray));
	assert_true(path_is_file(kept));
	free(astray);
	free(kept);
}

static void test_no_packages(void **state)
{
	char *deb = path_join(*state, "x.deb"), *out = path_join(*state, "out");
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;
	const size_t cuts[] = { 1, 8, 70, 200, 300 };

	fixture_deb(&sb, "data.tar.xz", archive_write_add_filter_xz, honest, ARRAY_SIZE(honest));
	for (size_t i = 0; i < ARRAY_SIZE(cuts); i++) {
		err = (struct err)ERR_INIT;
		assert_int_equal(dir_remove(out, &err), 0);
		assert_int_equal(dir_make(out, &err), 0);
		fixture_write(deb, sb.buf, cuts[i]);
		assert_int_equal(deb_unpack(deb, out, &err), -EINVAL);
		assert_int_equal(err.kind, ERR_INPUT);
	}
	err = (struct err)ERR_INIT;
	assert_int_equal(unpack(*state, "other.tar.xz", archive_write_add_filter_xz, honest,
				ARRAY_SIZE(honest), &err),
			 -EINVAL);
	assert_non_null(strstr(err.msg, "no data.tar"));
	strbuf_release(&sb);
	free(deb);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_honest),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_link_then_file),
		cmocka_unit_test(test_no_packages),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
