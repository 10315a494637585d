/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/proc with real children: wait, stop, release, and a parent that dies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/sig.h"

#define LONG (30 * NS_PER_S)

static void start(struct proc *p)
{
	struct err err = ERR_INIT;

	if (proc_start(p, &err) < 0)
		fail_msg("%s", err.msg);
	assert_true(p->pid > 0);
	assert_true(p->pidfd >= 0);
}

static void start_shell(struct proc *p, const char *script)
{
	strvec_pushl(&p->argv, "sh", "-c", script, NULL);
	start(p);
}

static void wait_end(struct proc *p)
{
	struct deadline d = deadline_in("a child", LONG);
	struct err err = ERR_INIT;

	if (proc_wait(p, &d, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(p->pid, 0);
	assert_int_equal(p->pidfd, -1);
}

/* A child's stdout in a pipe of ours, and the first line that it prints. */
struct talk {
	int fds[2];
	char line[64];
};

static void talk_start(struct talk *t, struct proc *p, const char *script)
{
	ssize_t got;

	assert_int_equal(pipe2(t->fds, O_CLOEXEC), 0);
	p->out_fd = t->fds[1];
	start_shell(p, script);
	close(t->fds[1]);
	got = read(t->fds[0], t->line, sizeof(t->line) - 1);
	assert_true(got > 0);
	t->line[got] = '\0';
}

/* All that hold the other end of the pipe are gone. */
static bool talk_ended(struct talk *t)
{
	struct pollfd fd = { .fd = t->fds[0], .events = POLLIN };
	bool ended = poll(&fd, 1, 10000) == 1 && read(t->fds[0], t->line, 1) == 0;

	close(t->fds[0]);
	return ended;
}

static void test_status(void **state)
{
	static const struct {
		const char *script, *text;
	} rows[] = {
		{ "true", "exited with status 0" },
		{ "false", "exited with status 1" },
		{ "exit 3", "exited with status 3" },
		{ "kill -SEGV $$", "killed by signal 11 (Segmentation fault)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct proc p = PROC_INIT;

		start_shell(&p, rows[i].script);
		wait_end(&p);
		assert_string_equal(proc_status_text(p.status), rows[i].text);
		proc_release(&p);
		proc_release(&p);
	}
}

static void test_deadline(void **state)
{
	struct deadline d = deadline_in("the guest's end", 50 * NS_PER_MS);
	struct proc p = PROC_INIT;
	struct err err = ERR_INIT;

	(void)state;
	strvec_pushl(&p.argv, "sleep", "1000", NULL);
	start(&p);
	assert_int_equal(proc_wait(&p, &d, &err), -ETIMEDOUT);
	assert_string_equal(err.msg, "'sleep': timed out after 50 ms waiting for the guest's end");
	assert_int_equal(kill(p.pid, 0), 0);
	proc_stop(&p, LONG);
	assert_int_equal(p.pid, 0);
	assert_int_equal(WTERMSIG(p.status), SIGTERM);
	proc_stop(&p, LONG);
	proc_release(&p);
}

static void test_stop_ignoring_term(void **state)
{
	struct proc p = PROC_INIT;
	struct talk t;
	int64_t begin;

	(void)state;
	talk_start(&t, &p, "trap '' TERM; echo ready; exec sleep 1000");
	begin = clock_ns();
	proc_stop(&p, 100 * NS_PER_MS);
	assert_true(clock_ns() - begin >= 100 * NS_PER_MS);
	assert_int_equal(p.pid, 0);
	assert_true(WIFSIGNALED(p.status));
	assert_int_equal(WTERMSIG(p.status), SIGKILL);
	close(t.fds[0]);
	proc_release(&p);
}

/* The leader ends on TERM, one in its group ignores it: both must be gone. */
static void test_stop_group(void **state)
{
	struct proc p = PROC_INIT;
	struct talk t;

	(void)state;
	p.own_group = true;
	talk_start(&t, &p, "(trap '' TERM; echo ready; exec sleep 1000) & wait");
	assert_int_equal(getpgid(p.pid), p.pid);
	proc_stop(&p, LONG);
	assert_int_equal(WTERMSIG(p.status), SIGTERM);
	assert_true(talk_ended(&t));
	proc_release(&p);
}

static void test_release_stops(void **state)
{
	struct proc p = PROC_INIT;
	struct talk t;

	(void)state;
	talk_start(&t, &p, "echo ready; exec sleep 1000");
	proc_release(&p);
	assert_true(talk_ended(&t));
}

/* A process between us and the child dies: the kernel must kill the child. */
static void test_parent_dies(void **state)
{
	int fds[2], status;
	pid_t middle, child;

	(void)state;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(pipe(fds), 0);
	middle = fork();
	if (middle == 0) {
		struct proc p = PROC_INIT;
		struct err err = ERR_INIT;

		strvec_pushl(&p.argv, "sleep", "1000", NULL);
		if (proc_start(&p, &err) < 0 || write(fds[1], &p.pid, sizeof(p.pid)) < 0)
			_exit(1);
		raise(SIGKILL);
	}
	assert_int_equal(read(fds[0], &child, sizeof(child)), sizeof(child));
	assert_int_equal(waitpid(middle, &status, 0), middle);
	assert_true(WIFSIGNALED(status));
	/* it is ours to reap now; alarm() fails the test if it lives on */
	alarm(20);
	assert_int_equal(waitpid(child, &status, 0), child);
	alarm(0);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
	close(fds[0]);
	close(fds[1]);
}

/* A wait ends when we are asked to stop; the child still runs until it is stopped. */
static void test_interrupted(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0) {
		struct deadline d = deadline_in("a child", LONG);
		struct proc p = PROC_INIT;
		struct err err = ERR_INIT;

		sig_init();
		strvec_pushl(&p.argv, "sh", "-c", "kill -TERM $PPID; exec sleep 1000", NULL);
		if (proc_start(&p, &err) < 0 || proc_wait(&p, &d, &err) != -EINTR)
			_exit(1);
		if (err.kind != ERR_INTERRUPTED || kill(p.pid, 0) < 0)
			_exit(2);
		proc_release(&p);
		_exit(p.pid ? 3 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_find(void **state)
{
	char *sh = proc_find("sh"), *path = strdup(getenv("PATH"));

	(void)state;
	assert_non_null(sh);
	assert_int_equal(access(sh, X_OK), 0);
	assert_null(proc_find("iorig-no-such"));
	assert_null(proc_find(""));
	assert_null(proc_find("/etc"));
	setenv("PATH", "/etc::/no/such", 1);
	assert_null(proc_find("passwd")); /* not executable */
	assert_null(proc_find("sh"));
	setenv("PATH", path, 1);
	free(sh);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_stop_ignoring_term),
		cmocka_unit_test(test_stop_group),
		cmocka_unit_test(test_release_stops),
		cmocka_unit_test(test_parent_dies),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests_name("proc", tests, NULL, NULL);
}
