/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/victim: a victim's steps, its stalls, and their picture. */
#include "report_fixture.h"

#include <math.h>

#include "report/facts.h"
#include "report/palette.h"
#include "report/plot.h"
#include "report/plot_boot.h"
#include "report/requests.h"
#include "report/victim.h"

static struct requests requests;
static struct stalls stalls;
static struct victim victim;
static struct palette colors = PALETTE_INIT;
static struct plot plot;

static int end(void **state)
{
	requests_release(&requests);
	stalls_release(&stalls);
	victim_release(&victim);
	palette_release(&colors);
	plot_release(&plot);
	return teardown(state);
}

static struct boot *boot(const char *victim_run, const char *load_run)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);

	free(b->case_text);
	b->case_text = xstrfmt("[case]\ntitle = t\n[job hdd]\nrun = %s\n[job dvd]\nrun = %s\n",
			       victim_run, load_run);
	return b;
}

static void find(const struct boot *b)
{
	stalls_release(&stalls);
	victim_stalls(&stalls, b, &requests);
}

static void expect(size_t i, int64_t from, int64_t to)
{
	assert_in_range(stalls.n, i + 1, 1000);
	assert_ptr_equal(stalls.v[i].victim, &run.boots[0].jobs[0]);
	assert_int_equal(stalls.v[i].disk, 0);
	assert_int_equal(stalls.v[i].from, from);
	assert_int_equal(stalls.v[i].to, to);
}

/* Nothing is dirtied on hda after the sample of second 6, until the one of second 12. */
static void freeze(struct boot *b)
{
	for (int i = 6; i <= 10; i++)
		b->samples[i].disks[0].dirtied = b->samples[5].disks[0].dirtied;
}

#define WRITES_HDA "dd if=/dev/zero of=/mnt/hda/zero bs=1K count=64K"
#define WRITES_DVD "dd if=/dev/zero of=/mnt/dvd/zero"

static void test_dirties(void **state)
{
	struct boot *b = boot(WRITES_HDA, WRITES_DVD);

	(void)state;
	find(b);
	assert_int_equal(stalls.n, 0);
	freeze(b);
	find(b);
	assert_int_equal(stalls.n, 1);
	expect(0, 6 * SEC, 11 * SEC);
	assert_true(victim_steps(&victim, b, &b->jobs[0], NULL));
	assert_int_equal(victim.way, VICTIM_DIRTIES);
	assert_int_equal(victim.n, 20);		/* seconds 3 to 22 */
	assert_true(victim.v[0].n == 10 && victim.v[4].n == 0);
}

/* Never a step, and none until late: from its start on, to the last sample that shows none. */
static void test_from_start(void **state)
{
	struct boot *b = boot(WRITES_HDA, WRITES_DVD);

	(void)state;
	for (int i = 0; i <= 4; i++)
		b->samples[i].disks[0].dirtied = 0;
	find(b);
	assert_int_equal(stalls.n, 1);
	expect(0, 2 * SEC, 5 * SEC);
	for (size_t i = 0; i < b->n_samples; i++)
		b->samples[i].disks[0].dirtied = 0;
	find(b);
	assert_int_equal(stalls.n, 1);
	expect(0, 2 * SEC, 22 * SEC);
}

/* One sample's interval alone may be a second and a hair: that is no stall. */
static void test_one_interval(void **state)
{
	struct boot *b = boot(WRITES_HDA, WRITES_DVD);

	(void)state;
	b->samples[6].disks[0].dirtied = b->samples[5].disks[0].dirtied;
	b->samples[6].ns += 1000000;
	find(b);
	assert_int_equal(stalls.n, 0);
}

/* It computes for all of that time: then it waits for nobody. Without that figure nobody knows. */
static void test_computes(void **state)
{
	struct boot *b = boot(WRITES_HDA, WRITES_DVD);

	(void)state;
	freeze(b);
	for (size_t i = 0; i < b->n_samples; i++)
		b->samples[i].vmstat[12] = 90;
	find(b);
	assert_int_equal(stalls.n, 0);
	for (size_t i = 0; i < b->n_samples; i++)
		b->samples[i].vmstat[12] = -1;
	find(b);
	assert_int_equal(stalls.n, 0);
}

/* The agent timed every call: what is longer than the longest is a pause of its own making. */
static void test_measured(void **state)
{
	struct boot *b = boot("iorig-write file=/mnt/hda/f size=1M", WRITES_DVD);

	(void)state;
	freeze(b);
	b->jobs[0].measured = true;
	hist_add(&b->jobs[0].result.hist, SEC / 2);
	find(b);
	assert_int_equal(stalls.n, 0);
	hist_add(&b->jobs[0].result.hist, 2 * SEC);
	find(b);
	assert_int_equal(stalls.n, 0);
	hist_add(&b->jobs[0].result.hist, 5 * SEC);
	find(b);
	expect(0, 6 * SEC, 11 * SEC);
}

/* What others do to the same disk cannot be told from what it does. */
static void test_not_alone(void **state)
{
	static const struct { const char *victim, *load; bool told; } rows[] = {
		{ WRITES_HDA, "dd if=/dev/zero of=/mnt/hda/b", false },
		{ WRITES_HDA, "iorig-write file=/mnt/hda/b time=1h", false },
		{ WRITES_HDA, "iorig-read file=/mnt/hda/b", true },
		{ WRITES_HDA, "sh /etc/x /mnt/hda/b", false },
		{ WRITES_HDA, "iorig-write file=/mnt/dvd/b time=1h", true },
		{ "iorig-read file=/mnt/hda/b", WRITES_DVD, false },	/* no log */
		{ "iorig-touch-memory size=1M", WRITES_DVD, false },
		{ "sleep 5", WRITES_DVD, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct boot *b = boot(rows[i].victim, rows[i].load);
		bool told = victim_steps(&victim, b, &b->jobs[0], NULL);

		if (told != rows[i].told)
			fail_msg("row %zu: %d", i, told);
		victim_release(&victim);
		boot_release(b);
		run.n_boots = 0;
	}
}

static void test_roles(void **state)
{
	struct boot *b = boot(WRITES_HDA, WRITES_DVD);

	(void)state;
	assert_false(victim_steps(&victim, b, &b->jobs[1], NULL));
	b->jobs[0].ended = false;
	assert_false(victim_steps(&victim, b, &b->jobs[0], NULL));
	b->jobs[0].ended = true;
	b->jobs[0].end.start_ns = INT64_MAX;
	assert_false(victim_steps(&victim, b, &b->jobs[0], NULL));
}

/* Reads are in the log, whatever is written to the same disk. */
static void test_reads(void **state)
{
	struct boot *b = boot("iorig-read file=/dev/iorig/hda", "iorig-write file=/mnt/hda/b time=1h");
	static const char log[] = "hda read 0 4096 2000000000 0 2500000000 1\n"
				  "hda write 0 4096 2000000000 0 4000000000 1\n"
				  "hda read 0 4096 2000000000 0 5000000000 1\n"
				  "dvd read 0 4096 2000000000 0 5500000000 1\n"
				  "hda read 0 4096 2000000000 0 6000000000 1\n"
				  "hda read 0 4096 2000000000 0 21500000000 1\n";

	(void)state;
	requests_parse(&requests, log, strlen(log), b);
	find(b);
	assert_int_equal(stalls.n, 2);
	expect(0, 2500000000, 5 * SEC);
	expect(1, 6 * SEC, 21500000000);
	assert_true(victim_steps(&victim, b, &b->jobs[0], &requests));
	assert_int_equal(victim.way, VICTIM_READS);
	assert_int_equal(victim.n, 4);
}

static struct plot_source source(const struct boot *b)
{
	palette_add(&colors, b);
	return (struct plot_source){ .b = b, .r = &requests, .s = &stalls, .colors = &colors };
}

/* Second 12 ends six seconds for 60 MiB; all others take 100 ms a MiB. */
static void test_picture_of_dirtied(void **state)
{
	struct boot *b = boot(WRITES_HDA, WRITES_DVD);
	struct plot_source from = source(b);

	(void)state;
	for (int i = 6; i <= 10; i++)
		b->samples[i].disks[0].dirtied = b->samples[5].disks[0].dirtied;
	b->samples[11].disks[0].dirtied = b->samples[10].disks[0].dirtied + 1024;
	for (size_t i = 12; i < b->n_samples; i++)
		b->samples[i].disks[0].dirtied = b->samples[i - 1].disks[0].dirtied + 10240;
	plot_boot_victim(&plot, &from);
	assert_true(plot.log_y);
	assert_int_equal(plot.n_series, 1);
	assert_string_equal(plot.series[0].name, "hdd, for each MiB");
	assert_int_equal(plot.series[0].kind, PLOT_STEPS);
	for (size_t i = 1; i < plot.series[0].n; i++) {
		double x = plot.series[0].x[i], y = plot.series[0].y[i];

		/* from its start at second 2 */
		if (x > 9.5 && x < 10.5)
			assert_true(fabs(y - 6000) < 1);
		else if (x > 0)
			assert_true(fabs(y - 100) < 1);
	}
}

/* All that was held up comes at once: the wait before it is not shared out among it. */
static void test_picture_of_a_stall(void **state)
{
	struct boot *b = boot(WRITES_HDA, WRITES_DVD);
	struct plot_source from = source(b);
	double most = 0;

	(void)state;
	freeze(b);
	plot_boot_victim(&plot, &from);
	for (size_t i = 0; i < plot.series[0].n; i++)
		most = plot.series[0].y[i] > most ? plot.series[0].y[i] : most;
	assert_true(fabs(most - 5000) < 1);
}

static void test_picture_of_reads(void **state)
{
	struct boot *b = boot("iorig-read file=/dev/iorig/hda", WRITES_DVD);
	static const char log[] = "hda read 0 4096 2000000000 0 2500000000 1\n"
				  "hda read 0 4096 2000000000 0 5000000000 1\n"
				  "hda read 0 4096 2000000000 0 5001000000 1\n";
	struct plot_source from = source(b);

	(void)state;
	requests_parse(&requests, log, strlen(log), b);
	plot_boot_victim(&plot, &from);
	assert_int_equal(plot.n_series, 1);
	assert_string_equal(plot.series[0].name, "hdd, for each read");
	assert_int_equal(plot.series[0].n, 2);	/* the slowest of a moment */
	assert_true(fabs(plot.series[0].y[0] - 500) < 1e-6);
	assert_true(fabs(plot.series[0].y[1] - 2500) < 1e-6);
}

static void test_hostile(void **state)
{
	struct boot *b = boot(WRITES_HDA, WRITES_DVD);
	struct plot_source from;

	(void)state;
	make_hostile();
	from = source(b);
	b->samples[9].disks[0].dirtied = INT64_MAX;
	b->samples[10].disks[0].dirtied = -1;
	find(b);
	plot_boot_victim(&plot, &from);
	replace(&b->case_text, HOSTILE);
	find(b);
	assert_int_equal(stalls.n, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_dirties), TEST(test_from_start), TEST(test_one_interval),
		TEST(test_computes), TEST(test_measured), TEST(test_not_alone), TEST(test_roles),
		TEST(test_reads), TEST(test_picture_of_dirtied), TEST(test_picture_of_a_stall),
		TEST(test_picture_of_reads),
		TEST(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
