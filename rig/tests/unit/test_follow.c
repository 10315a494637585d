/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of run/follow: what comes of a boot, by what its guest, console and QEMU said. */
#include "follow_fixture.h"

#define EXITED(n) ((n) << 8)
#define KILLED(n) (n)
#define PANIC "[    1.500000] Kernel panic - not syncing: Attempted to kill init!"

/* One boot: what is said, how it ends, and what is made of it. */
static const struct ending {
	const char *name;
	const char *frames[6];		/* NULL at the end */
	const char *console[3];
	const char *event, *data;	/* of QMP */
	int status;
	int64_t silent_ns;
	const char *qemu_said;
	enum outcome outcome;
	enum stage stage;
	const char *reason;
} endings[] = {
	{ .name = "all is well", .frames = { HELLO, READY, END("hdd", 5), DONE },
	  .outcome = OUTCOME_DONE, .stage = STAGE_END, .reason = "" },
	{ .name = "done, but it did not power off", .frames = { HELLO, READY, DONE },
	  .silent_ns = 15 * NS_PER_S, .outcome = OUTCOME_DONE, .stage = STAGE_END, .reason = "" },
	{ .name = "nothing at all", .silent_ns = 120 * NS_PER_S, .stage = STAGE_BOOT,
	  .reason = "silence: the guest said nothing for 120 s before the kernel's first line" },
	{ .name = "no init", .console = { "[    0.000000] Linux version 6.1.0" },
	  .silent_ns = 120 * NS_PER_S, .stage = STAGE_BOOT,
	  .reason = "silence: the guest said nothing for 120 s before the agent's first frame" },
	{ .name = "hangs while setting up", .frames = { HELLO }, .silent_ns = NS_PER_S,
	  .stage = STAGE_SETUP,
	  .reason = "silence: the guest said nothing for 1 s while it set up" },
	{ .name = "hangs while jobs run", .frames = { HELLO, READY }, .silent_ns = NS_PER_S,
	  .stage = STAGE_JOBS,
	  .reason = "silence: the guest said nothing for 1 s while jobs ran" },
	{ .name = "powers off", .frames = { HELLO, READY }, .event = "SHUTDOWN",
	  .data = "{\"guest\":true,\"reason\":\"guest-shutdown\"}", .stage = STAGE_JOBS,
	  .reason = "the guest powered off while jobs ran" },
	{ .name = "ends without an event", .frames = { HELLO }, .stage = STAGE_SETUP,
	  .reason = "the guest powered off while it set up" },
	{ .name = "reboots", .frames = { HELLO }, .event = "SHUTDOWN",
	  .data = "{\"guest\":true,\"reason\":\"guest-reset\"}", .stage = STAGE_SETUP,
	  .reason = "the guest rebooted while it set up" },
	{ .name = "somebody ends QEMU", .frames = { HELLO, READY }, .event = "SHUTDOWN",
	  .data = "{\"guest\":false,\"reason\":\"host-signal\"}", .stage = STAGE_JOBS,
	  .reason = "QEMU was ended by a signal from outside while jobs ran" },
	{ .name = "an unknown event", .frames = { HELLO }, .event = "RTC_CHANGE",
	  .data = "{\"reason\":\"guest-reset\"}", .stage = STAGE_SETUP,
	  .reason = "the guest powered off while it set up" },
	{ .name = "QMP data that is no JSON", .frames = { HELLO }, .event = "SHUTDOWN",
	  .data = "{\"reason\":", .stage = STAGE_SETUP,
	  .reason = "the guest powered off while it set up" },
	{ .name = "QMP data of the wrong type", .frames = { HELLO }, .event = "SHUTDOWN",
	  .data = "{\"reason\":[1]}", .stage = STAGE_SETUP,
	  .reason = "the guest powered off while it set up" },
	{ .name = "QEMU exits", .frames = { HELLO, READY }, .status = EXITED(3),
	  .qemu_said = "one\ntwo\n", .stage = STAGE_JOBS,
	  .reason = "QEMU exited with status 3 while jobs ran: one; two" },
	{ .name = "QEMU exits without a word", .status = EXITED(1), .stage = STAGE_BOOT,
	  .reason = "QEMU exited with status 1 before the kernel's first line" },
	{ .name = "QEMU is killed", .frames = { HELLO }, .status = KILLED(11),
	  .stage = STAGE_SETUP,
	  .reason = "QEMU killed by signal 11 (Segmentation fault) while it set up" },
	{ .name = "lacks", .frames = { HELLO, LACKS, FAIL }, .outcome = OUTCOME_SKIPPED,
	  .stage = STAGE_SETUP, .reason = "the kernel lacks: no filesystem ext2" },
	{ .name = "a guest from another age, which then fails",
	  .frames = { HELLO_OF("2.6.9"), FAIL }, .stage = STAGE_SETUP,
	  .reason = "Linux 2.6.9 is too old: 5.10 is the oldest kernel that can be tried, because "
		    "older ones lack what cases and samples rely on (one request path for all "
		    "disks, pressure files, cgroups that know io)" },
	{ .name = "fails", .frames = { HELLO, FAIL }, .stage = STAGE_SETUP,
	  .reason = "mount: cannot mount hda" },
	{ .name = "escape sequences of the agent",
	  .frames = { HELLO, "{\"t\":\"fail\",\"ns\":1,\"stage\":\"\\u001b[2J\",\"text\":\"a\\nb\","
			     "\"error\":5}" },
	  .stage = STAGE_SETUP, .reason = "\\x1b[2J: a\\x0ab" },
	{ .name = "panic", .frames = { HELLO, READY }, .console = { PANIC }, .stage = STAGE_JOBS,
	  .reason = "kernel panic: " PANIC },
	{ .name = "panic of a guest that then lacks and is done",
	  .frames = { HELLO, READY, LACKS, DONE }, .console = { PANIC }, .stage = STAGE_END,
	  .reason = "kernel panic: " PANIC },
	{ .name = "escape sequences of the console",
	  .console = { "Kernel panic - not syncing: \033[31mred" }, .stage = STAGE_BOOT,
	  .reason = "kernel panic: Kernel panic - not syncing: \\x1b[31mred" },
	{ .name = "a warning is no fault", .frames = { HELLO, READY, DONE },
	  .console = { "[    1.0] WARNING: CPU: 0 PID: 1 at mm/slub.c:1 f+0x1/0x2" },
	  .outcome = OUTCOME_DONE, .stage = STAGE_END, .reason = "" },
	{ .name = "an OOM kill is", .frames = { HELLO, READY, DONE },
	  .console = { "[   12.0] Out of memory: Killed process 77 (dd) total-vm:4kB" },
	  .stage = STAGE_END,
	  .reason = "out of memory: [   12.0] Out of memory: Killed process 77 (dd) total-vm:4kB" },
};

static void test_endings(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		const struct ending *e = &endings[i];
		/* broken unless it says otherwise: OUTCOME_DONE is 0 and has no reason */
		enum outcome outcome = e->outcome == OUTCOME_DONE && *e->reason ? OUTCOME_BROKEN
										 : e->outcome;
		struct talk t;

		print_message("# %s\n", e->name);
		init(&t);
		for (size_t k = 0; e->frames[k]; k++)
			say(&t, e->frames[k]);
		for (size_t k = 0; k < ARRAY_SIZE(e->console) && e->console[k]; k++)
			console(&t, e->console[k]);
		if (e->event)
			follow_qmp(&t.f, e->event, e->data);
		follow_settle(&t.f, e->status, e->silent_ns, e->qemu_said ? e->qemu_said : "");
		expect_boot(&t, outcome, e->stage, e->reason);
		assert_int_equal(t.b.frames_bad, 0);
		assert_int_equal(t.b.frames_lost, 0);
		done(&t);
	}
}

#define RESULT(job)                                                                                \
	"{\"t\":\"result\",\"ns\":7000,\"job\":\"" job "\",\"ops\":2,\"bytes\":8192,"             \
	"\"errors\":0,\"first_ns\":1,\"last_ns\":9,\"sum\":8,\"min\":4,\"max\":4,"                 \
	"\"hist\":[[4,2]]}"
#define STACKS(job)                                                                                \
	"{\"t\":\"stacks\",\"ns\":8500,\"job\":\"" job "\",\"rounds\":9,\"source\":\"stack\"}"
#define STACK(job, state, count, stack)                                                            \
	"{\"t\":\"stack\",\"ns\":8500,\"job\":\"" job "\",\"state\":\"" state "\",\"count\":"         \
	#count ",\"stack\":\"" stack "\"}"

static void test_measured(void **state)
{
	struct talk t;

	(void)state;
	init(&t);
	say(&t, HELLO);
	say(&t, READY);
	say(&t, RESULT("hdd"));
	say(&t, END("hdd", 5));
	say(&t, END("dvd", 6));
	say(&t, STACKS("hdd"));
	say(&t, STACK("hdd", "R", 2, ""));
	say(&t, STACK("hdd", "D", 7, "io_schedule vfs_read"));
	say(&t, STACK("hdd", "D", 2, "io_schedule vfs_write"));
	assert_int_equal(t.b.frames_bad, 0);
	assert_true(t.b.jobs[0].measured);
	assert_false(t.b.jobs[1].measured);
	assert_int_equal(t.b.jobs[0].result.ops, 2);
	assert_int_equal(t.b.jobs[0].result.hist.n[4], 2);
	assert_int_equal(t.b.jobs[0].wait_rounds, 9);
	assert_int_equal(t.b.jobs[0].n_waits, 3);
	assert_string_equal(t.b.jobs[0].waits[0].stack, "io_schedule vfs_read");
	assert_string_equal(t.b.jobs[0].waits[1].state, "R");
	assert_string_equal(t.b.jobs[0].waits[2].stack, "io_schedule vfs_write");
	/* twice, too late, of nobody, before their time */
	say(&t, RESULT("hdd"));
	say(&t, RESULT("dvd"));
	say(&t, RESULT("usb"));
	say(&t, STACKS("hdd"));
	say(&t, STACKS("usb"));
	say(&t, STACK("hdd", "D", 9, "io_schedule vfs_read"));
	say(&t, STACK("dvd", "D", 9, "io_schedule"));
	assert_int_equal(t.b.frames_bad, 7);
	assert_int_equal(t.b.jobs[0].n_waits, 3);
	assert_int_equal(t.b.jobs[0].waits[0].count, 7);
	done(&t);
}

static void test_many_stacks(void **state)
{
	struct talk t;

	(void)state;
	init(&t);
	say(&t, STACKS("hdd"));
	for (int i = 0; i < MSG_STACKS_MAX + 5; i++) {
		char *frame = xstrfmt("{\"t\":\"stack\",\"ns\":1,\"job\":\"hdd\",\"state\":\"D\","
				      "\"count\":%d,\"stack\":\"f%d\"}", i, i);

		say(&t, frame);
		free(frame);
	}
	assert_int_equal(t.b.jobs[0].n_waits, MSG_STACKS_MAX);
	assert_int_equal(t.b.frames_bad, 5);
	assert_int_equal(t.b.jobs[0].waits[0].count, MSG_STACKS_MAX - 1);
	assert_int_equal(t.b.jobs[0].waits[MSG_STACKS_MAX - 1].count, 0);
	done(&t);
}

/* Jobs that prepare speak before time zero. */
static void test_preparing(void **state)
{
	struct talk t;

	(void)state;
	init(&t);
	say(&t, HELLO);
	assert_false(t.f.preparing);
	say(&t, "{\"t\":\"start\",\"ns\":1200,\"job\":\"dvd\"}");
	assert_true(t.f.preparing);
	say(&t, END("dvd", 5));
	say(&t, READY);
	assert_false(t.f.preparing);
	say(&t, "{\"t\":\"start\",\"ns\":2200,\"job\":\"hdd\"}");
	assert_false(t.f.preparing);
	assert_true(t.b.jobs[1].ended);
	done(&t);
}

static void test_what_is_kept(void **state)
{
	struct talk t;

	(void)state;
	init(&t);
	assert_int_equal(t.b.seed, 3);
	assert_int_equal(t.b.n_jobs, 2);
	assert_int_equal(t.b.jobs[1].role, PLAN_LOAD);
	say(&t, HELLO);
	assert_int_equal(t.b.hello_ns, 6 * NS_PER_S);
	assert_string_equal(t.b.release, "6.1.0");
	assert_int_equal(t.b.mem_kb, 120000);
	say(&t, DISK("dvd"));
	say(&t, "{\"t\":\"news of a later agent\",\"ns\":1700}");
	assert_int_equal(t.b.guest_ns, 1700);
	say(&t, READY);
	say(&t, SAMPLE);
	say(&t, END("dvd", 77));
	say(&t, DONE);
	assert_int_equal(t.b.n_disks, 1);
	assert_string_equal(t.b.disks[0].name, "dvd");
	assert_int_equal(t.b.n_samples, 1);
	assert_int_equal(t.b.samples[0].ns, 3000);
	assert_false(t.b.jobs[0].ended);
	assert_true(t.b.jobs[1].ended);
	assert_int_equal(t.b.jobs[1].end.wall_ns, 77);
	assert_int_equal(t.b.guest_ns, 9000);
	follow_settle(&t.f, 0, 0, "");
	expect_boot(&t, OUTCOME_DONE, STAGE_END, "");
	assert_int_equal(t.b.evidence.n, 0);
	done(&t);
}

static void test_evidence(void **state)
{
	struct talk t;

	(void)state;
	init(&t);
	console(&t, "Linux version 6.1.0");
	console(&t, "usual words");
	console(&t, PANIC);
	console(&t, "Call Trace:");
	follow_settle(&t.f, 0, 0, "");
	assert_int_equal(t.b.console_seen[CONSOLE_PANIC], 1);
	assert_int_equal(t.b.evidence.n, 2);
	assert_string_equal(t.b.evidence.v[0], PANIC);
	assert_string_equal(t.b.evidence.v[1], "Call Trace:");
	done(&t);
	/* nothing that shows a fault: the last words, escaped */
	init(&t);
	console(&t, "Linux version 6.1.0");
	console(&t, "\033]0;owned\007");
	follow_settle(&t.f, 0, NS_PER_S, "");
	assert_int_equal(t.b.evidence.n, 2);
	assert_string_equal(t.b.evidence.v[1], "\\x1b]0;owned\\x07");
	done(&t);
	/* of many usual words it is the last ones: the cause stands at the end */
	init(&t);
	for (int i = 0; i < 3 * CONSOLE_CONTEXT; i++)
		console(&t, "usual words");
	console(&t, "ext4: Unknown parameter 'foo'");
	follow_settle(&t.f, 0, NS_PER_S, "");
	assert_int_equal(t.b.evidence.n, CONSOLE_CONTEXT);
	assert_string_equal(t.b.evidence.v[CONSOLE_CONTEXT - 1], "ext4: Unknown parameter 'foo'");
	done(&t);
}

/* Lines that count as bad, and change nothing else. */
static void test_bad_frames(void **state)
{
	static const char *const lines[] = {
		"", "\r", "@", "@1", "@0 00000000 {}", "noise", "\033[2J\xff\xfe",
		"@99999999999999999999 00000000 {}",
	};
	static const char *const frames[] = {
		"[]", "{", "{}", "{\"t\":\"done\"}", "{\"t\":\"end\",\"ns\":1}",
		END("swap", 1), END("", 1), END("hdd\\u001b", 1), END("hdd", -5),
		DISK("hdc"), HELLO, DISK("hda"), END("dvd", 2),
	};
	static char hostile[FRAME_MAX + 10];
	unsigned int bad = 0;
	struct talk t;

	(void)state;
	init(&t);
	say(&t, HELLO);
	say(&t, DISK("hda"));
	say(&t, END("dvd", 1));
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++, bad++)
		follow_frame(&t.f, lines[i], strlen(lines[i]), 0);
	memset(hostile, '@', sizeof(hostile));
	follow_frame(&t.f, hostile, sizeof(hostile), 0);
	memset(hostile, 0, sizeof(hostile));
	follow_frame(&t.f, hostile, sizeof(hostile), 0);
	bad += 2;
	assert_int_equal(t.b.frames_bad, bad);
	/* good frames: a job or disk of no case, things said twice, and what is no message */
	for (size_t i = 0; i < ARRAY_SIZE(frames); i++) {
		say(&t, frames[i]);
		if (t.b.frames_bad != ++bad)
			fail_msg("'%s' taken", frames[i]);
	}
	assert_int_equal(t.b.frames_lost, 0);
	assert_int_equal(t.b.n_disks, 1);
	assert_false(t.b.jobs[0].ended);
	assert_int_equal(t.b.jobs[1].end.wall_ns, 1);
	assert_int_equal(t.b.hello_ns, 6 * NS_PER_S);
	assert_int_equal(t.b.stage, STAGE_SETUP);
	done(&t);
}

static void test_stage_only_advances(void **state)
{
	struct talk t;

	(void)state;
	init(&t);
	say(&t, DONE);
	say(&t, READY);
	say(&t, HELLO);
	assert_int_equal(t.b.stage, STAGE_END);
	done(&t);
}

static void test_lost_frames(void **state)
{
	static const struct {
		uint32_t seq[4];
		unsigned int lost;
	} rows[] = {
		{ { 0, 1, 2, 3 }, 0 },
		{ { 0, 1, 3, 4 }, 1 },
		{ { 2, 3, 4, 5 }, 2 },
		{ { 0, 1, 1, 2 }, 1 },		/* one again */
		{ { 0, 2, 1, 3 }, 3 },		/* a gap, a step back, a gap */
		{ { 0, 1, 999, 1000 }, 997 },
		{ { 0, 1, 4000000000u, 4000000001u }, 1 },	/* absurd: counted once */
		{ { 0, UINT32_MAX, 0, 1 }, 1 },	/* the number wraps */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		static const char *const frames[] = { HELLO, READY, SAMPLE, DONE };
		char reason[64] = "";
		struct talk t;

		init(&t);
		for (size_t k = 0; k < ARRAY_SIZE(frames); k++)
			say_as(&t, rows[i].seq[k], frames[k]);
		assert_int_equal(t.b.frames_lost, rows[i].lost);
		follow_settle(&t.f, 0, 0, "");
		if (rows[i].lost)
			snprintf(reason, sizeof(reason), "%u of the agent's frames were lost",
				 rows[i].lost);
		expect_boot(&t, rows[i].lost ? OUTCOME_BROKEN : OUTCOME_DONE, STAGE_END, reason);
		done(&t);
	}
}

/* QEMU stops a machine whose host fails it; a report to the guest is the guest's own affair. */
static void test_host_errors(void **state)
{
	struct talk t;

	(void)state;
	init(&t);
	follow_qmp(&t.f, "BLOCK_IO_ERROR", "{\"node-name\":\"hda\",\"action\":\"report\"}");
	follow_qmp(&t.f, "BLOCK_IO_ERROR", "{\"node-name\":\"hda\"}");
	follow_qmp(&t.f, "BLOCK_IO_ERROR", "not JSON");
	assert_false(t.f.host_failed);
	follow_qmp(&t.f, "BLOCK_IO_ERROR",
		   "{\"node-name\":\"disk.\\u001bhda\",\"action\":\"stop\",\"reason\":\"No space\"}");
	assert_true(t.f.host_failed);
	assert_string_equal(t.f.why, "disk image 'disk.\\x1bhda': No space");
	follow_qmp(&t.f, "BLOCK_IO_ERROR", "{\"node-name\":\"dvd\",\"action\":\"stop\"}");
	assert_string_equal(t.f.why, "disk image 'disk.\\x1bhda': No space");
	done(&t);
	init(&t);
	follow_qmp(&t.f, "BLOCK_IO_ERROR", "{\"action\":\"stop\"}");
	assert_string_equal(t.f.why, "disk image '?': I/O error");
	done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_endings),
		cmocka_unit_test(test_measured),
		cmocka_unit_test(test_many_stacks),
		cmocka_unit_test(test_preparing),
		cmocka_unit_test(test_what_is_kept),
		cmocka_unit_test(test_evidence),
		cmocka_unit_test(test_bad_frames),
		cmocka_unit_test(test_stage_only_advances),
		cmocka_unit_test(test_lost_frames),
		cmocka_unit_test(test_host_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
