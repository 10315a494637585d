/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of run/progress: what is noted is read again, and what is no progress is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "run/progress.h"
#include "run/schedule.h"

static char *dir, *path;
static struct run_progress written, got;

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	if (dir_temp("/tmp/iorig-progress-", &dir, &err))
		return -1;
	path = path_join(dir, PROGRESS_FILE);
	run_progress_init(&written, 2);
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	run_progress_release(&written);
	run_progress_release(&got);
	dir_remove(dir, &err);
	free(dir);
	free(path);
	return 0;
}

static void note(enum schedule_event event, size_t slot, size_t done, const struct boot *b)
{
	const struct progress_disk full[PROGRESS_FULL] = { { "dvd", 4096 }, { "", -1 } };
	const struct schedule_news n = {
		.event = event, .case_name = "g/case\033[31m\xff", .seed = 7, .slot = slot, .done = done,
		.total = 9, .stage = STAGE_JOBS, .guest_ns = 34, .wall_ns = 56, .simulated = true,
		.full = full, .boot = b,
	};

	run_progress_note(&written, &n);
}

static void write_and_read(void)
{
	struct err err = ERR_INIT;

	run_progress_release(&got);
	if (run_progress_write(&written, dir, true, &err) || run_progress_read(&got, path, &err))
		fail_msg("%s", err.msg);
}

static void test_round_trip(void **state)
{
	struct boot b;

	(void)state;
	boot_init(&b);
	b.outcome = OUTCOME_BROKEN;
	b.reason = xstrdup("kernel panic\n");
	note(BOOT_STARTED, 0, 0, NULL);
	note(BOOT_NEWS, 1, 0, NULL);
	note(BOOT_ENDED, 0, 1, &b);
	boot_release(&b);
	write_and_read();
	assert_int_equal(got.pid, getpid());
	assert_int_equal(got.done, 1);
	assert_int_equal(got.total, 9);
	assert_true(got.simulated && !got.ended);
	assert_int_equal(got.n_slots, 2);
	assert_null(got.slots[0].case_name);
	assert_string_equal(got.slots[1].case_name, "g/case\\x1b[31m\\xff");
	assert_int_equal(got.slots[1].seed, 7);
	assert_int_equal(got.slots[1].guest_ns, 34);
	assert_string_equal(got.slots[1].full[0].name, "dvd");
	assert_int_equal(got.slots[1].full[0].kib, 4096);
	assert_int_equal(got.slots[1].full[1].kib, -1);
	assert_int_equal(got.n_last, 1);
	assert_int_equal(got.last[0].outcome, OUTCOME_BROKEN);
	assert_string_equal(got.last[0].reason, "kernel panic\\x0a");
	written.ended = true;
	write_and_read();
	assert_true(got.ended);
}

/* Only the last ones are kept, with their numbers. */
static void test_many(void **state)
{
	struct boot b;

	(void)state;
	boot_init(&b);
	for (size_t i = 1; i <= 1000; i++)
		note(BOOT_ENDED, i % 2, i, &b);
	written.total = 2000;
	write_and_read();
	assert_int_equal(got.n_last, PROGRESS_KEPT);
	assert_int_equal(got.last[PROGRESS_KEPT - 1].number, 1000);
	assert_int_equal(got.last[0].number, 1000 - PROGRESS_KEPT + 1);
	boot_release(&b);
}

/* Not more often than once a second, but for what has to be told. */
static void test_pace(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	note(BOOT_NEWS, 0, 0, NULL);
	assert_int_equal(run_progress_write(&written, dir, false, &err), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(run_progress_write(&written, dir, false, &err), 0);
	assert_false(path_is_file(path));
	assert_int_equal(run_progress_write(&written, dir, true, &err), 0);
	assert_true(path_is_file(path));
}

static void test_left(void **state)
{
	struct run_progress p = { .written = 30 * NS_PER_S, .done = 3, .total = 9 };

	(void)state;
	assert_int_equal(run_progress_left(&p), 60 * NS_PER_S);
	p.done = 0;
	assert_int_equal(run_progress_left(&p), -1);
	p = (struct run_progress){ .written = INT64_MAX, .done = 1, .total = INT32_MAX };
	assert_int_equal(run_progress_left(&p), -1);
}

static void test_bad_files(void **state)
{
	static const char head[] = "{\"iorig\":1,\"pid\":1,\"age_ns\":1,\"simulated\":true,\"ended\":false,";
	static const char *const rest[] = {
		"", "\"done\":1}", "\"done\":-1,\"total\":2,\"slots\":[],\"last\":[]}",
		"\"done\":3,\"total\":2,\"slots\":[],\"last\":[]}",
		"\"done\":1,\"total\":2,\"slots\":[1],\"last\":[]}",
		("\"done\":1,\"total\":2,\"slots\":[{\"case_name\":\"x\",\"seed\":1,\"stage\":99,"
		 "\"guest_ns\":1,\"wall_ns\":1,\"full\":[]}],\"last\":[]}"),
		"\"done\":1,\"total\":2,\"slots\":[],\"last\":[{}]}",
		"\"done\":1,\"done\":1,\"total\":2,\"slots\":[],\"last\":[]}",
		"\"done\":1e3,\"total\":2,\"slots\":[],\"last\":[]}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rest); i++) {
		char *text = xstrfmt("%s%s", head, rest[i]);
		struct err err = ERR_INIT;

		assert_int_equal(file_write_atomic(path, text, strlen(text), 0600, &err), 0);
		if (run_progress_read(&got, path, &err) != -EBADMSG)
			fail_msg("taken: %s", text);
		assert_non_null(strstr(err.msg, PROGRESS_FILE));
		assert_int_equal(got.n_slots, 0);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pace, setup, teardown),
		cmocka_unit_test_setup_teardown(test_left, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_files, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
