/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of case/metric: the table is whole, names are found, values read well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "case/metric.h"

static void test_table(void **state)
{
	(void)state;
	for (int m = 0; m < METRIC_N; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		bool of_disk = info->of == METRIC_OF_DISK;

		assert_non_null(info->name);
		assert_non_null(info->about);
		assert_int_equal(metric_find(info->name, of_disk), m);
		assert_int_equal(metric_find(info->name, !of_disk), -1);
		assert_null(strpbrk(info->name, "./@ "));
		assert_int_equal(metric_unit_parse(metric_unit_word(info->unit)), info->unit);
	}
	assert_string_equal(metric_name(METRIC_SLOWDOWN), "slowdown");
	assert_string_equal(metric_name(METRIC_READ), "read");
	assert_int_equal(metric_find("rate/alone", false), -1);
	assert_int_equal(metric_find("", false), -1);
	assert_int_equal(metric_unit_parse("furlong"), -1);
}

static void test_names(void **state)
{
	struct strbuf jobs = STRBUF_INIT, disks = STRBUF_INIT;

	(void)state;
	metric_names(false, &jobs);
	metric_names(true, &disks);
	assert_int_equal(strncmp(jobs.buf, "slowdown, time, sync, total, rate", 33), 0);
	assert_int_equal(strncmp(disks.buf, "dirty-max, bandwidth", 20), 0);
	assert_null(strstr(jobs.buf, "dirty"));
	strbuf_release(&jobs);
	strbuf_release(&disks);
}

static const struct {
	enum metric_unit unit;
	double v;
	const char *text;
} rows[] = {
	{ UNIT_RATIO, 10, "10" },
	{ UNIT_RATIO, 0.412, "0.412" },
	{ UNIT_RATIO, 123.7, "124" },
	{ UNIT_TIME, 250e6, "250 ms" },
	{ UNIT_TIME, 1e300, "-" },
	{ UNIT_TIME, 9.3e18, "9,223,372,037 s" },
	{ UNIT_RATE, 1.05e6, "1.05 MB/s" },
	{ UNIT_RATE, 412000, "412 kB/s" },
	{ UNIT_RATE, 999.7, "1 kB/s" },
	{ UNIT_RATE, 17, "17 B/s" },
	{ UNIT_BYTES, 20 << 20, "20 MiB" },
	{ UNIT_BYTES, 123456789, "118 MiB" },
	{ UNIT_BYTES, 4096, "4 KiB" },
	{ UNIT_BYTES, 1023, "1023 B" },
	{ UNIT_BYTES, 1500, "1.46 KiB" },
	{ UNIT_NUMBER, 0, "0" },
	{ UNIT_NUMBER, 12345, "12345" },
	{ UNIT_NUMBER, 12345678901.0, "1.23e+10" },
	{ UNIT_BYTES, 1e299, "9.09e+286 TiB" },
	{ UNIT_RATIO, NAN, "-" },
	{ UNIT_RATE, INFINITY, "-" },
	{ UNIT_NUMBER, -INFINITY, "-" },
};

static void test_format(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char buf[32];

		assert_string_equal(metric_format(rows[i].unit, rows[i].v, buf), rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table), cmocka_unit_test(test_names),
		cmocka_unit_test(test_format),
	};

	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
