/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kernel/apt: what is read out of apt-cache's answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "kernel/apt.h"

#define SHA "4bf758c7753f48c545ecc23a3a56438f0b0acdf4d32c3ce8d4ec72361c1171bb"

static void test_names(void **state)
{
	static const struct {
		const char *name;
		bool ok;
	} table[] = {
		{ "linux-image-amd64", true },
		{ "linux-image-6.1.0-57-amd64", true },
		{ "libstdc++6", true },
		{ "0ad", true },
		{ "", false },
		{ "x", false },
		{ "-o", false },
		{ "--version", false },
		{ "a b", false },
		{ "../a", false },
		{ "a=1", false },
		{ "a;b", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (apt_name_ok(table[i].name) != table[i].ok)
			fail_msg("'%s'", table[i].name);
	}
}

static void test_parse(void **state)
{
	static const char text[] =
		"Package: linux-image-amd64\n"
		"Version: 6.1.192-3\n"
		"Depends: kmod, linux-base (>= 4.3~), linux-image-6.1.0-57-amd64 (= 6.1.192-3),"
		" linux-modules-6.1 (>= 2) | linux-modules-7, linux-image--bad_ (= x;y)\n"
		"Description: Linux for 64-bit PCs\n"
		" Version: 9.9 is in the description\n"
		"SHA256: " SHA "\n"
		"\n"
		"Package: linux-image-amd64\n"
		"Version: 5.0\n"
		"Depends: linux-image-5.0\n";
	struct apt_package p = APT_PACKAGE_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(apt_show_parse(&p, text, &err), 0);
	assert_string_equal(p.name, "linux-image-amd64");
	assert_string_equal(p.version, "6.1.192-3");
	assert_string_equal(p.sha256, SHA);
	assert_int_equal(p.parts.n, 2);
	assert_string_equal(p.parts.v[0], "linux-image-6.1.0-57-amd64=6.1.192-3");
	assert_string_equal(p.parts.v[1], "linux-modules-6.1");
	apt_package_release(&p);
	apt_package_release(&p);
}

static void test_incomplete(void **state)
{
	static const char *const table[] = {
		"",
		"\n",
		"Package: abc\nVersion: 1\n",
		"Package: abc\nSHA256: " SHA "\n",
		"Version: 1\nSHA256: " SHA "\n",
		"Package: abc\nVersion: 1\nSHA256: 4bf7\n",
		"Package: abc\nVersion: 1\nSHA256: "
		"../../../../../../../../../../../../../../../../../../../../x\n",
		"Package: -o\nVersion: 1\nSHA256: " SHA "\n",
		"Package: abc\nVersion: 1 -o x\nSHA256: " SHA "\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct apt_package p = APT_PACKAGE_INIT;
		struct err err = ERR_INIT;

		if (apt_show_parse(&p, table[i], &err) != -EPROTO)
			fail_msg("row %zu was taken", i);
		apt_package_release(&p);
	}
}

/* Asked twice without news it says the same; on a host without lists, nothing. */
static void test_stamp(void **state)
{
	char a[HASH_HEX], b[HASH_HEX];

	(void)state;
	apt_lists_stamp(a);
	apt_lists_stamp(b);
	assert_string_equal(a, b);
	assert_true(strlen(a) == 0 || strlen(a) == HASH_HEX - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_incomplete),
		cmocka_unit_test(test_stamp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
