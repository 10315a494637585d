/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of run/silence: which limit holds when, and what counts as time on which clock. */
#include "follow_fixture.h"

#include <stdlib.h>

#include "run/silence.h"

#define SAMPLE_NS NS_PER_S

static struct talk t;

static int setup(void **state)
{
	(void)state;
	unsetenv("IORIG_SILENCE");
	init(&t);
	t.c.deadline_ns = 600 * NS_PER_S;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	done(&t);
	return unsetenv("IORIG_SILENCE");
}

/* As if the guest had been heard this long ago, and the limit had been passed since. */
static void long_ago(struct silence *s, int64_t ns)
{
	s->began -= ns;
	s->limit.at = s->began + s->limit.length;
}

static void test_limits(void **state)
{
	struct silence s = { .by_cpu = true };

	(void)state;
	silence_heard(&s, &t.f, SAMPLE_NS, 0);
	assert_string_equal(s.limit.name, "the agent's first frame");
	t.f.hello = true;
	silence_heard(&s, &t.f, SAMPLE_NS, 0);
	assert_string_equal(s.limit.name, "the guest's disks");
	t.f.preparing = true;
	silence_heard(&s, &t.f, SAMPLE_NS, 0);
	assert_true(s.limit.length > t.c.deadline_ns);
	t.f.preparing = false;
	t.f.ready = true;
	silence_heard(&s, &t.f, SAMPLE_NS, 0);
	assert_string_equal(s.limit.name, "the guest's next frame");
	assert_true(s.limit.length < t.c.deadline_ns);
	silence_heard(&s, &t.f, 0, 0);
	assert_true(s.limit.length > t.c.deadline_ns);
	t.f.done = true;
	silence_heard(&s, &t.f, 0, 0);
	assert_string_equal(s.limit.name, "the guest's power-off");
}

/* A simulated guest that did not get a processor is given more time, until it had its share. */
static void test_cpu_time(void **state)
{
	struct silence s = { .by_cpu = true };
	int64_t length;

	(void)state;
	silence_heard(&s, &t.f, SAMPLE_NS, 7 * NS_PER_S);
	length = s.limit.length;
	long_ago(&s, length + NS_PER_S);
	assert_true(deadline_passed(&s.limit));
	assert_true(silence_goes_on(&s, 7 * NS_PER_S + length / 4));
	assert_false(deadline_passed(&s.limit));
	/* not before it can have used the rest */
	assert_true(s.limit.at - clock_ns() > length * 3 / 4 - NS_PER_S);
	assert_true(silence_goes_on(&s, 7 * NS_PER_S + length - 1));
	assert_false(deadline_passed(&s.limit));
	assert_false(silence_goes_on(&s, 7 * NS_PER_S + length));
	assert_true(silence_ns(&s) >= length + NS_PER_S);
}

/* A QEMU that stands still uses none, and is given up in the end. */
static void test_stands_still(void **state)
{
	struct silence s = { .by_cpu = true };

	(void)state;
	silence_heard(&s, &t.f, SAMPLE_NS, 0);
	long_ago(&s, (SILENCE_WALL_TIMES - 1) * s.limit.length);
	assert_true(silence_goes_on(&s, 0));
	long_ago(&s, s.limit.length);
	assert_false(silence_goes_on(&s, 0));
}

static void test_real_clock(void **state)
{
	struct silence s = { .by_cpu = false };

	(void)state;
	silence_heard(&s, &t.f, SAMPLE_NS, 0);
	long_ago(&s, s.limit.length);
	assert_false(silence_goes_on(&s, 0));
}

static void test_environment(void **state)
{
	struct silence s = { .by_cpu = true };

	(void)state;
	setenv("IORIG_SILENCE", "3", 1);
	silence_heard(&s, &t.f, SAMPLE_NS, 0);
	assert_int_equal(s.limit.length, 3 * NS_PER_S);
	long_ago(&s, s.limit.length);
	assert_false(silence_goes_on(&s, 0));
	setenv("IORIG_SILENCE", "soon", 1);
	silence_heard(&s, &t.f, SAMPLE_NS, 0);
	assert_true(s.limit.length > 3 * NS_PER_S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cpu_time, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stands_still, setup, teardown),
		cmocka_unit_test_setup_teardown(test_real_clock, setup, teardown),
		cmocka_unit_test_setup_teardown(test_environment, setup, teardown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
