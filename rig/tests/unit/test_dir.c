/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/dir.c: folders made, listed and removed in a temporary folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strvec.h"

static char *dir;

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	return dir_temp("/tmp/iorig-test-", &dir, &err);
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;
	int ret = dir_remove(dir, &err);

	(void)state;
	free(dir);
	return ret;
}

/* An empty file below the temporary folder, with its folders. */
static void make_file(const char *folder, const char *name)
{
	struct err err = ERR_INIT;
	char *path = path_join(dir, folder), *file = path_join(path, name);

	assert_int_equal(dir_make(path, &err), 0);
	assert_int_equal(file_write_atomic(file, "", 0, 0644, &err), 0);
	free(path);
	free(file);
}

static void test_temp(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
}

static void test_make(void **state)
{
	char *deep = path_join(dir, "a//b/c/"), *file = path_join(dir, "f/x");
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(dir_make(deep, &err), 0);
	assert_true(path_is_dir(deep));
	assert_int_equal(dir_make(deep, &err), 0);
	assert_int_equal(dir_make("/", &err), 0);
	assert_int_equal(dir_make("", &err), -ENOENT);
	make_file("", "f");
	assert_int_equal(dir_make(file, &err), -ENOTDIR);
	assert_non_null(strstr(err.msg, "/f'"));
	free(deep);
	free(file);
}

static void test_list(void **state)
{
	struct strvec names = STRVEC_INIT;
	struct err err = ERR_INIT;
	char *path = path_join(dir, "list"), *missing = path_join(dir, "none");

	(void)state;
	make_file("list", "b.case");
	make_file("list", "B.case");
	make_file("list", "a.expect");
	make_file("list", ".hidden");
	make_file("list/sub.case", "inner.case");
	assert_int_equal(dir_list(path, ".case", &names, &err), 0);
	assert_int_equal(names.n, 3);
	assert_string_equal(names.v[0], "B.case");
	assert_string_equal(names.v[1], "b.case");
	assert_string_equal(names.v[2], "sub.case");
	assert_int_equal(dir_list(path, NULL, &names, &err), 0);
	assert_int_equal(names.n, 3 + 5);
	assert_string_equal(names.v[3], ".hidden");
	assert_int_equal(dir_list(missing, NULL, &names, &err), -ENOENT);
	assert_non_null(strstr(err.msg, missing));
	strvec_release(&names);
	free(path);
	free(missing);
}

static void test_walk(void **state)
{
	struct strvec names = STRVEC_INIT;
	struct err err = ERR_INIT;
	char *path = path_join(dir, "walk/"), *link = path_join(dir, "walk/link.case");
	char *file = path_join(dir, "walk/z.case");

	(void)state;
	make_file("walk", "z.case");
	make_file("walk/a", "y.case");
	make_file("walk/a/b", "x.case");
	make_file("walk/a/b", "x.expect");
	assert_int_equal(symlink(file, link), 0);
	assert_int_equal(dir_walk(path, ".case", &names, &err), 0);
	assert_int_equal(names.n, 3);
	assert_string_equal(names.v[0], "a/b/x.case");
	assert_string_equal(names.v[1], "a/y.case");
	assert_string_equal(names.v[2], "z.case");
	assert_int_equal(dir_walk(file, NULL, &names, &err), -ENOTDIR);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(dir_walk(file, NULL, &names, &err), -ENOENT);
	assert_int_equal(names.n, 3);
	strvec_release(&names);
	free(path);
	free(link);
	free(file);
}

static void test_remove(void **state)
{
	struct err err = ERR_INIT;
	char *path = path_join(dir, "gone"), *kept = path_join(dir, "kept/f");
	char *link = path_join(dir, "gone/link"), *target = path_join(dir, "kept");

	(void)state;
	make_file("gone/a/b", "f");
	make_file("gone", "g");
	make_file("kept", "f");
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(dir_remove(path, &err), 0);
	assert_false(path_is_dir(path));
	assert_true(path_is_file(kept)); /* links are not followed */
	assert_int_equal(dir_remove(path, &err), 0);
	/* a link as the root, then a plain file */
	assert_int_equal(symlink(target, path), 0);
	assert_int_equal(dir_remove(path, &err), 0);
	assert_true(path_is_file(kept));
	assert_int_equal(dir_remove(kept, &err), 0);
	assert_false(path_is_file(kept));
	assert_true(dir_remove("/proc/self/ns", &err) < 0);
	assert_non_null(strstr(err.msg, "cannot remove '/proc/self/ns"));
	free(path);
	free(kept);
	free(link);
	free(target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_temp),   cmocka_unit_test(test_make),
		cmocka_unit_test(test_list),   cmocka_unit_test(test_walk),
		cmocka_unit_test(test_remove),
	};

	return cmocka_run_group_tests_name("dir", tests, setup, teardown);
}
