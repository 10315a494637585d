/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests of run/schedule with real workers and the fake QEMU (rig/tests/fake): the order of boots,
 * how many run at once, a worker that is killed, one that fails, a request to stop.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sig.h"
#include "case/case.h"
#include "kernel/kernel.h"
#include "run/options.h"
#include "run/schedule.h"
#include "run/suite.h"

#define FAKE  "rig/tests/fake/fake-qemu"
#define HELLO                                                                                      \
	"frame {\"t\":\"hello\",\"ns\":1,\"proto\":1,\"release\":\"6.1.0\","                         \
	"\"machine\":\"x86_64\",\"mem_kb\":1,\"cpus\":1}\nframe {\"t\":\"ready\",\"ns\":2}\n"
#define DONE  "frame {\"t\":\"done\",\"ns\":9}\n"

static char *dir, *scenario_path, *program, *cache;
static struct run_options o;
static struct kernel k;
static struct kase cases[2];
static struct expect expects[2];
static struct suite suite;
static struct run run;

/* What the news said. */
static struct {
	int started, ended, running, most;
	size_t max_slot;
	size_t missing;		/* how many boots are to run; 0: all */
	void (*at_news)(void);	/* once, when a guest has spoken */
} seen;

static void news(const struct schedule_news *n)
{
	assert_int_equal(n->total, seen.missing ? seen.missing : (size_t)o.seeds * 2);
	assert_true(n->slot < (size_t)o.jobs);
	if (n->slot > seen.max_slot)
		seen.max_slot = n->slot;
	switch (n->event) {
	case BOOT_STARTED:
		seen.started++;
		seen.running++;
		break;
	case BOOT_NEWS:
		if (n->stage == STAGE_JOBS && n->guest_ns > 0 && seen.at_news) {
			seen.at_news();
			seen.at_news = NULL;
		}
		break;
	case BOOT_ENDED:
		seen.ended++;
		seen.running--;
		assert_int_equal(n->done, seen.ended);
		assert_string_equal(n->boot->case_name, n->case_name);
		break;
	}
	if (seen.running > seen.most)
		seen.most = seen.running;
}

static void write_file(const char *path, const char *text)
{
	struct err err = ERR_INIT;

	if (file_write_atomic(path, text, strlen(text), 0755, &err))
		fail_msg("%s", err.msg);
}

static int setup(void **state)
{
	static char *const names[] = { "t/one", "t/two" };
	struct err err = ERR_INIT;

	(void)state;
	if (dir_temp("/tmp/iorig-schedule-", &dir, &err))
		return -1;
	scenario_path = path_join(dir, "scenario");
	program = path_join(dir, "program");
	cache = path_join(dir, "cache");
	write_file(program, "stands for whatever a guest would run");
	run_options_init(&o);
	o.clock = CLOCK_REAL;
	o.timing = TIMING_THROTTLE;
	o.seeds = 2;
	o.jobs = 2;
	o.stall = 1000;		/* this test may share its host */
	o.qemu.path = realpath(FAKE, NULL);
	o.agent = xstrdup(program);
	o.busybox = xstrdup(program);
	o.data_dir = xstrdup(dir);
	o.cache_dir = xstrdup(cache);
	k = (struct kernel){ .name = "k", .image = program, .release = "6.1.0" };
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		cases[i] = (struct kase){
			.name = names[i], .path = names[i], .scale = "quick", .text = "",
			.memory = 64 << 20, .cpus = 1, .deadline_ns = 60 * NS_PER_S,
		};
	suite = (struct suite){ .cases = cases, .expects = expects, .n = ARRAY_SIZE(cases) };
	run_init(&run);
	run.kernel.name = xstrdup("k");
	memset(&seen, 0, sizeof(seen));
	return setenv("FAKE_QEMU_SCENARIO", scenario_path, 1);
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;
	int left = waitpid(-1, NULL, WNOHANG);

	(void)state;
	run_release(&run);
	run_options_release(&o);
	dir_remove(dir, &err);
	free(dir);
	free(scenario_path);
	free(program);
	free(cache);
	/* no child may be left, ended or not */
	return left == -1 ? 0 : -1;
}

static int go(const char *scenario, struct err *err)
{
	struct schedule s = { .o = &o, .k = &k, .suite = &suite, .run_dir = dir, .news = news };

	write_file(scenario_path, scenario);
	return schedule_run(&s, &run, err);
}

static void go_well(const char *scenario)
{
	struct err err = ERR_INIT;

	if (go(scenario, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(seen.started, 4);
	assert_int_equal(seen.ended, 4);
	assert_int_equal(run.n_boots, 4);
}

static void go_on_well(const char *scenario)
{
	struct err err = ERR_INIT;

	if (go(scenario, &err))
		fail_msg("%s", err.msg);
}

/* Case by case, seeds in order, whatever order they ran in; on disk as well. */
static void expect_order(const struct run *r)
{
	static const struct {
		const char *name, *dir;
		uint32_t seed;
	} order[] = { { "t/one", "t-one.1", 1 }, { "t/one", "t-one.2", 2 },
		      { "t/two", "t-two.1", 1 }, { "t/two", "t-two.2", 2 } };

	assert_int_equal(r->n_boots, ARRAY_SIZE(order));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		assert_string_equal(r->boots[i].case_name, order[i].name);
		assert_string_equal(r->boots[i].dir, order[i].dir);
		assert_int_equal(r->boots[i].seed, order[i].seed);
	}
}

static size_t count(enum outcome outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < run.n_boots; i++)
		n += run.boots[i].outcome == outcome;
	return n;
}

static void test_order(void **state)
{
	char *doc = path_join(dir, "run.json");
	struct run again;
	struct err err = ERR_INIT;

	(void)state;
	go_well(HELLO "wait-ms 100\n" DONE);
	expect_order(&run);
	assert_int_equal(count(OUTCOME_DONE), 4);
	assert_int_equal(seen.most, 2);
	assert_int_equal(seen.max_slot, 1);
	if (run_read(&again, doc, &err))
		fail_msg("%s", err.msg);
	expect_order(&again);
	run_release(&again);
	free(doc);
}

/* A run that has boots is gone on with: those stay as they are, the others come in their places. */
static void test_what_is_missing(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	o.jobs = 1;
	o.seeds = 1;
	if (go(HELLO DONE, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(run.n_boots, 2);
	run.boots[0].mem_kb = 4711;
	run.boots[1].mem_kb = 4712;
	memset(&seen, 0, sizeof(seen));
	o.seeds = 2;
	seen.missing = 2;
	go_on_well(HELLO DONE);
	expect_order(&run);
	assert_int_equal(seen.started, 2);
	assert_int_equal(run.boots[0].mem_kb, 4711);
	assert_int_equal(run.boots[1].mem_kb, 1);
	assert_int_equal(run.boots[2].mem_kb, 4712);
	assert_int_equal(run.boots[3].mem_kb, 1);
}

/* Boots of cases that this suite has not stay as well. */
static void test_other_cases(void **state)
{
	struct suite one = { .cases = &cases[1], .expects = &expects[1], .n = 1 };

	(void)state;
	o.jobs = 1;
	go_well(HELLO DONE);
	run.boots[0].mem_kb = 4711;
	boot_release(&run.boots[3]);
	run.n_boots = 3;
	memset(&seen, 0, sizeof(seen));
	seen.missing = 1;
	suite = one;
	go_on_well(HELLO DONE);
	expect_order(&run);
	assert_int_equal(seen.started, 1);
	assert_int_equal(run.boots[0].mem_kb, 4711);
}

static void test_one_at_a_time(void **state)
{
	(void)state;
	o.jobs = 1;
	go_well(HELLO DONE);
	expect_order(&run);
	assert_int_equal(seen.most, 1);
}

static void test_more_places_than_boots(void **state)
{
	(void)state;
	o.jobs = 64;
	go_well(HELLO "wait-ms 300\n" DONE);
	expect_order(&run);
	assert_int_equal(seen.most, 4);
}

/* A guest that breaks is data: the others go on. */
static void test_broken_boots(void **state)
{
	(void)state;
	go_well(HELLO "exit 3\n");
	assert_int_equal(count(OUTCOME_BROKEN), 4);
	assert_non_null(strstr(run.boots[3].reason, "QEMU exited with status 3 while jobs ran"));
}

/* What broke twice is not tried a third time, but told of. */
static void test_broken_twice(void **state)
{
	char *doc = path_join(dir, "run.json");
	struct run again;
	struct err err = ERR_INIT;

	(void)state;
	o.jobs = 1;
	o.seeds = 4;
	if (go(HELLO "exit 3\n", &err))
		fail_msg("%s", err.msg);
	assert_int_equal(seen.started, 4);
	assert_int_equal(run.n_boots, 8);
	if (run_read(&again, doc, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(again.n_boots, 8);
	for (size_t i = 0; i < 8; i++) {
		const struct boot *b = &again.boots[i];

		assert_int_equal(b->seed, i % 4 + 1);
		assert_int_equal(b->outcome, OUTCOME_BROKEN);
		assert_non_null(strstr(b->reason, b->seed <= 2 ? "exited with status 3"
							       : "not run: other seeds"));
	}
	run_release(&again);
	free(doc);
}

/* Some child of this process. */
static pid_t a_child(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	pid_t child = 0;

	assert_non_null(proc);
	while (!child && (e = readdir(proc))) {
		char path[300], stat[512] = "", *name_end;
		int parent;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%.20s/stat", e->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fgets(stat, sizeof(stat), f) && (name_end = strrchr(stat, ')')) &&
		    sscanf(name_end, ") %*c %d", &parent) == 1 && parent == getpid())
			child = (pid_t)atoi(e->d_name);
		fclose(f);
	}
	closedir(proc);
	return child;
}

static void kill_a_worker(void)
{
	pid_t pid = a_child();

	assert_true(pid > 1);
	kill(pid, SIGKILL);
}

static void test_killed_worker(void **state)
{
	const struct boot *b;

	(void)state;
	o.jobs = 1;
	seen.at_news = kill_a_worker;
	go_well(HELLO "wait-ms 1500\n" DONE);
	b = &run.boots[0];
	expect_order(&run);
	assert_int_equal(count(OUTCOME_DONE), 3);
	assert_int_equal(b->outcome, OUTCOME_BROKEN);
	assert_int_equal(b->stage, STAGE_JOBS);
	assert_string_equal(b->reason, "the rig's worker killed by signal 9 (Killed)");
}

/* What the rig itself cannot do stops the run, with that error; nothing more is started. */
static void test_rig_error(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	o.jobs = 1;
	unlink(program);
	k.image = scenario_path;
	assert_true(go(HELLO DONE, &err) < 0);
	assert_int_equal(err.kind, ERR_RIG);
	assert_non_null(strstr(err.msg, program));
	assert_int_equal(seen.started, 1);
	assert_int_equal(run.n_boots, 1);
	assert_int_equal(run.boots[0].outcome, OUTCOME_BROKEN);
	assert_int_equal(run.boots[0].stage, STAGE_IMAGES);
}

static void test_document_cannot_be_written(void **state)
{
	char *doc = path_join(dir, "run.json");
	struct err err = ERR_INIT;

	(void)state;
	o.jobs = 1;
	assert_int_equal(dir_make(doc, &err), 0);
	assert_true(go(HELLO DONE, &err) < 0);
	assert_non_null(strstr(err.msg, "run.json"));
	assert_int_equal(seen.started, 1);
	free(doc);
}

static void ask_to_stop(void)
{
	kill(getpid(), SIGTERM);
}

/* Signals are a process's: 0, or the line of what is wrong. */
static int stop_in_child(void)
{
	struct err err = ERR_INIT;
	int64_t start = clock_ns();

	sig_init();
	seen.at_news = ask_to_stop;
	if (go(HELLO "hang\n", &err) != -EINTR || err.kind != ERR_INTERRUPTED)
		return __LINE__ % 256;
	if (seen.started != 2 || run.n_boots != 2 || count(OUTCOME_BROKEN) != 2)
		return __LINE__ % 256;
	/* the other guest may not have come as far */
	if (run.boots[0].stage != STAGE_JOBS && run.boots[1].stage != STAGE_JOBS)
		return __LINE__ % 256;
	for (size_t i = 0; i < run.n_boots; i++)
		if (strcmp(run.boots[i].reason, "stopped before it ended") != 0)
			return __LINE__ % 256;
	if (clock_ns() - start > 15 * NS_PER_S || waitpid(-1, NULL, WNOHANG) != -1)
		return __LINE__ % 256;
	return 0;
}

static void test_stop_request(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (!pid)
		_exit(stop_in_child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status))
		fail_msg("the check at line %d (modulo 256) failed", WEXITSTATUS(status));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_is_missing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_cases, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_at_a_time, setup, teardown),
		cmocka_unit_test_setup_teardown(test_more_places_than_boots, setup, teardown),
		cmocka_unit_test_setup_teardown(test_broken_boots, setup, teardown),
		cmocka_unit_test_setup_teardown(test_broken_twice, setup, teardown),
		cmocka_unit_test_setup_teardown(test_killed_worker, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rig_error, setup, teardown),
		cmocka_unit_test_setup_teardown(test_document_cannot_be_written, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stop_request, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
