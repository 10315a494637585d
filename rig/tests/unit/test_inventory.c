/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kbuild/inventory and kbuild/folders: sizes, order, locks, what killed rigs leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "kbuild/folders.h"
#include "kbuild/inventory.h"
#include "kernel_fixture.h"

#define LINE "1111111111111111111111111111111111111111111111111111111111111111"

static void put(const char *dir, const char *name, size_t len)
{
	char *path = path_join(dir, name), *data = xcalloc(1, len + 1);
	char *folder = xstrndup(path, path_base(path) - path);
	struct err err = ERR_INIT;

	assert_int_equal(dir_make(folder, &err), 0);
	memset(data, 'x', len);
	fixture_write(path, data, len);
	free(folder);
	free(data);
	free(path);
}

static void put_text(const char *dir, const char *name, const char *text)
{
	char *path = path_join(dir, name);

	put(dir, name, 0);
	fixture_write(path, text, strlen(text));
	free(path);
}

static void age(const char *dir, const char *name, long seconds)
{
	char *path = path_join(dir, name);
	struct timespec times[2] = { { .tv_sec = 1000000 - seconds }, { .tv_sec = 1000000 - seconds } };

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	free(path);
}

static void test_read(void **state)
{
	struct inventory inv = INVENTORY_INIT;
	struct err err = ERR_INIT;
	char *a, *b;

	assert_int_equal(inventory_read(&inv, "/nonexistent", &err), 0);
	assert_int_equal(inv.n, 0);
	put_text(*state, "kernels/trees/k1/complete.json", "{\"format\": 1, \"release\": \"6.1\"}");
	put_text(*state, "kernels/trees/k1/about.json",
		 "{\"source\": \"linux \\u001b[31m\", \"patches\": [{}, {}]}");
	put(*state, "kernels/trees/k2/vmlinux", 100000);
	put(*state, "kernels/sources/s/tree/big", 1 << 20);
	put(*state, "kernels/builds/l/tree/own.o", 200000);
	a = path_join(*state, "kernels/sources/s/tree/big");
	b = path_join(*state, "kernels/builds/l/tree/big");
	assert_int_equal(link(a, b), 0);
	age(*state, "kernels/trees/k1", 10);
	age(*state, "kernels/trees/k2", 20);
	assert_int_equal(inventory_read(&inv, *state, &err), 0);
	assert_int_equal(inv.n, 4);
	assert_string_equal(inv.items[0].label, "6.1 linux \\x1b[31m + 2 patches");
	assert_int_equal(inv.items[0].used, 1000000 - 10);
	assert_string_equal(inv.items[1].label, "k2");
	assert_true(inv.items[1].bytes >= 100000);
	assert_int_equal(inv.items[2].kind, CACHE_BUILD);
	/* what is shared counts with the source */
	assert_true(inv.items[2].bytes >= 200000 && inv.items[2].bytes < 300000);
	assert_true(inv.items[3].bytes >= 1 << 20);
	inventory_release(&inv);
	free(a);
	free(b);
}

static void test_remove(void **state)
{
	struct inventory inv = INVENTORY_INIT;
	struct err err = ERR_INIT;
	char *kernels = path_join(*state, "kernels");
	int lock, removed = 0;

	put(*state, "kernels/builds/" LINE "/tree/x.o", 10);
	lock = build_folder_lock(kernels, LINE, &err);
	assert_true(lock >= 0);
	assert_int_equal(inventory_read(&inv, *state, &err), 0);
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < inv.n; i++) {
			if (strstr(inv.items[i].path, LINE))
				removed += inventory_remove(&inv.items[i], *state, &err);
		}
		/* while somebody builds it stays */
		assert_int_equal(removed, round);
		close(lock);
	}
	inventory_release(&inv);
	free(kernels);
}

static void test_folders(void **state)
{
	struct build_folder f = BUILD_FOLDER_INIT, g = BUILD_FOLDER_INIT;
	struct build_state st = { .compiled = 7 }, back;
	struct err err = ERR_INIT;
	char *kernels = path_join(*state, "kernels"), *f_dir, *path;

	memset(st.source_id, 'a', HASH_HEX - 1);
	build_folder_state(kernels, "none", &back);
	assert_string_equal(back.source_id, "");
	put(kernels, "build-killed/tree/x.o", 10);
	put(kernels, "locks/x", 0);
	assert_int_equal(build_folder_new(&f, kernels, &err), 0);
	path = path_join(kernels, "build-killed");
	assert_false(path_is_dir(path));
	/* one that is being worked on is no leftover */
	f_dir = xstrdup(f.dir);
	assert_int_equal(build_folder_new(&g, kernels, &err), 0);
	assert_true(path_is_dir(f_dir));
	for (int i = 0; i < 2; i++) {
		st.compiled = 7 + i;
		assert_int_equal(build_folder_keep(i ? &g : &f, kernels, LINE, &st, &err), 0);
		build_folder_state(kernels, LINE, &back);
		assert_string_equal(back.source_id, st.source_id);
		assert_int_equal(back.compiled, 7 + i);
	}
	assert_false(path_is_dir(f_dir));
	assert_int_equal(build_folder_new(&f, kernels, &err), 0);
	assert_int_equal(build_folder_drop(&f, &err), 0);
	assert_null(f.dir);
	free(f_dir);
	free(path);
	free(kernels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read), cmocka_unit_test(test_remove),
		cmocka_unit_test(test_folders),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
