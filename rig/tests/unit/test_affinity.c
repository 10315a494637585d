/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of run/affinity: places get CPUs of their own among those allowed, or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

#include "run/affinity.h"

static cpu_set_t of(const int *cpus, size_t n)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (size_t i = 0; i < n; i++)
		CPU_SET(cpus[i], &set);
	return set;
}

static void test_one_each(void **state)
{
	static const int cpus[] = { 1, 3, 64, 700 };
	cpu_set_t set = of(cpus, 4);

	(void)state;
	for (size_t turn = 0; turn < 9; turn++) {
		cpu_set_t seen;

		CPU_ZERO(&seen);
		for (size_t slot = 0; slot < 4; slot++) {
			int cpu = affinity_choose(&set, slot, 4, turn);

			assert_int_equal(cpu, cpus[(slot + turn) % 4]);
			CPU_SET(cpu, &seen);
		}
		assert_true(CPU_EQUAL(&seen, &set));
	}
}

static void test_too_few(void **state)
{
	static const int cpus[] = { 0, 1 };
	cpu_set_t two = of(cpus, 2), none = of(cpus, 0);

	(void)state;
	assert_int_equal(affinity_choose(&two, 0, 2, 0), 0);
	assert_int_equal(affinity_choose(&two, 0, 3, 0), -1);
	assert_int_equal(affinity_choose(&two, 2, 3, 0), -1);
	assert_int_equal(affinity_choose(&none, 0, 1, 0), -1);
}

/* In a child: it is kept on the CPU, and -1 changes nothing. */
static void test_stay(void **state)
{
	pid_t pid = fork();
	int status = 0;

	(void)state;
	if (!pid) {
		int cpu = affinity_cpu(0, 1);
		cpu_set_t before, after;

		sched_getaffinity(0, sizeof(before), &before);
		affinity_stay(-1);
		sched_getaffinity(0, sizeof(after), &after);
		if (cpu < 0 || !CPU_EQUAL(&before, &after))
			_exit(1);
		affinity_stay(cpu);
		sched_getaffinity(0, sizeof(after), &after);
		_exit(CPU_COUNT(&after) == 1 && CPU_ISSET(cpu, &after) ? 0 : 2);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_each),
		cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_stay),
	};

	return cmocka_run_group_tests_name("affinity", tests, NULL, NULL);
}
