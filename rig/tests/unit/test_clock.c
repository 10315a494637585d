/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/clock: deadlines and their message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"

static void test_deadline(void **state)
{
	struct deadline past = deadline_in("x", 0), old = deadline_in("x", -NS_PER_S);
	struct deadline soon = deadline_in("x", 100 * NS_PER_S);
	int ms = deadline_ms(&soon);

	(void)state;
	assert_true(deadline_passed(&past));
	assert_true(deadline_passed(&old));
	assert_int_equal(deadline_ms(&past), 0);
	assert_int_equal(deadline_ms(&old), 0);
	assert_false(deadline_passed(&soon));
	assert_true(ms > 90000 && ms <= 100000);
}

/* Far ends saturate, they do not wrap into the past. */
static void test_far(void **state)
{
	struct deadline d = deadline_in("x", INT64_MAX);

	(void)state;
	assert_false(deadline_passed(&d));
	assert_int_equal(deadline_ms(&d), INT_MAX);
	d = deadline_in("x", 365LL * 86400 * NS_PER_S);
	assert_int_equal(deadline_ms(&d), INT_MAX);
}

/* As long as it has not passed, poll() is to wait at least a millisecond. */
static void test_rounds_up(void **state)
{
	struct deadline d = deadline_in("x", 3 * NS_PER_MS);
	int seen = 0;

	(void)state;
	for (;;) {
		int ms = deadline_ms(&d);

		if (!ms)
			break;
		assert_true(ms >= 1 && ms <= 3);
		seen++;
	}
	assert_true(seen > 0);
	assert_true(deadline_passed(&d));
}

static void test_error(void **state)
{
	struct deadline d = deadline_in("QEMU's greeting", 30 * NS_PER_S);
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(deadline_error(&d, &err), -ETIMEDOUT);
	assert_string_equal(err.msg, "timed out after 30 s waiting for QEMU's greeting");
}

static void test_clocks(void **state)
{
	int64_t a = clock_ns(), b = clock_ns();
	char buf[32];
	int y, mo, d, h, mi, s, end = 0;

	(void)state;
	assert_true(a > 0 && b >= a);
	assert_int_equal(sscanf(clock_utc(buf), "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &y, &mo, &d, &h, &mi,
				&s, &end),
			 6);
	assert_int_equal(end, 20);
	assert_int_equal(strlen(buf), 20);
	assert_true(y >= 2024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deadline),  cmocka_unit_test(test_far),
		cmocka_unit_test(test_rounds_up), cmocka_unit_test(test_error),
		cmocka_unit_test(test_clocks),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
