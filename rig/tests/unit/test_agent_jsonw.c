/* SPDX-License-Identifier: GPL-2.0-only */
/* The agent's JSON, read back by a real parser. */
#include "agent/jsonw.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <jansson.h>

static void exact_text(void **state)
{
	static const char want[] = "{\"t\":\"x\",\"n\":-9223372036854775808,\"o\":{\"a\":[1,2],"
				   "\"e\":[]},\"z\":0}";
	struct jsonw json;
	char buf[200];
	long n;

	(void)state;
	jsonw_begin(&json, buf, sizeof(buf));
	jsonw_string(&json, "t", "x");
	jsonw_number(&json, "n", INT64_MIN);
	jsonw_count(&json, "absent", -1);
	jsonw_open(&json, "o", '{');
	jsonw_open(&json, "a", '[');
	jsonw_number(&json, NULL, 1);
	jsonw_number(&json, NULL, 2);
	jsonw_close(&json, ']');
	jsonw_open(&json, "e", '[');
	jsonw_close(&json, ']');
	jsonw_close(&json, '}');
	jsonw_count(&json, "z", 0);
	n = jsonw_end(&json);
	assert_int_equal(n, strlen(want));
	assert_memory_equal(buf, want, n);
}

static void every_byte(void **state)
{
	char bytes[256], buf[4096];
	const char *back;
	struct jsonw json;
	json_t *root;
	long n, i;

	(void)state;
	for (i = 0; i < 256; i++)
		bytes[i] = i;
	jsonw_begin(&json, buf, sizeof(buf));
	jsonw_bytes(&json, "b", bytes, sizeof(bytes));
	n = jsonw_end(&json);
	for (i = 0; i < n; i++)
		assert_in_range(buf[i], ' ', '~');
	root = json_loadb(buf, n, 0, NULL);
	assert_non_null(root);
	back = json_string_value(json_object_get(root, "b"));
	assert_int_equal(strlen(back), 256);
	for (i = 0; i < 256; i++)
		assert_int_equal(back[i], i == 0 || i > '~' ? '?' : i);
	json_decref(root);
}

static long write_some(char *buf, size_t cap)
{
	struct jsonw json;

	jsonw_begin(&json, buf, cap);
	jsonw_string(&json, "key", "a\nb");
	jsonw_number(&json, "n", 12345);
	return jsonw_end(&json);
}

static void never_past_the_end(void **state)
{
	char buf[128], small[128];
	long n = write_some(buf, sizeof(buf)), cap;

	(void)state;
	assert_true(n > 0);
	for (cap = 0; cap < n; cap++) {
		memset(small, 'z', sizeof(small));
		assert_int_equal(write_some(small, cap), -1);
		assert_int_equal(small[cap], 'z');
	}
	assert_int_equal(write_some(small, n), n);
	assert_memory_equal(small, buf, n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_text),
		cmocka_unit_test(every_byte),
		cmocka_unit_test(never_past_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
