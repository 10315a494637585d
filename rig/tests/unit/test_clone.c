/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kbuild/clone: what is linked, what is copied, and that make sees no difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "kbuild/clone.h"
#include "kbuild/clone_moved.h"

static char *dir;

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	return dir_temp("/tmp/iorig-clone-", &dir, &err);
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;
	int ret = dir_remove(dir, &err);

	(void)state;
	free(dir);
	return ret;
}

static void put(const char *name, const char *data, size_t len)
{
	char *path __free(ptr) = path_join(dir, name), *folder __free(ptr) = strdup(path);
	struct timespec times[2] = { { 1000000000, 123456789 }, { 1100000000, 987654321 } };
	struct err err = ERR_INIT;

	*strrchr(folder, '/') = '\0';
	assert_int_equal(dir_make(folder, &err), 0);
	assert_int_equal(file_write_atomic(path, data, len, 0640, &err), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void puts_to(const char *name, const char *data)
{
	put(name, data, strlen(data));
}

static struct stat stat_of(const char *name)
{
	char *path __free(ptr) = path_join(dir, name);
	struct stat st;

	if (lstat(path, &st) < 0)
		fail_msg("%s: %s", path, strerror(errno));
	return st;
}

static char *text_of(const char *name)
{
	char *path __free(ptr) = path_join(dir, name);
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(file_read(path, 1 << 20, &sb, &err), 0);
	return strbuf_detach(&sb, NULL);
}

static int clone(struct err *err)
{
	char *from __free(ptr) = path_join(dir, "from"), *to __free(ptr) = path_join(dir, "to");

	return clone_folder(from, to, err);
}

/* Sources: Makefile, mm/a.c; products: mm/a.o, and what a patch added: mm/new.c. */
static void make_folder(void)
{
	static const char files[] = "Makefile\0gone\0mm/a.c\0mm/link";
	static const struct timespec times[2] = { { 1000000000, 1 }, { 1000000000, 2 } };
	char *link __free(ptr) = path_join(dir, "from/tree/mm/link");

	put("from/files", files, sizeof(files));
	puts_to("from/index", "index");
	puts_to("from/tree/Makefile", "all:");
	puts_to("from/tree/mm/a.c", "int a;");
	puts_to("from/tree/mm/a.o", "object");
	puts_to("from/tree/mm/new.c", "int new;");
	puts_to("from/tree/mm/.a.o.cmd", "");
	assert_int_equal(symlink("../Makefile", link), 0);
	assert_int_equal(utimensat(AT_FDCWD, link, times, AT_SYMLINK_NOFOLLOW), 0);
}

static void same_times(const char *a, const char *b)
{
	struct stat x = stat_of(a), y = stat_of(b);

	assert_int_equal(x.st_mtim.tv_sec, y.st_mtim.tv_sec);
	assert_int_equal(x.st_mtim.tv_nsec, y.st_mtim.tv_nsec);
	assert_int_equal(x.st_mode, y.st_mode);
}

static void test_links_and_copies(void **state)
{
	static const struct {
		const char *name;
		bool linked;
	} table[] = {
		{ "tree/Makefile", true }, { "tree/mm/a.c", true },	  { "tree/mm/a.o", false },
		{ "tree/mm/new.c", false }, { "tree/mm/.a.o.cmd", false }, { "index", false },
		{ "files", false },
	};
	struct err err = ERR_INIT;
	char *text __free(ptr) = NULL;

	(void)state;
	make_folder();
	if (clone(&err) < 0)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		char *a __free(ptr) = path_join("from", table[i].name);
		char *b __free(ptr) = path_join("to", table[i].name);
		char *x __free(ptr) = text_of(a), *y __free(ptr) = text_of(b);

		if ((stat_of(a).st_ino == stat_of(b).st_ino) != table[i].linked)
			fail_msg("%s is %slinked", b, table[i].linked ? "not " : "");
		assert_string_equal(x, y);
		same_times(a, b);
	}
	same_times("from/tree/mm", "to/tree/mm");
	same_times("from/tree/mm/link", "to/tree/mm/link");
	assert_true(S_ISLNK(stat_of("to/tree/mm/link").st_mode));
	text = text_of("to/tree/mm/link");
	assert_string_equal(text, "all:");
}

/* What is written to a product in the copy is not seen in the original. */
static void test_products_are_not_shared(void **state)
{
	char *path __free(ptr) = path_join(dir, "to/tree/mm/a.o"), *text __free(ptr) = NULL;
	struct err err = ERR_INIT;
	int fd __free(fd) = -1;

	(void)state;
	make_folder();
	assert_int_equal(clone(&err), 0);
	fd = open(path, O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, "x", 1), 1);
	text = text_of("from/tree/mm/a.o");
	assert_string_equal(text, "object");
}

static void test_lock_stays(void **state)
{
	struct err err = ERR_INIT;
	char *text __free(ptr) = NULL;

	(void)state;
	make_folder();
	puts_to("from/lock", "theirs");
	puts_to("to/lock", "mine");
	assert_int_equal(clone(&err), 0);
	text = text_of("to/lock");
	assert_string_equal(text, "mine");
}

static void test_occupied(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	make_folder();
	puts_to("to/tree/mm/a.c", "other");
	assert_int_equal(clone(&err), -EEXIST);
	assert_non_null(strstr(err.msg, "cannot copy"));
}

static void test_strange_file(void **state)
{
	char *path __free(ptr) = path_join(dir, "from/tree/fifo");
	struct err err = ERR_INIT;

	(void)state;
	make_folder();
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(clone(&err), -ENOTSUP);
	assert_non_null(strstr(err.msg, "fifo"));
}

static void test_no_list(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	puts_to("from/tree/Makefile", "all:");
	assert_int_equal(clone(&err), -ENOENT);
	assert_int_equal(err.kind, ERR_RIG);
}

/* kbuild's notes below tools/ name the folder that they were made in; a clone's name its own. */
static void test_moved(void **state)
{
	struct err err = ERR_INIT;
	char *top __free(ptr) = realpath(dir, NULL), *got __free(ptr) = NULL;
	char *note __free(ptr) = NULL, *want __free(ptr) = NULL;

	(void)state;
	make_folder();
	if (asprintf(&want, "cmd_%s/to/tree/tools/o/x.o := cc -o %s/to/tree/tools/o/x.o /old/tree-2/y\n",
		     top, top) < 0)
		fail();
	puts_to("from/tree/tools/o/.x.o.cmd", "cmd_/old/tree/tools/o/x.o := cc -o "
					       "/old/tree/tools/o/x.o /old/tree-2/y\n");
	puts_to("from/tree/tools/o/.z.o.d", "/old/tree/tools/o/z.o: z.c\n");
	puts_to("from/tree/mm/.b.o.cmd", "cmd_/old/tree/mm/b.o := cc\n");
	assert_int_equal(clone(&err), 0);
	got = text_of("to/tree/tools/o/.x.o.cmd");
	assert_string_equal(got, want);
	same_times("from/tree/tools/o/.x.o.cmd", "to/tree/tools/o/.x.o.cmd");
	note = text_of("to/tree/tools/o/.z.o.d");
	assert_null(strstr(note, "/old/"));
	free(note);
	note = text_of("to/tree/mm/.b.o.cmd");
	assert_non_null(strstr(note, "/old/"));
}

static void test_moved_names(void **state)
{
	static const struct {
		const char *rel, *text;
		bool candidate, changes;
	} table[] = {
		{ "tools/objtool/.weak.o.cmd", "savedcmd_/a/tools/objtool/weak.o := x\n", true, true },
		{ "tools/objtool/.weak.o.cmd", "cmd_/new/tools/objtool/weak.o := x\n", true, false },
		{ "tools/objtool/.weak.o.cmd", "cmd_tools/objtool/weak.o := x\n", true, false },
		{ "tools/objtool/.weak.o.cmd", "cmd_/a/tools/objtool/other.o := x\n", true, false },
		{ "tools/objtool/.weak.o.cmd", "", true, false },
		{ "tools/objtool/weak.o.cmd", NULL, false, false },
		{ "tools/objtool/.cmd", NULL, false, false },
		{ "tools/objtool/.gitignore", NULL, false, false },
		{ "mm/.a.o.cmd", NULL, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct strbuf sb = STRBUF_INIT;

		assert_int_equal(moved_is_candidate(table[i].rel), table[i].candidate);
		if (!table[i].text)
			continue;
		strbuf_addstr(&sb, table[i].text);
		if (moved_rewrite(&sb, table[i].rel, "/new") != table[i].changes)
			fail_msg("%s: %s", table[i].rel, table[i].text);
		strbuf_release(&sb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_links_and_copies, setup, teardown),
		cmocka_unit_test_setup_teardown(test_products_are_not_shared, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lock_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(test_occupied, setup, teardown),
		cmocka_unit_test_setup_teardown(test_strange_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_list, setup, teardown),
		cmocka_unit_test_setup_teardown(test_moved, setup, teardown),
		cmocka_unit_test(test_moved_names),
	};

	return cmocka_run_group_tests_name("kbuild/clone", tests, NULL, NULL);
}
