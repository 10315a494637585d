/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of run/folder: names, runs in the same second, folders that cannot be made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/file.h"
#include "case/case.h"
#include "kernel/kernel.h"
#include "record/record.h"
#include "run/folder.h"
#include "run/options.h"

static char *out;
static struct run_options o;
static struct kernel k;

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	if (dir_temp("/tmp/iorig-folder-", &out, &err))
		return -1;
	run_options_init(&o);
	o.out = out;
	o.seeds = 5;
	o.qemu.path = xstrdup("/usr/bin/qemu");
	snprintf(o.qemu.version, sizeof(o.qemu.version), "7.2.22");
	k = (struct kernel){ .name = "debian", .image = "/boot/vmlinux", .release = "6.1.0" };
	memset(k.image_sha256, 'b', HASH_HEX - 1);
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	run_options_release(&o);
	dir_remove(out, &err);
	free(out);
	return 0;
}

static void test_document(void **state)
{
	struct run run, again;
	struct err err = ERR_INIT;
	char *dir, *doc;

	(void)state;
	run_init(&run);
	if (folder_make(&run, &o, &k, &dir, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(strlen(run.id), strlen("20261130T170405Z-debian"));
	assert_string_equal(path_base(dir), run.id);
	doc = path_join(dir, "run.json");
	if (run_read(&again, doc, &err))
		fail_msg("%s", err.msg);
	assert_true(again.interrupted);
	assert_int_equal(again.seeds, 5);
	assert_string_equal(again.id, run.id);
	assert_string_equal(again.clock, "sim");
	assert_string_equal(again.timing, "model");
	assert_string_equal(again.accel, "tcg");
	assert_string_equal(again.qemu.version, "7.2.22");
	assert_string_equal(again.kernel.release, "6.1.0");
	assert_string_equal(again.kernel.image_sha256, k.image_sha256);
	assert_null(again.kernel.package);
	assert_true(again.host.cpus > 0);
	run_release(&run);
	run_release(&again);
	free(doc);
	free(dir);
}

/* Far more runs than seconds: all get folders of their own, in the order of their names. */
static void test_same_second(void **state)
{
	char *before = NULL;

	(void)state;
	for (int i = 0; i < 40; i++) {
		struct run run;
		struct err err = ERR_INIT;
		char *dir;

		run_init(&run);
		if (folder_make(&run, &o, &k, &dir, &err))
			fail_msg("%s", err.msg);
		if (before)
			assert_true(strcmp(before, dir) < 0);
		free(before);
		before = dir;
		run_release(&run);
	}
	assert_true(strlen(path_base(before)) > strlen("20261130T170405Z-debian"));
	free(before);
}

static void test_all_taken(void **state)
{
	struct run run;
	struct err err = ERR_INIT;
	char now[32], *dir = NULL;

	(void)state;
	/* this second and some of the following ones */
	for (int s = 0; s < 3; s++) {
		struct tm tm;
		time_t t = time(NULL) + s;

		gmtime_r(&t, &tm);
		strftime(now, sizeof(now), "%Y%m%dT%H%M%SZ", &tm);
		for (int i = 1; i < 100; i++) {
			char *path = i == 1 ? xstrfmt("%s/%s-debian", out, now)
					    : xstrfmt("%s/%s-debian.%02d", out, now, i);

			assert_int_equal(mkdir(path, 0777), 0);
			free(path);
		}
	}
	run_init(&run);
	assert_int_equal(folder_make(&run, &o, &k, &dir, &err), -EEXIST);
	assert_non_null(strstr(err.msg, "-debian.99' all exist"));
	assert_int_equal(err.kind, ERR_RIG);
	run_release(&run);
	free(dir);
}

/* The message names the culprit. */
static void expect_refused(const char *where, const char *culprit)
{
	struct run run;
	struct err err = ERR_INIT;
	char *dir = NULL;

	o.out = where;
	run_init(&run);
	assert_true(folder_make(&run, &o, &k, &dir, &err) < 0);
	assert_int_equal(err.kind, ERR_RIG);
	if (!strstr(err.msg, culprit) || strncmp(err.msg, "results folder", 14) != 0)
		fail_msg("'%s' says nothing of '%s'", err.msg, culprit);
	run_release(&run);
	free(dir);
}

static void test_unwritable(void **state)
{
	char *file = path_join(out, "file"), *below = path_join(file, "below");
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(file_write_atomic(file, "", 0, 0644, &err), 0);
	expect_refused(file, file);
	expect_refused(below, file);
	expect_refused("/proc/iorig", "/proc/iorig");	/* for root, too */
	expect_refused("/proc/self", "/proc/self/");	/* is there, but takes no folder */
	free(file);
	free(below);
}

static void test_kernel_names(void **state)
{
	static const struct {
		const char *name, *want;
	} rows[] = {
		{ "debian", "debian" },
		{ "vmlinuz-6.1.0-57+x_y", "vmlinuz-6.1.0-57+x_y" },
		{ "a b/c\033[2J'\"$(x);*", "a_b_c__2J____x___" },
		{ "\xc3\xa4", "__" },
		{ "0123456789012345678901234567890123456789012345678901234567890123456789",
		  "0123456789012345678901234567890123456789012345678901234567890123" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kernel named = { .name = (char *)rows[i].name };
		char *got = folder_kernel_name(&named);

		assert_string_equal(got, rows[i].want);
		free(got);
	}
}

static void test_boot_names(void **state)
{
	struct kase c = { .name = "writeback/hdd+dvd" };
	char *name = folder_boot_name(&c, 4000000000u);

	(void)state;
	assert_string_equal(name, "writeback-hdd+dvd.4000000000");
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_document, setup, teardown),
		cmocka_unit_test_setup_teardown(test_same_second, setup, teardown),
		cmocka_unit_test_setup_teardown(test_all_taken, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unwritable, setup, teardown),
		cmocka_unit_test(test_kernel_names),
		cmocka_unit_test(test_boot_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
