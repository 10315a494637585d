/* SPDX-License-Identifier: GPL-2.0-only */
/* Unpacking compressed modules into the cache. */
#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "kernel/ko.h"

#define MODULE_MAX ((size_t)256 << 20)
#define CHUNK	   65536

DEFINE_FREE(archive, struct archive *, if (_T) archive_read_free(_T))

static bool ends_with(const char *s, const char *end)
{
	size_t len = strlen(s), end_len = strlen(end);

	return len >= end_len && !strcmp(s + len - end_len, end);
}

static int broken(struct archive *a, const char *path, struct err *err)
{
	const char *why = archive_error_string(a);

	return err_set(err, -EBADMSG, "cannot unpack the module '%s': %s", str_escape(path),
		       str_escape(why ? why : "unknown reason"));
}

static int unpack(const char *path, struct strbuf *sb, struct err *err)
{
	struct archive *a __free(archive) = archive_read_new();
	struct archive_entry *entry;
	ssize_t n;

	if (!a || archive_read_support_filter_xz(a) != ARCHIVE_OK ||
	    archive_read_support_filter_zstd(a) != ARCHIVE_OK ||
	    archive_read_support_filter_gzip(a) != ARCHIVE_OK ||
	    archive_read_support_format_raw(a) != ARCHIVE_OK)
		return err_set(err, -ENOTSUP, "this libarchive lacks a decompressor for modules");
	if (archive_read_open_filename(a, path, CHUNK) != ARCHIVE_OK ||
	    archive_read_next_header(a, &entry) != ARCHIVE_OK)
		return broken(a, path, err);
	do {
		strbuf_reserve(sb, CHUNK);
		n = archive_read_data(a, sb->buf + sb->len, CHUNK);
		if (n < 0)
			return broken(a, path, err);
		strbuf_grown(sb, (size_t)n);
		if (sb->len > MODULE_MAX)
			return err_set(err, -EFBIG, "the module '%s' is larger than 256 MiB",
				       str_escape(path));
	} while (n > 0);
	return 0;
}

int ko_plain(const char *path, const char *cache_dir, char **plain, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	char *dir __free(ptr) = path_join(cache_dir, "kernels/modules");
	char *target __free(ptr) = NULL;
	char hex[HASH_HEX];
	int ret = 0;

	if (ends_with(path, ".ko")) {
		*plain = xstrdup(path);
		return 0;
	}
	ret = hash_file(path, hex, err);
	if (ret < 0)
		return ret;
	target = xstrfmt("%s/%s.ko", dir, hex);
	if (!path_is_file(target)) {
		ret = unpack(path, &sb, err);
		if (ret == 0)
			ret = dir_make(dir, err);
		if (ret == 0)
			ret = file_write_atomic(target, sb.buf, sb.len, 0644, err);
	}
	if (ret == 0)
		*plain = no_free_ptr(target);
	return ret;
}
