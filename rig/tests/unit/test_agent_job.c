/* SPDX-License-Identifier: GPL-2.0-only */
/* The agent's jobs with real commands on the host: what their frames say. */
#define SLOT_FOLDER slot_folder_of_test
static char slot_folder_of_test[64];

#include "agent/boot.c"
#include "agent/document.c"
#include "agent/jsonw.c"
#include "agent/text.c"
#include "agent/slot.c"
#include "agent/supervisor.c"
#include "agent/job.c"
#include "agent/port.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

#define PATIENCE (20 * SEC)

static struct plan_job the_plan;
static struct job job;
static int frames;	/* read end of the port */

static int set_up(void **state)
{
	int ends[2];

	(void)state;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	frames = ends[0];
	port_fd = ends[1];
	port_seq = 0;
	memset(&job, 0, sizeof(job));
	the_plan = (struct plan_job){ .name = "j", .deadline_ns = PATIENCE };
	snprintf(slot_folder_of_test, sizeof(slot_folder_of_test), "/tmp/iorig-job-XXXXXX");
	return mkdtemp(slot_folder_of_test) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	close(frames);
	close(port_fd);
	port_fd = -1;
	while (waitpid(-1, NULL, 0) > 0)
		;
	rmdir(job.results);
	return rmdir(slot_folder_of_test);
}

static void begin(const char *run, const char *sync)
{
	snprintf(the_plan.run, sizeof(the_plan.run), "%s", run);
	job_init(&job, &the_plan, sync);
	job_start(&job);
	assert_int_equal(job.state, JOB_RUNNING);
}

/* What PID 1's loop does for one job; until the step is reached, or the job has ended. */
static void run_until(enum report_step step)
{
	int64_t give_up = now_ns() + PATIENCE + 2 * JOB_GIVE_UP_NS;

	while (job.state == JOB_RUNNING && job.report.step < step) {
		struct pollfd fd = { .fd = job.pipe, .events = POLLIN };
		int64_t left = job_next(&job) - now_ns();

		assert_true(now_ns() < give_up);
		if (poll(&fd, 1, left < 0 ? 0 : (int)(left / MS) + 1) > 0)
			job_read(&job);
		job_tick(&job, now_ns());
	}
}

/* The next frame, checked, which has to be of this kind. */
static json_t *next_frame(const char *kind)
{
	static char got[FRAME_MAX];
	struct frame decoded;
	size_t len = 0;
	json_t *root;

	do
		assert_int_equal(read(frames, got + len, 1), 1);
	while (got[len++] != '\n');
	assert_int_equal(frame_decode(got, len - 1, &decoded), FRAME_OK);
	root = json_loadb(decoded.json, decoded.json_len, 0, NULL);
	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "t")), kind);
	assert_string_equal(json_string_value(json_object_get(root, "job")), "j");
	return root;
}

static json_t *finish(void)
{
	run_until(REPORT_SYNCED + 1);
	assert_int_equal(job.state, JOB_ENDED);
	json_decref(next_frame("start"));
	return next_frame("end");
}

static int64_t whole(const json_t *frame, const char *key)
{
	const json_t *value = json_object_get(frame, key);

	return json_is_integer(value) ? json_integer_value(value) : -1;
}

static void output_tail(void **state)
{
	static const size_t pieces[] = { 0, 1, 100, 300, 399, 400, 401, 1000, 7, 0 };
	static char all[4000];
	struct report report = { .step = REPORT_NONE };
	size_t i, at = 0;

	(void)state;
	for (i = 0; i < sizeof(all); i++)
		all[i] = i * 31 % 251;
	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		size_t len;

		report_append(&report, all + at, pieces[i]);
		at += pieces[i];
		len = at < OUTPUT_MAX ? at : OUTPUT_MAX;
		assert_int_equal(report.output_len, len);
		assert_memory_equal(report.output, all + at - len, len);
	}
}

static void commands(void **state)
{
	static const struct {
		const char *run, *sync;
		int exit, signal, sync_error;	/* -1: no sync */
		const char *output;
	} rows[] = {
		{ "true", NULL, 0, 0, -1, "" },
		{ "echo out; echo err >&2; exit 3", NULL, 3, 0, -1, "out\nerr\n" },
		{ "kill -9 $$", NULL, 0, 9, -1, "" },
		{ "exec /nonesuch/command 2>/dev/null", NULL, 127, 0, -1, "" },
		{ "pwd; read x || echo empty", NULL, 0, 0, -1, "/\nempty\n" },
		{ "exec >&- 2>&-; exit 4", NULL, 4, 0, -1, "" },
		{ "true", "/tmp", 0, 0, 0, "" },
		{ "exit 1", "/nonesuch", 1, 0, ENOENT, "" },
		/* what is left in the background must not hold up the end */
		{ "sleep 1000 & echo $?", NULL, 0, 0, -1, "0\n" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_t *frame;

		memset(&job, 0, sizeof(job));
		begin(rows[i].run, rows[i].sync);
		frame = finish();
		assert_int_equal(whole(frame, "exit"), rows[i].exit);
		assert_int_equal(whole(frame, "signal"), rows[i].signal);
		assert_int_equal(whole(frame, "timeout"), 0);
		assert_int_equal(whole(frame, "stopped"), 0);
		assert_int_equal(whole(frame, "sync_error"), rows[i].sync_error);
		assert_int_equal(whole(frame, "sync_ns") >= 0, rows[i].sync_error >= 0);
		assert_string_equal(json_string_value(json_object_get(frame, "output")),
				    rows[i].output);
		json_decref(frame);
	}
	(void)state;
}

static void times(void **state)
{
	int64_t before = now_ns();
	json_t *frame;

	(void)state;
	begin("sleep 0.3", NULL);
	frame = finish();
	assert_in_range(whole(frame, "start_ns"), before, now_ns());
	assert_in_range(whole(frame, "wall_ns"), 3 * SEC / 10, now_ns() - before);
	assert_in_range(whole(frame, "user_ns") + whole(frame, "sys_ns"), 0, SEC / 4);
	json_decref(frame);
}

static void used_cpu(void **state)
{
	json_t *frame;

	(void)state;
	begin("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done", NULL);
	frame = finish();
	assert_true(whole(frame, "user_ns") > 10 * MS);
	assert_true(whole(frame, "user_ns") <= whole(frame, "wall_ns"));
	json_decref(frame);
}

/* What processes of the command have left in the job's folder comes before its end. */
static void result(void **state)
{
	static struct slot slot;
	json_t *frame, *pair;
	char run[256];
	int fd;

	(void)state;
	snprintf(run, sizeof(run), "%s/a", slot_folder_of_test);
	slot.magic = MAGIC;
	slot_add(&slot, 1000, 1050, 4096);
	slot_add(&slot, 2000, 2050, 4096);
	fd = open(run, O_WRONLY | O_CREAT, 0600);
	assert_true(write(fd, &slot, sizeof(slot)) == sizeof(slot));
	close(fd);
	snprintf(run, sizeof(run), "cp %s/a $" SLOT_ENV "/1; mv %s/a $" SLOT_ENV "/2",
		 slot_folder_of_test, slot_folder_of_test);
	begin(run, NULL);
	run_until(REPORT_SYNCED + 1);
	json_decref(next_frame("start"));
	frame = next_frame("result");
	assert_int_equal(whole(frame, "ops"), 4);
	assert_int_equal(whole(frame, "bytes"), 4 * 4096);
	assert_int_equal(whole(frame, "errors"), 0);
	assert_int_equal(whole(frame, "first_ns"), 1000);
	assert_int_equal(whole(frame, "last_ns"), 2050);
	assert_int_equal(whole(frame, "sum"), 200);
	assert_int_equal(json_array_size(json_object_get(frame, "hist")), 1);
	pair = json_array_get(json_object_get(frame, "hist"), 0);
	assert_int_equal(json_integer_value(json_array_get(pair, 0)), 50);
	assert_int_equal(json_integer_value(json_array_get(pair, 1)), 4);
	json_decref(frame);
	json_decref(next_frame("end"));
}

static void long_output(void **state)
{
	const char *text;
	json_t *frame;

	(void)state;
	begin("head -c 300000 /dev/zero | tr '\\0' x; printf END", NULL);
	frame = finish();
	text = json_string_value(json_object_get(frame, "output"));
	assert_int_equal(strlen(text), OUTPUT_MAX);
	assert_string_equal(text + OUTPUT_MAX - 4, "xEND");
	json_decref(frame);
}

/* A command that has closed its output must not keep the supervisor spinning. */
static void closed_output(void **state)
{
	struct rusage usage;
	int64_t before;

	(void)state;
	getrusage(RUSAGE_CHILDREN, &usage);
	before = tv_ns(usage.ru_utime) + tv_ns(usage.ru_stime);
	begin("exec >&- 2>&-; sleep 1", NULL);
	json_decref(finish());
	assert_int_equal(waitpid(job.supervisor, NULL, 0), job.supervisor);
	getrusage(RUSAGE_CHILDREN, &usage);
	assert_in_range(tv_ns(usage.ru_utime) + tv_ns(usage.ru_stime) - before, 0, SEC / 4);
}

/* What the command leaves in the background ends with it: its end of the pipe is closed. */
static void leftovers(void **state)
{
	struct pollfd fd = { .events = POLLIN };
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(dup2(ends[1], 9), 9);
	begin("sleep 30 & exit 0", NULL);
	close(9);
	close(ends[1]);
	json_decref(finish());
	fd.fd = ends[0];
	assert_int_equal(poll(&fd, 1, 10000), 1);
	assert_true(fd.revents & POLLHUP);
	close(ends[0]);
}

static void deadline(void **state)
{
	json_t *frame;

	(void)state;
	the_plan.deadline_ns = SEC / 5;
	begin("trap '' TERM INT; sleep 1000 & wait; sleep 1000", NULL);
	frame = finish();
	assert_int_equal(whole(frame, "timeout"), 1);
	assert_int_equal(whole(frame, "signal"), SIGKILL);
	assert_in_range(whole(frame, "wall_ns"), SEC / 10, 5 * SEC);
	json_decref(frame);
}

/* A supervisor that cannot report, as when a dead disk holds it: stopped, it is the same. */
static void given_up(void **state)
{
	json_t *frame;

	(void)state;
	the_plan.deadline_ns = 2 * SEC;		/* a busy host needs its time to get there */
	begin("sleep 1000", NULL);
	run_until(REPORT_STARTED);
	assert_false(job.timeout);
	kill(job.supervisor, SIGSTOP);
	frame = finish();
	assert_int_equal(whole(frame, "timeout"), 1);
	assert_int_equal(whole(frame, "signal"), SIGKILL);
	assert_true(whole(frame, "wall_ns") >= 2 * SEC + JOB_GIVE_UP_NS - SEC / 10);
	assert_string_equal(json_string_value(json_object_get(frame, "output")),
			    "[does not die]\n");
	json_decref(frame);
}

static void supervisor_lost(void **state)
{
	struct pollfd fd = { .events = POLLIN };
	json_t *frame;
	int ends[2], gate[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
	assert_int_equal(dup2(ends[1], 9), 9);
	assert_int_equal(dup2(gate[0], 8), 8);
	begin("sleep 30 & read go <&8; kill -9 $PPID; wait", NULL);
	close(8);
	close(9);
	close(ends[1]);
	run_until(REPORT_STARTED);
	close(gate[0]);
	close(gate[1]);		/* go on */
	frame = finish();
	assert_int_equal(whole(frame, "timeout"), 0);
	assert_int_equal(whole(frame, "signal"), SIGKILL);
	json_decref(frame);
	fd.fd = ends[0];
	assert_int_equal(poll(&fd, 1, 10000), 1);	/* the command went with it */
	close(ends[0]);
}

static void stopped_at_once(void **state)
{
	json_t *frame;

	(void)state;
	begin("sleep 1000", NULL);
	job_stop(&job);		/* the command is not there yet: the signal waits for it */
	job_stop(&job);
	assert_int_equal(job.pending, SIGTERM);
	frame = finish();
	assert_int_equal(whole(frame, "stopped"), 1);
	assert_int_equal(whole(frame, "signal"), SIGTERM);
	json_decref(frame);
}

static void stopped_the_hard_way(void **state)
{
	json_t *frame;
	int ends[2];
	char c;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(dup2(ends[1], 9), 9);	/* the command's, to say that its trap is set */
	begin("trap '' TERM; echo >&9; while :; do sleep 0.1; done", "/tmp");
	run_until(REPORT_STARTED);
	assert_int_equal(read(ends[0], &c, 1), 1);
	close(9);
	close(ends[0]);
	close(ends[1]);
	job_stop(&job);
	frame = finish();
	assert_int_equal(whole(frame, "stopped"), 1);
	assert_int_equal(whole(frame, "timeout"), 0);
	assert_int_equal(whole(frame, "signal"), SIGKILL);
	assert_true(whole(frame, "wall_ns") >= JOB_TERM_NS);
	assert_int_equal(whole(frame, "sync_error"), 0);
	json_decref(frame);
}

static void stopped_before_its_start(void **state)
{
	json_t *frame;

	(void)state;
	job_init(&job, &the_plan, NULL);
	assert_true(job_next(&job) == JOB_NEVER);
	job_stop(&job);
	assert_int_equal(job.state, JOB_ENDED);
	frame = next_frame("end");
	assert_int_equal(whole(frame, "stopped"), 1);
	assert_int_equal(whole(frame, "wall_ns"), 0);
	json_decref(frame);
}

#define JOB_TEST(NAME) cmocka_unit_test_setup_teardown(NAME, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_tail),
		JOB_TEST(commands),
		JOB_TEST(times),
		JOB_TEST(used_cpu),
		JOB_TEST(result),
		JOB_TEST(long_output),
		JOB_TEST(closed_output),
		JOB_TEST(leftovers),
		JOB_TEST(deadline),
		JOB_TEST(given_up),
		JOB_TEST(supervisor_lost),
		JOB_TEST(stopped_at_once),
		JOB_TEST(stopped_the_hard_way),
		JOB_TEST(stopped_before_its_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
