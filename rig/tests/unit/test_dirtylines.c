/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of guest/dirtylines: both wordings, what stands in front of them, hostile consoles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "guest/dirtylines.h"

static struct dirtylines d = DIRTYLINES_INIT;

static int setup(void **state)
{
	(void)state;
	d = (struct dirtylines)DIRTYLINES_INIT;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	dirtylines_release(&d);
	return 0;
}

static void parse(const char *text)
{
	dirtylines_parse(&d, text, strlen(text));
}

static void value_is(size_t i, const char *device, int64_t pages, int64_t ns, uint32_t round)
{
	assert_true(i < d.n);
	assert_string_equal(d.names[d.v[i].device], device);
	assert_int_equal(d.v[i].pages, pages);
	assert_int_equal(d.v[i].ns, ns);
	assert_int_equal(d.v[i].round, round);
}

static void both_wordings_make_a_series(void **state)
{
	struct dirty_stats s;

	(void)state;
	parse("[    1.000000] iorig: dirty sda=0 sdb=56\n"
	      "[    1.500000] sd 0:0:0:0: [sda] Attached SCSI disk\n"
	      "[    2.000001] iorig: dirty sda=1234 sdb=57\r\n");
	assert_int_equal(d.lines, 2);
	assert_int_equal(d.bad, 0);
	assert_int_equal(d.n, 4);
	value_is(0, "sda", 0, 1000000000, 0);
	value_is(1, "sdb", 56, 1000000000, 0);
	value_is(2, "sda", 1234, 2000001000, 1);
	s = dirtylines_stats(&d, 0);
	assert_int_equal(s.n, 2);
	assert_true(s.mean == 617);
	assert_int_equal(s.max, 1234);
	dirtylines_release(&d);
	parse("hd count = 27000, dvd count = 0\nhd count = 26500, dvd count = 12\n");
	assert_int_equal(d.n, 4);
	value_is(2, "hd", 26500, -1, 1);
	value_is(3, "dvd", 12, -1, 1);
	s = dirtylines_stats(&d, 2);
	assert_int_equal(s.n, 0);
	assert_int_equal(s.max, -1);
}

static void what_stands_in_front(void **state)
{
	static const struct {
		const char *line;
		int64_t ns;
	} rows[] = {
		{ "iorig: dirty sda=7\n", -1 },
		{ "<5>iorig: dirty sda=7\n", -1 },
		{ "<5>[   12.345678] iorig: dirty sda=7\n", 12345678000 },
		{ "[12345.678901][    T1] iorig: dirty sda=7\n", 12345678901000 },
		{ "[    0.000001][    C0] iorig: dirty sda=7\n", 1000 },
		{ "[999999999.999999] iorig: dirty sda=7\n", 999999999999999000 },
		{ "Sep  9 01:56:21 host kernel: iorig: dirty sda=7\n", -1 },
		{ "2026-11-30T17:04:05.123456+00:00 host kernel: [   12.5] iorig: dirty sda=7\n",
		  12500000000 },
		{ "  [    1.000000] sda count = 7\n", 1000000000 },
		{ "<7>sda count = 7\n", -1 },
		{ "Sep  9 01:56:21 host kernel: sda count = 7, sr0 count = 8\n", -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		dirtylines_release(&d);
		parse(rows[i].line);
		if (d.lines != 1 || d.bad)
			fail_msg("'%s': %zu taken, %zu bad", rows[i].line, d.lines, d.bad);
		value_is(0, "sda", 7, rows[i].ns, 0);
	}
}

static void bad_lines_are_left_out_whole(void **state)
{
	static const char *const rows[] = {
		"iorig: dirty\n",
		"iorig: dirty \n",
		"iorig: dirty sda=1 \n",
		"iorig: dirty  sda=1\n",
		"iorig: dirty sda\n",
		"iorig: dirty sda=\n",
		"iorig: dirty sda=-1\n",
		"iorig: dirty =1\n",
		"iorig: dirty sda=1 sd\n",
		"iorig: dirty sda=1 sda=2\n",
		"iorig: dirty sda=1sdb=2\n",
		"iorig: dirty sda=1 sdb=2[    3.000000] sd 0:0:0:0: x\n",
		"iorig: dirty sda=1\tsdb=2\n",
		"iorig: dirty sda=1 \033[31m\n",
		"iorig: dirty s\033]0;da=1\n",
		"iorig: dirty sda=1 sd\xff=2\n",
		"iorig: dirty abcdefghijklmnopqrstuvwxyz012345=1\n",
		"iorig: dirty sda=2251799813685248\n",
		"iorig: dirty sda=99999999999999999999999999999999\n",
		"iorig: dirty sda=1",
		"mounted.[    3.000000] iorig: dirty sda=1\n",
		"[    3.000000 iorig: dirty sda=1\n",
		"[99999999999.0] iorig: dirty sda=1\n",
		"hd count = 1, dvd count = \n",
		"hd count = 1, dvd\n",
		"hd count = 1, hd count = 2\n",
		"hd count = 1,dvd count = 2\n",
		"hd count = 1\033[31m\n",
		"hd count = 99999999999999999999999, dvd count = 2\n",
		"hd count = 1, dvd count = 2",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		dirtylines_release(&d);
		parse("iorig: dirty sdz=1\n");
		parse(rows[i]);
		if (d.bad != 1 || d.n != 1 || d.n_devices != 1)
			fail_msg("'%s': %zu bad, %zu values", rows[i], d.bad, d.n);
		parse("iorig: dirty sdz=2\n");
		value_is(1, "sdz", 2, -1, 1);
	}
}

static void nul_bytes_hide_nothing(void **state)
{
	static const char text[] = "iorig: dirty sda=1\0 sdb=2\n\0iorig: dirty sda=3\n"
				   "iorig: dirty sda=5\n";

	(void)state;
	dirtylines_parse(&d, text, sizeof(text) - 1);
	assert_int_equal(d.bad, 2);
	assert_int_equal(d.n, 1);
	value_is(0, "sda", 5, -1, 0);
}

static void other_messages_are_no_concern(void **state)
{
	(void)state;
	parse("\n\r\n[    0.034607] Kernel command line: console=ttyS0 iorig_dirty quiet\n"
	      "[    1.000000] retry count = many\nretry count = 3 of 5\ncount = 5\n"
	      " count = 5\nsda=1 sdb=2\n[[[[[\n<<<\n[    1.0");
	assert_int_equal(d.n, 0);
	assert_int_equal(d.bad, 0);
	assert_false(d.cut);
}

static void a_round_may_take_several_lines(void **state)
{
	(void)state;
	parse("iorig: dirty sda=1 sdb=2\niorig: dirty sdc=3\n"
	      "iorig: dirty sda=4 sdb=5\niorig: dirty sdc=6\niorig: dirty sdc=7\n");
	assert_int_equal(d.n_rounds, 3);
	value_is(2, "sdc", 3, -1, 0);
	value_is(3, "sda", 4, -1, 1);
	value_is(5, "sdc", 6, -1, 1);
	value_is(6, "sdc", 7, -1, 2);
	dirtylines_release(&d);
	/* one disk went and another came: these are no two lines of one moment */
	parse("[    1.000000] iorig: dirty sda=1\n[    2.000000] iorig: dirty sdb=2\n"
	      "[    2.000100] iorig: dirty sdc=2\niorig: dirty sdd=2\n");
	assert_int_equal(d.n_rounds, 3);
	value_is(1, "sdb", 2, 2000000000, 1);
	value_is(2, "sdc", 2, 2000100000, 1);
	value_is(3, "sdd", 2, -1, 2);
	dirtylines_release(&d);
	parse("iorig: dirty sda=1\n[    0.100000] iorig: dirty sdb=2\n");
	assert_int_equal(d.n_rounds, 2);
}

static void everything_is_bounded(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	for (int i = 0; i < DIRTYLINES_DEVICES + 3; i++)
		strbuf_addf(&sb, "iorig: dirty d%d=%d\n", i, i);
	dirtylines_parse(&d, sb.buf, sb.len);
	assert_int_equal(d.n_devices, DIRTYLINES_DEVICES);
	assert_int_equal(d.n, DIRTYLINES_DEVICES);
	assert_true(d.cut);
	dirtylines_release(&d);
	strbuf_reset(&sb);
	for (int i = 0; i < DIRTYLINES_VALUES / 2 + 5; i++)
		strbuf_addf(&sb, "iorig: dirty sda=%d sdb=1\n", i);
	dirtylines_parse(&d, sb.buf, sb.len);
	assert_int_equal(d.n, DIRTYLINES_VALUES);
	assert_true(d.cut);
	dirtylines_release(&d);
	/* a line that is longer than any; one of a few MB; and one of as many fields as fit */
	strbuf_reset(&sb);
	strbuf_addstr(&sb, "iorig: dirty");
	for (int i = 0; i < 40; i++)
		strbuf_addf(&sb, " abcdefghijklmnopqrstuvwxyz%02d=1", i);
	strbuf_addstr(&sb, "\niorig: dirty");
	for (int i = 0; i < 400000; i++)
		strbuf_addf(&sb, " s%d=1", i);
	strbuf_addstr(&sb, "\niorig: dirty");
	for (int i = 0; i < 144; i++)
		strbuf_addf(&sb, " %d=1", 100 + i);
	strbuf_addch(&sb, '\n');
	dirtylines_parse(&d, sb.buf, sb.len);
	assert_int_equal(d.bad, 2);
	assert_int_equal(d.lines, 1);
	assert_int_equal(d.n, DIRTYLINES_DEVICES);
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(both_wordings_make_a_series, setup, teardown),
		cmocka_unit_test_setup_teardown(what_stands_in_front, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_lines_are_left_out_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(nul_bytes_hide_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(other_messages_are_no_concern, setup, teardown),
		cmocka_unit_test_setup_teardown(a_round_may_take_several_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(everything_is_bounded, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
