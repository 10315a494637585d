/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/dirty: lines beside samples, and both forms, also of a hostile run. */
#include "report_fixture.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "report/dirty.h"

static struct dirtylines d = DIRTYLINES_INIT;

static int clean(void **state)
{
	dirtylines_release(&d);
	return teardown(state);
}

/* The fixture's samples: sda is hda with 200 pages, sdb is dvd with 600, at 1, 2, ... 40 s. */
static void parse(const char *text)
{
	dirtylines_release(&d);
	dirtylines_parse(&d, text, strlen(text));
}

static void close_to(double a, double b)
{
	if (fabs(a - b) > 1e-6)
		fail_msg("%.9g is not %.9g", a, b);
}

static void values_between_samples(void **state)
{
	struct dirty_track t __release(dirty_track) = DIRTY_TRACK_INIT;
	struct boot *b;

	(void)state;
	b = add_boot("g/case", 1, SEC);
	b->samples[1].disks[0].dirty = 1400;	/* 400 pages at 2 s */
	b->samples[2].disks[0].writeback = MSG_NONE;
	b->samples[3].ns = -1;
	/* out of order */
	b->samples[39].ns = SEC / 2;
	b->samples[39].disks[0].dirty = 0;
	assert_int_equal(dirty_disk(b, "sda"), 0);
	assert_int_equal(dirty_disk(b, "sdb"), 1);
	assert_int_equal(dirty_disk(b, "hda"), -1);
	assert_int_equal(dirty_disk(NULL, "sda"), -1);
	dirty_track_make(&t, b, 0);
	assert_int_equal(t.n, 38);
	close_to(dirty_track_at(&t, SEC / 2 - 1), -1);
	close_to(dirty_track_at(&t, SEC / 2), 50);
	close_to(dirty_track_at(&t, 3 * SEC / 4), 125);
	close_to(dirty_track_at(&t, SEC), 200);
	close_to(dirty_track_at(&t, SEC + SEC / 4), 250);
	close_to(dirty_track_at(&t, 2 * SEC), 400);
	/* over the two that say nothing: to 200 pages at 5 s */
	close_to(dirty_track_at(&t, 3 * SEC + SEC / 2), 300);
	close_to(dirty_track_at(&t, 39 * SEC), 200);
	close_to(dirty_track_at(&t, 39 * SEC + 1), -1);
	dirty_track_release(&t);
	dirty_track_make(&t, b, -1);
	close_to(dirty_track_at(&t, SEC), -1);
}

static void only_moments_that_both_have(void **state)
{
	struct dirty_track t __release(dirty_track) = DIRTY_TRACK_INIT;
	struct dirty_compared c;

	(void)state;
	dirty_track_make(&t, add_boot("g/case", 1, SEC), 0);
	parse("[    0.500000] iorig: dirty sda=90000\n[    1.500000] iorig: dirty sda=210\n"
	      "iorig: dirty sda=90000\n[   39.500000] iorig: dirty sda=200\n"
	      "[   41.000000] iorig: dirty sda=90000\n");
	c = dirty_compare(&d, 0, &t);
	assert_int_equal(c.n, 2);
	close_to(c.mean, 205);
	close_to(c.sampled_mean, 200);
	close_to(c.max, 210);
	close_to(c.sampled_max, 200);
	parse("iorig: dirty sda=1\n");
	c = dirty_compare(&d, 0, &t);
	assert_int_equal(c.n, 0);
	close_to(c.mean, -1);
}

static void the_text(void **state)
{
	(void)state;
	parse("[    1.000000] iorig: dirty sda=210 sdb=600\nx iorig: dirty\n"
	      "[    2.000000] iorig: dirty sda=210 sr0=7\n");
	dirty_text(&out, "title", &d, add_boot("g/case", 1, SEC));
	assert_string_equal(out.buf,
		"title: dirty and writeback pages by 2 lines of the console, 1 bad one left out\n"
		" TIME  sda  sdb  sr0\n"
		"1.000  210  600\n"
		"2.000  210         7\n"
		"\n"
		"DEVICE  DISK  VALUES   MEAN  MAXIMUM\n"
		"sda     hda        2  210.0      210\n"
		"sdb     dvd        1  600.0      600\n"
		"sr0                1    7.0        7\n"
		"\n"
		"beside the samples, between which values are interpolated:\n"
		"DEVICE  DISK  MOMENTS   MEAN  SAMPLED   DIFF  MAXIMUM  SAMPLED   DIFF\n"
		"sda     hda         2  210.0    200.0  +5.0%      210      200  +5.0%\n"
		"sdb     dvd         1  600.0    600.0  +0.0%      600      600  +0.0%\n");
	strbuf_reset(&out);
	parse("hd count = 1, dvd count = 2\n");
	dirty_text(&out, "title", &d, NULL);
	assert_string_equal(out.buf,
			    "title: dirty and writeback pages by 1 line of the console\n"
			    "TIME  hd  dvd\n"
			    "  #1   1    2\n"
			    "\n"
			    "DEVICE  VALUES  MEAN  MAXIMUM\n"
			    "hd           1   1.0        1\n"
			    "dvd          1   2.0        2\n");
}

static void the_csv(void **state)
{
	(void)state;
	parse("[    1.500000] iorig: dirty sda=210 sr0=7\n[   99.000000] iorig: dirty sda=8\n");
	dirty_csv_head(&out);
	dirty_csv(&out, &run, add_boot("g/case", 2, SEC), &d);
	assert_string_equal(out.buf,
		"run,case,seed,round,time_s,device,disk,pages,sampled_pages\n"
		"\"20261130T170405Z-debian\",\"g/case\",2,1,1.500000000,\"sda\",\"hda\",210,200\n"
		"\"20261130T170405Z-debian\",\"g/case\",2,2,99.000000000,\"sda\",\"hda\",8,\n"
		"\"20261130T170405Z-debian\",\"g/case\",2,1,1.500000000,\"sr0\",\"\",7,\n");
	strbuf_reset(&out);
	parse("hd count = 1\n");
	dirty_csv(&out, NULL, NULL, &d);
	assert_string_equal(out.buf, "\"\",\"\",,1,,\"hd\",\"\",1,\n");
}

static void a_hostile_run(void **state)
{
	(void)state;
	add_boot(HOSTILE, 1, SEC);
	make_hostile();
	parse("[    4.000000] iorig: dirty sda=210 sdb=600\n[   12.000000] iorig: dirty sda=2\n"
	      "[    7.000000] iorig: dirty sda=2251799813685247 sdb=2251799813685247\n");
	dirty_text(&out, "title", &d, &run.boots[0]);
	dirty_csv(&out, &run, &run.boots[0], &d);
	has_not("\033");
	has_not("\xe2\x80\xae");
	has("2251799813685247");
}

/* Folders as a run leaves them: a console, none, one that is a folder, and one elsewhere. */
static void a_run_s_consoles(void **state)
{
	static const char text[] = "[    1.500000] iorig: dirty sda=210\n";
	struct err err = ERR_INIT;
	char *dir = NULL, *path, *outside;

	(void)state;
	assert_true(dir_temp("/tmp/iorig-dirty-", &dir, &err) >= 0);
	for (uint32_t seed = 1; seed <= 3; seed++)
		add_boot("g/case", seed, SEC);
	path = path_join(dir, run.boots[2].dir);
	assert_int_equal(dir_make(path, &err), 0);
	free(path);
	assert_int_equal(dirty_run(&out, &run, dir, false, &err), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_non_null(strstr(err.msg, "no console of run '20261130T170405Z-debian' has a line"));
	path = xstrfmt("%s/%s/console.log", dir, run.boots[2].dir);
	assert_int_equal(file_write_atomic(path, text, sizeof(text) - 1, 0666, &err), 0);
	assert_int_equal(dirty_run(&out, &run, dir, false, &err), 0);
	has("g/case, seed 3: ");
	has_not("seed 1");
	strbuf_reset(&out);
	assert_int_equal(dirty_file(&out, path, true, &err), 0);
	assert_string_equal(out.buf, "\"\",\"\",,1,1.500000000,\"sda\",\"\",210,\n");
	/* a document that points out of the run's folder, be it back into it */
	outside = xstrfmt("../%s/%s", path_base(dir), run.boots[2].dir);
	replace(&run.boots[2].dir, outside);
	free(outside);
	assert_int_equal(dirty_run(&out, &run, dir, false, &err), -EINVAL);
	dir_remove(path, &err);
	assert_int_equal(dir_make(path, &err), 0);
	assert_true(dirty_file(&out, path, false, &err) < 0);
	dir_remove(dir, &err);
	free(path);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(values_between_samples, setup, clean),
		cmocka_unit_test_setup_teardown(only_moments_that_both_have, setup, clean),
		cmocka_unit_test_setup_teardown(the_text, setup, clean),
		cmocka_unit_test_setup_teardown(the_csv, setup, clean),
		cmocka_unit_test_setup_teardown(a_hostile_run, setup, clean),
		cmocka_unit_test_setup_teardown(a_run_s_consoles, setup, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
