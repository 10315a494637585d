/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of host: facts, QEMU's version, the KVM probe's promises. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "host/host.h"

static int setup(void **state)
{
	struct err err = ERR_INIT;
	char *dir;

	if (dir_temp("/tmp/iorig-test-", &dir, &err) < 0)
		return -1;
	*state = dir;
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;
	int ret = dir_remove(*state, &err);

	free(*state);
	unsetenv("IORIG_QEMU");
	return ret;
}

static void test_facts(void **state)
{
	struct host_facts f;
	struct utsname uts;

	(void)state;
	host_facts_read(&f);
	assert_int_equal(uname(&uts), 0);
	assert_string_equal(f.kernel, uts.release);
	assert_true(f.cpus >= 1 && f.cpus < 100000);
	assert_true(f.memory > 16LL << 20);
	assert_true(f.load >= 0);
	assert_true(f.cpu[0] > ' ' && f.os[0] > ' ' && f.os[0] != '"');
	assert_null(strpbrk(f.cpu, "\n\""));
	assert_null(strpbrk(f.os, "\n\""));
}

/* A program that says what a QEMU could say, or what none says. */
static void use_program(const char *dir, const char *body)
{
	char *path = path_join(dir, "qemu"), *script = xstrfmt("#!/bin/sh\n%s\n", body);
	struct err err = ERR_INIT;

	assert_int_equal(file_write_atomic(path, script, strlen(script), 0755, &err), 0);
	setenv("IORIG_QEMU", path, 1);
	free(path);
	free(script);
}

static void test_qemu_versions(void **state)
{
	static const struct {
		const char *says, *version;
		int major, minor;
	} table[] = {
		{ "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)",
		  "7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)", 7, 2 },
		{ "QEMU emulator version 10.0.2", "10.0.2", 10, 0 },
		{ "QEMU emulator version 9.2.50 (v9.2.0-1-g0123456789)",
		  "9.2.50 (v9.2.0-1-g0123456789)", 9, 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		char *body = xstrfmt("test \"$*\" = --version && echo '%s' && echo Copyright",
				     table[i].says);
		struct err err = ERR_INIT;
		struct host_qemu q;

		use_program(*state, body);
		if (host_qemu_find(&q, &err) < 0)
			fail_msg("%s", err.msg);
		assert_string_equal(q.version, table[i].version);
		assert_int_equal(q.major, table[i].major);
		assert_int_equal(q.minor, table[i].minor);
		host_qemu_release(&q);
		host_qemu_release(&q);
		free(body);
	}
}

static void expect_no_qemu(const char *says)
{
	struct err err = ERR_INIT;
	struct host_qemu q;

	assert_true(host_qemu_find(&q, &err) < 0);
	assert_int_equal(err.kind, ERR_RIG);
	assert_null(q.path);
	if (!strstr(err.msg, says) || !strstr(err.msg, "qemu-system-x86"))
		fail_msg("'%s' does not say '%s'", err.msg, says);
}

static void test_no_qemu(void **state)
{
	use_program(*state, "true");
	expect_no_qemu("does not look like QEMU's");
	use_program(*state, "echo GNU Emacs 29.1");
	expect_no_qemu("does not look like QEMU's");
	use_program(*state, "echo Some emulator version 7.2");
	expect_no_qemu("does not look like QEMU's");
	use_program(*state, "echo broken >&2; exit 3");
	expect_no_qemu("broken");
	setenv("IORIG_QEMU", "no-such-qemu", 1);
	expect_no_qemu("'no-such-qemu' not found");
	setenv("IORIG_QEMU", "/nonexistent/qemu", 1);
	expect_no_qemu("/nonexistent/qemu");
}

/* Whatever the host: an answer in time, a reason either way, and no child left behind. */
static void test_kvm(void **state)
{
	int64_t start = clock_ns();
	char why[160] = "";
	bool usable = host_kvm_usable(why);

	(void)state;
	print_message("KVM is %s: %s\n", usable ? "usable" : "not usable", why);
	assert_true(clock_ns() - start < 5 * NS_PER_S);
	assert_true(strlen(why) > 5);
	assert_null(strchr(why, '\n'));
	assert_int_equal(usable, strstr(why, "ran 10 M instructions in ") == why);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_qemu_versions),
		cmocka_unit_test(test_no_qemu),
		cmocka_unit_test(test_kvm),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
