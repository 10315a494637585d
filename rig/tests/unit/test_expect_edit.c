/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of case/expect_edit: what changes and what stays, and how values are written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "case/expect_edit.h"

static const char text[] =
	"# The first comment.\n"
	"[hdd.slowdown]\n"
	"limit  = 7.5   ; as measured\n"
	"was    = 5.63\n"
	"\n"
	"# of the next\n"
	"[hdd.slowdown full]\n"
	"limit=16.8\n"
	"why\t= \"a; b # c\"\t# not part of it\n"
	"[dvd.time]\r\n"
	"limit = 3s\r\n"
	"why = no newline at the end";

static void set(const char *name, const char *arg, const char *key, const char *value,
		const char *from, const char *to)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT, want __release(strbuf) = STRBUF_INIT;
	const char *at = strstr(text, from);
	struct err err = ERR_INIT;

	assert_non_null(at);
	strbuf_add(&want, text, (size_t)(at - text));
	strbuf_addstr(&want, to);
	strbuf_addstr(&want, at + strlen(from));
	strbuf_addstr(&sb, text);
	if (expect_edit_set(&sb, "x", name, arg, key, value, &err))
		fail_msg("%s", err.msg);
	if (strcmp(sb.buf, want.buf) != 0)
		fail_msg("got:\n%s\nwanted:\n%s", sb.buf, want.buf);
}

static void test_set(void **state)
{
	(void)state;
	set("hdd.slowdown", "", "limit", "8", "7.5", "8");
	set("hdd.slowdown", "", "was", "6", "5.63", "6");
	set("hdd.slowdown", "full", "limit", "17", "16.8", "17");
	/* a value with quotes, and one that needs some */
	set("hdd.slowdown", "full", "why", "plain", "\"a; b # c\"", "plain");
	set("hdd.slowdown", "full", "why", "a \"b\" \\; #c", "\"a; b # c\"",
	    "\"a \\\"b\\\" \\\\; #c\"");
	set("dvd.time", "", "limit", "4s", "3s", "4s");
	set("dvd.time", "", "why", "x", "no newline at the end", "x");
	/* new keys, each at its place */
	set("hdd.slowdown", "", "within", "5%", "was    = 5.63\n",
	    "was    = 5.63\nwithin = 5%\n");
	set("hdd.slowdown", "", "goal", "1", "was  ", "goal   = 1\nwas  ");
	set("hdd.slowdown", "", "why", "it", "5.63\n", "5.63\nwhy    = it\n");
	set("hdd.slowdown", "full", "seeds", "5", "why\t=", "seeds  = 5\nwhy\t=");
	set("dvd.time", "", "known", "x", "why = no", "known  = x\nwhy = no");
}

static void test_add(void **state)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	strbuf_addstr(&sb, text);
	assert_int_equal(expect_edit_add(&sb, "x", "hdd.slowdown", "", ":6.1", &err), 0);
	assert_int_equal(expect_edit_set(&sb, "x", "hdd.slowdown", ":6.1", "was", "1", &err), 0);
	assert_non_null(strstr(sb.buf, "was    = 5.63\n\n[hdd.slowdown :6.1]\nwas    = 1\n"
				       "\n# of the next\n[hdd.slowdown full]\n"));
	assert_int_equal(expect_edit_add(&sb, "x", "dvd.time", "", "full", &err), 0);
	assert_non_null(strstr(sb.buf, "why = no newline at the end\n\n[dvd.time full]\n"));
	/* what is there already cannot come about twice */
	assert_int_equal(expect_edit_add(&sb, "x", "dvd.time", "", "full", &err), 0);
	assert_int_equal(expect_edit_set(&sb, "x", "dvd.time", "", "why", "x", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "x:"));
}

static void test_format(void **state)
{
	static const struct {
		enum metric_unit unit;
		double v;
		int round;
		const char *want;
	} rows[] = {
		{ UNIT_RATIO, 5.634, 0, "5.63" },     { UNIT_RATIO, 5.631, 1, "5.64" },
		{ UNIT_RATIO, 5.639, -1, "5.63" },    { UNIT_RATIO, 1.5, 1, "1.5" },
		{ UNIT_RATIO, 0.07, 1, "0.07" },      { UNIT_RATIO, 100, 0, "100" },
		{ UNIT_RATIO, 12345, 1, "12400" },    { UNIT_NUMBER, 0, 0, "0" },
		{ UNIT_NUMBER, 1234.4, 0, "1230" },   { UNIT_TIME, 1.15e9, 0, "1.15s" },
		{ UNIT_TIME, 1.151e9, 1, "1.16s" },   { UNIT_TIME, 234.5e6, 0, "234ms" },
		{ UNIT_TIME, 12345, 1, "12.4us" },    { UNIT_TIME, 12, 0, "12ns" },
		{ UNIT_TIME, 999.9e6, 1, "1000ms" },  { UNIT_TIME, 1220e9, 0, "1220s" },
		{ UNIT_RATE, 27.46e6, 0, "27.5MB/s" }, { UNIT_RATE, 27.46e6, -1, "27.4MB/s" },
		{ UNIT_RATE, 1500, 0, "1.5KB/s" },    { UNIT_RATE, 15, 0, "15B/s" },
		{ UNIT_BYTES, 23.5 * 1048576, 0, "24.6MB" },
		{ UNIT_BYTES, 4096, 0, "4.1KB" },     { UNIT_BYTES, 512, 0, "512B" },
		{ UNIT_BYTES, 64 << 20, 1, "64M" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char buf[32];

		expect_edit_format(rows[i].unit, rows[i].v, rows[i].round, buf);
		if (strcmp(buf, rows[i].want) != 0)
			fail_msg("row %zu: got '%s', wanted '%s'", i, buf, rows[i].want);
	}
}

/* What is written is read as what was meant, on the safe side and within the three digits. */
static void test_read_again(void **state)
{
	(void)state;
	for (double v = 1.01; v < 1e13; v *= 1.37) {
		char up[32], down[32];
		struct err err = ERR_INIT;
		int64_t a = 0, b = 0;

		expect_edit_format(UNIT_TIME, v, 1, up);
		expect_edit_format(UNIT_TIME, v, -1, down);
		if (parse_time(up, &a, &err) || parse_time(down, &b, &err))
			fail_msg("%s: %s %s", err.msg, up, down);
		if ((double)a < floor(v) || (double)b > v || (double)(a - b) > fmax(v * 0.011, 1.1))
			fail_msg("%.17g: %s %s", v, up, down);
		expect_edit_format(UNIT_RATE, v, 1, up);
		expect_edit_format(UNIT_BYTES, v, -1, down);
		if (parse_rate(up, &a, &err) || parse_size(down, &b, &err))
			fail_msg("%s: %s %s", err.msg, up, down);
		if ((double)a < floor(v) || (double)b > v || (double)(a - b) > fmax(v * 0.021, 1.1))
			fail_msg("%.17g: %s %s", v, up, down);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_read_again),
	};

	return cmocka_run_group_tests_name("expect_edit", tests, NULL, NULL);
}
