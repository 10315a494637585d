/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of run/control on a /proc of their own: what the host took from a boot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "run/control.h"

#define MS NS_PER_MS
#define S  NS_PER_S

static char *proc;
static struct control c;

static void put(const char *name, const char *text)
{
	char *path __free(ptr) = path_join(proc, name);
	char *dir __free(ptr) = xstrndup(path, (size_t)(path_base(path) - path) - 1);
	struct err err = ERR_INIT;

	if (dir_make(dir, &err) || file_write_atomic(path, text, strlen(text), 0644, &err))
		fail_msg("%s", err.msg);
}

static void thread(int tid, int64_t waited_ms)
{
	char *name __free(ptr) = xstrfmt("42/task/%d/schedstat", tid);
	char *text __free(ptr) = xstrfmt("77 %lld 5\n", (long long)(waited_ms * MS));

	put(name, text);
}

static void no_thread(int tid)
{
	char *dir __free(ptr) = xstrfmt("%s/42/task/%d", proc, tid);
	struct err err = ERR_INIT;

	assert_int_equal(dir_remove(dir, &err), 0);
}

static void own(int64_t ran_ms, int64_t waited_ms)
{
	char *text __free(ptr) = xstrfmt("%lld %lld 5\n", (long long)(ran_ms * MS),
					 (long long)(waited_ms * MS));

	put("self/schedstat", text);
}

static void stolen(long ticks)
{
	char *text __free(ptr) = xstrfmt("cpu  1 2 3 4 5 6 7 %ld 9 0\ncpu0 1 2 3\ncpu1 1 2 3\n"
					 "intr 5\n", ticks);

	put("stat", text);
}

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	if (dir_temp("/tmp/iorig-control-", &proc, &err))
		return -1;
	control_init(&c, true, 42);
	c.proc = proc;
	thread(42, 100);
	thread(43, 200);
	own(0, 0);
	stolen(50);
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	control_release(&c);
	dir_remove(proc, &err);
	free(proc);
	return 0;
}

static struct boot_control finish(int64_t now)
{
	struct boot b;

	boot_init(&b);
	control_look(&c, true, true, now, now);
	control_result(&c, &b);
	assert_true(b.controlled);
	return b.control;
}

/* Only what threads wait between "ready" and "done" counts, each for itself. */
static void test_waited(void **state)
{
	struct boot_control r;

	(void)state;
	control_look(&c, false, false, 1 * S, 1 * S);
	thread(42, 150);
	control_look(&c, true, false, 2 * S, 2 * S);
	thread(42, 160);
	thread(44, 5);
	control_look(&c, true, false, 2 * S + 100 * MS, 2 * S + 100 * MS);
	no_thread(44);		/* it keeps what it had */
	thread(43, 300);
	r = finish(6 * S);
	assert_int_equal(r.waited_ns, (10 + 5 + 100) * MS);
	assert_int_equal(r.measured_ns, 4 * S);
	/* what comes after it does not matter */
	thread(43, 9000);
	control_look(&c, true, true, 9 * S, 9 * S);
	assert_int_equal(c.r.waited_ns, 115 * MS);
}

/* A thread's number may be given again. */
static void test_other_thread(void **state)
{
	(void)state;
	control_look(&c, true, false, 0, 0);
	thread(43, 7);
	assert_int_equal(finish(2 * S).waited_ns, 7 * MS);
}

/* Kernels without the counters, and files of nonsense. */
static void test_not_told(void **state)
{
	static const char *const bad[] = { "", "x", "1", "-1 5 3", "1 -5 3", "1 x" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct boot_control r;
		char *text;

		control_release(&c);
		control_init(&c, true, 42);
		c.proc = proc;
		put("42/task/42/schedstat", bad[i]);
		put("42/task/43/schedstat", bad[i]);
		put("stat", bad[i]);
		control_look(&c, true, false, 0, 0);
		for (int64_t now = 100 * MS; now < 2 * S; now += 100 * MS)
			control_look(&c, true, false, now, now);
		r = finish(2 * S);
		assert_int_equal(r.waited_ns, -1);
		assert_int_equal(r.stolen_ns, -1);
		assert_true(control_share(&r) >= 0 && control_share(&r) <= 0);
		text = control_text(&r);
		assert_non_null(strstr(text, "QEMU waited (not told) for a processor"));
		free(text);
	}
	control_release(&c);
	control_init(&c, true, 4242);	/* no such process */
	c.proc = proc;
	control_look(&c, true, false, 0, 0);
	assert_int_equal(finish(2 * S).waited_ns, -1);
}

/* Coming late is the host's doing, but for what the rig itself did or waited for. */
static void test_paused(void **state)
{
	(void)state;
	control_look(&c, true, false, 0, 0);
	control_look(&c, true, false, 110 * MS, 110 * MS);	/* the timer's grain */
	assert_int_equal(c.r.paused_ns, 0);
	control_look(&c, true, false, 1210 * MS, 1210 * MS);	/* due at 210 */
	assert_int_equal(c.r.paused_ns, 1000 * MS);
	own(100, 490);
	control_look(&c, true, false, 1910 * MS, 1910 * MS);	/* due at 1310, 590 of them its own */
	assert_int_equal(c.r.paused_ns, 1000 * MS);
	own(100, 790);
	control_look(&c, true, false, 2610 * MS, 2610 * MS);	/* due at 2010, half its own */
	assert_int_equal(c.r.paused_ns, 1300 * MS);
	control_look(&c, true, false, 2650 * MS, 2650 * MS);	/* not due */
	assert_int_equal(finish(2700 * MS).paused_ns, 1300 * MS);
}

static void test_stolen(void **state)
{
	long hz = sysconf(_SC_CLK_TCK);

	(void)state;
	control_look(&c, true, false, 0, 0);
	stolen(50 + 3 * hz);
	assert_int_equal(finish(10 * S).stolen_ns, 3 * S / 2);
}

/* A host that was moved may count from less. */
static void test_stolen_back(void **state)
{
	(void)state;
	control_look(&c, true, false, 0, 0);
	stolen(5);
	assert_int_equal(finish(10 * S).stolen_ns, 0);
}

static void test_share(void **state)
{
	struct boot_control r = { .measured_ns = 10 * S, .waited_ns = 200 * MS,
				  .paused_ns = 100 * MS, .stolen_ns = -1 };
	char *text = control_text(&r);

	(void)state;
	assert_true(control_share(&r) > 0.0299 && control_share(&r) < 0.0301);
	assert_string_equal(text, "of 10 s that its jobs took, QEMU waited 200 ms for a processor, "
				  "nothing ran for 100 ms, (not told) were taken from the host, and its "
				  "clock went 0 ns from the host's");
	free(text);
	r.measured_ns = S - 1;
	assert_true(control_share(&r) < 0);
}

/* A guest whose clock is four times as fast, or slow; whatever it says. */
static void test_skewed(void **state)
{
	static const struct {
		int64_t from, to, skew;
	} t[] = {
		{ 3 * S, 13 * S, 0 },
		{ 3 * S, 43 * S, 30 * S },
		{ 3 * S, 4 * S, 9 * S },
		{ 3 * S, 2 * S, 11 * S },
		{ INT64_MIN, INT64_MAX, INT64_MAX },
		{ INT64_MAX, INT64_MIN, INT64_MAX },
		{ 0, INT64_MIN, INT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct boot b;

		control_release(&c);
		control_init(&c, true, 42);
		c.proc = proc;
		boot_init(&b);
		control_look(&c, true, false, t[i].from, 0);
		control_look(&c, true, false, 7, 10 * S - 1);	/* as always woken up */
		c.r.paused_ns = 0;
		control_look(&c, true, true, t[i].to, 10 * S);
		control_result(&c, &b);
		assert_int_equal(b.control.skewed_ns, t[i].skew);
		if (t[i].skew)
			assert_true(control_share(&b.control) > 0.8);
		else
			assert_true(control_share(&b.control) < 0.001);
	}
}

static void test_deadline(void **state)
{
	struct deadline far = { .name = "x", .at = 50 * S }, near = { .name = "y", .at = 1 };

	(void)state;
	assert_int_equal(control_deadline(&c, &far).at, 50 * S);
	control_look(&c, true, false, 10 * S, 10 * S);
	assert_int_equal(control_deadline(&c, &far).at, 10 * S + 100 * MS);
	assert_int_equal(control_deadline(&c, &near).at, 1);
	finish(20 * S);
	assert_int_equal(control_deadline(&c, &far).at, 50 * S);
}

/* The simulated clock, and a guest that never got to its end. */
static void test_nothing(void **state)
{
	struct boot b;

	(void)state;
	boot_init(&b);
	control_look(&c, true, false, 0, 0);
	control_result(&c, &b);
	assert_false(b.controlled);
	control_release(&c);
	control_init(&c, false, 42);
	control_look(&c, true, false, 0, 0);
	control_look(&c, true, true, 5 * S, 5 * S);
	control_result(&c, &b);
	assert_false(b.controlled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_waited, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_thread, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_told, setup, teardown),
		cmocka_unit_test_setup_teardown(test_paused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stolen, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stolen_back, setup, teardown),
		cmocka_unit_test_setup_teardown(test_share, setup, teardown),
		cmocka_unit_test_setup_teardown(test_skewed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deadline, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing, setup, teardown),
	};

	return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
