/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/proc_start.c with real children: failures to start, and what they inherit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/proc.h"

#define LONG (30 * NS_PER_S)

static void test_cannot_start(void **state)
{
	static const struct {
		const char *program, *dir;
		int code;
		const char *text;
	} rows[] = {
		{ "iorig-no-such", NULL, -ENOENT, "program 'iorig-no-such' not found in PATH" },
		{ "/no/such\x1b", NULL, -ENOENT,
		  "cannot start '/no/such\\x1b': No such file or directory" },
		{ "/etc/passwd", NULL, -EACCES, "cannot start '/etc/passwd': Permission denied" },
		{ "true", "/no/dir", -ENOENT,
		  "cannot start 'true' in folder '/no/dir': No such file or directory" },
		{ "", NULL, -ENOENT, "program '' not found in PATH" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct proc p = PROC_INIT;
		struct err err = ERR_INIT;

		strvec_push(&p.argv, rows[i].program);
		p.dir = rows[i].dir;
		assert_int_equal(proc_start(&p, &err), rows[i].code);
		assert_string_equal(err.msg, rows[i].text);
		assert_int_equal(p.pid, 0);
		assert_int_equal(p.pidfd, -1);
		proc_release(&p);
	}
	/* nothing is left to reap */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void capture(struct proc *p, struct strbuf *out)
{
	struct deadline d = deadline_in("output", LONG);
	struct err err = ERR_INIT;

	if (proc_capture(p, &d, 65536, out, NULL, &err) < 0)
		fail_msg("%s", err.msg);
}

static void test_descriptors(void **state)
{
	int leaked = open("/dev/null", O_RDONLY), kept = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct strbuf out = STRBUF_INIT, want = STRBUF_INIT;
	struct proc p = PROC_INIT;

	(void)state;
	assert_true(leaked > 2 && kept > leaked);
	p.keep[1] = kept;
	strvec_pushl(&p.argv, "sh", "-c",
		     "for f in /proc/$$/fd/*; do readlink $f; echo ${f##*/}; done", NULL);
	capture(&p, &out);
	strbuf_addf(&want, "/dev/null\n%d\n", kept);
	assert_non_null(strstr(out.buf, "/dev/null\n0\n"));
	assert_non_null(strstr(out.buf, want.buf));
	strbuf_reset(&want);
	/* the shell opens the folder that it lists under that number, but what it is differs */
	strbuf_addf(&want, "/dev/null\n%d\n", leaked);
	assert_null(strstr(out.buf, want.buf));
	/* our own descriptor keeps its flag */
	assert_int_equal(fcntl(kept, F_GETFD), FD_CLOEXEC);
	proc_release(&p);
	strbuf_release(&out);
	strbuf_release(&want);
	close(leaked);
	close(kept);
}

/* Descriptors that stand in each other's way: the child's stdin is our 1, its stdout our 0. */
static void test_crossed_descriptors(void **state)
{
	int status, in[2], out[2];
	char back[8] = "";
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	assert_int_equal(write(in[1], "hello", 5), 5);
	close(in[1]);
	pid = fork();
	if (pid == 0) {
		struct deadline d = deadline_in("cat", LONG);
		struct proc p = PROC_INIT;
		struct err err = ERR_INIT;

		dup2(in[0], 1);
		dup2(out[1], 0);
		close(2); /* so the status pipe lands on 2 */
		p.in_fd = 1;
		p.out_fd = 0;
		strvec_push(&p.argv, "cat");
		_exit(proc_start(&p, &err) < 0 || proc_wait(&p, &d, &err) < 0 || p.status);
	}
	close(out[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(out[0], back, sizeof(back)), 5);
	assert_string_equal(back, "hello");
	close(in[0]);
	close(out[0]);
}

static void test_environment(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct proc p = PROC_INIT;

	(void)state;
	setenv("IORIG_A", "a", 1);
	setenv("IORIG_AB", "ab", 1);
	setenv("IORIG_B", "b", 1);
	strvec_pushl(&p.env, "IORIG_A=1", "IORIG_A=2=3", "IORIG_B", "IORIG_C=", "IORIG_D=x",
		     "IORIG_D", NULL);
	p.dir = "/";
	strvec_pushl(&p.argv, "sh", "-c", "pwd; env | grep ^IORIG | sort", NULL);
	capture(&p, &out);
	assert_string_equal(out.buf, "/\nIORIG_A=2=3\nIORIG_AB=ab\nIORIG_C=\n");
	proc_release(&p);
	strbuf_release(&out);
}

/* What the parent blocks and ignores does not reach the child. */
static void test_signals(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct proc p = PROC_INIT;
	unsigned long long blocked = 1, ignored = 1;
	sigset_t set, old;

	(void)state;
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	signal(SIGPIPE, SIG_IGN);
	strvec_pushl(&p.argv, "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status", NULL);
	capture(&p, &out);
	assert_int_equal(sscanf(out.buf, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
	assert_int_equal(blocked, 0);
	/* 32 and 33 are libc's own; whoever ran this test with posix_spawn() left them ignored */
	assert_int_equal(ignored & ~(3ULL << 31), 0);
	sigprocmask(SIG_BLOCK, NULL, &set);
	assert_true(sigismember(&set, SIGUSR1)); /* ours is as it was */
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGPIPE, SIG_DFL);
	proc_release(&p);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cannot_start),
		cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_crossed_descriptors),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_signals),
	};

	return cmocka_run_group_tests_name("proc_start", tests, NULL, NULL);
}
