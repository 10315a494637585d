/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/alloc: growth of counted arrays, and the end when memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

struct point {
	int x, y;
};

static void test_array_grow(void **state)
{
	struct point *points = NULL;
	size_t n = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct point *p = array_grow(points, n);

		assert_int_equal(n, i + 1);
		assert_ptr_equal(p, &points[i]);
		assert_int_equal(p->x, 0);
		assert_int_equal(p->y, 0);
		p->x = i;
		p->y = -i;
	}
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(points[i].x, i);
		assert_int_equal(points[i].y, -i);
	}
	free(points);
}

static void test_strings(void **state)
{
	char *a = xstrdup("kernel"), *b = xstrndup("kernel", 3), *c = xstrfmt("%s-%d", "k", 6);

	(void)state;
	assert_string_equal(a, "kernel");
	assert_string_equal(b, "ker");
	assert_string_equal(c, "k-6");
	free(a);
	free(b);
	free(c);
}

static void test_zero_sizes(void **state)
{
	void *a = xmalloc(0), *b = xcalloc(0, 8), *c = xrealloc(NULL, 0);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_non_null(c);
	free(a);
	free(b);
	free(c);
}

/* A product that overflows must not become a small block. */
static void test_overflow_ends_program(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0) {
		close(STDERR_FILENO);
		free(xreallocarray(NULL, SIZE_MAX / 2, 4));
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 128);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_array_grow),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_zero_sizes),
		cmocka_unit_test(test_overflow_ends_program),
	};

	return cmocka_run_group_tests_name("alloc", tests, NULL, NULL);
}
