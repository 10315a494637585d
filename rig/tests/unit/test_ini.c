/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/ini: the dialect, and every refusal with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/strbuf.h"

static int parse(struct ini *ini, const char *text, struct err *err)
{
	return ini_parse(ini, "t.case", text, strlen(text), err);
}

static void test_structure(void **state)
{
	static const char text[] = "# comment\n"
				   "\n"
				   "[case]\r\n"
				   "title = Some text ; comment\n"
				   "  Key.a_b-9=x\n"
				   "[disk hda] # comment\n"
				   "\tsize\t=\t64M\t\n"
				   "[ disk   hdb ]\n"
				   "[job.rate/alone full]\n"
				   "[disk]\n"
				   "size = 1"; /* no newline at the end */
	struct err err = ERR_INIT;
	const struct ini_section *s;
	struct ini ini;

	(void)state;
	if (parse(&ini, text, &err) < 0)
		fail_msg("%s", err.msg);
	assert_string_equal(ini.path, "t.case");
	assert_int_equal(ini.n, 5);
	assert_non_null(ini_find(&ini, "job.rate/alone", "full"));
	s = ini_find(&ini, "case", NULL);
	assert_int_equal(s->line, 3);
	assert_null(s->arg);
	assert_int_equal(s->n, 2);
	assert_string_equal(ini_get(s, "title")->value, "Some text");
	assert_int_equal(ini_get(s, "title")->line, 4);
	assert_string_equal(ini_get(s, "Key.a_b-9")->value, "x");
	assert_null(ini_get(s, "size"));
	s = ini_find(&ini, "disk", "hda");
	assert_string_equal(ini_get(s, "size")->value, "64M");
	s = ini_find(&ini, "disk", "hdb");
	assert_int_equal(s->line, 8);
	assert_int_equal(s->n, 0);
	s = ini_find(&ini, "disk", NULL);
	assert_string_equal(ini_get(s, "size")->value, "1");
	assert_null(ini_find(&ini, "disk", "hdc"));
	assert_null(ini_find(&ini, "case", "x"));
	ini_error(&ini, 8, &err, "unknown disk '%s'", "hdb");
	assert_string_equal(err.msg, "t.case:8: unknown disk 'hdb'");
	assert_int_equal(err.kind, ERR_INPUT);
	ini_release(&ini);
	ini_release(&ini);
}

static void test_values(void **state)
{
	static const char *const rows[][2] = {
		{ "k=", "" },
		{ "k =   ", "" },
		{ "k = ; c", "" },
		{ "k = # c", "" },
		{ "k = a;b#c", "a;b#c" },
		{ "k = a ;b", "a" },
		{ "k = a\t#b", "a" },
		{ "k =;a", ";a" },
		{ "k = a = b", "a = b" },
		{ "k = \"sh -c 'a; b'\"", "sh -c 'a; b'" },
		{ "k = \"a ; b # c\" ; d", "a ; b # c" },
		{ "k = \"  a  \"  ", "  a  " },
		{ "k = \"\"", "" },
		{ "k = a \" ; \" b", "a  ;  b" },
		{ "k = \"a\\\"b\\\\c\\nd\\te\"", "a\"b\\c\nd\te" },
		{ "k = a\\nb", "a\\nb" },
		{ "k = \"]\" [x]", "] [x]" },
		{ "k = \xc3\xa9", "\xc3\xa9" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = ERR_INIT;
		struct ini ini;
		char *text = xstrfmt("[s]\n%s\n", rows[i][0]);

		if (parse(&ini, text, &err) < 0)
			fail_msg("%s", err.msg);
		assert_string_equal(ini_get(&ini.sections[0], "k")->value, rows[i][1]);
		ini_release(&ini);
		free(text);
	}
}

static void test_refused(void **state)
{
	static const char *const rows[][2] = {
		{ "k = v", "t.case:1: text outside a section: 'k = v'" },
		{ "\n\nhello", "t.case:3: text outside a section: 'hello'" },
		{ "[s]\nk", "t.case:2: key without '=': 'k'" },
		{ "[s]\nk v = 1", "t.case:2: key without '=': 'k v = 1'" },
		{ "[s]\n= 1", "t.case:2: line is no key: '= 1'" },
		{ "[s]\nk/x = 1", "t.case:2: key without '=': 'k/x = 1'" },
		{ "[s]\nk = 1\nl = 2\nk = 3", "t.case:4: duplicate key 'k' (line 2)" },
		{ "[s]\n[t]\n[s]", "t.case:3: duplicate section 's' (line 1)" },
		{ "[s a]\n[s]\n[s b]\n[s a]", "t.case:4: duplicate section 's a' (line 1)" },
		{ "[s]\nk = \"a", "t.case:2: quote is not closed" },
		{ "[s]\nk = \"a\\\"", "t.case:2: quote is not closed" },
		{ "[s]\nk = a\"", "t.case:2: quote is not closed" },
		{ "[s]\nk = \"\\x\"", "t.case:2: unknown escape '\\x' (known: \\\" \\\\ \\n \\t)" },
		{ "[s]\nk = \"\\", "t.case:2: unknown escape '\\' (known: \\\" \\\\ \\n \\t)" },
		{ "[s]\nk = \"\\\xff\"",
		  "t.case:2: unknown escape '\\?' (known: \\\" \\\\ \\n \\t)" },
		{ "[s", "t.case:1: section without a closing bracket" },
		{ "[s a", "t.case:1: section without a closing bracket" },
		{ "[]", "t.case:1: section without a name" },
		{ "[ ]", "t.case:1: section without a name" },
		{ "[", "t.case:1: section without a name" },
		{ "[s a b]", "t.case:1: section with more than one argument" },
		{ "[s \"a\"]", "t.case:1: section argument takes no quotes" },
		{ "[s!]", "t.case:1: section name has a bad character: 's!]'" },
		{ "[s]x", "t.case:1: unexpected text after the section: 'x'" },
		{ "[s];x", "t.case:1: unexpected text after the section: ';x'" },
		{ "[s] k = 1", "t.case:1: unexpected text after the section: ' k = 1'" },
		{ "[s]\nk = \x1b[2J", "t.case:2: control character \\x1b" },
		{ "# \x7f", "t.case:1: control character \\x7f" },
		{ "[s]\rk = 1\n", "t.case:1: control character \\x0d" },
		{ "\xef\xbb\xbf[s]", "t.case:1: text outside a section: '\\xef\\xbb\\xbf[s]'" },
		{ "\x9b"
		  "31m",
		  "t.case:1: text outside a section: '\\x9b31m'" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = ERR_INIT;
		struct ini ini;

		if (parse(&ini, rows[i][0], &err) == 0)
			fail_msg("taken: %s", rows[i][0]);
		assert_string_equal(err.msg, rows[i][1]);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_null(ini.path);
		ini_release(&ini);
	}
}

static void test_nul(void **state)
{
	static const char text[] = "[s]\nk = a\0b\n";
	struct err err = ERR_INIT;
	struct ini ini;

	(void)state;
	assert_int_equal(ini_parse(&ini, "t", text, sizeof(text) - 1, &err), -EINVAL);
	assert_string_equal(err.msg, "t:2: control character \\x00");
	assert_int_equal(ini_parse(&ini, "t", "", 0, &err), 0);
	assert_int_equal(ini.n, 0);
	ini_release(&ini);
}

static void test_line_limit(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct ini ini;

	(void)state;
	strbuf_addstr(&sb, "[s]\nk=");
	for (int i = 0; i < 4094; i++)
		strbuf_addch(&sb, 'v');
	assert_int_equal(ini_parse(&ini, "t", sb.buf, sb.len, &err), 0);
	assert_int_equal(strlen(ini_get(&ini.sections[0], "k")->value), 4094);
	ini_release(&ini);
	strbuf_addch(&sb, 'v');
	assert_int_equal(ini_parse(&ini, "t", sb.buf, sb.len, &err), -EINVAL);
	assert_string_equal(err.msg, "t:2: line is longer than 4096 bytes");
	strbuf_release(&sb);
}

/* The largest files that are allowed, built to be slow: many different names. */
static void test_many_names(void **state)
{
	for (int sections = 0; sections < 2; sections++) {
		struct deadline d = deadline_in("x", 20 * NS_PER_S);
		struct strbuf sb = STRBUF_INIT;
		struct err err = ERR_INIT;
		struct ini ini;

		strbuf_addstr(&sb, "[s]\n");
		for (int i = 0; sb.len < (1 << 20) - 16; i++)
			strbuf_addf(&sb, sections ? "[%x]\n" : "%x=\n", i);
		assert_int_equal(ini_parse(&ini, "t", sb.buf, sb.len, &err), 0);
		ini_release(&ini);
		assert_false(deadline_passed(&d));
		strbuf_release(&sb);
	}
	(void)state;
}

static void test_read(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;
	char *dir, *path, *want;
	struct ini ini;

	(void)state;
	assert_int_equal(dir_temp("/tmp/iorig-test-", &dir, &err), 0);
	path = path_join(dir, "a.case");
	assert_int_equal(ini_read(&ini, path, &err), -ENOENT);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_non_null(strstr(err.msg, path));
	assert_int_equal(ini_read(&ini, dir, &err), -EISDIR);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_int_equal(ini_read(&ini, "/dev/zero", &err), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);

	assert_int_equal(file_write_atomic(path, "[s]\nk = 1\n", 10, 0644, &err), 0);
	assert_int_equal(ini_read(&ini, path, &err), 0);
	assert_string_equal(ini_get(ini_find(&ini, "s", NULL), "k")->value, "1");
	ini_release(&ini);

	for (int i = 0; i < 10 << 20; i++)
		strbuf_addch(&sb, 'x');
	assert_int_equal(file_write_atomic(path, sb.buf, sb.len, 0644, &err), 0);
	assert_int_equal(ini_read(&ini, path, &err), -EFBIG);
	assert_int_equal(err.kind, ERR_INPUT);
	want = xstrfmt("%s:1: '%s' is larger than 1048576 bytes", path, path);
	assert_string_equal(err.msg, want);
	assert_int_equal(ini_parse(&ini, "t", sb.buf, sb.len, &err), -EINVAL);
	assert_string_equal(err.msg, "t:1: file is larger than 1048576 bytes");
	assert_int_equal(dir_remove(dir, &err), 0);
	strbuf_release(&sb);
	free(want);
	free(path);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_structure),  cmocka_unit_test(test_values),
		cmocka_unit_test(test_refused),	   cmocka_unit_test(test_nul),
		cmocka_unit_test(test_line_limit), cmocka_unit_test(test_many_names),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests_name("ini", tests, NULL, NULL);
}
