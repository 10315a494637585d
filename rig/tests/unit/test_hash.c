/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/hash against the published SHA-256 vectors (FIPS 180-4 examples). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"

#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define ABC   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
/* one million times 'a' */
#define MILLION "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

static void test_mem(void **state)
{
	char hex[HASH_HEX];

	(void)state;
	hash_mem("", 0, hex);
	assert_string_equal(hex, EMPTY);
	hash_mem("abc", 3, hex);
	assert_string_equal(hex, ABC);
}

static void test_parts(void **state)
{
	struct hash h;
	char hex[HASH_HEX], other[HASH_HEX];

	(void)state;
	hash_init(&h);
	hash_add(&h, "a", 1);
	hash_add(&h, "bc", 2);
	hash_hex(&h, hex);
	assert_string_equal(hex, ABC);

	hash_init(&h);
	hash_add_str(&h, "ab");
	hash_add_str(&h, "c");
	hash_hex(&h, hex);
	hash_mem("ab\0c", 5, other);
	assert_string_equal(hex, other);
	hash_init(&h);
	hash_add_str(&h, "a");
	hash_add_str(&h, "bc");
	hash_hex(&h, other);
	assert_string_not_equal(hex, other);
}

static void test_file(void **state)
{
	struct err err = ERR_INIT;
	char hex[HASH_HEX], *dir, *path, *data = xmalloc(1000000);

	(void)state;
	memset(data, 'a', 1000000);
	assert_int_equal(dir_temp("/tmp/iorig-test-", &dir, &err), 0);
	path = path_join(dir, "f");
	assert_int_equal(file_write_atomic(path, data, 1000000, 0644, &err), 0);
	assert_int_equal(hash_file(path, hex, &err), 0);
	assert_string_equal(hex, MILLION);
	assert_int_equal(hash_file(dir, hex, &err), -EISDIR);
	assert_int_equal(dir_remove(dir, &err), 0);
	assert_int_equal(hash_file(path, hex, &err), -ENOENT);
	assert_non_null(strstr(err.msg, path));
	free(data);
	free(path);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mem),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_file),
	};

	return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
