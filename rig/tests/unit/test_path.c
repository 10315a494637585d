/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/path.c: joining, and the search for our own folders by real copies of this
 * program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"

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

static void test_join(void **state)
{
	static const char *const rows[][3] = {
		{ "a", "b", "a/b" },
		{ "a/", "b", "a/b" },
		{ "/", "b", "/b" },
		{ "", "b", "b" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *path = path_join(rows[i][0], rows[i][1]);

		assert_string_equal(path, rows[i][2]);
		free(path);
	}
	assert_string_equal(path_base("/a/b"), "b");
	assert_string_equal(path_base("b"), "b");
	assert_string_equal(path_base("a/"), "");
}

static void test_cache(void **state)
{
	char *own = path_join(dir, "own"), *want, *got;
	struct err err = ERR_INIT;

	(void)state;
	setenv("HOME", dir, 1);
	setenv("XDG_CACHE_HOME", "relative", 1);
	unsetenv("IORIG_CACHE");
	assert_int_equal(path_cache(&got, &err), 0);
	want = path_join(dir, ".cache/iorig");
	assert_string_equal(got, want);
	assert_true(path_is_dir(got));
	free(want);
	free(got);
	setenv("XDG_CACHE_HOME", own, 1);
	assert_int_equal(path_cache(&got, &err), 0);
	want = path_join(own, "iorig");
	assert_string_equal(got, want);
	free(want);
	free(got);
	setenv("IORIG_CACHE", own, 1);
	assert_int_equal(path_cache(&got, &err), 0);
	assert_string_equal(got, own);
	free(got);
	setenv("IORIG_CACHE", "/dev/null/x", 1);
	assert_int_equal(path_cache(&got, &err), -ENOTDIR);
	setenv("IORIG_CACHE", "", 1);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	assert_int_equal(path_cache(&got, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "HOME"));
	free(own);
}

static void test_override(void **state)
{
	struct err err = ERR_INIT;
	char *got;

	(void)state;
	setenv("IORIG_DATA", dir, 1);
	assert_int_equal(path_data(&got, &err), 0);
	assert_string_equal(got, dir);
	free(got);
	setenv("IORIG_LIB", dir, 1);
	assert_int_equal(path_lib(&got, &err), 0);
	assert_string_equal(got, dir);
	free(got);
	setenv("IORIG_LIB", "/no/such\x1b", 1);
	assert_int_equal(path_lib(&got, &err), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_string_equal(err.msg, "no folder '/no/such\\x1b', which IORIG_LIB names");
	unsetenv("IORIG_DATA");
	unsetenv("IORIG_LIB");
}

static void make_dir(const char *name)
{
	struct err err = ERR_INIT;
	char *path = path_join(dir, name);

	if (dir_make(path, &err) < 0)
		fail_msg("%s", err.msg);
	free(path);
}

/* What a copy of this program that stands in 'folder' prints when asked where things are. */
static void ask_copy(const char *folder, struct strbuf *answer)
{
	struct deadline d = deadline_in("the copy", 30 * NS_PER_S);
	char *place = path_join(dir, folder), *exe = path_join(place, "iorig");
	struct strbuf self = STRBUF_INIT;
	struct proc p = PROC_INIT;
	struct err err = ERR_INIT;

	make_dir(folder);
	if (file_read("/proc/self/exe", 256 << 20, &self, &err) < 0 ||
	    file_write_atomic(exe, self.buf, self.len, 0700, &err) < 0)
		fail_msg("%s", err.msg);
	strvec_pushl(&p.argv, exe, "where", NULL);
	strvec_pushl(&p.env, "IORIG_DATA", "IORIG_LIB", NULL);
	strbuf_reset(answer);
	if (proc_capture(&p, &d, 65536, answer, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	proc_release(&p);
	strbuf_release(&self);
	free(place);
	free(exe);
}

static void assert_answer(const struct strbuf *answer, const char *data, const char *lib)
{
	struct strbuf want = STRBUF_INIT;

	strbuf_addf(&want, "%s/%s\n%s/%s\n", dir, data, dir, lib);
	assert_string_equal(answer->buf, want.buf);
	strbuf_release(&want);
}

static void test_places(void **state)
{
	struct strbuf answer = STRBUF_INIT;

	(void)state;
	ask_copy("none/bin", &answer);
	assert_non_null(strstr(answer.buf, "no data folder: looked for a source tree"));
	assert_non_null(strstr(answer.buf, "/none/share/iorig'; IORIG_DATA can name it"));
	assert_non_null(strstr(answer.buf, "/none/lib/iorig'; IORIG_LIB can name it"));
	make_dir("usr/share/iorig");
	make_dir("usr/lib/iorig");
	ask_copy("usr/bin", &answer);
	assert_answer(&answer, "usr/share/iorig", "usr/lib/iorig");
	make_dir("tree/images");
	ask_copy("tree/build", &answer);
	assert_non_null(strstr(answer.buf, "no data folder"));
	make_dir("tree/cases");
	ask_copy("tree/build", &answer);
	assert_answer(&answer, "tree", "tree/build");
	strbuf_release(&answer);
}

/* The other end of ask_copy(). */
static int print_places(void)
{
	struct err err = ERR_INIT;
	char *path;

	printf("%s\n", path_data(&path, &err) < 0 ? err.msg : path);
	if (!err.code)
		free(path);
	err = (struct err)ERR_INIT;
	printf("%s\n", path_lib(&path, &err) < 0 ? err.msg : path);
	if (!err.code)
		free(path);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_cache),
		cmocka_unit_test(test_override),
		cmocka_unit_test(test_places),
	};

	if (argc > 1 && strcmp(argv[1], "where") == 0)
		return print_places();
	return cmocka_run_group_tests_name("path", tests, setup, teardown);
}
