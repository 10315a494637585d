/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/file.c: reading, atomic writing and locks, in a temporary folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"

static char *dir;

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	return dir_temp("/tmp/iorig-test-", &dir, &err);
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;
	int ret = dir_remove(dir, &err);

	(void)state;
	free(dir);
	return ret;
}

static void write_file(const char *path, const char *text)
{
	struct err err = ERR_INIT;

	if (file_write_atomic(path, text, strlen(text), 0644, &err) < 0)
		fail_msg("%s", err.msg);
}

static void test_read(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;
	char *path = path_join(dir, "f");

	(void)state;
	write_file(path, "hello");
	strbuf_addstr(&sb, "> ");
	assert_int_equal(file_read(path, 5, &sb, &err), 0);
	assert_string_equal(sb.buf, "> hello");
	assert_int_equal(file_read(path, 4, &sb, &err), -EFBIG);
	assert_string_equal(sb.buf, "> hello"); /* nothing of it on failure */
	assert_int_equal(file_read(path, SIZE_MAX, &sb, &err), 0);
	assert_string_equal(sb.buf, "> hellohello");
	assert_int_equal(file_size(path), 5);
	/* /proc says that its files are empty */
	strbuf_reset(&sb);
	assert_int_equal(file_read("/proc/self/status", 65536, &sb, &err), 0);
	assert_true(sb.len > 100);
	assert_int_equal(file_read("/proc/self/status", 10, &sb, &err), -EFBIG);
	strbuf_release(&sb);
	free(path);
}

/* None of these may block or be read. */
static void test_read_refused(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;
	char *fifo = path_join(dir, "fifo"), *odd = path_join(dir, "\x1b[2J");

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(file_read(fifo, 10, &sb, &err), -EINVAL);
	assert_int_equal(file_read(dir, 10, &sb, &err), -EISDIR);
	assert_int_equal(file_read("/dev/zero", 10, &sb, &err), -EINVAL);
	assert_int_equal(file_read(odd, 10, &sb, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "/\\x1b[2J'"));
	assert_int_equal(file_size(odd), -ENOENT);
	assert_int_equal(sb.len, 0);
	free(fifo);
	free(odd);
}

static void test_write_atomic(void **state)
{
	struct strvec names = STRVEC_INIT;
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;
	char *sub = path_join(dir, "sub"), *path = path_join(sub, "f");
	char *inner = path_join(sub, "inner");
	mode_t mask = umask(027);
	struct stat st;
	int old;

	(void)state;
	assert_int_equal(file_write_atomic(path, "x", 1, 0644, &err), -ENOENT);
	assert_non_null(strstr(err.msg, path));
	assert_int_equal(dir_make(sub, &err), 0);
	write_file(path, "old");
	old = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(file_write_atomic(path, "new content", 11, 0666, &err), 0);
	/* who has the old file open still sees all of it */
	assert_int_equal(fstat(old, &st), 0);
	assert_int_equal(st.st_size, 3);
	close(old);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(file_read(path, 100, &sb, &err), 0);
	assert_string_equal(sb.buf, "new content");
	/* a folder cannot be replaced, and the temporary beside it must be gone */
	assert_int_equal(dir_make(inner, &err), 0);
	assert_int_equal(file_write_atomic(inner, "x", 1, 0644, &err), -EISDIR);
	assert_int_equal(dir_list(sub, NULL, &names, &err), 0);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.v[0], "f");
	assert_string_equal(names.v[1], "inner");
	umask(mask);
	strvec_release(&names);
	strbuf_release(&sb);
	free(sub);
	free(path);
	free(inner);
}

static void test_write_all(void **state)
{
	static char data[300000];
	char back[4096];
	size_t total = 0;
	ssize_t got;
	int fds[2];
	pid_t pid;

	(void)state;
	/* more than a pipe holds, so that write(2) does it in parts */
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		_exit(fd_write_all(fds[1], data, sizeof(data)) ? 1 : 0);
	}
	close(fds[1]);
	while ((got = read(fds[0], back, sizeof(back))) > 0)
		total += (size_t)got;
	assert_int_equal(total, sizeof(data));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(fds[0]);
	assert_int_equal(fd_write_all(-1, data, 1), -EBADF);
}

static void test_lock(void **state)
{
	struct deadline d = deadline_in("the cache's lock", 120 * NS_PER_MS);
	char *path = path_join(dir, "lock");
	struct err err = ERR_INIT;
	int64_t start;
	int fd, again;

	(void)state;
	fd = file_lock(path, NULL, &err);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(file_lock(path, NULL, &err), -EWOULDBLOCK);
	start = clock_ns();
	assert_int_equal(file_lock(path, &d, &err), -ETIMEDOUT);
	assert_true(clock_ns() - start >= 100 * NS_PER_MS);
	assert_non_null(strstr(err.msg, "timed out after 120 ms waiting for the cache's lock"));
	close(fd);
	again = file_lock(path, &d, &err); /* free: taken even if the deadline has passed */
	assert_true(again >= 0);
	close(again);
	free(path);
}

/* The lock comes free while another process waits for it. */
static void test_lock_handed_over(void **state)
{
	struct deadline d = deadline_in("the lock", 30 * NS_PER_S);
	char *path = path_join(dir, "lock2");
	struct err err = ERR_INIT;
	int fds[2], fd, status;
	pid_t pid;
	char c;

	(void)state;
	fd = file_lock(path, NULL, &err);
	assert_true(fd >= 0);
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		close(fd);
		if (file_lock(path, NULL, &err) != -EWOULDBLOCK || write(fds[1], "x", 1) != 1)
			_exit(1);
		_exit(file_lock(path, &d, &err) < 0 ? 2 : 0);
	}
	assert_int_equal(read(fds[0], &c, 1), 1);
	close(fd);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(fds[0]);
	close(fds[1]);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),	     cmocka_unit_test(test_read_refused),
		cmocka_unit_test(test_write_atomic), cmocka_unit_test(test_write_all),
		cmocka_unit_test(test_lock),	     cmocka_unit_test(test_lock_handed_over),
	};

	return cmocka_run_group_tests_name("file", tests, setup, teardown);
}
