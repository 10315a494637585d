/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/strbuf: invariants, growth, and the escaping of hostile bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"

static void test_fresh(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	size_t len = 1;
	char *s;

	(void)state;
	assert_string_equal(sb.buf, "");
	strbuf_reset(&sb);
	strbuf_trim(&sb);
	strbuf_consume(&sb, 0);
	strbuf_add(&sb, NULL, 0);
	strbuf_grown(&sb, 0);
	assert_int_equal(sb.alloc, 0);
	strbuf_release(&sb);
	strbuf_release(&sb);
	s = strbuf_detach(&sb, &len);
	assert_string_equal(s, "");
	assert_int_equal(len, 0);
	free(s);
	assert_string_equal(sb.buf, "");
}

static void test_add(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		strbuf_addf(&sb, "%d,", i % 10);
		assert_int_equal(sb.len, 2 * i + 2);
		assert_int_equal(sb.buf[sb.len], 0);
	}
	assert_memory_equal(sb.buf + 19990, "5,6,7,8,9,", 10);
	strbuf_reset(&sb);
	strbuf_addstr(&sb, "ab");
	strbuf_addch(&sb, 'c');
	strbuf_add(&sb, "d\0e", 3);
	assert_int_equal(sb.len, 6);
	assert_memory_equal(sb.buf, "abcd\0e", 7);
	strbuf_release(&sb);
}

static void test_reserve(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_reserve(&sb, 1000);
	assert_true(sb.alloc > 1000);
	memset(sb.buf, 'x', 1000);
	strbuf_grown(&sb, 1000);
	assert_int_equal(sb.len, 1000);
	assert_int_equal(sb.buf[1000], 0);
	strbuf_consume(&sb, 998);
	assert_string_equal(sb.buf, "xx");
	strbuf_release(&sb);
}

static void test_trim(void **state)
{
	static const char *const rows[][2] = {
		{ "  a b\t\n", "a b" }, { "a", "a" }, { " \r\n ", "" }, { "", "" }, { "a ", "a" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf sb = STRBUF_INIT;

		strbuf_addstr(&sb, rows[i][0]);
		strbuf_trim(&sb);
		assert_string_equal(sb.buf, rows[i][1]);
		assert_int_equal(sb.len, strlen(rows[i][1]));
		strbuf_release(&sb);
	}
}

struct escape_row {
	const char *in;
	size_t len;
	size_t max;
	const char *out;
};
#define ROW(in, max, out)                                                                          \
	{                                                                                          \
		in, sizeof(in) - 1, max, out                                                       \
	}

static void test_escape(void **state)
{
	static const struct escape_row rows[] = {
		ROW("", 10, ""),
		ROW("plain ~ text", 99, "plain ~ text"),
		ROW("\x1b[2J\x1b]0;t\x07", 99, "\\x1b[2J\\x1b]0;t\\x07"),
		ROW("a\0b\n\t\r\x7f", 99, "a\\x00b\\x0a\\x09\\x0d\\x7f"),
		ROW("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x92\xbe", 99,
		    "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x92\xbe"),
		ROW("\xc2\x9b"
		    "31m",
		    99, "\\xc2\\x9b31m"),			   /* CSI as U+009B */
		ROW("\xc2\x9f\xc2\xa0", 99, "\\xc2\\x9f\xc2\xa0"), /* the last C1, the first kept */
		ROW("\x9b", 99, "\\x9b"),			   /* C1 as a single byte */
		ROW("\xc0\x9b\xc1\xbf", 99, "\\xc0\\x9b\\xc1\\xbf"), /* overlong ESC */
		ROW("\xe0\x80\x9b", 99, "\\xe0\\x80\\x9b"),
		ROW("\xe0\x9f\xbf\xe0\xa0\x80", 99, "\\xe0\\x9f\\xbf\xe0\xa0\x80"),
		ROW("\xf0\x80\x80\x9b", 99, "\\xf0\\x80\\x80\\x9b"),
		ROW("\xed\xa0\x80", 99, "\\xed\\xa0\\x80"), /* surrogate */
		ROW("\xed\x9f\xbf\xee\x80\x80", 99, "\xed\x9f\xbf\xee\x80\x80"),
		ROW("\xf4\x8f\xbf\xbf", 99, "\xf4\x8f\xbf\xbf"),
		ROW("\xf4\x90\x80\x80", 99, "\\xf4\\x90\\x80\\x80"), /* above U+10FFFF */
		ROW("\xf8\x88\x80\x80\x80\xff\xfe", 99, "\\xf8\\x88\\x80\\x80\\x80\\xff\\xfe"),
		ROW("\xe2\x82", 99, "\\xe2\\x82"),	    /* ends within a character */
		ROW("\xe2\x82\x1b", 99, "\\xe2\\x82\\x1b"), /* broken off by ESC */
		ROW("\xc3\xc3\xa9", 99, "\\xc3\xc3\xa9"),
		/* unseen, but they turn what follows (RLO, RLI, mark), break it, or hide: BOM, tag */
		ROW("\xe2\x80\xae", 99, "\\xe2\\x80\\xae"),
		ROW("\xe2\x81\xa7\xd8\x9c", 99, "\\xe2\\x81\\xa7\\xd8\\x9c"),
		ROW("\xe2\x80\xa8\xef\xbb\xbf", 99, "\\xe2\\x80\\xa8\\xef\\xbb\\xbf"),
		ROW("\xf3\xa0\x80\x81", 99, "\\xf3\\xa0\\x80\\x81"),
		ROW("\xe2\x80\x8a\xe2\x80\x90", 99, "\xe2\x80\x8a\xe2\x80\x90"), /* their neighbours */
		ROW("abcdef", 6, "abcdef"),
		ROW("abcdef", 5, "abcde..."),
		ROW("abcdef", 0, "..."),
		ROW("a\xe2\x82\xac", 2, "a\\xe2..."), /* bytes beyond max are not looked at */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf sb = STRBUF_INIT;
		/* a block of the exact size, so that a sanitizer sees a read behind it */
		char *in = xmalloc(rows[i].len);

		memcpy(in, rows[i].in, rows[i].len);
		strbuf_add_escaped(&sb, in, rows[i].len, rows[i].max);
		assert_string_equal(sb.buf, rows[i].out);
		free(in);
		strbuf_release(&sb);
	}
}

/* Whatever the two bytes are, no control character comes out. */
static void test_escape_all_pairs(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	for (int i = 0; i < 0x10000; i++) {
		unsigned char in[2] = { (unsigned char)(i >> 8), (unsigned char)i };

		strbuf_reset(&sb);
		strbuf_add_escaped(&sb, in, 2, 2);
		for (size_t k = 0; k < sb.len; k++) {
			unsigned char c = (unsigned char)sb.buf[k];

			assert_true(c >= 0x20 && c != 0x7f);
			if (c >= 0x80 && c < 0xa0)
				assert_true(k && (unsigned char)sb.buf[k - 1] >= 0xc3);
		}
	}
	strbuf_release(&sb);
}

static void test_str_escape(void **state)
{
	const char *first = str_escape("\x1b"
				       "one");
	char big[1000];

	(void)state;
	for (int i = 0; i < 7; i++)
		assert_string_equal(str_escape("other"), "other");
	assert_string_equal(first, "\\x1bone"); /* eight at a time stay valid */
	memset(big, 'a', sizeof(big));
	big[sizeof(big) - 1] = '\0';
	assert_int_equal(strlen(str_escape(big)), 403);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fresh),	   cmocka_unit_test(test_add),
		cmocka_unit_test(test_reserve),	   cmocka_unit_test(test_trim),
		cmocka_unit_test(test_escape),	   cmocka_unit_test(test_escape_all_pairs),
		cmocka_unit_test(test_str_escape),
	};

	return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
