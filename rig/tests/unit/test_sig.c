/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/sig: a request to stop stays pending, wakes a poll, and respects nohup. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sig.h"

/* Run f() in a process of its own, as signals are process-wide; it returns the failing line. */
static void run_apart(int (*f)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(f());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status))
		fail_msg("check at line %d failed", WEXITSTATUS(status));
}

/* Exit statuses have eight bits: this file stays below 256 lines. */
#define CHECK(cond)                                                                                \
	do {                                                                                       \
		if (!(cond))                                                                       \
			return __LINE__;                                                           \
	} while (0)

static int readable(void)
{
	struct pollfd fd = { .fd = sig_fd(), .events = POLLIN };

	return poll(&fd, 1, 0);
}

static int stays_pending(void)
{
	CHECK(sig_fd() == -1);
	CHECK(!sig_stop_asked() && sig_which() == 0);
	sig_init();
	sig_init();
	CHECK(sig_fd() >= 0);
	CHECK(!sig_stop_asked() && readable() == 0);
	kill(getpid(), SIGTERM);
	for (int i = 0; i < 3; i++) {
		CHECK(readable() == 1);
		CHECK(sig_stop_asked());
		CHECK(sig_which() == SIGTERM);
	}
	return 0;
}

static int each_signal(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			sig_init();
			kill(getpid(), signals[i]);
			_exit(sig_which());
		}
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == signals[i]);
	}
	return 0;
}

static int respects_nohup(void)
{
	signal(SIGHUP, SIG_IGN);
	sig_init();
	kill(getpid(), SIGHUP);
	CHECK(!sig_stop_asked() && readable() == 0);
	kill(getpid(), SIGINT);
	CHECK(sig_which() == SIGINT);
	return 0;
}

static int ignores_sigpipe(void)
{
	int fds[2];

	sig_init();
	CHECK(pipe(fds) == 0);
	close(fds[0]);
	CHECK(write(fds[1], "x", 1) == -1);
	return 0;
}

static void test_stays_pending(void **state)
{
	(void)state;
	run_apart(stays_pending);
}

static void test_each_signal(void **state)
{
	(void)state;
	run_apart(each_signal);
}

static void test_nohup(void **state)
{
	(void)state;
	run_apart(respects_nohup);
}

static void test_sigpipe(void **state)
{
	(void)state;
	run_apart(ignores_sigpipe);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stays_pending),
		cmocka_unit_test(test_each_signal),
		cmocka_unit_test(test_nohup),
		cmocka_unit_test(test_sigpipe),
	};

	return cmocka_run_group_tests_name("sig", tests, NULL, NULL);
}
