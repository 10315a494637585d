/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of vm/vm with the fake QEMU (rig/tests/fake), and with the real one if it is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "vm/machine.h"
#include "vm/vm.h"

#define LONG (30 * NS_PER_S)

static char *dir, *scenario_path, *console_path, *frames_path;
static char *fake, *real;
static struct machine machine;

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	if (dir_temp("/tmp/test-vm-", &dir, &err))
		return -1;
	scenario_path = path_join(dir, "scenario");
	console_path = path_join(dir, "console,log");
	frames_path = path_join(dir, "frames");
	machine = (struct machine){
		.qemu = fake, .memory = 64 << 20, .smp = 1, .accel = ACCEL_TCG,
		.clock = CLOCK_REAL, .timing = TIMING_THROTTLE,
		.console = console_path, .frames = frames_path, .qmp_fd = -1,
	};
	return setenv("FAKE_QEMU_SCENARIO", scenario_path, 1);
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;
	int left = waitpid(-1, NULL, WNOHANG);

	(void)state;
	dir_remove(dir, &err);
	free(dir);
	free(scenario_path);
	free(console_path);
	free(frames_path);
	/* no child may be left, ended or not */
	return left == -1 ? 0 : -1;
}

static void scenario(const char *text)
{
	struct err err = ERR_INIT;

	if (file_write_atomic(scenario_path, text, strlen(text), 0644, &err))
		fail_msg("%s", err.msg);
}

static void must_start(struct vm *vm)
{
	struct err err = ERR_INIT;

	if (vm_start(vm, &machine, dir, &err))
		fail_msg("%s", err.msg);
}

/* The next event is this one. */
static struct vm_event expect(struct vm *vm, enum vm_event_kind kind, const char *data)
{
	struct deadline d = deadline_in("an event", LONG);
	struct vm_event event;
	struct err err = ERR_INIT;

	if (vm_next(vm, &event, &d, &err))
		fail_msg("%s", err.msg);
	if (event.kind != kind || event.len != strlen(data) || memcmp(event.data, data, event.len))
		fail_msg("event %d '%s' instead of %d '%s'", event.kind, event.data, kind, data);
	return event;
}

static void expect_exit(struct vm *vm, int status)
{
	struct vm_event event = expect(vm, VM_EXIT, "");

	assert_int_equal(event.status, status);
	assert_true(vm->ended);
	vm_release(vm);
}

static void test_story(void **state)
{
	struct vm vm = VM_INIT;
	struct vm_event event;

	(void)state;
	scenario("console one\nwait-ms 1\nqmp-event SHUTDOWN {\"guest\": true}\nhang\n");
	must_start(&vm);
	expect(&vm, VM_CONSOLE, "one");
	event = expect(&vm, VM_QMP, "{\"guest\":true}");
	assert_string_equal(event.name, "SHUTDOWN");
	vm_stop(&vm);
	expect_exit(&vm, 0);
	vm_release(&vm);
}

/* What is left in the files when QEMU ends is delivered, a last line without newline too. */
static void test_end_of_story(void **state)
{
	struct deadline d = deadline_in("an event", LONG);
	bool frame = false, cut = false, two = false, three = false, stop = false;
	struct vm_event event = { .kind = VM_FRAME };
	struct vm vm = VM_INIT;
	struct err err = ERR_INIT;
	char *text;

	(void)state;
	scenario("frame {}\nraw-frame cut\nconsole two\nconsole-raw \\x1bthree\nqmp-event STOP\n"
		 "stderr last\\x1b words\nexit 3\n");
	must_start(&vm);
	while (!vm.ended) {
		assert_int_equal(vm_next(&vm, &event, &d, &err), 0);
		frame |= event.kind == VM_FRAME && event.data[0] == '@';
		cut |= event.kind == VM_FRAME && event.len == 3 && !memcmp(event.data, "cut", 3);
		two |= event.kind == VM_CONSOLE && event.len == 3;
		three |= event.kind == VM_CONSOLE && event.len == 6 && event.data[0] == '\x1b';
		stop |= event.kind == VM_QMP && !strcmp(event.name, "STOP");
	}
	assert_true(frame && cut && two && three && stop);
	assert_int_equal(event.kind, VM_EXIT);
	assert_int_equal(WEXITSTATUS(event.status), 3);
	text = vm_stderr(&vm);
	assert_string_equal(text, "last\\x1b words");
	free(text);
	vm_release(&vm);
}

static void test_killed(void **state)
{
	struct vm vm = VM_INIT;

	(void)state;
	scenario("console x\nsignal KILL\n");
	must_start(&vm);
	expect(&vm, VM_CONSOLE, "x");
	expect_exit(&vm, SIGKILL);
}

/* A closed QMP connection is no event; the end is. */
static void test_qmp_closed(void **state)
{
	struct vm vm = VM_INIT;

	(void)state;
	scenario("close-qmp\nwait-ms 50\nconsole still here\nexit 0\n");
	must_start(&vm);
	expect(&vm, VM_CONSOLE, "still here");
	expect_exit(&vm, 0);
}

/* It may come together with the last reply, or after it. */
static void test_qmp_garbage(void **state)
{
	struct deadline d = deadline_in("an event", LONG);
	struct vm_event event;
	struct vm vm = VM_INIT;
	struct err err = ERR_INIT;
	int ret;

	(void)state;
	scenario("qmp-raw nonsense\\n\nhang\n");
	ret = vm_start(&vm, &machine, dir, &err);
	if (!ret)
		ret = vm_next(&vm, &event, &d, &err);
	assert_int_equal(ret, -EBADMSG);
	vm_stop(&vm);
	expect(&vm, VM_EXIT, "");
	vm_release(&vm);
}

static void test_silence(void **state)
{
	struct deadline d = deadline_in("a word", 100 * NS_PER_MS);
	struct vm_event event;
	struct vm vm = VM_INIT;
	struct err err = ERR_INIT;

	(void)state;
	scenario("hang\n");
	must_start(&vm);
	assert_int_equal(vm_next(&vm, &event, &d, &err), -ETIMEDOUT);
	assert_non_null(strstr(err.msg, "a word"));
	assert_true(vm.proc.pid > 0);
	vm_release(&vm);
}

/* A guest that never falls silent does not outlast the deadline either. */
static void test_flood(void **state)
{
	struct deadline d = deadline_in("the guest's end", 300 * NS_PER_MS);
	struct vm_event event;
	struct vm vm = VM_INIT;
	struct err err = ERR_INIT;
	int ret;

	(void)state;
	scenario("repeat 100000000 console aaaaaaaa\n");
	must_start(&vm);
	do {
		ret = vm_next(&vm, &event, &d, &err);
	} while (!ret);
	assert_int_equal(ret, -ETIMEDOUT);
	assert_true(vm.proc.pid > 0);
	vm_release(&vm);
}

/* Neither quit nor TERM helps: KILL does, and it is told as what it is. */
static void test_stubborn(void **state)
{
	struct vm vm = VM_INIT;

	(void)state;
	scenario("ignore-term\nignore-quit\nhang\n");
	must_start(&vm);
	vm_stop(&vm);
	expect_exit(&vm, SIGKILL);
}

/* All ways not to become ready. */
static void test_not_ready(void **state)
{
	static const struct {
		const char *scenario;
		int code;
		const char *msg;
	} rows[] = {
		{ "stderr first\nstderr no such machine\nexit 1\nready\n", -EIO,
		  "QEMU exited with status 1 before its guest ran: no such machine" },
		{ "signal SEGV\nready\n", -EIO, "QEMU killed by signal 11 (Segmentation fault) "
						"before its guest ran" },
		{ "exit 0\nready\n", -EIO, "QEMU exited with status 0 before its guest ran" },
		{ "stderr hm\nno-greeting\nhang\n", -ETIMEDOUT, "(it says: hm)" },
		{ "slow-greeting 60000\n", -ETIMEDOUT, "QEMU's answer over QMP" },
		{ "qmp-raw junk\\n\nhang\nready\n", -EBADMSG, "QEMU did not become ready: QMP" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct vm vm = VM_INIT;
		struct err err = ERR_INIT;

		if (rows[i].code == -ETIMEDOUT)
			vm.patience_ns = 500 * NS_PER_MS;
		scenario(rows[i].scenario);
		if (vm_start(&vm, &machine, dir, &err) != rows[i].code ||
		    !strstr(err.msg, rows[i].msg))
			fail_msg("row %zu: %d '%s'", i, err.code, err.msg);
		vm_release(&vm);
	}
}

/* Slow, but not too slow. */
static void test_slow_greeting(void **state)
{
	struct vm vm = VM_INIT;

	(void)state;
	scenario("slow-greeting 300\nconsole x\n");
	must_start(&vm);
	expect(&vm, VM_CONSOLE, "x");
	expect_exit(&vm, 0);
}

static void test_cannot_start(void **state)
{
	struct vm vm = VM_INIT;
	struct err err = ERR_INIT;

	(void)state;
	machine.qemu = "/nonexistent/qemu";
	assert_int_equal(vm_start(&vm, &machine, dir, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "/nonexistent/qemu"));
	vm_release(&vm);
	machine.qemu = fake;
	machine.frames = "/nonexistent/frames";
	assert_int_equal(vm_start(&vm, &machine, dir, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "/nonexistent/frames"));
	vm_release(&vm);
	vm_release(&vm);
}

/* The real one says what it lacks. */
static void test_real_refusal(void **state)
{
	struct vm vm = VM_INIT;
	struct err err = ERR_INIT;

	(void)state;
	if (!real)
		skip();
	machine.qemu = real;
	machine.kernel = "/nonexistent/kernel";
	machine.cmdline = "";
	assert_int_equal(vm_start(&vm, &machine, dir, &err), -EIO);
	assert_non_null(strstr(err.msg, "QEMU exited with status 1 before its guest ran: "));
	assert_non_null(strstr(err.msg, "/nonexistent/kernel"));
	vm_release(&vm);
}

/* The real one takes every bus, sector size and kind of node that we describe, and is silent. */
static void test_real_disks(void **state)
{
	struct machine_disk disks[] = {
		{ .name = "hda", .bus = BUS_IDE, .sector = 512, .rotational = true },
		{ .name = "0", .bus = BUS_ATAPI, .sector = 2048, .bps_read = 1000000 },
		{ .name = "mo", .bus = BUS_SCSI, .sector = 2048, .removable = true,
		  .bps_read = 1000000, .bps_write = 300000 },
		{ .name = "ro", .bus = BUS_SCSI, .sector = 512, .read_only = true },
		{ .name = "u1", .bus = BUS_USB, .sector = 512, .removable = true },
		{ .name = "u2", .bus = BUS_USB, .sector = 4096 },
		{ .name = "u3", .bus = BUS_USB, .sector = 512 },
		{ .name = "sata", .bus = BUS_AHCI, .sector = 512, .rotational = false },
		{ .name = "a234567890123456789012345-", .bus = BUS_VIRTIO, .sector = 4096 },
	};
	char *images[ARRAY_SIZE(disks)], *text;
	struct vm vm = VM_INIT;
	struct vm_event event;
	struct err err = ERR_INIT;

	(void)state;
	if (!real)
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(disks); i++) {
		images[i] = xstrfmt("%s/image, of %s", dir, disks[i].name);
		assert_int_equal(file_write_atomic(images[i], "", 0, 0644, &err), 0);
		assert_int_equal(truncate(images[i], 1 << 20), 0);
		disks[i].image = images[i];
		disks[i].serial = "12345678901234567890";
	}
	machine.qemu = real;
	machine.disks = disks;
	machine.n_disks = ARRAY_SIZE(disks);
	must_start(&vm);
	event = expect(&vm, VM_QMP, "{}");
	assert_string_equal(event.name, "RESUME");
	vm_stop(&vm);
	event = expect(&vm, VM_QMP, "{\"guest\":false,\"reason\":\"host-qmp-quit\"}");
	assert_string_equal(event.name, "SHUTDOWN");
	text = vm_stderr(&vm);
	assert_string_equal(text, "");
	free(text);
	expect_exit(&vm, 0);
	for (size_t i = 0; i < ARRAY_SIZE(disks); i++)
		free(images[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_story, setup, teardown),
		cmocka_unit_test_setup_teardown(test_end_of_story, setup, teardown),
		cmocka_unit_test_setup_teardown(test_killed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_qmp_closed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_qmp_garbage, setup, teardown),
		cmocka_unit_test_setup_teardown(test_silence, setup, teardown),
		cmocka_unit_test_setup_teardown(test_flood, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stubborn, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_ready, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slow_greeting, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cannot_start, setup, teardown),
		cmocka_unit_test_setup_teardown(test_real_refusal, setup, teardown),
		cmocka_unit_test_setup_teardown(test_real_disks, setup, teardown),
	};
	int failed;

	/* run from the top of the tree, as make does */
	fake = realpath("rig/tests/fake/fake-qemu", NULL);
	if (!fake) {
		print_error("rig/tests/fake/fake-qemu is not here\n");
		return 1;
	}
	real = proc_find("qemu-system-x86_64");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(fake);
	free(real);
	return failed;
}
