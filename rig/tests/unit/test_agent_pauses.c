/* SPDX-License-Identifier: GPL-2.0-only */
/* The trace of balance_dirty_pages: which lines count, and for which disk. */
#include "agent/text.c"
#include "agent/jsonw.c"
#include "agent/port.c"
#include "agent/pauses.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define REST                                                                                       \
	" limit=6250 setpoint=5469 dirty=4000 bdi_setpoint=400 bdi_dirty=500 dirty_ratelimit=1000 " \
	"task_ratelimit=800 dirtied=32 dirtied_pause=32 paused=4 pause="
#define TAIL " period=44 think=0 cgroup_ino=1"

static void formats(void **state)
{
	static const char head[] =
		"name: balance_dirty_pages\nID: 7\nformat:\n"
		"\tfield:char bdi[32];\toffset:8;\tsize:32;\tsigned:0;\n\n";
	char text_of[400];

	(void)state;
	snprintf(text_of, sizeof(text_of), "%sprint fmt: \"bdi %%s: x=%%lu pause=%%ld y\", 1", head);
	assert_true(pauses_format_ok(text_of));
	snprintf(text_of, sizeof(text_of), "%sprint fmt: \"wb %%s: x=%%lu pause=%%ld y\", 1", head);
	assert_false(pauses_format_ok(text_of));
	/* time since the last one is something else */
	snprintf(text_of, sizeof(text_of), "%sprint fmt: \"bdi %%s: paused=%%lu y\", 1", head);
	assert_false(pauses_format_ok(text_of));
	assert_false(pauses_format_ok(head));
	assert_false(pauses_format_ok(""));
}

static void lines(void **state)
{
	static const struct {
		const char *line;
		bool good;
		struct pauses_line is;
	} rows[] = {
		{ "balance_dirty_pages: bdi 8:16:" REST "12" TAIL, true, { 8, 16, 12, 0 } },
		{ "   dd-99  [000] .....  4.123: balance_dirty_pages: bdi 11:0:" REST "200", true,
		  { 11, 0, 200, 0 } },
		{ "balance_dirty_pages: pause=7 bdi 8:1: pause=9", false, { 0 } },
		{ "balance_dirty_pages: bdi 8:1: pause=9 bdi 8:2: pause=7", true, { 8, 1, 9, 0 } },
		{ "CPU:0 [LOST 123 EVENTS]", true, { 0, 0, 0, 123 } },
		{ "CPU:0 [LOST EVENTS]", false, { 0 } },
		{ "balance_dirty_pages: bdi 8:16: paused=4", false, { 0 } },
		{ "balance_dirty_pages: bdi (unknown):" REST "12", false, { 0 } },
		{ "balance_dirty_pages: bdi 8:16:" REST "-3", false, { 0 } },
		{ "balance_dirty_pages: bdi 8:16:" REST, false, { 0 } },
		{ "global_dirty_state: dirty=1", false, { 0 } },
		{ "", false, { 0 } },
	};
	struct pauses_line got;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (pauses_parse(rows[i].line, &got) != rows[i].good)
			fail_msg("'%s'", rows[i].line);
		if (rows[i].good &&
		    (got.major != rows[i].is.major || got.minor != rows[i].is.minor ||
		     got.ms != rows[i].is.ms || got.lost != rows[i].is.lost))
			fail_msg("'%s': %u:%u %lld %lld", rows[i].line, got.major, got.minor,
				 (long long)got.ms, (long long)got.lost);
	}
}

/* Through a pipe, in pieces that end anywhere, with a line that never ends in between. */
static void pieces(void **state)
{
	static const char all[] =
		"balance_dirty_pages: bdi 8:0:" REST "10" TAIL "\n"
		"balance_dirty_pages: bdi 8:16:" REST "40" TAIL "\n"
		"CPU:0 [LOST 3 EVENTS]\n"
		"balance_dirty_pages: bdi 8:32:" REST "99" TAIL "\n"	/* no disk of ours */
		"balance_dirty_pages: bdi 8:16:" REST "20" TAIL "\n";
	static struct disks disks = { .n = 2, .disks = { { .major = 8 }, { .major = 8, .minor = 16 } } };
	static char endless[sizeof(text)];
	int ends[2];

	(void)state;
	traced = &disks;
	assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	pipe_fd = ends[0];
	for (size_t at = 0; at < sizeof(all) - 1; at += 7) {
		size_t n = sizeof(all) - 1 - at < 7 ? sizeof(all) - 1 - at : 7;

		assert_int_equal(write(ends[1], all + at, n), n);
		pauses_take();
	}
	assert_int_equal(sums[0].count, 1);
	assert_int_equal(sums[0].sum_ms, 10);
	assert_int_equal(sums[1].count, 2);
	assert_int_equal(sums[1].sum_ms, 60);
	assert_int_equal(sums[1].max_ms, 40);
	assert_int_equal(lost, 3);
	memset(endless, 'x', sizeof(endless));
	assert_int_equal(write(ends[1], endless, sizeof(endless)), sizeof(endless));
	pauses_take();
	assert_int_equal(write(ends[1], "\n", 1), 1);
	assert_int_equal(write(ends[1], all, strlen(all)), strlen(all));
	pauses_take();
	assert_int_equal(sums[1].sum_ms, 120);
	close(ends[0]);
	close(ends[1]);
	pipe_fd = -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats),
		cmocka_unit_test(lines),
		cmocka_unit_test(pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
