/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/units: exact values, and everything that must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/units.h"

typedef int parse_fn(const char *s, int64_t *v, struct err *err);

struct good {
	const char *text;
	int64_t value;
};

static void check_good(parse_fn *parse, const struct good *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;
		int64_t v = -1;

		if (parse(rows[i].text, &v, &err) < 0)
			fail_msg("'%s' refused: %s", rows[i].text, err.msg);
		if (v != rows[i].value)
			fail_msg("'%s' is %lld", rows[i].text, (long long)v);
		assert_int_equal(err.code, 0);
	}
}

/* Refused as the user's error, with a message that shows the value; v is left alone. */
static void check_bad(parse_fn *parse, const char *const *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;
		int64_t v = -77;

		if (parse(rows[i], &v, &err) == 0)
			fail_msg("'%s' taken as %lld", rows[i], (long long)v);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_int_equal(v, -77);
		assert_non_null(strstr(err.msg, rows[i]));
	}
}

/* Refused whatever the unit. */
#define NEVER                                                                                      \
	"", " ", "-1", "-", "+1", "nan", "inf", "1e9", "0x10", ".", "1.", ".5", "1.2.3", "1,5",    \
		"5", "1.5", "1234567890123456789", "0.1234567890123456789", "00000000000000000000"

static void test_size(void **state)
{
	static const struct good good[] = {
		{ "0", 0 },
		{ "0B", 0 },
		{ "512B", 512 },
		{ "64K", 65536 },
		{ "128M", 134217728 },
		{ "1G", 1073741824 },
		{ "2T", 2199023255552 },
		{ "1KB", 1000 },
		{ "27MB", 27000000 },
		{ "27.4MB", 27400000 },
		{ "1.5K", 1536 },
		{ "3GB", 3000000000 },
		{ "1TB", 1000000000000 },
		{ "0.5K", 512 },
		{ "8388607T", 9223370937343148032 },
		{ "999999999999999999B", 999999999999999999 },
		{ "0.000", 0 },
	};
	static const char *const bad[] = {
		NEVER,	"-1K",	"1e9B", "1k",  "1kb",  "1 K",	   " 1K",
		"1K ",	"1KK",	"1KiB", "1Ks", "1K/s", "8388608T", "999999999999999999K",
		"1.5B", "0.3K", "1s",	"K",   "nanK",
	};

	(void)state;
	check_good(parse_size, good, ARRAY_SIZE(good));
	check_bad(parse_size, bad, ARRAY_SIZE(bad));
}

static void test_time(void **state)
{
	static const struct good good[] = {
		{ "0", 0 },
		{ "250ns", 250 },
		{ "5us", 5000 },
		{ "20ms", 20000000 },
		{ "1.15s", 1150000000 },
		{ "2min", 120000000000 },
		{ "1h", 3600000000000 },
		{ "0.1s", 100000000 },
		{ "0.3us", 300 },
		{ "1.000000001s", 1000000001 },
		{ "2562047h", 9223369200000000000 },
		{ "4.35s", 4350000000 },
		{ "0.0001min", 6000000 },
	};
	static const char *const bad[] = {
		NEVER,
		"-1s",
		"1e9ns",
		"infs",
		"1S",
		"1m",
		"1 s",
		"1s ",
		"1sec",
		"2562048h",
		"999999999999999999s",
		"0.5ns",
		"1.0000000001s",
		"1s/s",
		"1M",
		"s",
	};

	(void)state;
	check_good(parse_time, good, ARRAY_SIZE(good));
	check_bad(parse_time, bad, ARRAY_SIZE(bad));
}

static void test_rate(void **state)
{
	static const struct good good[] = {
		{ "1M/s", 1048576 },  { "27.4MB/s", 27400000 },
		{ "512K/s", 524288 }, { "100B/s", 100 },
		{ "0B/s", 0 },
	};
	static const char *const bad[] = {
		NEVER,	"0",	  "1M",	   "/s",    "1/s",  "1M/",
		"1M/S", "1M/s/s", "1M/s ", "-1M/s", "1s/s", "1M/ms",
	};

	(void)state;
	check_good(parse_rate, good, ARRAY_SIZE(good));
	check_bad(parse_rate, bad, ARRAY_SIZE(bad));
}

static void test_ratio(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {
		{ "1.5", 1.5 },	    { "150%", 1.5 }, { "0", 0 },	{ "0%", 0 },
		{ "1.1", 1.1 },	    { "110%", 1.1 }, { "0.1%", 0.001 }, { "1.15", 1.15 },
		{ "33.3%", 0.333 }, { "2", 2 },
	};
	static const char *const bad[] = {
		"",
		"-1",
		"nan",
		"inf",
		"1e9",
		"1.",
		".5",
		"%",
		"1 %",
		"1%%",
		"1.5x",
		"1%/s",
		"1234567890123456789",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct err err = ERR_INIT;
		double v = -1;

		assert_int_equal(parse_ratio(good[i].text, &v, &err), 0);
		assert_true(v == good[i].value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct err err = ERR_INIT;
		double v = -1;

		assert_int_equal(parse_ratio(bad[i], &v, &err), -EINVAL);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_true(v == -1);
	}
}

static void test_int(void **state)
{
	static const char *const bad[] = {
		"",   "-",  "--1", "+1",  "1.0", "1.", "1e2",
		"1 ", " 1", "0x1", "nan", "11",	 "-6", "1234567890123456789",
	};
	struct err err = ERR_INIT;
	int64_t v;

	(void)state;
	assert_int_equal(parse_int("10", -5, 10, &v, &err), 0);
	assert_int_equal(v, 10);
	assert_int_equal(parse_int("-5", -5, 10, &v, &err), 0);
	assert_int_equal(v, -5);
	assert_int_equal(parse_int("007", 0, 10, &v, &err), 0);
	assert_int_equal(v, 7);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(parse_int(bad[i], -5, 10, &v, &err), -EINVAL);
	assert_int_equal(parse_int("-1", 0, 10, &v, &err), -EINVAL);
	assert_int_equal(parse_int("12", 1, 8, &v, &err), -EINVAL);
	assert_string_equal(err.msg, "12 is not between 1 and 8");
	assert_int_equal(v, 7);
}

static void test_bool(void **state)
{
	static const char *const good[][2] = {
		{ "no", "yes" },
		{ "false", "true" },
		{ "off", "on" },
		{ "0", "1" },
	};
	static const char *const bad[] = { "", "Yes", "y", "2", "yes ", "00" };
	struct err err = ERR_INIT;
	int v;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		for (int want = 0; want < 2; want++) {
			v = -1;
			assert_int_equal(parse_bool(good[i][want], &v, &err), 0);
			assert_int_equal(v, want);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(parse_bool(bad[i], &v, &err), -EINVAL);
}

static void test_format_size(void **state)
{
	static const struct good rows[] = {
		{ "0B", 0 },
		{ "513B", 513 },
		{ "1K", 1024 },
		{ "1025B", 1025 },
		{ "512M", 536870912 },
		{ "1G", 1073741824 },
		{ "1536M", 1610612736 },
		{ "2048T", 1LL << 51 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = ERR_INIT;
		char buf[32];
		int64_t back;

		assert_string_equal(format_size(rows[i].value, buf), rows[i].text);
		assert_int_equal(parse_size(buf, &back, &err), 0);
		assert_int_equal(back, rows[i].value);
	}
}

static void test_format_bytes(void **state)
{
	static const struct good rows[] = {
		{ "0B", -5 }, { "0B", 0 }, { "1023B", 1023 }, { "1.0K", 1024 }, { "9.9K", 10137 },
		{ "10K", 10240 }, { "1.0M", (1 << 20) - 1 }, { "534M", 559939584 },
		{ "1.2G", 1288490189 }, { "8.0E", INT64_MAX },
	};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(format_bytes(rows[i].value, buf), rows[i].text);
}

static void test_format_time(void **state)
{
	static const struct good rows[] = {
		{ "0 ns", 0 },
		{ "999 ns", 999 },
		{ "1 us", 1000 },
		{ "1.50 us", 1500 },
		{ "250 ms", 250000000 },
		{ "1.15 s", 1150000000 },
		{ "48.8 s", 48750000000 },
		{ "48.7 s", 48749999999 },
		{ "1,220 s", 1220000000000 },
		{ "30 s", 30000000000 },
		{ "1,220 s", 1220400000000 },
		{ "12,345,678 s", 12345678000000000 },
		{ "1.00 ms", 999999 },
		{ "999 us", 999499 },
		{ "1.00 ms", 999500 },
		{ "9.99 us", 9994 },
		{ "10.0 us", 9996 },
		{ "100 us", 99960 },
		{ "123 ms", 123456789 },
		{ "1,000 s", 999600000000 },
		{ "999 s", 999400000000 },
		{ "1.01 ms", 1005000 },
		{ "-1.15 s", -1150000000 },
		{ "9,223,372,037 s", INT64_MAX },
		{ "-9,223,372,037 s", INT64_MIN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char buf[32];

		assert_string_equal(format_time(rows[i].value, buf), rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_size),	    cmocka_unit_test(test_time),
		cmocka_unit_test(test_rate),	    cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_int),	    cmocka_unit_test(test_bool),
		cmocka_unit_test(test_format_size), cmocka_unit_test(test_format_bytes),
		cmocka_unit_test(test_format_time),
	};

	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
