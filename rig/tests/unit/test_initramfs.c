/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of image/initramfs: the same bytes twice, and what libarchive reads back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "image/initramfs.h"

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
	struct err err = ERR_INIT;
	int ret = dir_remove(*state, &err);

	free(*state);
	return ret;
}

/* The same entries, added in one of two orders. */
static void fill(struct initramfs *fs, const char *host, bool backwards)
{
	for (int i = 0; i < 6; i++) {
		switch (backwards ? 5 - i : i) {
		case 0:
			initramfs_add_data(fs, "/init", 0755, "#!", 2);
			break;
		case 1:
			initramfs_add_file(fs, "/lib/modules/a.ko", 0644, host);
			break;
		case 2:
			initramfs_add_symlink(fs, "/bin/sh", "busybox");
			break;
		case 3:
			initramfs_add_chardev(fs, "/dev/console", 0600, 5, 1);
			break;
		case 4:
			initramfs_add_dir(fs, "/tmp", 01777);
			break;
		case 5:
			initramfs_add_data(fs, "/empty", 0600, "", 0);
			break;
		}
	}
}

static void build(const char *dir, const char *name, bool backwards, struct strbuf *sb)
{
	char *path = path_join(dir, name), *host = path_join(dir, "host.ko");
	struct initramfs fs = INITRAMFS_INIT;
	struct err err = ERR_INIT;

	fill(&fs, host, backwards);
	if (initramfs_write(&fs, path, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(file_read(path, 1 << 20, sb, &err), 0);
	initramfs_release(&fs);
	initramfs_release(&fs);
	free(path);
	free(host);
}

static void test_same_bytes(void **state)
{
	char *host = path_join(*state, "host.ko");
	const struct utimbuf old = { .modtime = 12345 };
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(file_write_atomic(host, "module", 6, 0600, &err), 0);
	build(*state, "a", false, &a);
	assert_int_equal(utime(host, &old), 0);
	assert_int_equal(chmod(host, 0640), 0);
	build(*state, "b", true, &b);
	assert_int_equal(a.len, b.len);
	assert_memory_equal(a.buf, b.buf, a.len);
	assert_int_equal(a.len % 512, 0);
	assert_memory_equal(a.buf, "070701", 6);
	strbuf_release(&a);
	strbuf_release(&b);
	free(host);
}

struct expected {
	const char *path;
	mode_t mode;
	const char *content; /* or a link's target */
};

static void check_entry(struct archive *a, struct archive_entry *e, const struct expected *x,
			int ino)
{
	char content[64] = "";

	assert_string_equal(archive_entry_pathname(e), x->path);
	assert_int_equal(archive_entry_mode(e), x->mode);
	assert_int_equal(archive_entry_uid(e), 0);
	assert_int_equal(archive_entry_gid(e), 0);
	assert_int_equal(archive_entry_mtime(e), 0);
	assert_int_equal(archive_entry_ino(e), ino);
	if (S_ISLNK(x->mode))
		assert_string_equal(archive_entry_symlink(e), x->content);
	if (S_ISCHR(x->mode))
		assert_int_equal(archive_entry_rdev(e), makedev(5, 1));
	if (!S_ISREG(x->mode))
		return;
	assert_int_equal(archive_read_data(a, content, sizeof(content)), strlen(x->content));
	assert_string_equal(content, x->content);
}

static void test_read_back(void **state)
{
	static const struct expected table[] = {
		{ "bin", S_IFDIR | 0755, "" },
		{ "bin/sh", S_IFLNK | 0777, "busybox" },
		{ "dev", S_IFDIR | 0755, "" },
		{ "dev/console", S_IFCHR | 0600, "" },
		{ "empty", S_IFREG | 0600, "" },
		{ "init", S_IFREG | 0755, "#!" },
		{ "lib", S_IFDIR | 0755, "" },
		{ "lib/modules", S_IFDIR | 0755, "" },
		{ "lib/modules/a.ko", S_IFREG | 0644, "module" },
		{ "tmp", S_IFDIR | 01777, "" },
	};
	struct archive *a = archive_read_new();
	struct strbuf sb = STRBUF_INIT;
	struct archive_entry *e;

	build(*state, "a", true, &sb);
	archive_read_support_format_cpio(a);
	assert_int_equal(archive_read_open_memory(a, sb.buf, sb.len), ARCHIVE_OK);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_int_equal(archive_read_next_header(a, &e), ARCHIVE_OK);
		check_entry(a, e, &table[i], (int)i + 1);
	}
	assert_int_equal(archive_read_next_header(a, &e), ARCHIVE_EOF);
	archive_read_free(a);
	strbuf_release(&sb);
}

/* A host file that is gone fails the whole archive, and the old one stays. */
static void test_missing_file(void **state)
{
	char *path = path_join(*state, "kept");
	struct initramfs fs = INITRAMFS_INIT;
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(file_write_atomic(path, "old", 3, 0644, &err), 0);
	initramfs_add_file(&fs, "/init", 0755, "/nonexistent/agent");
	assert_int_equal(initramfs_write(&fs, path, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "/nonexistent/agent"));
	assert_int_equal(file_read(path, 100, &sb, &err), 0);
	assert_string_equal(sb.buf, "old");
	strbuf_release(&sb);
	initramfs_release(&fs);
	free(path);
}

static void test_dir_mode(void **state)
{
	char *path = path_join(*state, "modes");
	struct initramfs fs = INITRAMFS_INIT;
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;

	initramfs_add_data(&fs, "/var/x", 0644, "x", 1);
	initramfs_add_dir(&fs, "/var", 0700);
	assert_int_equal(fs.n, 2);
	assert_int_equal(initramfs_write(&fs, path, &err), 0);
	assert_int_equal(file_read(path, 1 << 20, &sb, &err), 0);
	/* The second field of the first header: the mode, in hex. */
	assert_memory_equal(sb.buf + 14, "000041c0", 8);
	strbuf_release(&sb);
	initramfs_release(&fs);
	free(path);
}

static void twice(struct initramfs *fs)
{
	initramfs_add_data(fs, "/init", 0755, "", 0);
	initramfs_add_data(fs, "/init", 0755, "", 0);
}

static void below_a_file(struct initramfs *fs)
{
	initramfs_add_data(fs, "/init", 0755, "", 0);
	initramfs_add_data(fs, "/init/x", 0755, "", 0);
}

static void relative(struct initramfs *fs)
{
	initramfs_add_data(fs, "init", 0755, "", 0);
}

static void test_bugs(void **state)
{
	static void (*const table[])(struct initramfs *) = { twice, below_a_file, relative };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		int status;
		pid_t pid = fork();

		if (pid == 0) {
			struct initramfs fs = INITRAMFS_INIT;

			close(STDERR_FILENO);
			signal(SIGABRT, SIG_DFL);
			table[i](&fs);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_bytes),   cmocka_unit_test(test_read_back),
		cmocka_unit_test(test_missing_file), cmocka_unit_test(test_dir_mode),
		cmocka_unit_test(test_bugs),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
