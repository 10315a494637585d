/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kbuild/make: a real make on small trees that look like a kernel's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/progress.h"
#include "base/sig.h"
#include "base/strvec.h"
#include "kbuild/make.h"
#include "kbuild/make_env.h"
#include "kernel_fixture.h"

#define ALL ".PHONY: vmlinux bzImage modules modules_install\n"

struct tree {
	char *log;
	struct make_task task;
};

static struct strvec told = STRVEC_INIT;

static void sink(const char *line)
{
	strvec_push(&told, line);
}

static void tree_release(struct tree *t)
{
	free(t->log);
}

static void put(void **state, const char *name, const char *text)
{
	char *path __free(ptr) = path_join(*state, name);

	fixture_write(path, text, strlen(text));
}

static struct tree tree_of(void **state, const char *config, const char *makefile)
{
	struct tree t = { .log = path_join(*state, "log"), .task = { .what = "test" } };

	unlink(t.log);
	put(state, ".config", config);
	put(state, "Makefile", makefile);
	t.task.tree = *state;
	t.task.log = t.log;
	return t;
}

static char *read_text(void **state, const char *name)
{
	char *path __free(ptr) = path_join(*state, name);
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;

	if (file_read(path, 1 << 20, &sb, &err) < 0)
		fail_msg("%s", err.msg);
	return strbuf_detach(&sb, NULL);
}

static void test_builds(void **state)
{
	struct tree t __release(tree) = tree_of(state, "CONFIG_A=y\n", ALL
		"vmlinux:\n\t@echo '  CC      a.o'\n\t@echo '  AS      b.o'\n"
		"\t@echo '  HOSTCC  c'\n"
		"bzImage: vmlinux\n\t@echo '  CC      d.o'; printf last\n"
		"modules:\n\tfalse\n");
	char *log __free(ptr) = NULL;
	struct err err = ERR_INIT;

	strvec_release(&told);
	progress_set_sink(sink);
	t.task.expected = 7;
	if (make_kernel(&t.task, &err) < 0)
		fail_msg("%s", err.msg);
	progress_set_sink(NULL);
	assert_int_equal(t.task.compiled, 3);
	log = read_text(state, "log");
	assert_non_null(strstr(log, "+ make ARCH=x86_64 vmlinux bzImage -j"));
	assert_non_null(strstr(log, "  HOSTCC  c\n"));
	assert_non_null(strstr(log, "last"));
	/* all within a second: one line */
	assert_int_equal(told.n, 1);
	assert_string_equal(told.v[0], "test: [1 of 7] CC a.o");
	strvec_release(&told);
}

/* A kernel that QEMU can enter as it is needs no bzImage. */
static void test_image_that_is_booted(void **state)
{
	struct tree t __release(tree) = tree_of(state, "CONFIG_A=y\nCONFIG_PVH=y\n", ALL
		"vmlinux:\n\t@echo '  CC      a.o'\n"
		"bzImage:\n\tfalse\n");
	char *log __free(ptr) = NULL;
	struct err err = ERR_INIT;

	if (make_kernel(&t.task, &err) < 0)
		fail_msg("%s", err.msg);
	log = read_text(state, "log");
	assert_non_null(strstr(log, "+ make ARCH=x86_64 vmlinux -j"));
}

/* Debug info is a flag for the compiler and no option of the kernel, whose code it would change. */
static void test_debug_info(void **state)
{
	struct tree t __release(tree) = tree_of(state, "CONFIG_A=y\nCONFIG_PVH=y\n", ALL
		"vmlinux:\n\t@echo flags=$(KCFLAGS)\n");
	char *log __free(ptr) = NULL, *plain __free(ptr) = NULL;
	struct err err = ERR_INIT;

	if (make_kernel(&t.task, &err) < 0)
		fail_msg("%s", err.msg);
	plain = read_text(state, "log");
	assert_non_null(strstr(plain, "flags=\n"));
	t.task.debug_info = true;
	if (make_kernel(&t.task, &err) < 0)
		fail_msg("%s", err.msg);
	log = read_text(state, "log");
	assert_non_null(strstr(log, "flags=-g\n"));
}

static void test_modules(void **state)
{
	struct tree t __release(tree) = tree_of(state, "CONFIG_A=m\n", ALL
		"vmlinux bzImage:\n"
		"modules:\n\t@echo '  CC [M]  m.o'\n"
		"modules_install:\n"
		"\t@test ! -e $(INSTALL_MOD_PATH)/stale && mkdir -p $(INSTALL_MOD_PATH)/new\n"
		"\t@test -x $(DEPMOD) && test $(INSTALL_MOD_STRIP) = 1\n");
	char *stale __free(ptr) = path_join(*state, ".iorig-modules/stale");
	char *fresh __free(ptr) = path_join(*state, ".iorig-modules/new");
	struct err err = ERR_INIT;

	assert_int_equal(dir_make(stale, &err), 0);
	if (make_kernel(&t.task, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(t.task.compiled, 1);
	assert_true(path_is_dir(fresh));
}

static void test_environment(void **state)
{
	static const char *const leaks[] = {
		"KCONFIG_CONFIG", "KCONFIG_ALLCONFIG", "KBUILD_OUTPUT", "CFLAGS", "KCFLAGS", "CC",
		"ARCH", "CROSS_COMPILE", "LLVM", "O", "MAKEOVERRIDES", "W", "C", "LD_LIBRARY_X",
	};
	struct tree t __release(tree) = tree_of(state, "", ALL "vmlinux bzImage:\n\t@env >env\n");
	char *env __free(ptr) = NULL;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(leaks); i++)
		setenv(leaks[i], "LEAKED", 1);
	setenv("LC_MESSAGES", "de_DE", 1);
	setenv("LOCALVERSION", "-leaked", 1);
	setenv("MAKEFLAGS", "-n LEAKED=1", 1);
	setenv("CCACHE_DIR", "/ccache", 1);
	if (make_kernel(&t.task, &err) < 0)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < ARRAY_SIZE(leaks); i++)
		unsetenv(leaks[i]);
	unsetenv("LOCALVERSION");
	unsetenv("MAKEFLAGS");
	env = read_text(state, "env");
	assert_null(strstr(env, "LEAKED"));
	assert_null(strstr(env, "leaked"));
	assert_null(strstr(env, "de_DE"));
	assert_non_null(strstr(env, "LC_ALL=C\n"));
	assert_non_null(strstr(env, "LOCALVERSION=\n"));
	assert_non_null(strstr(env, "KBUILD_BUILD_TIMESTAMP=Thu Jan  1 00:00:00 UTC 1970\n"));
	assert_non_null(strstr(env, "KBUILD_BUILD_HOST=iorig\n"));
	assert_non_null(strstr(env, "CCACHE_DIR=/ccache\n"));
	assert_non_null(strstr(env, "PATH="));
}

static void expect_failure(void **state, const char *recipe, enum err_kind kind, int code,
			   const char *text)
{
	char *makefile __free(ptr) = xstrfmt(ALL "vmlinux bzImage:\n\t@%s\n", recipe);
	struct tree t __release(tree) = tree_of(state, "", makefile);
	struct err err = ERR_INIT;

	assert_int_equal(make_kernel(&t.task, &err), code);
	assert_int_equal(err.kind, kind);
	if (!strstr(err.msg, text))
		fail_msg("'%s' is not in '%s'", text, err.msg);
}

static void test_failures(void **state)
{
	struct tree t __release(tree) = tree_of(state, "", ALL "vmlinux bzImage:\n");
	const char *const targets[] = { "X=1", "nothing", NULL };
	struct err err = ERR_INIT;

	expect_failure(state, "echo '  CC a.o'; echo 'a.c:3:1: error: bad' >&2; false", ERR_UNABLE,
		       -ENOTSUP, "cannot build 'test': a.c:3:1: error: bad");
	expect_failure(state, "echo odd; exit 3", ERR_UNABLE, -ENOTSUP, "[Makefile:3: ");
	expect_failure(state, "echo 'a.s: No space left on device'; false", ERR_RIG, -ENOSPC,
		       "disk full while building 'test'");
	expect_failure(state, "echo 'gcc: fatal error: Killed signal terminated program cc1'; false",
		       ERR_RIG, -ENOMEM, "out of memory");
	expect_failure(state, "kill -KILL $$PPID", ERR_UNABLE, -ENOTSUP, "killed by signal 9");
	assert_int_equal(make_target(&t.task, targets, &err), -ENOTSUP);
	assert_non_null(strstr(err.msg, "No rule to make target 'nothing'"));
	t.task.log = "/nonexistent/log";
	assert_int_equal(make_kernel(&t.task, &err), -ENOENT);
	assert_int_equal(err.kind, ERR_RIG);
	assert_non_null(strstr(err.msg, "/nonexistent/log"));
}

/* The log's disk is full: not the kernel's fault. */
static void test_log_full(void **state)
{
	struct tree t __release(tree) = tree_of(state, "", ALL "vmlinux bzImage:\n\t@echo x\n");
	struct err err = ERR_INIT;

	t.task.log = "/dev/full";
	assert_int_equal(make_kernel(&t.task, &err), -ENOSPC);
	assert_int_equal(err.kind, ERR_RIG);
}

/* A process that make's recipe left behind holds our pipe: make's end is what counts. */
static void test_left_behind(void **state)
{
	struct tree t __release(tree) = tree_of(state, "", ALL
		"vmlinux bzImage:\n\t@sleep 1000 & echo $$! >left\n");
	char *pid __free(ptr) = NULL;
	struct err err = ERR_INIT;

	if (make_kernel(&t.task, &err) < 0)
		fail_msg("%s", err.msg);
	pid = read_text(state, "left");
	/* it was of make's group, and went with it */
	for (int i = 0; kill(atoi(pid), 0) == 0 && i < 100; i++)
		poll(NULL, 0, 20);
	assert_int_equal(kill(atoi(pid), 0), -1);
}

static void test_interrupted(void **state)
{
	struct tree t __release(tree) = tree_of(state, "", ALL
		"vmlinux bzImage:\n\t@$(MAKE) -f Sub deep\n");
	char *fifo __free(ptr) = path_join(*state, "fifo"), *line __free(ptr) = xcalloc(1, 16);
	int fd, status;
	pid_t pid;

	put(state, "Sub", "deep:\n\t@trap '' TERM; echo $$$$ >fifo; sleep 1000 & wait; wait\n");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	pid = fork();
	if (pid == 0) {
		struct err err = ERR_INIT;

		sig_init();
		_exit(make_kernel(&t.task, &err) == -EINTR && err.kind == ERR_INTERRUPTED ? 0 : 1);
	}
	fd = open(fifo, O_RDONLY);
	assert_true(read(fd, line, 15) > 0);
	close(fd);
	assert_int_equal(kill(atoi(line), 0), 0);
	kill(pid, SIGINT);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	for (int i = 0; kill(atoi(line), 0) == 0 && i < 100; i++)
		poll(NULL, 0, 20);
	assert_int_equal(kill(atoi(line), 0), -1);
}

static void test_jobserver_word(void **state)
{
	char *flags __free(ptr) = NULL, *word = NULL, *fifo __free(ptr) = path_join(*state, "js");
	int ends[2], fds[2] = { 7, 7 };

	assert_false(make_env_jobserver(NULL, fds, &word));
	assert_false(make_env_jobserver("", fds, &word));
	assert_false(make_env_jobserver(" -j4 -- A=b", fds, &word));
	assert_false(make_env_jobserver("--jobserver-auth=-2,-2", fds, &word));
	assert_false(make_env_jobserver("--jobserver-auth=0,1", fds, &word));
	assert_false(make_env_jobserver("--jobserver-auth=900,901", fds, &word));
	assert_false(make_env_jobserver("--jobserver-auth=", fds, &word));
	assert_false(make_env_jobserver("--jobserver-auth=fifo:/dev/null", fds, &word));
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	flags = xstrfmt("w -j --jobserver-fds=1,2 --jobserver-auth=%d,%d -- X=1", ends[0], ends[1]);
	/* a pipe of our own that happens to have the number */
	assert_false(make_env_jobserver(flags, fds, &word));
	assert_int_equal(fds[0], 7);
	fcntl(ends[0], F_SETFD, 0);
	fcntl(ends[1], F_SETFD, 0);
	assert_true(make_env_jobserver(flags, fds, &word));
	assert_int_equal(fds[0], ends[0]);
	assert_int_equal(fds[1], ends[1]);
	assert_int_equal(strncmp(word, "--jobserver-auth=", 17), 0);
	assert_null(strchr(word, ' '));
	free(word);
	close(ends[0]);
	close(ends[1]);
	free(flags);
	flags = xstrfmt(" -j --jobserver-auth=fifo:%s", fifo);
	assert_false(make_env_jobserver(flags, fds, &word));
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_true(make_env_jobserver(flags, fds, &word));
	assert_int_equal(fds[0], -1);
	free(word);
}

/* With a jobserver of three tokens at most four jobs run at once, with one that is gone as many
 * as there are processors: make says which it obeys. */
static void test_jobserver_used(void **state)
{
	struct tree t __release(tree) = tree_of(state, "", ALL
		"vmlinux bzImage:\n\t@echo \"$(MAKEFLAGS)\" >flags\n");
	char *given __free(ptr) = NULL, *flags __free(ptr) = NULL;
	struct err err = ERR_INIT;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "+++", 3), 3);
	given = xstrfmt(" -j3 --jobserver-auth=%d,%d LEAKED=1", fds[0], fds[1]);
	setenv("MAKEFLAGS", given, 1);
	if (make_kernel(&t.task, &err) < 0)
		fail_msg("%s", err.msg);
	close(fds[0]);
	close(fds[1]);
	free(given);
	given = xstrfmt("--jobserver-auth=%d,%d", fds[0], fds[1]);
	flags = read_text(state, "flags");
	assert_non_null(strstr(flags, given));
	assert_null(strstr(flags, "LEAKED"));
	free(flags);
	free(given);
	given = read_text(state, "log");
	assert_null(strstr(given, "jobserver unavailable"));
	/* closed by now */
	assert_int_equal(make_kernel(&t.task, &err), 0);
	flags = read_text(state, "log");
	assert_null(strstr(flags, "warning"));
	unsetenv("MAKEFLAGS");
}

static void test_compiler(void **state)
{
	char hex[HASH_HEX] = "", *label = NULL, *path __free(ptr) = xstrdup(getenv("PATH"));
	struct err err = ERR_INIT;
	int ret = make_compiler(&label, hex, &err);

	(void)state;
	if (ret == 0) {
		assert_int_equal(strncmp(label, "gcc", 3), 0);
		assert_non_null(strstr(label, ", GNU ld"));
		assert_int_equal(strlen(hex), HASH_HEX - 1);
	} else {
		assert_int_equal(err.kind, ERR_UNABLE);
	}
	free(label);
	setenv("PATH", "/nonexistent", 1);
	assert_int_equal(make_compiler(&label, hex, &err), -ENOENT);
	setenv("PATH", path, 1);
	assert_int_equal(err.kind, ERR_UNABLE);
	assert_non_null(strstr(err.msg, "without make gcc ld flex bison bc: install the packages "
					"make gcc binutils flex bison bc"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_builds),	     cmocka_unit_test(test_image_that_is_booted),
		cmocka_unit_test(test_debug_info),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_environment),  cmocka_unit_test(test_failures),
		cmocka_unit_test(test_log_full),     cmocka_unit_test(test_left_behind),
		cmocka_unit_test(test_interrupted),  cmocka_unit_test(test_jobserver_word),
		cmocka_unit_test(test_jobserver_used), cmocka_unit_test(test_compiler),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
