/* SPDX-License-Identifier: GPL-2.0-only */
/* Timing profiles: reading, defaults, the simulator's line, and everything that is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "image/profile.h"

#define DISK "[disk]\ntitle = t\nsource = s\nsize = 1M\n"

static char *dir;

static int make_dir(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	return dir_temp("/tmp/iorig-test-profile-", &dir, &err);
}

static int remove_dir(void **state)
{
	struct err err = ERR_INIT;
	int ret = dir_remove(dir, &err);

	(void)state;
	free(dir);
	return ret;
}

static int load(struct profile *p, const char *text, struct err *err)
{
	char *path = path_join(dir, "x.disk");
	int ret = file_write_atomic(path, text, strlen(text), 0644, err);

	free(path);
	return ret < 0 ? ret : profile_load(p, dir, "x", err);
}

static void test_every_key(void **state)
{
	static const char text[] =
		"[disk]\ntitle = A disk\nsource = \"a; b\"\nsize = 4482M\nsector = 2K\n"
		"rotational = no\nremovable = yes\nread-only = yes\n"
		"[timing]\nrate = 40MB/s\nrate-end = 20MB/s\ninterface = 1M/s\nspan = 80GB\n"
		"overhead = 200us\noverhead-write = 300us\nseek-track = 1ms\n"
		"seek-average = 9ms\nseek-full = 17ms\nrpm = 7200\nwrite-verify = yes\n"
		"write-cache = 2M\nread-ahead = 128K\nqueue-depth = 32\nqueue-order = nearest\n"
		"flush = 2ms\ndiscard = 1ms\nstall-every = 4s\nstall-for = 300ms\n"
		"stream-read = 30MB/s\nstream-write = 3MB/s\n";
	struct strbuf line = STRBUF_INIT;
	struct profile p = PROFILE_INIT;
	struct profile_limits limits;
	struct err err = ERR_INIT;

	(void)state;
	if (load(&p, text, &err) < 0)
		fail_msg("%s", err.msg);
	assert_string_equal(p.name, "x");
	assert_string_equal(p.title, "A disk");
	assert_string_equal(p.source, "a; b");
	assert_int_equal(p.size, 4482LL << 20);
	assert_int_equal(p.sector, 2048);
	assert_false(p.rotational);
	assert_true(p.removable);
	assert_true(p.read_only);
	profile_sim_line(&p, &line);
	assert_string_equal(line.buf,
			    "rate=40000000 rate-end=20000000 rate-write=40000000 "
			    "interface=1048576 span=80000000000 overhead=200000 "
			    "overhead-write=300000 seek-track=1000000 seek-average=9000000 "
			    "seek-full=17000000 rpm=7200 write-verify=1 write-cache=2097152 "
			    "read-ahead=131072 queue-depth=32 queue-order=1 flush=2000000 "
			    "discard=1000000 stall-every=4000000000 stall-for=300000000 ");
	profile_throttle(&p, &limits);
	assert_int_equal(limits.bps_read, 30000000);
	assert_int_equal(limits.bps_write, 3000000);
	assert_int_equal(limits.iops, 5000);
	strbuf_release(&line);
	profile_release(&p);
	profile_release(&p);
}

static void test_defaults(void **state)
{
	static const struct {
		const char *timing;
		int64_t read, write;
		bool rotational;
	} rows[] = {
		{ "rate = 4MB/s\n", 4000000, 4000000, false },
		{ "rate = 4MB/s\nrate-end = 2MB/s\nrpm = 60\n", 3000000, 3000000, true },
		{ "rate = 4MB/s\nwrite-verify = yes\n", 4000000, 2000000, false },
		{ "rate = 4MB/s\nrate-write = 1MB/s\n", 4000000, 1000000, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct strbuf text = STRBUF_INIT;
		struct profile p = PROFILE_INIT;
		struct profile_limits limits;
		struct err err = ERR_INIT;

		strbuf_addf(&text, DISK "[timing]\n%s", rows[i].timing);
		if (load(&p, text.buf, &err) < 0)
			fail_msg("%s", err.msg);
		profile_throttle(&p, &limits);
		assert_int_equal(limits.bps_read, rows[i].read);
		assert_int_equal(limits.bps_write, rows[i].write);
		assert_int_equal(limits.iops, 0);
		assert_int_equal(p.rotational, rows[i].rotational);
		assert_int_equal(p.sector, 512);
		assert_int_equal(p.timing.queue_depth, 1);
		strbuf_release(&text);
		profile_release(&p);
	}
}

static const struct {
	const char *text, *why;
} refused[] = {
	{ "[timing]\nrate = 1M/s\n", "x.disk:1: a profile has a [disk] and a [timing]" },
	{ DISK, "x.disk:1: a profile has a [disk] and a [timing]" },
	{ DISK "[timing]\nrate = 1M/s\n[x]\n", "x.disk:7: unknown section 'x'" },
	{ DISK "[timing a]\nrate = 1M/s\n", "x.disk:5: unknown section 'timing'" },
	{ DISK "colour = red\n[timing]\nrate = 1M/s\n",
	  "x.disk:5: unknown key 'colour' in [disk]" },
	{ DISK "[timing]\nrate = 1M/s\ncolour = red\n",
	  "x.disk:7: unknown key 'colour' in [timing]" },
	{ DISK "[timing]\nrpm = 60\n", "x.disk:1: [timing] needs rate" },
	{ "[disk]\ntitle = t\nsize = 1M\n[timing]\nrate = 1M/s\n",
	  "x.disk:1: [disk] needs title, source and size" },
	{ DISK "[timing]\nrate = 0M/s\n", "x.disk:1: [timing] needs rate" },
	{ DISK "[timing]\nrate = fast\n", "x.disk:6: rate: " },
	{ DISK "[timing]\nrate = 900000GB/s\n", "x.disk:6: rate: '900000GB/s' is out of" },
	{ DISK "[timing]\nrate = 1M/s\nseek-full = 2h\n", "x.disk:7: seek-full: '2h' is" },
	{ DISK "[timing]\nrate = 1M/s\nqueue-order = best\n",
	  "x.disk:7: queue-order: 'best' is neither fifo nor nearest" },
	{ DISK "[timing]\nrate = 1M/s\nwrite-verify = maybe\n",
	  "x.disk:7: write-verify: " },
	{ DISK "sector = 3K\n[timing]\nrate = 1M/s\n", "x.disk:5: sector: '3K' is none" },
	{ DISK "removable = 7\n[timing]\nrate = 1M/s\n", "x.disk:5: removable: " },
	{ "[disk]\ntitle = t\nsource = s\nsize = 1025B\nsector = 2K\n[timing]\n"
	  "rate = 1M/s\n", "x.disk:1: size is not a multiple of sector" },
	{ DISK "[timing]\nrate = 2M/s\nrate-write = 1M/s\nrpm = 60\n",
	  "x.disk:1: rate-write goes with neither" },
	{ DISK "[timing]\nrate = 2M/s\nstall-for = 1s\n", "x.disk:1: stall-every and" },
	/* a full stroke cannot cost more than three average ones, nor hardly more */
	{ DISK "[timing]\nrate = 2M/s\nseek-track = 1ms\nseek-average = 5ms\n"
	  "seek-full = 17ms\n", "x.disk:1: seek-track, seek-average and seek-full" },
	{ DISK "[timing]\nrate = 2M/s\nseek-track = 1ms\nseek-average = 12ms\n"
	  "seek-full = 17ms\n", "x.disk:1: seek-track, seek-average and seek-full" },
	{ DISK "[timing]\nrate = 2M/s\nseek-track = 5ms\n",
	  "x.disk:1: seek-track, seek-average and seek-full" },
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct profile p = PROFILE_INIT;
		struct err err = ERR_INIT;

		if (load(&p, refused[i].text, &err) == 0)
			fail_msg("row %zu was taken", i);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, refused[i].why))
			fail_msg("row %zu: '%s', not '%s'", i, err.msg, refused[i].why);
		profile_release(&p);
	}
}

static void test_flat(void **state)
{
	static const struct {
		const char *name;
		int64_t rate;
	} rows[] = {
		{ "flat-1M", 1 << 20 },
		{ "flat-512K", 512 << 10 },
		{ "flat-27.5MB", 27500000 },
	};
	static const char *const bad[] = { "flat-", "flat-x", "flat-0M", "flat-1", "flat--1M",
					   "flat-999999999G" };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct profile p = PROFILE_INIT;
		struct err err = ERR_INIT;

		if (profile_load(&p, "/nowhere", rows[i].name, &err) < 0)
			fail_msg("%s", err.msg);
		assert_int_equal(p.timing.rate, rows[i].rate);
		assert_int_equal(p.timing.stream_write, rows[i].rate);
		assert_int_equal(p.timing.rpm, 0);
		assert_true(p.rotational);
		profile_release(&p);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct profile p = PROFILE_INIT;
		struct err err = ERR_INIT;

		if (profile_load(&p, "/nowhere", bad[i], &err) == 0)
			fail_msg("'%s' was taken", bad[i]);
		assert_non_null(strstr(err.msg, bad[i]));
		assert_int_equal(err.kind, ERR_INPUT);
		profile_release(&p);
	}
}

static void test_no_such_profile(void **state)
{
	static const char *const bad[] = { "nothing", "", ".", "../disks/ssd", "a/b" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct profile p = PROFILE_INIT;
		struct err err = ERR_INIT;

		assert_true(profile_load(&p, "images/disks", bad[i], &err) < 0);
		assert_int_equal(err.kind, ERR_INPUT);
		/* it says what there is */
		assert_non_null(strstr(err.msg, "dvd-ram, "));
		assert_non_null(strstr(err.msg, "flat-RATE"));
		profile_release(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_key),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_flat),
		cmocka_unit_test(test_no_such_profile),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
