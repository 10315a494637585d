/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/err: kinds, codes, wrapping and cut messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"

static void test_kinds(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(err_set(&err, -EBUSY, "disk '%s' is busy", "hda"), -EBUSY);
	assert_int_equal(err.kind, ERR_RIG);
	assert_int_equal(err.code, -EBUSY);
	assert_string_equal(err.msg, "disk 'hda' is busy");
	assert_int_equal(err_input(&err, "a.case:%d: bad", 3), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_string_equal(err.msg, "a.case:3: bad");
	assert_int_equal(err_unable(&err, "too few samples"), -ENOTSUP);
	assert_int_equal(err.kind, ERR_UNABLE);
	assert_int_equal(err_interrupted(&err), -EINTR);
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(err_sys(&err, -ENOENT, "cannot open '%s'", "x"), -ENOENT);
	assert_int_equal(err.kind, ERR_RIG);
	assert_string_equal(err.msg, "cannot open 'x': No such file or directory");
}

/* An error never looks like success. */
static void test_code_is_negative(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(err_set(&err, 0, "x"), -EIO);
	assert_int_equal(err_sys(&err, 0, "x"), -EIO);
	assert_int_equal(err_set(&err, ENOENT, "x"), -EIO);
	assert_int_equal(err.code, -EIO);
}

static void test_wrap(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	err_input(&err, "no unit");
	assert_int_equal(err_wrap(&err, "key '%s'", "size"), -EINVAL);
	assert_int_equal(err_wrap(&err, "a.case:%d", 7), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_string_equal(err.msg, "a.case:7: key 'size': no unit");
	/* the old message as an argument of the new one */
	err_set(&err, -EIO, "<%s>", err.msg);
	assert_string_equal(err.msg, "<a.case:7: key 'size': no unit>");
}

static void test_cut(void **state)
{
	struct err err = ERR_INIT;
	char text[4000];
	size_t len;

	(void)state;
	memset(text, 'a', sizeof(text));
	text[2047] = '\0';
	err_set(&err, -EIO, "%s", text);
	assert_string_equal(err.msg, text); /* fits to the byte */
	text[2047] = 'a';
	text[2048] = '\0';
	err_set(&err, -EIO, "%s", text);
	assert_int_equal(strlen(err.msg), 2047);
	assert_string_equal(err.msg + 2040, "aaaa...");
	err_wrap(&err, "context");
	assert_int_equal(strlen(err.msg), 2047);
	assert_memory_equal(err.msg, "context: aaa", 12);
	assert_string_equal(err.msg + 2040, "aaaa...");

	/* two-byte characters: the cut falls between them */
	for (size_t i = 0; i + 1 < sizeof(text); i += 2)
		memcpy(text + i, "\xc3\xa9", 2);
	text[sizeof(text) - 2] = '\0';
	for (int shift = 0; shift < 2; shift++) {
		err_set(&err, -EIO, "%s%s", shift ? "x" : "", text);
		len = strlen(err.msg);
		assert_memory_equal(err.msg + len - 5, "\xc3\xa9...", 5);
	}
}

/* Run f(), which must abort. */
static void assert_aborts(void (*f)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		close(STDERR_FILENO);
		f();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void wrap_nothing(void)
{
	struct err err = ERR_INIT;

	err_wrap(&err, "context");
}

static void bug(void)
{
	BUG("cannot be: %d", 1);
}

static void test_bugs_abort(void **state)
{
	(void)state;
	assert_aborts(bug);
	assert_aborts(wrap_nothing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),	   cmocka_unit_test(test_code_is_negative),
		cmocka_unit_test(test_wrap),	   cmocka_unit_test(test_cut),
		cmocka_unit_test(test_bugs_abort),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
