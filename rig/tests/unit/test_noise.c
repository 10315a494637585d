/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of record/noise and run/noise: floors that are kept, found again, bounded, and files
 * that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "record/noise.h"
#include "run/noise.h"
#include "run/options.h"
#include "run/suite.h"

static char *dir;
static struct run_options o;
static struct kase the_case;
static struct expect expects[1];
static struct suite suite;
static struct run run;

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	if (dir_temp("/tmp/iorig-noise-", &dir, &err))
		return -1;
	run_options_init(&o);
	o.clock = CLOCK_REAL;
	o.cache_dir = xstrdup(dir);
	snprintf(o.qemu.version, sizeof(o.qemu.version), "7.2");
	the_case = (struct kase)KASE_INIT;
	the_case.name = (char *)"g/a";
	memcpy(the_case.sha256, "aaaa", 5);
	expects[0] = (struct expect)EXPECT_INIT;
	suite = (struct suite){ .cases = &the_case, .expects = expects, .n = 1 };
	run_init(&run);
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	run_release(&run);
	run_options_release(&o);
	dir_remove(dir, &err);
	free(dir);
	return 0;
}

static struct run_floor floor_of(const char *job, double value)
{
	struct run_floor f = { .case_name = (char *)"g/a", .case_sha256 = "aaaa",
			       .job = (char *)job, .metric = (char *)"time", .floor = value,
			       .seeds = 10, .measured = (char *)"2026-12-01T09:00:00Z" };

	return f;
}

static void keep(struct run_floor f)
{
	struct err err = ERR_INIT;

	if (noise_keep(&o, &f, 1, &err))
		fail_msg("%s", err.msg);
}

/* What the run then has. */
static size_t take(void)
{
	struct err err = ERR_INIT;

	if (noise_take(&run, &o, &suite, &err))
		fail_msg("%s", err.msg);
	return run.n_floors;
}

static void assert_floor(size_t i, const char *job, double value)
{
	assert_string_equal(run.floors[i].job, job);
	if (fabs(run.floors[i].floor - value) > 1e-12)
		fail_msg("floor of %s is %g, wanted %g", job, run.floors[i].floor, value);
}

static void test_kept(void **state)
{
	struct run_floor other = floor_of("hdd", 0.5);

	(void)state;
	assert_int_equal(take(), 0);
	keep(floor_of("hdd", 0.04));
	keep(floor_of("dvd", 0.11));
	memcpy(other.case_sha256, "bbbb", 5);	/* the case before it was changed */
	keep(other);
	assert_int_equal(take(), 2);
	assert_floor(0, "hdd", 0.04);
	assert_floor(1, "dvd", 0.11);
	assert_int_equal(run.floors[0].seeds, 10);
	/* measured again: in its place, as the newest */
	keep(floor_of("hdd", 0.02));
	assert_int_equal(take(), 2);
	assert_floor(1, "hdd", 0.02);
}

/* They are of one host, QEMU, accelerator, timing, and of the real clock. */
static void test_key(void **state)
{
	char *path __free(ptr) = noise_path(&o);
	char *throttle __free(ptr) = NULL, *newer __free(ptr) = NULL, *kvm __free(ptr) = NULL;

	(void)state;
	keep(floor_of("hdd", 0.04));
	o.timing = TIMING_THROTTLE;
	throttle = noise_path(&o);
	assert_string_not_equal(path, throttle);
	assert_int_equal(take(), 0);
	o.timing = TIMING_MODEL;
	o.accel = ACCEL_KVM;
	kvm = noise_path(&o);
	assert_string_not_equal(path, kvm);
	o.accel = ACCEL_TCG;
	snprintf(o.qemu.version, sizeof(o.qemu.version), "8.0");
	newer = noise_path(&o);
	assert_string_not_equal(path, newer);
	snprintf(o.qemu.version, sizeof(o.qemu.version), "7.2");
	assert_int_equal(take(), 1);
	o.aa = true;
	assert_int_equal(take(), 0);
	o.aa = false;
	assert_int_equal(take(), 1);
	o.clock = CLOCK_SIM;
	assert_int_equal(take(), 0);
}

static void test_bound(void **state)
{
	struct run_floor *many __free(ptr) = xcalloc(NOISE_FLOORS, sizeof(*many));
	char (*jobs)[16] = xcalloc(NOISE_FLOORS, sizeof(*jobs));
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < NOISE_FLOORS; i++) {
		snprintf(jobs[i], sizeof(jobs[i]), "j%zu", i);
		many[i] = floor_of(jobs[i], 0.01);
	}
	assert_int_equal(noise_keep(&o, many, NOISE_FLOORS, &err), 0);
	assert_int_equal(take(), NOISE_FLOORS);
	keep(floor_of("one more", 0.02));
	assert_int_equal(take(), NOISE_FLOORS);
	assert_floor(0, "j1", 0.01);
	assert_floor(NOISE_FLOORS - 1, "one more", 0.02);
	free(jobs);
}

static void replace(char **text, const char *from, const char *to)
{
	char *at = strstr(*text, from), *made;

	assert_non_null(at);
	made = xstrfmt("%.*s%s%s", (int)(at - *text), *text, to, at + strlen(from));
	free(*text);
	*text = made;
}

/* Each change of a good file is told, and a measurement makes the file anew. */
static void test_damaged(void **state)
{
	static const struct {
		const char *from, *to, *why;
	} t[] = {
		{ "{", "", "not JSON" },
		{ "\"iorig-noise\": 1", "\"iorig-noise\": 2", "version 2" },
		{ "\"iorig-noise\": 1", "\"iorig\": 1", "no file of noise floors" },
		{ "\"seeds\": 10", "\"seeds\": 0", "floors[0].seeds" },
		{ "\"seeds\": 10", "\"seeds\": -3", "floors[0].seeds" },
		{ "\"floor\": 0.5", "\"floor\": -0.5", "floors[0].floor: not from 0" },
		{ "\"floor\": 0.5", "\"floor\": 1e9", "floors[0].floor: not from 0" },
		{ "\"floor\": 0.5", "\"floor\": \"x\"", "floors[0].floor" },
		{ "\"job\": \"hdd\"", "\"job\": null", "floors[0].job" },
		{ "\"case_sha256\": \"aaaa\"", "\"case_sha256\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"", "case_sha256" },
		{ "\"qemu\": \"7.2\"", "\"qemu\": \"7.3\"", "another host or QEMU" },
	};
	char *path __free(ptr) = noise_path(&o);
	struct strbuf good __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	keep(floor_of("hdd", 0.5));
	assert_int_equal(file_read(path, 1 << 20, &good, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text __free(ptr) = xstrdup(good.buf);

		replace(&text, t[i].from, t[i].to);
		assert_int_equal(file_write_atomic(path, text, strlen(text), 0644, &err), 0);
		err = (struct err)ERR_INIT;
		if (noise_take(&run, &o, &suite, &err) >= 0)
			fail_msg("'%s' was taken", t[i].to);
		if (!strstr(err.msg, t[i].why) || !strstr(err.msg, path) ||
		    !strstr(err.msg, "--measure-floor"))
			fail_msg("'%s': %s", t[i].to, err.msg);
		assert_int_equal(run.n_floors, 0);
		keep(floor_of("dvd", 0.1));
		assert_int_equal(take(), 1);
		assert_floor(0, "dvd", 0.1);
	}
}

/* What a run has is in its document, and read back. */
static void test_document(void **state)
{
	char *path __free(ptr) = path_join(dir, "run.json");
	struct err err = ERR_INIT;
	struct run again;
	struct boot *b;

	(void)state;
	keep(floor_of("hdd", 0.04));
	take();
	run.kernel.name = xstrdup("k");
	b = array_grow(run.boots, run.n_boots);
	boot_init(b);
	b->controlled = true;
	b->control = (struct boot_control){ 5, 4, 3, -1, 6, 2, true };
	b = array_grow(run.boots, run.n_boots);
	boot_init(b);
	if (run_write(&run, path, &err) || run_read(&again, path, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(again.n_floors, 1);
	assert_string_equal(again.floors[0].case_sha256, "aaaa");
	assert_true(again.boots[0].controlled);
	assert_memory_equal(&again.boots[0].control, &run.boots[0].control,
			    offsetof(struct boot_control, voided));
	assert_true(again.boots[0].control.voided);
	assert_false(again.boots[1].controlled);
	run_release(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_kept, setup, teardown),
		cmocka_unit_test_setup_teardown(test_key, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bound, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
		cmocka_unit_test_setup_teardown(test_document, setup, teardown),
	};

	return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
