/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of source/suite: names, which suites are likely, and what apt tells of mirrors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "source/suite.h"

static void test_names(void **state)
{
	static const struct {
		const char *name;
		bool ok;
	} table[] = {
		{ "sid", true },	{ "bookworm-backports", true }, { "bullseye", true },
		{ "", false },		{ "x", false },			{ "-o", false },
		{ "../sid", false },	{ "sid/updates", false },	{ "Sid", false },
		{ "sid main", false },	{ "sid\nx", false },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (apt_suite_name_ok(table[i].name) != table[i].ok)
			fail_msg("'%s'", table[i].name);
	}
}

static void test_likely(void **state)
{
	static const struct {
		const char *package, *first;
	} table[] = {
		{ "linux-source-5.10", "bullseye" }, { "linux-source-6.1", "bookworm" },
		{ "linux-source-6.12", "trixie" },   { "linux-source-7.2", "sid" },
		{ "linux-source", "sid" },	     { "other", "sid" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct strvec names = STRVEC_INIT;

		apt_suites_for(table[i].package, &names);
		assert_string_equal(names.v[0], table[i].first);
		assert_int_equal(names.n, 6);
		for (size_t j = 1; j < names.n; j++)
			assert_string_not_equal(names.v[j], table[i].first);
		strvec_release(&names);
	}
}

static void test_mirrors(void **state)
{
	static const struct {
		const char *text, *debian, *security;
	} table[] = {
		{ "", NULL, NULL },
		{ "Ubuntu|Ubuntu|http://archive.ubuntu.com/ubuntu/\n", NULL, NULL },
		{ "||http://x/\n", NULL, NULL },
		{ "Debian|Debian|http://a/debian/\nDebian|Debian|http://b/\n"
		  "Debian|Debian-Security|http://s/\n", "http://a/debian/", "http://s/" },
		{ "Debian|Debian Backports|http://a/\nDebian|Debian|file:/mirror/\n",
		  "file:/mirror/", NULL },
		{ "Debian|Debian|cdrom://[Debian]/\nDebian|Debian|https://a/\n", "https://a/", NULL },
		{ "Debian|Debian|http://a/ x main\nDebian|Debian|http://[a]/\n", NULL, NULL },
		{ "Debian|Debian|http://a/\x01\nDebian|Debian\nDebian|Debian|a|b\n", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		const char *want[] = { table[i].debian, table[i].security };
		char *got[2];

		apt_suite_mirrors_parse(table[i].text, &got[0], &got[1]);
		for (int j = 0; j < 2; j++) {
			if (!got[j] != !want[j] || (got[j] && strcmp(got[j], want[j]) != 0))
				fail_msg("row %zu: got '%s'", i, got[j] ? got[j] : "nothing");
			free(got[j]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_likely),
		cmocka_unit_test(test_mirrors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
