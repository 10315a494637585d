/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of vm/tail: lines of a file while it grows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "vm/tail.h"

struct growing {
	char path[32];
	int fd;
	struct vm_tail tail;
};

static int setup(void **state)
{
	struct growing *g = calloc(1, sizeof(*g));
	struct err err = ERR_INIT;

	strncpy(g->path, "/tmp/test-tail-XXXXXX", sizeof(g->path) - 1);
	g->fd = mkstemp(g->path);
	if (g->fd < 0 || vm_tail_open(&g->tail, g->path, "console", &err))
		return -1;
	*state = g;
	return 0;
}

static int teardown(void **state)
{
	struct growing *g = *state;

	vm_tail_release(&g->tail);
	vm_tail_release(&g->tail);
	close(g->fd);
	unlink(g->path);
	free(g);
	return 0;
}

static void grow(struct growing *g, const char *data, size_t len)
{
	assert_int_equal(fd_write_all(g->fd, data, len), 0);
}

static void expect(struct growing *g, bool last, const char *data, size_t len)
{
	struct err err = ERR_INIT;
	const char *line = NULL;
	size_t got = 0;

	assert_int_equal(vm_tail_next(&g->tail, last, &line, &got, &err), 1);
	assert_int_equal(got, len);
	assert_memory_equal(line, data, len);
}

static void expect_none(struct growing *g, bool last)
{
	struct err err = ERR_INIT;
	const char *line;
	size_t len;

	assert_int_equal(vm_tail_next(&g->tail, last, &line, &len, &err), 0);
}

static void test_growth(void **state)
{
	struct growing *g = *state;

	expect_none(g, false);
	grow(g, "one", 3);
	expect_none(g, false);
	grow(g, " line\n\ntwo\r\nrest", 16);
	expect(g, false, "one line", 8);
	expect(g, false, "", 0);
	expect(g, false, "two\r", 4);
	expect_none(g, false);
	expect_none(g, false);
	grow(g, "!", 1);
	expect(g, true, "rest!", 5);
	expect_none(g, true);
}

static void test_bytes(void **state)
{
	struct growing *g = *state;

	grow(g, "\0\xff\x1b\n\n\0", 6);
	expect(g, false, "\0\xff\x1b", 3);
	expect(g, false, "", 0);
	expect_none(g, false);
	expect(g, true, "\0", 1);
	expect_none(g, true);
}

/* Lines around the limit: at it whole, above it in pieces, none of them empty. */
static void test_long(void **state)
{
	struct growing *g = *state;
	char *x = malloc(3 * VM_LINE_MAX);

	memset(x, 'x', 3 * VM_LINE_MAX);
	for (int extra = -1; extra <= 1; extra++) {
		grow(g, x, (size_t)(VM_LINE_MAX + extra));
		grow(g, "\nnext\n", 6);
		expect(g, false, x, (size_t)(extra < 0 ? VM_LINE_MAX - 1 : VM_LINE_MAX));
		if (extra > 0)
			expect(g, false, "x", 1);
		expect(g, false, "next", 4);
		expect_none(g, false);
	}
	grow(g, x, 2 * VM_LINE_MAX + 5);
	expect(g, false, x, VM_LINE_MAX);
	expect(g, false, x, VM_LINE_MAX);
	expect_none(g, false);
	grow(g, "yz", 2);
	expect(g, true, "xxxxxyz", 7);
	expect_none(g, true);
	free(x);
}

/* Every way to cut a text into writes gives the same lines. */
static void test_cuts(void **state)
{
	static const char text[] = "a\nbc\n\ndef\n";
	struct growing *g = *state;
	size_t len = strlen(text);

	for (size_t cut = 0; cut <= len; cut++) {
		const char *line;
		struct err err = ERR_INIT;
		size_t n, total = 0, lines = 0;

		grow(g, text, cut);
		for (int half = 0; half < 2; half++) {
			while (vm_tail_next(&g->tail, false, &line, &n, &err) == 1) {
				assert_memory_equal(line, text + total, n);
				total += n + 1;
				lines++;
			}
			if (!half)
				grow(g, text + cut, len - cut);
		}
		assert_int_equal(lines, 4);
		assert_int_equal(total, len);
	}
}

/* A file that is too large is refused; a sparse one stands for it. */
static void test_too_large(void **state)
{
	struct growing *g = *state;
	struct err err = ERR_INIT;
	const char *line;
	size_t len;
	int ret;

	assert_int_equal(ftruncate(g->fd, VM_FILE_MAX + 1), 0);
	do {
		ret = vm_tail_next(&g->tail, false, &line, &len, &err);
	} while (ret == 1);
	assert_int_equal(ret, -EFBIG);
	assert_string_equal(err.msg, "the guest's console has more than 256 MiB");
}

static void test_missing(void **state)
{
	struct vm_tail tail = VM_TAIL_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(vm_tail_open(&tail, "/nonexistent/x", "console", &err), -ENOENT);
	vm_tail_release(&tail);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_growth, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cuts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_too_large, setup, teardown),
		cmocka_unit_test(test_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
