/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/strvec: ownership, splitting, and quoting checked against a real shell. */
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
#include "base/proc.h"

static void test_push(void **state)
{
	static const char *const more[] = { "x", "y", NULL };
	struct strvec v = STRVEC_INIT;
	char **out;

	(void)state;
	assert_null(v.v[0]);
	assert_string_equal(strvec_push(&v, "a"), "a");
	assert_string_equal(strvec_pushf(&v, "%s%d", "b", 2), "b2");
	strvec_pushl(&v, "c", "d", NULL);
	strvec_pushv(&v, (char *const *)more);
	strvec_push_nodup(&v, xstrdup("z"));
	assert_int_equal(v.n, 7);
	assert_null(v.v[7]);
	assert_true(strvec_has(&v, "y"));
	assert_false(strvec_has(&v, "b"));
	for (int i = 0; i < 100; i++) {
		strvec_pushf(&v, "%d", i);
		assert_null(v.v[v.n]);
	}
	assert_string_equal(v.v[106], "99");
	out = strvec_detach(&v);
	assert_int_equal(v.n, 0);
	assert_string_equal(out[6], "z");
	for (char **s = out; *s; s++)
		free(*s);
	free(out);
	strvec_release(&v);
	strvec_release(&v);
	out = strvec_detach(&v);
	assert_null(out[0]);
	free(out);
}

static void test_sort(void **state)
{
	struct strvec v = STRVEC_INIT;

	(void)state;
	strvec_sort(&v);
	strvec_pushl(&v, "b", "\xc3\xa9", "B", "a", "ab", "", NULL);
	strvec_sort(&v);
	assert_string_equal(v.v[0], "");
	assert_string_equal(v.v[1], "B");
	assert_string_equal(v.v[2], "a");
	assert_string_equal(v.v[3], "ab");
	assert_string_equal(v.v[4], "b");
	assert_string_equal(v.v[5], "\xc3\xa9");
	strvec_release(&v);
}

static void test_split(void **state)
{
	struct strvec v = STRVEC_INIT;

	(void)state;
	strvec_split(&v, "", ", ");
	strvec_split(&v, ", ,,", ", ");
	assert_int_equal(v.n, 0);
	strvec_split(&v, ",one, two,,three ", ", ");
	assert_int_equal(v.n, 3);
	assert_string_equal(v.v[0], "one");
	assert_string_equal(v.v[1], "two");
	assert_string_equal(v.v[2], "three");
	strvec_release(&v);
}

static void test_quote(void **state)
{
	static const char *const rows[][2] = {
		{ "plain-1.0,a=b:/c", "plain-1.0,a=b:/c" },
		{ "", "''" },
		{ "a b", "'a b'" },
		{ "it's", "'it'\\''s'" },
		{ "~", "'~'" },
		{ "\xc3\xa9", "'\xc3\xa9'" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf sb = STRBUF_INIT;

		str_shell_quote(rows[i][0], &sb);
		assert_string_equal(sb.buf, rows[i][1]);
		strbuf_release(&sb);
	}
}

/* A shell must read back exactly the words that were quoted. */
static void test_quote_in_shell(void **state)
{
	struct deadline d = deadline_in("the shell", 30 * NS_PER_S);
	struct strvec words = STRVEC_INIT;
	struct strbuf line = STRBUF_INIT, out = STRBUF_INIT, want = STRBUF_INIT;
	struct proc sh = PROC_INIT;
	struct err err = ERR_INIT;

	(void)state;
	strvec_pushl(&words, "printf", "%s\\n", "", "a b", "$HOME", "`id`", "$(id)", "'", "''x'",
		     NULL);
	strvec_pushl(&words, "\"", "\\", "\\n", "*", "?", "[a]", "a;b", "a&b", "#c", "~", "!x",
		     NULL);
	strvec_pushl(&words, "new\nline", "tab\t", "{a,b}", "<x", ">y", "(z)", "|", "a=b", NULL);
	for (size_t i = 2; i < words.n; i++)
		strbuf_addf(&want, "%s\n", words.v[i]);
	strvec_shell_quote(&words, &line);
	strvec_pushl(&sh.argv, "sh", "-c", line.buf, NULL);
	if (proc_capture(&sh, &d, 4096, &out, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	assert_string_equal(out.buf, want.buf);
	proc_release(&sh);
	strvec_release(&words);
	strbuf_release(&line);
	strbuf_release(&out);
	strbuf_release(&want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_push),	       cmocka_unit_test(test_sort),
		cmocka_unit_test(test_split),	       cmocka_unit_test(test_quote),
		cmocka_unit_test(test_quote_in_shell),
	};

	return cmocka_run_group_tests_name("strvec", tests, NULL, NULL);
}
