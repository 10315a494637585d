/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kernel/version: what a version is, and which is too old. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/err.h"
#include "kernel/version.h"

static void test_read(void **state)
{
	static const char *const none[] = { "", "x6.1", "6", "6.", "6.x", "-6.1", " 6.1", "6. 1" };
	unsigned int v = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		assert_null(kernel_version_read(none[i], &v));
		assert_int_equal(v, 7);
	}
	assert_string_equal(kernel_version_read("6.12", &v), "");
	assert_int_equal(v, 6 << 16 | 12);
	assert_string_equal(kernel_version_read("5.10.0-44-amd64", &v), ".0-44-amd64");
	assert_int_equal(v, 5 << 16 | 10);
}

static void test_age(void **state)
{
	static const struct {
		const char *release;
		int ret;
	} ages[] = {
		{ "5.10", 0 }, { "5.10.0-44-amd64", 0 }, { "5.11-rc1", 0 }, { "6.0", 0 },
		{ "10.1", 0 }, { "", 0 }, { NULL, 0 }, { "next-2026", 0 },
		{ "5.9.16", -1 }, { "4.19.0", -1 }, { "2.6.9", -1 }, { "5.1", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ages) / sizeof(*ages); i++) {
		struct err err = ERR_INIT;
		int ret = kernel_check_age(ages[i].release, &err);

		assert_int_equal(ret < 0 ? -1 : 0, ages[i].ret);
		if (ret < 0) {
			assert_int_equal(err.kind, ERR_UNABLE);
			assert_non_null(strstr(err.msg, ages[i].release));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_age),
	};

	return cmocka_run_group_tests_name("version", tests, NULL, NULL);
}
