/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/requests and report/facts: logs, stalls, where a job waits. */
#include "report_fixture.h"

#include "report/facts.h"
#include "report/requests.h"
#include "report/story.h"
#include "report/words.h"

static struct requests requests;
static struct stalls stalls;

static int end(void **state)
{
	requests_release(&requests);
	stalls_release(&stalls);
	return teardown(state);
}

static void parse(const char *text)
{
	requests_release(&requests);
	requests_parse(&requests, text, strlen(text), &run.boots[0]);
}

static void test_log(void **state)
{
	(void)state;
	add_boot("g/case", 1, 20 * SEC);
	parse("hda read 0 4096 5 6 7 4096\ndvd fua 8192 512 5 6 2000 512\nhda flush 0 0 1 1 2 0\n");
	assert_int_equal(requests.n, 3);
	assert_int_equal(requests.bad, 0);
	assert_int_equal(requests.v[0].op, REQUEST_READ);
	assert_int_equal(requests.v[1].op, REQUEST_WRITE);
	assert_int_equal(requests.v[1].disk, 1);
	assert_int_equal(requests.v[1].offset, 8192);
	assert_int_equal(requests.v[1].done, 2000);
	assert_int_equal(requests.v[2].op, REQUEST_OTHER);
}

static void test_bad_log(void **state)
{
	static const char *const bad[] = {
		"\n", "hda\n", "hda read\n", "hda read 0 1 2 3\n", "hdx read 0 1 2 3 4 5\n",
		"hda read -1 1 2 3 4 5\n", "hda read 0 1 9 3 4 5\n", "hda read 0x1 1 2 3 4 5\n",
		"hda read 9999999999999999999 1 2 3 4 5\n", "hda read  0 1 2 3 4\n",
		"hda read 0 1 2 3 4 5", "\033[31m\xff\n",
	};

	(void)state;
	add_boot("g/case", 1, 20 * SEC);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		parse(bad[i]);
		if (requests.n || requests.bad != 1)
			fail_msg("'%s': %zu good, %zu bad", bad[i], requests.n, requests.bad);
	}
}

static void expect_stall(size_t i, int disk, int64_t from, int64_t to)
{
	assert_in_range(stalls.n, i + 1, 1000);
	assert_int_equal(stalls.v[i].disk, disk);
	assert_int_equal(stalls.v[i].from, from);
	assert_int_equal(stalls.v[i].to, to);
}

/* Gaps of more than a second between completions, as long as there are pages. */
static void test_stalls_of_log(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);

	(void)state;
	b->n_samples = 10;	/* the last at 10 s */
	parse("hda write 0 1 1000000000 0 1000000000 1\n"
	      "hda write 0 1 1000000000 0 2000000000 1\n"	/* exactly a second: none */
	      "hda write 0 1 1000000000 0 4500000000 1\n"
	      "hda write 0 1 1000000000 0 5400000000 1\n"
	      "hda write 0 1 1000000000 0 9900000000 1\n");
	facts_stalls(&stalls, b, &requests);
	expect_stall(0, 0, 2 * SEC, 4500000000);
	expect_stall(1, 0, 5400000000, 9900000000);
	assert_int_equal(stalls.n, 2);
	/* nothing to write during the second gap: no stall */
	stalls_release(&stalls);
	b->samples[6].disks[0].dirty = b->samples[6].disks[0].writeback = 0;
	facts_stalls(&stalls, b, &requests);
	assert_int_equal(stalls.n, 1);
}

static void test_stalls_of_samples(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);

	(void)state;
	for (int i = 10; i < 14; i++)
		b->samples[i].disks[1].io[4] = 10;
	b->samples[21].disks[1].io[4] = 20;	/* a second and no more is no stall */
	facts_stalls(&stalls, b, NULL);
	expect_stall(0, 1, 11 * SEC, 14 * SEC);
	assert_int_equal(stalls.n, 1);
}

static struct facts facts_of(struct boot *b)
{
	struct facts f;

	assert_true(story_facts(b, &b->jobs[0], &f));
	return f;
}

static void near(double got, double wanted)
{
	if (got < wanted - 0.001 || got > wanted + 0.001)
		fail_msg("%f is not %f", got, wanted);
}

static void test_facts(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);
	struct facts f = facts_of(b);

	(void)state;
	assert_int_equal(f.n_samples, 21);
	assert_int_equal(f.own, 0);
	near(f.full, 0.8);
	near(f.disks[0].busy, 0.1);
	near(f.disks[1].busy, 1);
	near(f.disks[0].held, 0.25);
	near(f.disks[1].held, 0.75);
	assert_int_equal(f.disks[0].written, 20LL * 20480 * 512);
	near(f.idle, 0.1);
	near(f.iowait, 0.8);
}

static void test_mechanisms(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);
	struct facts f = facts_of(b);
	int other;

	(void)state;
	assert_int_equal(facts_mechanism(&f, 2, &other), MECHANISM_LIMIT_OTHER);
	assert_int_equal(other, 1);
	f.disks[0].held = 0.9;
	f.disks[1].held = 0.1;
	assert_int_equal(facts_mechanism(&f, 2, &other), MECHANISM_LIMIT_OWN);
	f.disks[0].busy = 0.9;
	assert_int_equal(facts_mechanism(&f, 2, &other), MECHANISM_DISK);
	f.disks[0].busy = 0.1;
	f.full = 0.2;
	assert_int_equal(facts_mechanism(&f, 2, &other), MECHANISM_ELSEWHERE);
	f.idle = f.iowait = 0.05;
	assert_int_equal(facts_mechanism(&f, 2, &other), MECHANISM_CPU);
	f.own = -1;
	assert_int_equal(facts_mechanism(&f, 2, &other), MECHANISM_UNKNOWN);
}

static void test_no_facts(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);
	struct facts f;

	(void)state;
	b->jobs[0].end.start_ns = 1000 * SEC;
	assert_false(facts_job(&f, b, &b->jobs[0], NULL));
	b->jobs[0].end.start_ns = INT64_MAX;
	b->jobs[0].end.wall_ns = INT64_MAX;
	assert_false(facts_job(&f, b, &b->jobs[0], NULL));
	b->jobs[0].ended = false;
	assert_false(facts_job(&f, b, &b->jobs[0], NULL));
}

static void test_disk_of_command(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);

	(void)state;
	assert_int_equal(facts_disk_of(b, "dd of=/mnt/hda/zero"), 0);
	assert_int_equal(facts_disk_of(b, "cat /dev/iorig/dvd"), 1);
	assert_int_equal(facts_disk_of(b, "cp /mnt/dvd/x /mnt/hda/x"), 1);
	assert_int_equal(facts_disk_of(b, "ls /mnt/hda"), 0);
	assert_int_equal(facts_disk_of(b, "ls /mnt/hda2"), -1);
	assert_int_equal(facts_disk_of(b, ""), -1);
}

/* Of the scale that ran, if it says otherwise; never a crash on what is no case. */
static void test_words(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);
	char *text = words_of(b, "job", "hdd", "run");

	(void)state;
	assert_string_equal(text, "dd of=/mnt/hda/zero");
	free(text);
	replace(&b->scale, "full");
	text = words_of(b, "job", "hdd", "run");
	assert_string_equal(text, "x /mnt/dvd");
	free(text);
	text = words_case(b, "title");
	assert_string_equal(text, "The title");
	free(text);
	assert_null(words_case(b, "about"));
	replace(&b->case_text, HOSTILE);
	assert_null(words_case(b, "title"));
}

/* Any figures at all: the sanitizers watch. */
static void test_hostile(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);
	struct facts f;

	(void)state;
	make_hostile();
	for (size_t i = 0; i < b->n_jobs; i++)
		facts_job(&f, b, &b->jobs[i], NULL);
	facts_stalls(&stalls, b, NULL);
	b->samples[0].ns = INT64_MIN;
	b->n_samples = 2;
	facts_stalls(&stalls, b, NULL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_log), TEST(test_bad_log), TEST(test_stalls_of_log),
		TEST(test_stalls_of_samples), TEST(test_facts), TEST(test_mechanisms),
		TEST(test_no_facts), TEST(test_disk_of_command), TEST(test_words), TEST(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
