/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of record/: round trips, hostile strings, numbers JSON cannot hold. */
#include <math.h>

#include "record_fixture.h"

static void check_measured(const struct job_result *job)
{
	struct job_result want = { 0 };

	fill_measured(&want);
	assert_true(job->measured);
	assert_memory_equal(&job->result, &want.result, sizeof(want.result));
	assert_int_equal(job->wait_rounds, 50);
	assert_string_equal(job->wait_source, "stack");
	assert_int_equal(job->n_waits, 2);
	assert_string_equal(job->waits[0].state, "D");
	assert_string_equal(job->waits[0].stack, "io_schedule vfs_read");
	assert_int_equal(job->waits[0].count, 40);
	assert_string_equal(job->waits[1].stack, "");
	for (size_t i = 0; i < want.n_waits; i++) {
		free(want.waits[i].state);
		free(want.waits[i].stack);
	}
	free(want.waits);
	free(want.wait_source);
}

static void check_boot(const struct boot *b)
{
	assert_string_equal(b->case_name, "writeback/hdd+dvd");
	assert_string_equal(b->dir, "");	/* was NULL */
	assert_int_equal(b->seed, 4000000000u);
	assert_int_equal(b->outcome, OUTCOME_BROKEN);
	assert_int_equal(b->stage, STAGE_JOBS);
	assert_int_equal(b->evidence.n, 2);
	assert_string_equal(b->evidence.v[1], "two");
	assert_int_equal(b->wall_ns, 12345678901234);
	assert_int_equal(b->hello_ns, -1);
	assert_int_equal(b->console_seen[CONSOLE_OOM], 2);
	assert_int_equal(b->console_seen[CONSOLE_PANIC], 1);
	assert_int_equal(b->console_seen[CONSOLE_BUG], 0);
	assert_int_equal(b->n_disks, 1);
	assert_int_equal(b->disks[0].bytes, 512 << 20);
	assert_int_equal(b->n_profiles, 1);
	assert_string_equal(b->profiles[0].disk, "hda");
	assert_string_equal(b->profiles[0].profile, "hdd-2004");
	assert_string_equal(b->profiles[0].title, "A hard disk");
	assert_int_equal(b->n_jobs, 2);
	assert_true(b->jobs[0].ended);
	assert_int_equal(b->jobs[0].end.wall_ns, 1150000000);
	assert_int_equal(b->jobs[0].end.sync_ns, MSG_NONE);
	assert_string_equal(b->jobs[0].end.output, "65536+0 records out\n");
	check_measured(&b->jobs[0]);
	assert_false(b->jobs[1].measured);
	assert_false(b->jobs[1].ended);
	assert_int_equal(b->jobs[1].role, PLAN_LOAD);
}

/* A document from before there were results of jobs reads as one that has none. */
static void test_old_document(void **state)
{
	static const char *const later[] = { "result", "wait_rounds", "wait_source", "waits" };
	struct err err = ERR_INIT;
	struct boot b, got;
	json_t *j, *job;

	(void)state;
	fill_boot(&b, "why");
	j = boot_to_json(&b);
	job = json_array_get(json_object_get(j, "jobs"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(later); i++)
		assert_int_equal(json_object_del(job, later[i]), 0);
	assert_int_equal(json_object_del(j, "profiles"), 0);
	if (boot_from_json(&got, j, &err) < 0)
		fail_msg("%s", err.msg);
	assert_true(got.jobs[0].ended);
	assert_false(got.jobs[0].measured);
	assert_int_equal(got.jobs[0].n_waits, 0);
	assert_int_equal(got.jobs[0].wait_rounds, 0);
	assert_int_equal(got.n_profiles, 0);
	json_decref(j);
	boot_release(&b);
	boot_release(&got);
}

static void check_sample(const struct boot *b)
{
	struct msg_sample want;

	fill_sample(&want);
	assert_int_equal(b->n_samples, 1);
	assert_memory_equal(&b->samples[0], &want, sizeof(want));
}

static void test_boot_round_trip(void **state)
{
	struct err err = ERR_INIT;
	struct boot b, got;

	(void)state;
	fill_boot(&b, "why");
	assert_int_equal(boot_write(&b, path, &err), 0);
	if (boot_read(&got, path, &err) < 0)
		fail_msg("%s", err.msg);
	check_boot(&got);
	check_sample(&got);
	assert_string_equal(got.reason, "why");
	boot_release(&b);
	boot_release(&got);
	/* a released one is a fresh one */
	assert_int_equal(got.hello_ns, -1);
	boot_release(&got);
}

static void test_run_round_trip(void **state)
{
	struct err err = ERR_INIT;
	struct run r, got;
	json_t *a, *b;

	(void)state;
	fill_run(&r);
	assert_int_equal(run_write(&r, path, &err), 0);
	if (run_read(&got, path, &err) < 0)
		fail_msg("%s", err.msg);
	assert_string_equal(got.id, "20261130T170405Z-debian");
	assert_true(got.interrupted);
	assert_string_equal(got.kernel.name, "debian");
	assert_null(got.kernel.package);
	assert_int_equal(strlen(got.kernel.image_sha256), 64);
	assert_true(got.host.load == 0.1);
	assert_int_equal(got.n_boots, 2);
	check_boot(&got.boots[1]);
	assert_int_equal(got.n_verdicts, 1);
	assert_int_equal(got.verdicts[0].kind, VERDICT_INCONCLUSIVE);
	/* to the last bit */
	assert_true(got.verdicts[0].slowdown == 1.0 / 3);
	assert_true(got.verdicts[0].time_ns == 24500000001.5);
	assert_int_equal(got.verdicts[0].n_values, 1);
	assert_string_equal(got.verdicts[0].values[0].metric, "rate/alone");
	assert_true(got.verdicts[0].values[0].higher);
	assert_int_equal(got.verdicts[0].values[0].kind, VERDICT_REGRESSED);
	assert_true(got.verdicts[0].values[0].value == 0.1 + 0.2);
	assert_true(got.verdicts[0].values[0].floor == 0.8);
	a = run_to_json(&r);
	b = run_to_json(&got);
	assert_true(json_equal(a, b));
	json_decref(a);
	json_decref(b);
	run_release(&r);
	run_release(&got);
}

/* A document of before there were values. */
static void test_verdict_without_values(void **state)
{
	struct err err = ERR_INIT;
	struct run r, got;
	json_t *j;

	(void)state;
	fill_run(&r);
	j = run_to_json(&r);
	assert_int_equal(json_object_del(json_array_get(json_object_get(j, "verdicts"), 0),
					 "values"), 0);
	assert_int_equal(run_from_json(&got, j, &err), 0);
	assert_int_equal(got.verdicts[0].n_values, 0);
	assert_null(got.verdicts[0].values);
	json_decref(j);
	run_release(&r);
	run_release(&got);
}

/* What a guest may send as a string, and what the document has instead. */
static void test_bad_utf8(void **state)
{
#define R "\xef\xbf\xbd"
	static const char *const rows[][2] = {
		{ "plain \t\x1b[31m\x7f", "plain \t\x1b[31m\x7f" },
		{ "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80" },
		{ "\xff\xfe", R R },
		{ "a\x80z", "a" R "z" },
		{ "\xc0\xaf", R R },			/* overlong */
		{ "\xe0\x80\xaf", R R R },
		{ "\xf0\x80\x80\xaf", R R R R },
		{ "\xed\xa0\x80", R R R },		/* surrogate */
		{ "\xf4\x90\x80\x80", R R R R },	/* above U+10FFFF */
		{ "\xf8\x88\x80\x80\x80", R R R R R },
		{ "cut \xe2\x82", "cut " R R },
		{ "\xe2\x82x", R R "x" },
		{ "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf",
		  "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = ERR_INIT;
		struct boot b, got;

		fill_boot(&b, rows[i][0]);
		assert_int_equal(boot_write(&b, path, &err), 0);
		if (boot_read(&got, path, &err) < 0)
			fail_msg("%s", err.msg);
		assert_string_equal(got.reason, rows[i][1]);
		boot_release(&b);
		boot_release(&got);
	}
#undef R
}

static void test_numbers_json_cannot_hold(void **state)
{
	static const double values[] = { NAN, INFINITY, -INFINITY };
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct run r, got;

		fill_run(&r);
		r.host.load = values[i];
		assert_int_equal(run_write(&r, path, &err), 0);
		assert_int_equal(run_read(&got, path, &err), 0);
		assert_true(got.host.load == -1);
		run_release(&r);
		run_release(&got);
	}
}

static void test_files(void **state)
{
	struct err err = ERR_INIT;
	struct run r;
	struct boot b;

	(void)state;
	assert_int_equal(run_read(&r, dir, &err), -EISDIR);
	assert_int_equal(boot_read(&b, "/no/such", &err), -ENOENT);
	run_init(&r);
	assert_int_equal(run_write(&r, "/no/such/run.json", &err), -ENOENT);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(outcome_name(OUTCOME_SKIPPED), "skipped");
	assert_string_equal(stage_name(STAGE_IMAGES), "images");
	assert_string_equal(stage_name(STAGE_END), "end");
	assert_string_equal(verdict_name(VERDICT_PASS), "pass");
	assert_string_equal(verdict_name(VERDICT_NONE), "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boot_round_trip),
		cmocka_unit_test(test_old_document),
		cmocka_unit_test(test_run_round_trip), cmocka_unit_test(test_verdict_without_values),
		cmocka_unit_test(test_bad_utf8),
		cmocka_unit_test(test_numbers_json_cannot_hold),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests_name("record", tests, setup, teardown);
}
