/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of source/series: each patch of a series by itself, with the same content. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "source/series.h"

static char *dir;

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	return dir_temp("/tmp/iorig-series-test-", &dir, &err);
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	dir_remove(dir, &err);
	free(dir);
	return 0;
}

static void put(const char *name, const char *text)
{
	char *path __free(ptr) = path_join(dir, name);
	struct err err = ERR_INIT;

	if (file_write_atomic(path, text, strlen(text), 0644, &err))
		fail_msg("%s", err.msg);
}

#define DIFF(old, new) "--- " old "f\n+++ " new "f\n@@ -1 +1 @@\n-a\n+b\n"

/* Each folder of the series is a patch set of one: the same text, applied in the same way. */
static void test_folders(void **state)
{
	struct series s __release(series) = SERIES_INIT;
	struct patchset together __release(patchset) = PATCHSET_INIT;
	struct err err = ERR_INIT;

	(void)state;
	put("series", "0001-a.b:c.patch -p0\n0002-d.patch\n");
	put("0001-a.b:c.patch", "Subject: one\n\n" DIFF("", ""));
	put("0002-d.patch", "Subject: two\n\n" DIFF("a/", "b/"));
	if (series_open(&s, dir, NULL, "6.1.192", &err) ||
	    patchset_add(&together, dir, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(s.set.n, 2);
	assert_int_equal(s.folders.n, 2);
	for (size_t i = 0; i < 2; i++) {
		struct patchset one __release(patchset) = PATCHSET_INIT;

		if (patchset_add(&one, s.folders.v[i], &err))
			fail_msg("%s", err.msg);
		assert_int_equal(one.n, 1);
		assert_int_equal(one.patches[0].strip, together.patches[i].strip);
		assert_string_equal(one.patches[0].sha256, together.patches[i].sha256);
		assert_string_equal(one.patches[0].subject, i ? "two" : "one");
	}
	/* becomes a part of the kernel's name */
	assert_string_equal(path_base(s.folders.v[0]), "0001-a_b_c");
	assert_string_equal(path_base(s.folders.v[1]), "0002-d");
}

/* Of several forms the kernel's; nothing is left behind. */
static void test_forms(void **state)
{
	struct series s __release(series) = SERIES_INIT;
	char *temporary __free(ptr) = NULL;
	struct err err = ERR_INIT;

	(void)state;
	put("6.1.patch", DIFF("a/", "b/"));
	put("6.12.patch", DIFF("a/", "b/"));
	if (series_open(&s, dir, NULL, "6.1.192", &err))
		fail_msg("%s", err.msg);
	assert_int_equal(s.folders.n, 1);
	assert_string_equal(path_base(s.folders.v[0]), "6_1");
	temporary = xstrdup(s.dir);
	assert_true(path_is_dir(temporary));
	series_release(&s);
	series_release(&s);
	assert_false(path_is_dir(temporary));
}

static void test_refused(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct series s __release(series) = SERIES_INIT;

		/* a range needs a repository */
		assert_int_equal(series_open(&s, i ? "a..b" : "nothing", i ? dir : NULL, "6.1",
					     &err), -EINVAL);
		assert_int_equal(err.kind, ERR_INPUT);
		if (i)
			assert_non_null(strstr(err.msg, "is no git repository"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_folders, setup, teardown),
		cmocka_unit_test_setup_teardown(test_forms, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
	};

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
