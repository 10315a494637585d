/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kbuild/describe: what a *.kernel file may say, and where it is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kbuild/describe.h"
#include "kernel_fixture.h"

static int read_text(struct description *d, const char *dir, const char *text, struct err *err)
{
	char *path = path_join(dir, "a.kernel");
	int ret;

	fixture_write(path, text, strlen(text));
	ret = description_read(d, path, err);
	free(path);
	return ret;
}

static void test_source(void **state)
{
	struct description d = DESCRIPTION_INIT;
	struct err err = ERR_INIT;
	char *fragment = path_join(*state, "small.config"), *series = path_join(*state, "mine");

	assert_int_equal(read_text(&d, *state, "[kernel]\ntitle = T\nsource = debian:linux-source-6.1\n"
				   "config = package:linux-image-amd64 small.config /abs/b.config\n"
				   "trim = modules\nseries = mine\ncmdline = a b\n", &err), 0);
	assert_string_equal(d.title, "T");
	assert_string_equal(d.source, "debian:linux-source-6.1");
	assert_int_equal(d.config.n, 3);
	assert_string_equal(d.config.v[0], "package:linux-image-amd64");
	assert_string_equal(d.config.v[1], fragment);
	assert_string_equal(d.config.v[2], "/abs/b.config");
	assert_true(d.trim);
	assert_string_equal(d.series, series);
	assert_string_equal(d.cmdline, "a b");
	assert_null(d.package);
	description_release(&d);
	description_release(&d);
	free(fragment);
	free(series);
}

static void test_bad(void **state)
{
	static const struct {
		const char *text, *says;
	} table[] = {
		{ "[kernel]\nsource = a\nimage = b\n", "a.kernel:1: one of" },
		{ "[kernel]\nsource = a\nmodules = b\n", "a.kernel:1: 'modules' goes" },
		{ "[kernel]\nimage = a\nconfig = b\n", "a.kernel:1: 'config', 'series'" },
		{ "[kernel]\npackage = ab\nseries = b\n", "a.kernel:1: 'config', 'series'" },
		{ "[kernel]\nsource = a\ntrim = modules\n", "a.kernel:1: 'trim' needs a base" },
		{ "[kernel]\nsource = a\ntrim = m\n", "a.kernel:3: trim: 'm' is not" },
		{ "[kernel]\nsource = a\nconfig = b package:cd\n", "a.kernel:3: 'package:cd' is" },
		{ "[kernel]\nsource = a\nconfig = package:-x\n", "a.kernel:3: '-x' is no name" },
		{ "[kernel]\nsource =\n", "a.kernel:2: 'source' is empty" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct description d = DESCRIPTION_INIT;
		struct err err = ERR_INIT;

		assert_true(read_text(&d, *state, table[i].text, &err) < 0);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, table[i].says))
			fail_msg("'%s' does not say '%s'", err.msg, table[i].says);
		assert_null(d.source);
		assert_int_equal(d.config.n, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_source), cmocka_unit_test(test_bad),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
