/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/proc_capture.c: output, its limits, failures and deadlines of real children.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/proc.h"

#define LONG (30 * NS_PER_S)

static int run(const char *script, size_t max, struct strbuf *out, struct strbuf *errout,
	       struct err *err)
{
	struct deadline d = deadline_in("the script", LONG);
	struct proc p = PROC_INIT;
	int ret;

	strvec_pushl(&p.argv, "sh", "-c", script, NULL);
	ret = proc_capture(&p, &d, max, out, errout, err);
	assert_int_equal(p.pid, 0);
	assert_int_equal(p.out_fd, -1);
	assert_int_equal(p.err_fd, -1);
	proc_release(&p);
	/* nothing is left to reap, whatever happened */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	return ret;
}

static void test_both(void **state)
{
	struct strbuf out = STRBUF_INIT, errout = STRBUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	strbuf_addstr(&out, "> ");
	assert_int_equal(run("echo one; echo two >&2; printf 'a\\0b'", 99, &out, &errout, &err), 0);
	assert_int_equal(out.len, 2 + 4 + 3);
	assert_memory_equal(out.buf, "> one\na\0b", 9);
	assert_string_equal(errout.buf, "two\n");
	assert_int_equal(run("echo lost", 0, NULL, NULL, &err), 0);
	strbuf_release(&out);
	strbuf_release(&errout);
}

/* More than pipes hold, on both at once. */
static void test_much(void **state)
{
	struct strbuf out = STRBUF_INIT, errout = STRBUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(run("head -c 3000000 /dev/zero & head -c 2000000 /dev/zero >&2; wait",
			     4000000, &out, &errout, &err),
			 0);
	assert_int_equal(out.len, 3000000);
	assert_int_equal(errout.len, 2000000);
	strbuf_release(&out);
	strbuf_release(&errout);
}

static void test_limit(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(run("printf 12345", 5, &out, NULL, &err), 0);
	assert_int_equal(run("printf 123456", 5, &out, NULL, &err), -E2BIG);
	assert_string_equal(err.msg, "'sh' printed more than the 5 bytes it may");
	strbuf_reset(&out);
	assert_int_equal(run("yes", 100000, &out, NULL, &err), -E2BIG);
	assert_int_equal(run("yes >&2", 100000, NULL, &out, &err), -E2BIG);
	/* stderr that only serves the message has no limit */
	assert_int_equal(run("head -c 1000000 /dev/zero >&2", 10, NULL, NULL, &err), 0);
	strbuf_release(&out);
}

static void test_failure(void **state)
{
	static const char *const rows[][2] = {
		{ "exit 3", "'sh' exited with status 3" },
		{ "echo first >&2; echo last >&2; echo >&2; exit 1",
		  "'sh' exited with status 1: last" },
		{ "printf 'a\\033[2J' >&2; exit 1", "'sh' exited with status 1: a\\x1b[2J" },
		{ "head -c 1000000 /dev/zero >&2; echo >&2; echo end >&2; exit 4",
		  "'sh' exited with status 4: end" },
		{ "kill -KILL $$", "'sh' killed by signal 9 (Killed)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = ERR_INIT;

		assert_int_equal(run(rows[i][0], 99, NULL, NULL, &err), -EIO);
		assert_string_equal(err.msg, rows[i][1]);
	}
}

static void test_missing(void **state)
{
	struct deadline d = deadline_in("x", LONG);
	struct strbuf out = STRBUF_INIT;
	struct proc p = PROC_INIT;
	struct err err = ERR_INIT;
	int before = dup(0), after;

	(void)state;
	close(before);
	strvec_push(&p.argv, "iorig-no-such");
	assert_int_equal(proc_capture(&p, &d, 9, &out, NULL, &err), -ENOENT);
	after = dup(0);
	assert_int_equal(after, before); /* no descriptor is left open */
	close(after);
	proc_release(&p);
	strbuf_release(&out);
}

static void test_deadline(void **state)
{
	struct deadline d = deadline_in("the answer", 100 * NS_PER_MS);
	struct strbuf out = STRBUF_INIT;
	struct proc p = PROC_INIT;
	struct err err = ERR_INIT;
	int64_t begin = clock_ns();

	(void)state;
	strvec_pushl(&p.argv, "sh", "-c", "echo start; exec sleep 1000", NULL);
	assert_int_equal(proc_capture(&p, &d, 99, &out, NULL, &err), -ETIMEDOUT);
	assert_string_equal(err.msg, "'sh': timed out after 100 ms waiting for the answer");
	assert_string_equal(out.buf, "start\n");
	assert_int_equal(p.pid, 0);
	assert_true(clock_ns() - begin < 10 * NS_PER_S);
	proc_release(&p);
	strbuf_release(&out);
}

/* A grandchild holds the pipe, and even writes to it: the child's end counts. */
static void test_pipe_held(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;
	int64_t begin = clock_ns();

	(void)state;
	assert_int_equal(run("(exec timeout 15 sleep 1000) & echo done", 99, &out, NULL, &err), 0);
	assert_string_equal(out.buf, "done\n");
	assert_int_equal(run("timeout 3 yes >&2 & exit 5", 99, NULL, NULL, &err), -EIO);
	assert_true(clock_ns() - begin < 10 * NS_PER_S);
	strbuf_release(&out);
}

/* Output that stands in the pipe when the child has long ended. */
static void test_drained(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++) {
		struct strbuf out = STRBUF_INIT;
		struct err err = ERR_INIT;

		assert_int_equal(run("head -c 65536 /dev/zero", 65536, &out, NULL, &err), 0);
		assert_int_equal(out.len, 65536);
		strbuf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both),	  cmocka_unit_test(test_much),
		cmocka_unit_test(test_limit),	  cmocka_unit_test(test_failure),
		cmocka_unit_test(test_missing),	  cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_pipe_held), cmocka_unit_test(test_drained),
	};

	return cmocka_run_group_tests_name("proc_capture", tests, NULL, NULL);
}
