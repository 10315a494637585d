/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kernel/bzimage: payloads of every kind, headers that lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "kernel/bzimage.h"
#include "kernel_fixture.h"

static void test_extract(void **state)
{
	static const struct {
		const char *name;
		fixture_option filter;
	} table[] = {
		{ "gzip", archive_write_add_filter_gzip },
		{ "xz", archive_write_add_filter_xz },
		{ "bzip2", archive_write_add_filter_bzip2 },
		{ "zstd", archive_write_add_filter_zstd },
		{ "lzma", archive_write_add_filter_lzma },
	};
	char *path = path_join(*state, "bzImage"), *out = path_join(*state, "vmlinux");
	struct strbuf vmlinux = STRBUF_INIT;

	fixture_vmlinux(&vmlinux, 18);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct strbuf bz = STRBUF_INIT, got = STRBUF_INIT;
		struct err err = ERR_INIT;
		struct bzimage info;

		fixture_bzimage(&bz, &vmlinux, table[i].filter);
		fixture_write(path, bz.buf, bz.len);
		if (bzimage_extract(path, out, &info, &err) < 0)
			fail_msg("%s: %s", table[i].name, err.msg);
		assert_string_equal(info.release, FIXTURE_RELEASE);
		assert_int_equal(file_read(out, 1 << 24, &got, &err), 0);
		assert_int_equal(got.len, vmlinux.len);
		assert_memory_equal(got.buf, vmlinux.buf, got.len);
		assert_int_equal(unlink(out), 0);
		strbuf_release(&bz);
		strbuf_release(&got);
	}
	strbuf_release(&vmlinux);
	free(path);
	free(out);
}

enum change { CUT, TRAILER, TRAILER_HUGE, GARBAGE, LZO, UNKNOWN, OLD_PROTOCOL };

static void spoil(struct strbuf *bz, enum change change)
{
	size_t payload = FIXTURE_SETUP + 16;

	switch (change) {
	case CUT:
		bz->len -= 1000;
		break;
	case TRAILER:
		bz->buf[bz->len - 4] ^= 1;
		break;
	case TRAILER_HUGE:
		bz->buf[bz->len - 1] = 0x7f;
		break;
	case GARBAGE:
		memset(bz->buf + payload + 100, 0x55, 2000);
		break;
	case LZO:
		memcpy(bz->buf + payload, "\x89LZO\0\r\n\x1a\n", 9);
		break;
	case UNKNOWN:
		memset(bz->buf + payload, 0, 8);
		break;
	case OLD_PROTOCOL:
		fixture_put16(bz, 0x206, 0x207);
		break;
	}
}

static void test_broken_payloads(void **state)
{
	static const struct {
		enum change change;
		int code;
		const char *says;
	} table[] = {
		{ CUT, -EINVAL, "cut off in its payload" },
		{ TRAILER, -EINVAL, "not the" },
		{ TRAILER_HUGE, -EINVAL, "larger than 1 GiB" },
		{ GARBAGE, -EINVAL, "xz payload" },
		{ LZO, -EOPNOTSUPP, "LZO" },
		{ UNKNOWN, -EOPNOTSUPP, "unknown way" },
		{ OLD_PROTOCOL, -EOPNOTSUPP, "before 2.08" },
	};
	char *path = path_join(*state, "bzImage"), *out = path_join(*state, "vmlinux");
	struct strbuf vmlinux = STRBUF_INIT;

	fixture_vmlinux(&vmlinux, 18);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct strbuf bz = STRBUF_INIT;
		struct err err = ERR_INIT;
		struct bzimage info;

		fixture_bzimage(&bz, &vmlinux, archive_write_add_filter_xz);
		spoil(&bz, table[i].change);
		fixture_write(path, bz.buf, bz.len);
		assert_int_equal(bzimage_extract(path, out, &info, &err), table[i].code);
		if (!strstr(err.msg, table[i].says))
			fail_msg("row %zu: '%s'", i, err.msg);
		assert_false(path_is_file(out));
		strbuf_release(&bz);
	}
	strbuf_release(&vmlinux);
	free(path);
	free(out);
}

static void test_headers(void **state)
{
	static const struct {
		size_t at, len;
		uint32_t value;
		int code;
		const char *says;
	} table[] = {
		{ 0x202, 4, 0, -EINVAL, "no bzImage" },
		{ 0x1f1, 1, 255, -EINVAL, "setup code" },
		{ 0x236, 2, 0, -EINVAL, "32-bit x86" },
		{ 0x248, 4, UINT32_MAX, -EINVAL, "cut off in its payload" },
		{ 0x24c, 4, UINT32_MAX, -EINVAL, "cut off in its payload" },
		{ 0x24c, 4, 0, -EINVAL, "cut off in its payload" },
		/* without a place for the version: no release, yet no error */
		{ 0x20e, 2, 0, 0, "" },
		{ 0x20e, 2, 0xffff, 0, "" },
	};
	struct strbuf vmlinux = STRBUF_INIT;

	(void)state;
	fixture_vmlinux(&vmlinux, 18);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct strbuf bz = STRBUF_INIT;
		struct err err = ERR_INIT;
		struct bzimage info;

		fixture_bzimage(&bz, &vmlinux, archive_write_add_filter_gzip);
		memcpy(bz.buf + table[i].at, &table[i].value, table[i].len);
		assert_int_equal(bzimage_parse(&info, "x", bz.buf, bz.len, &err), table[i].code);
		if (!strstr(err.msg, table[i].says))
			fail_msg("row %zu: '%s'", i, err.msg);
		if (table[i].code == 0)
			assert_string_equal(info.release, "");
		strbuf_release(&bz);
	}
	strbuf_release(&vmlinux);
}

/* A header in a block of exactly its size: a read behind it is seen by the sanitizers. */
static void test_every_length(void **state)
{
	struct strbuf vmlinux = STRBUF_INIT, bz = STRBUF_INIT;

	(void)state;
	fixture_vmlinux(&vmlinux, 18);
	fixture_bzimage(&bz, &vmlinux, archive_write_add_filter_gzip);
	for (size_t len = 0; len < FIXTURE_SETUP + 64; len++) {
		char *exact = malloc(len + 1);
		struct err err = ERR_INIT;
		struct bzimage info;

		memcpy(exact, bz.buf, len);
		exact = realloc(exact, len ? len : 1);
		assert_int_equal(bzimage_parse(&info, "x", exact, len, &err), -EINVAL);
		free(exact);
	}
	strbuf_release(&vmlinux);
	strbuf_release(&bz);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_extract),
		cmocka_unit_test(test_broken_payloads),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_every_length),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
