/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of image/disk: the same bytes twice, clean filesystems, hosts without room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/proc.h"
#include "base/tool.h"
#include "image/content.h"
#include "image/disk.h"

#define MIB (1LL << 20)

static int setup(void **state)
{
	struct err err = ERR_INIT;
	char *dir;

	if (dir_temp("/tmp/iorig-test-", &dir, &err) < 0)
		return -1;
	*state = dir;
	return 0;
}

static int teardown(void **state)
{
	char *tmpfs = path_join(*state, "tmpfs");
	struct err err = ERR_INIT;
	int ret;

	/* Left mounted by a test that failed. */
	umount2(tmpfs, MNT_DETACH);
	free(tmpfs);
	ret = dir_remove(*state, &err);
	free(*state);
	return ret;
}

static void make(const struct disk_image *d, const char *path)
{
	struct err err = ERR_INIT;

	if (disk_image_make(d, path, &err) < 0)
		fail_msg("%s", err.msg);
}

static void run(const char *program, const char *package, const char *a, const char *b,
		const char *c, const char *d)
{
	struct deadline deadline = deadline_in(program, 60 * NS_PER_S);
	struct proc p = PROC_INIT;
	struct err err = ERR_INIT;
	char *path;

	assert_int_equal(tool_find(program, package, &path, &err), 0);
	strvec_pushl(&p.argv, path, a, b, c, d, NULL);
	if (proc_capture(&p, &deadline, 1 << 20, NULL, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	proc_release(&p);
	free(path);
}

/* The clock moves on between both: times that come from it would show. */
static void wait_next_second(void)
{
	time_t start = time(NULL);

	while (time(NULL) == start)
		usleep(10000);
}

static void test_same_bytes(void **state)
{
	static const struct disk_image table[] = {
		{ .name = "hda", .fs = "ext2", .size = 8 * MIB, .sector = 512 },
		{ .name = "hda", .fs = "ext3", .size = 32 * MIB, .sector = 512 },
		{ .name = "hda", .fs = "ext4", .size = 32 * MIB, .sector = 4096 },
		{ .name = "dvd", .fs = "iso9660", .size = 3 * MIB + 1, .sector = 2048, .seed = 7 },
		{ .name = "ram", .fs = "udf", .size = 8 * MIB, .sector = 2048 },
		{ .name = "raw", .fs = "", .size = 4 * MIB, .sector = 512 },
	};
	char first[ARRAY_SIZE(table)][HASH_HEX];
	char *path = path_join(*state, "a.img"), *other = path_join(*state, "b.img");
	struct err err = ERR_INIT;
	char hex[HASH_HEX];

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		make(&table[i], path);
		assert_int_equal(hash_file(path, first[i], &err), 0);
	}
	wait_next_second();
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		make(&table[i], other);
		assert_int_equal(hash_file(other, hex, &err), 0);
		if (strcmp(hex, first[i]) != 0)
			fail_msg("%s differs the second time", table[i].fs);
	}
	free(path);
	free(other);
}

static void test_ext_is_clean(void **state)
{
	static const char *const fs[] = { "ext2", "ext3", "ext4" };
	char *path = path_join(*state, "clean.img");

	for (size_t i = 0; i < ARRAY_SIZE(fs); i++) {
		const struct disk_image d = {
			.name = "sda", .fs = fs[i], .size = 64 * MIB, .sector = 512
		};
		struct stat st;

		make(&d, path);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_size, d.size);
		/* sparse: the host does not pay for what nobody wrote */
		assert_true(st.st_blocks * 512 < d.size / 2);
		run("e2fsck", "e2fsprogs", "-f", "-n", path, NULL);
	}
	free(path);
}

static uint64_t superblock(const struct strbuf *sb, size_t at, size_t len)
{
	uint64_t v = 0;

	memcpy(&v, sb->buf + 1024 + at, len);
	return v;
}

/* Offsets: the kernel's Documentation/filesystems/ext4/super.rst. */
static void test_ext_superblock(void **state)
{
	const struct disk_image d = {
		.name = "a-label_16-bytes", .fs = "ext2", .size = 16 * MIB, .sector = 512
	};
	char *path = path_join(*state, "super.img");
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;

	make(&d, path);
	assert_int_equal(file_read(path, 32 * MIB, &sb, &err), 0);
	assert_int_equal(superblock(&sb, 0x38, 2), 0xef53);
	assert_int_equal(superblock(&sb, 0x04, 4), d.size / 4096);
	assert_int_equal(superblock(&sb, 0x08, 4), 0);		 /* reserved blocks */
	assert_int_equal(superblock(&sb, 0x18, 4), 2);		 /* 1 KiB << 2 */
	assert_int_equal(superblock(&sb, 0x5c, 4) & 4, 0);	 /* no journal */
	assert_int_equal(superblock(&sb, 0x108, 4), 1000000000); /* made when */
	assert_memory_equal(sb.buf + 1024 + 0x78, d.name, 16);
	/* hash seed = UUID */
	assert_memory_equal(sb.buf + 1024 + 0x68, sb.buf + 1024 + 0xec, 16);
	strbuf_release(&sb);
	free(path);
}

static void test_iso_content(void **state)
{
	const struct disk_image d = {
		.name = "dvd", .fs = "iso9660", .size = 2 * MIB + 333, .sector = 2048, .seed = 4711
	};
	char *path = path_join(*state, "x.iso"), *out = path_join(*state, "content");
	char expected[HASH_HEX], other[HASH_HEX], got[HASH_HEX];
	struct deadline deadline = deadline_in("xorriso", 60 * NS_PER_S);
	struct proc p = PROC_INIT;
	struct err err = ERR_INIT;

	make(&d, path);
	strvec_pushl(&p.argv, "xorriso", "-no_rc", "-osirrox", "on", "-indev", path, "-extract",
		     "/content", out, NULL);
	if (proc_capture(&p, &deadline, 1 << 20, NULL, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	proc_release(&p);
	assert_int_equal(file_size(out), d.size);
	assert_int_equal(hash_file(out, got, &err), 0);
	disk_image_content_sha256(d.size, d.seed, expected);
	assert_string_equal(got, expected);
	disk_image_content_sha256(d.size, d.seed + 1, other);
	assert_string_not_equal(got, other);
	free(path);
	free(out);
}

/* The first outputs of SplitMix64 for seed 1234567, as published with its reference code. */
static void test_generator(void **state)
{
	static const uint64_t expected[] = { 6457827717110365317u, 3203168211198807973u,
					     9817491932198370423u };
	uint64_t got[3];
	struct content c;

	(void)state;
	content_init(&c, 1234567);
	content_next(&c, got, sizeof(got));
	assert_memory_equal(got, expected, sizeof(got));
}

static void test_refused(void **state)
{
	static const struct {
		struct disk_image d;
		const char *says;
	} table[] = {
		{ { "hda", "ext2", MIB - 512, 512, 0 }, "ext2 of" },
		{ { "hda", "ext4", 8 * MIB, 512, 0 }, "ext4 of" },
		{ { "hda", "ext2", 2LL << 40, 512, 0 }, "ext2 of" },
		{ { "hda", "ext2", -1, 512, 0 }, "ext2 of" },
		{ { "hda", "ext2", 2 * MIB + 512, 4096, 0 }, "multiple of the sector" },
		{ { "hda", "udf", MIB, 2048, 0 }, "udf of" },
		{ { "hda", "", 0, 512, 0 }, "a disk of" },
		{ { "hda", "ext2", 2 * MIB, 520, 0 }, "520 bytes" },
		{ { "dvd", "iso9660", 4LL << 30, 2048, 0 }, "iso9660 of" },
		{ { "hda", "ntfs", 2 * MIB, 512, 0 }, "unknown filesystem 'ntfs'" },
		{ { "", "ext2", 2 * MIB, 512, 0 }, "no label" },
		{ { "seventeen-letters", "ext2", 2 * MIB, 512, 0 }, "no label" },
		{ { "../x", "ext2", 2 * MIB, 512, 0 }, "no label" },
		{ { "-x", "ext2", 2 * MIB, 512, 0 }, "no label" },
	};
	char *path = path_join(*state, "refused.img");

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct err err = ERR_INIT;

		assert_int_equal(disk_image_make(&table[i].d, path, &err), -EINVAL);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, table[i].says))
			fail_msg("row %zu: '%s'", i, err.msg);
		assert_false(path_is_file(path));
	}
	free(path);
}

static void expect_nothing_left(const char *dir)
{
	struct strvec names = STRVEC_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(dir_list(dir, NULL, &names, &err), 0);
	if (names.n)
		fail_msg("'%s' was left behind", names.v[0]);
	strvec_release(&names);
}

static void try_without_room(const char *dir, const char *path)
{
	const struct disk_image ext = {
		.name = "hda", .fs = "ext2", .size = 64 * MIB, .sector = 512
	};
	const struct disk_image iso = {
		.name = "dvd", .fs = "iso9660", .size = 3 * MIB, .sector = 2048
	};
	struct err err = ERR_INIT;

	assert_int_equal(disk_image_make(&ext, path, &err), -ENOSPC);
	assert_int_equal(err.kind, ERR_RIG);
	assert_non_null(strstr(err.msg, "needs 64 MiB, free are 4 MiB"));
	expect_nothing_left(dir);
	/* Twice its content and the file system's own blocks. */
	err = (struct err)ERR_INIT;
	assert_int_equal(disk_image_make(&iso, path, &err), -ENOSPC);
	assert_non_null(strstr(err.msg, "needs 8 MiB"));
	expect_nothing_left(dir);
}

/* Run body on a full little filesystem of its own. */
static void on_tmpfs(const char *base, const char *options,
		     void (*body)(const char *dir, const char *path))
{
	char *dir = path_join(base, "tmpfs"), *path = path_join(dir, "x.img");
	struct err err = ERR_INIT;

	assert_int_equal(dir_make(dir, &err), 0);
	if (mount("tmpfs", dir, "tmpfs", 0, options) < 0) {
		print_message("skipped: cannot mount a tmpfs (%s)\n", strerror(errno));
		free(dir);
		free(path);
		skip();
	}
	body(dir, path);
	umount2(dir, MNT_DETACH);
	free(dir);
	free(path);
}

static void test_no_room(void **state)
{
	on_tmpfs(*state, "size=4m", try_without_room);
}

static void try_without_inodes(const char *dir, const char *path)
{
	const struct disk_image d = { .name = "hda", .fs = "ext2", .size = MIB, .sector = 512 };
	struct err err = ERR_INIT;

	assert_int_equal(disk_image_make(&d, path, &err), -ENOSPC);
	assert_non_null(strstr(err.msg, "No space left"));
	expect_nothing_left(dir);
}

static void test_no_inodes(void **state)
{
	on_tmpfs(*state, "size=4m,nr_inodes=1", try_without_inodes);
}

/* The write itself fails, in our own process and in mke2fs. */
static void test_write_fails(void **state)
{
	static const struct disk_image table[] = {
		{ .name = "dvd", .fs = "iso9660", .size = 3 * MIB, .sector = 2048 },
		{ .name = "hda", .fs = "ext2", .size = 64 * MIB, .sector = 512 },
	};
	char *dir = path_join(*state, "limited"), *path = path_join(dir, "x.img");
	struct rlimit old, limit;
	struct err err = ERR_INIT;

	assert_int_equal(dir_make(dir, &err), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = (struct rlimit){ .rlim_cur = MIB, .rlim_max = old.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		err = (struct err)ERR_INIT;
		assert_int_equal(disk_image_make(&table[i], path, &err), -EFBIG);
		expect_nothing_left(dir);
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	free(dir);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_bytes),     cmocka_unit_test(test_ext_is_clean),
		cmocka_unit_test(test_ext_superblock), cmocka_unit_test(test_iso_content),
		cmocka_unit_test(test_generator),      cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_room),	       cmocka_unit_test(test_no_inodes),
		cmocka_unit_test(test_write_fails),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
