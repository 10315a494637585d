/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/: whatever makes a row broken or skipped, and its reason. */
#include <stdio.h>

#include "judge_fixture.h"

/* How a job of the boot ends, and what the victim's row then says. */
static const struct {
	int job;
	struct msg_end end;	/* put over what init_one() made, see bend() */
	const char *reason;
} ends[] = {
	{ HDD, { .exit = 1, .output = "x\ndd: can't open '/mnt/\x1b[1m': No space\n\n" },
	  "job 'hdd' exited with status 1: dd: can't open '/mnt/\\x1b[1m': No space" },
	{ HDD, { .exit = 127 }, "job 'hdd' exited with status 127" },
	{ HDD, { .signal = 9 }, "job 'hdd' was killed by signal 9" },
	{ HDD, { .timeout = 1, .signal = 9 }, "job 'hdd' met its deadline of 600 s" },
	{ HDD, { .stopped = 1 }, "job 'hdd' was stopped before its end" },
	{ HDD, { .sync_error = 5 }, "job 'hdd' failed to sync: Input/output error" },
	{ HDD, { .sync_error = -7 }, "job 'hdd' failed to sync: error -7" },
	{ HDD, { .sync_ns = MSG_NONE }, "job 'hdd' has no time of its sync" },
	{ HDD, { .wall_ns = -5 }, "job 'hdd' has no time" },
	{ HDD, { .start_ns = -5 }, "job 'hdd' has no time" },
	{ HDD, { .output = "64000+1 records in\n64000+1 records out\n" },
	  "job 'hdd' copied 64000+1 of 65536 blocks only" },
	{ HDD, { .output = "65536+0 records in\n65536+0 records out\n" }, "" },
	{ HDD, { .exit = 1, .output = "dd: error writing: No space left\n1+0 records in\n1+0 records out\n" },
	  "job 'hdd' exited with status 1: dd: error writing: No space left" },
	{ HDD, { .exit = 1, .output = "one\r\ntwo\r\n\r\n" }, "job 'hdd' exited with status 1: two" },
	{ DVD, { .exit = 1, .output = "dd: can't open x" },
	  "load 'dvd' exited with status 1: dd: can't open x" },
	{ DVD, { .timeout = 1 }, "load 'dvd' met its deadline of 600 s" },
	/* it asked for its end, so nobody may stop it */
	{ DVD, { .stopped = 1, .signal = 15 }, "load 'dvd' was stopped before its end" },
	/* from 5 s to 15 s the victim runs, for which it takes 1 s alone; so 1 s is enough */
	{ DVD, { .start_ns = 1 * S, .wall_ns = 2 * S, .sync_ns = -1 },
	  "load 'dvd' ended 2 s before it began" },
	{ DVD, { .start_ns = 1 * S, .wall_ns = 4 * S, .sync_ns = -1 },
	  "load 'dvd' ended 0 ns before it began" },
	/* half of 1 ns is nothing, and so is having missed the victim */
	{ DVD, { .start_ns = 1 * S, .wall_ns = 1, .sync_ns = -1 },
	  "load 'dvd' ended 4.00 s before it began" },
	{ DVD, { .start_ns = 1 * S, .wall_ns = 4 * S + S / 2, .sync_ns = -1 },
	  "load 'dvd' ran beside it for 500 ms of 10 s only" },
	{ DVD, { .start_ns = 1 * S, .wall_ns = 5 * S, .sync_ns = -1 }, "" },
	{ DVD, { .start_ns = 6 * S, .wall_ns = S / 10, .sync_ns = -1 },
	  "load 'dvd' ran beside it for 100 ms of 10 s only" },
	{ DVD, { .start_ns = 1 * S, .wall_ns = 4 * S, .sync_ns = 6 * S }, "" },
	{ DVD, { .start_ns = 10 * S, .wall_ns = 90 * S, .sync_ns = -1 }, "" },
	{ DVD, { .start_ns = 12 * S, .wall_ns = 90 * S, .sync_ns = -1 }, "" },
	{ DVD, { .start_ns = 14 * S + S / 2, .wall_ns = 90 * S, .sync_ns = -1 },
	  "load 'dvd' ran beside it for 500 ms of 10 s only" },
	{ DVD, { .start_ns = 17 * S, .wall_ns = 90 * S, .sync_ns = -1 },
	  "load 'dvd' began 2 s after it had ended" },
	{ DVD, { .start_ns = 4 * S, .wall_ns = INT64_MAX, .sync_ns = INT64_MAX }, "" },
};

static void bend(struct msg_end *end, const struct msg_end *by)
{
	struct msg_end old = *end;

	*end = *by;
	end->start_ns = by->start_ns ? by->start_ns : old.start_ns;
	end->wall_ns = by->wall_ns ? by->wall_ns : old.wall_ns;
	end->sync_ns = by->sync_ns ? by->sync_ns : old.sync_ns;
}

static void test_ends(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		struct fixture f;

		init_one(&f);
		bend(end_of(&f, 0, ends[i].job), &ends[i].end);
		expect_hdd(&f, *ends[i].reason ? VERDICT_BROKEN : VERDICT_PASS, ends[i].reason);
	}
}

static void test_missing_ends(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	boot(&f, 0)->jobs[DVD].ended = false;
	expect_hdd(&f, VERDICT_BROKEN, "load 'dvd' never started or has no end");
	init_one(&f);
	free(boot(&f, 0)->jobs[DVD].name);
	boot(&f, 0)->jobs[DVD].name = xstrdup("other");
	expect_hdd(&f, VERDICT_BROKEN, "load 'dvd' never started or has no end");
	init_one(&f);
	boot(&f, 0)->jobs[HDD].ended = false;
	expect_hdd(&f, VERDICT_BROKEN, "job 'hdd' never started or has no end");
}

static void test_load_stopped_with_the_victims(void **state)
{
	const struct verdict *v;
	struct fixture f;

	(void)state;
	init_one(&f);
	f.jobs[BOTH][DVD].stop = PLAN_STOP_VICTIMS;
	end_of(&f, 0, DVD)->stopped = 1;
	end_of(&f, 0, DVD)->signal = 15;
	expect_row(&f, HDD, VERDICT_PASS, "");
	v = expect_row(&f, DVD, VERDICT_NONE, "");
	assert_same(v->time_ns, -1);
	assert_int_equal(v->seeds, 0);
	done(&f);
}

/* The load's own trouble breaks its row and the victim's; the victim's only its own. */
static void test_whose_row_is_broken(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	end_of(&f, 0, DVD)->exit = 3;
	expect_row(&f, HDD, VERDICT_BROKEN, "load 'dvd' exited with status 3");
	expect_row(&f, DVD, VERDICT_BROKEN, "load 'dvd' exited with status 3");
	done(&f);
	init_one(&f);
	end_of(&f, 0, HDD)->exit = 3;
	expect_row(&f, HDD, VERDICT_BROKEN, "job 'hdd' exited with status 3");
	expect_row(&f, DVD, VERDICT_NONE, "");
	done(&f);
}

static void test_dd_counts(void **state)
{
	static const struct {
		const char *run, *output;
		bool is_short;
	} rows[] = {
		{ "dd count=64K", "1+0 records out", true },
		{ "dd count=64k", "65536+0 records out", false },
		{ "dd count=1M bs=1K", "1048576+0 records out", false },
		{ "dd count=7; sync", "7+0 records out", false },
		{ "dd count=7; sync", "6+0 records out", true },
		{ "dd count=7", "7+1 records out", true },
		/* nothing can be said of these */
		{ "dd count=7; dd count=8", "8+0 records out", false },
		{ "dd count=7", "7+0 records out\n1+0 records out", false },
		{ "dd count=7Q", "6+0 records out", false },
		{ "dd count=$N", "6+0 records out", false },
		{ "dd bs=1K", "6+0 records out", false },
		{ "dd count=7", "x records out", false },
		{ "dd count=7", " records out", false },
		{ "dd count=7", "+0 records out", false },
		{ "dd count=7", "0 records out", false },
		{ "dd count=7", "99999999999999999999+0 records out", false },
		{ "dd count=99999999999999999G", "1+0 records out", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fixture f;
		char run[64];

		init_one(&f);
		snprintf(run, sizeof(run), "%s", rows[i].run);
		f.jobs[BOTH][HDD].run = run;
		snprintf(end_of(&f, 0, HDD)->output, MSG_TEXT, "%s", rows[i].output);
		judge_run(&f.run, f.cases, f.expects, N_CASES);
		if ((f.run.verdicts[HDD].kind == VERDICT_BROKEN) != rows[i].is_short)
			fail_msg("'%s' with '%s': %s", rows[i].run, rows[i].output,
				 f.run.verdicts[HDD].reason);
		done(&f);
	}
}

static void set_outcome(struct boot *b, enum outcome outcome, enum stage stage, const char *reason)
{
	b->outcome = outcome;
	b->stage = stage;
	b->reason = xstrdup(reason);
}

static void test_broken_boots(void **state)
{
	const struct verdict *v;
	struct fixture f;

	(void)state;
	init_one(&f);
	set_outcome(boot(&f, 0), OUTCOME_BROKEN, STAGE_BOOT, "kernel panic: \x1b[2J");
	v = expect_row(&f, HDD, VERDICT_BROKEN,
		       "broken at stage boot: kernel panic: \\x1b[2J");
	/* what is known is still shown */
	assert_same(v->time_ns, 10 * S);
	assert_same(v->slowdown, 10);
	done(&f);
	/* one bad boot of two spoils the row, and is named */
	init_one(&f);
	add_seed(&f, 2, 20 * S, S);
	set_outcome(boot(&f, 2), OUTCOME_BROKEN, STAGE_JOBS, "silence");
	expect_hdd(&f, VERDICT_BROKEN, "seed 2: broken at stage jobs: silence");
	init_one(&f);
	add_seed(&f, 2, 20 * S, S);
	end_of(&f, 2, HDD)->exit = 1;
	expect_hdd(&f, VERDICT_BROKEN, "seed 2: job 'hdd' exited with status 1");
	init_one(&f);
	add_seed(&f, 2, 20 * S, S);
	end_of(&f, 2, DVD)->exit = 1;
	expect_hdd(&f, VERDICT_BROKEN, "seed 2: load 'dvd' exited with status 1");
}

static void test_alone_is_broken(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	set_outcome(boot(&f, 1), OUTCOME_BROKEN, STAGE_START, "no QEMU");
	expect_hdd(&f, VERDICT_BROKEN, "alone in 'g/alone': broken at stage start: no QEMU");
	init_one(&f);
	end_of(&f, 1, HDD)->exit = 2;
	expect_hdd(&f, VERDICT_BROKEN, "alone in 'g/alone': job 'first' exited with status 2");
	init_one(&f);
	f.jobs[BOTH][HDD].alone_case = "g/other";
	expect_hdd(&f, VERDICT_BROKEN, "alone in 'g/other': no boot of it ran");
	init_one(&f);
	f.jobs[BOTH][HDD].alone_job = "second";
	expect_hdd(&f, VERDICT_BROKEN, "alone in 'g/alone': it has no job 'second'");
	init_one(&f);
	boot_release(boot(&f, 1));
	f.run.n_boots = 1;
	expect_hdd(&f, VERDICT_BROKEN, "alone in 'g/alone': no boot of it ran");
}

static void test_no_boots(void **state)
{
	const struct verdict *v;
	struct fixture f;

	(void)state;
	init(&f);
	v = expect_row(&f, HDD, VERDICT_BROKEN, "no boot of it ran");
	assert_same(v->time_ns, -1);
	assert_same(v->time_min_ns, -1);
	assert_same(v->limit, 16);
	assert_int_equal(judge_exit_status(&f.run), JUDGE_CANNOT);
	f.run.interrupted = true;
	expect_hdd(&f, VERDICT_BROKEN, "the run was stopped before it");
}

static void test_skipped(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	set_outcome(boot(&f, 0), OUTCOME_SKIPPED, STAGE_IMAGES, "ide: none of ata_piix");
	expect_row(&f, HDD, VERDICT_SKIPPED, "ide: none of ata_piix");
	expect_row(&f, DVD, VERDICT_SKIPPED, "ide: none of ata_piix");
	expect_row(&f, ALONE_ROW, VERDICT_NONE, "");
	assert_int_equal(judge_exit_status(&f.run), JUDGE_CANNOT);
	done(&f);
	init_one(&f);
	set_outcome(boot(&f, 1), OUTCOME_SKIPPED, STAGE_IMAGES, "ext2: none of ext2");
	assert_same(expect_row(&f, HDD, VERDICT_SKIPPED,
			       "alone in 'g/alone': ext2: none of ext2")->time_ns, 10 * S);
	done(&f);
	/* a broken one outweighs it */
	init_one(&f);
	add_seed(&f, 2, S, S);
	set_outcome(boot(&f, 0), OUTCOME_SKIPPED, STAGE_IMAGES, "x");
	set_outcome(boot(&f, 2), OUTCOME_BROKEN, STAGE_BOOT, "y");
	expect_hdd(&f, VERDICT_BROKEN, "seed 2: broken at stage boot: y");
}

static void test_alone_takes_no_time(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	end_of(&f, 1, HDD)->wall_ns = 0;
	expect_hdd(&f, VERDICT_BROKEN, "no slowdown was measured");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_missing_ends),
		cmocka_unit_test(test_load_stopped_with_the_victims),
		cmocka_unit_test(test_whose_row_is_broken),
		cmocka_unit_test(test_dd_counts),
		cmocka_unit_test(test_broken_boots),
		cmocka_unit_test(test_alone_is_broken),
		cmocka_unit_test(test_no_boots),
		cmocka_unit_test(test_skipped),
		cmocka_unit_test(test_alone_takes_no_time),
	};

	return cmocka_run_group_tests_name("judge, broken", tests, NULL, NULL);
}
