/* SPDX-License-Identifier: GPL-2.0-only */
/* Readers of packages and of archives in them, one on top of the other. */
#include <archive_entry.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "kernel/deb_read.h"

void deb_layer_release(struct deb_layer *l)
{
	if (l->tar)
		archive_read_free(l->tar);
	l->tar = NULL;
}

void deb_reader_release(struct deb_reader *r)
{
	deb_layer_release(&r->data);
	if (r->ar)
		archive_read_free(r->ar);
	r->ar = NULL;
}

int64_t deb_position(const struct deb_reader *r)
{
	/* -1: what was read from the file itself, before any decompression. */
	return archive_filter_bytes(r->ar, -1);
}

int deb_broken(const struct deb_reader *r, struct archive *a, struct err *err)
{
	const char *why = archive_error_string(a);

	return err_input(err, "'%s' is no intact Debian package: %s", str_escape(r->deb),
			 str_escape(why ? why : "unknown reason"));
}

bool deb_has_dotdot(const char *path)
{
	struct strvec parts __release(strvec) = STRVEC_INIT;

	strvec_split(&parts, path, "/");
	return strvec_has(&parts, "..");
}

static ssize_t read_below(struct archive *tar, void *data, const void **buf)
{
	struct deb_layer *l = data;
	ssize_t n = archive_read_data(l->below, l->chunk, sizeof(l->chunk));

	*buf = l->chunk;
	if (n < 0)
		archive_set_error(tar, archive_errno(l->below), "%s",
				  archive_error_string(l->below));
	return n < 0 ? ARCHIVE_FATAL : n;
}

int deb_layer_open(struct deb_layer *l, const struct deb_reader *r, struct archive *below,
		   struct err *err)
{
	static int (*const filters[])(struct archive *) = {
		archive_read_support_filter_gzip, archive_read_support_filter_xz,
		archive_read_support_filter_zstd, archive_read_support_filter_bzip2,
		archive_read_support_filter_lzma,
	};

	l->below = below;
	l->tar = archive_read_new();
	if (!l->tar || archive_read_support_format_tar(l->tar) != ARCHIVE_OK)
		return err_set(err, -ENOMEM, "libarchive gives no reader for tar");
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		if (filters[i](l->tar) != ARCHIVE_OK)
			return err_set(err, -ENOTSUP, "this libarchive lacks a decompressor: %s",
				       archive_error_string(l->tar));
	}
	if (archive_read_open(l->tar, l, NULL, read_below, NULL) != ARCHIVE_OK)
		return deb_broken(r, l->tar, err);
	return 0;
}

static int open_ar(struct deb_reader *r, struct err *err)
{
	struct archive_entry *entry;
	int ret;

	r->ar = archive_read_new();
	if (!r->ar || archive_read_support_format_ar(r->ar) != ARCHIVE_OK)
		return err_set(err, -ENOMEM, "libarchive gives no reader for ar");
	if (archive_read_open_filename(r->ar, r->deb, DEB_CHUNK) != ARCHIVE_OK)
		return deb_broken(r, r->ar, err);
	while ((ret = archive_read_next_header(r->ar, &entry)) == ARCHIVE_OK) {
		const char *name = archive_entry_pathname(entry);

		if (name && !strncmp(name, "data.tar", strlen("data.tar")))
			return 0;
	}
	if (ret != ARCHIVE_EOF)
		return deb_broken(r, r->ar, err);
	return err_input(err, "'%s' is no Debian package: it holds no data.tar",
			 str_escape(r->deb));
}

int deb_open(struct deb_reader *r, const char *deb, struct err *err)
{
	int ret;

	r->deb = deb;
	ret = open_ar(r, err);
	if (ret == 0)
		ret = deb_layer_open(&r->data, r, r->ar, err);
	return ret;
}

int deb_write_file(const struct deb_reader *r, struct archive *a, const char *path,
		   unsigned int mode, int64_t *bytes, int64_t max, struct err *err)
{
	int fd __free(fd) = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	const void *data;
	size_t len;
	la_int64_t at;
	int ret;

	if (fd < 0 && errno == EEXIST)
		return err_input(err, "'%s' holds the same file twice: '%s'", str_escape(r->deb),
				 str_escape(path));
	if (fd < 0)
		return err_sys(err, -errno, "cannot create '%s'", str_escape(path));
	while ((ret = archive_read_data_block(a, &data, &len, &at)) == ARCHIVE_OK) {
		*bytes += (int64_t)len;
		if (*bytes > max || at > max)
			return err_input(err, "'%s' holds more than %d GiB", str_escape(r->deb),
					 (int)(max >> 30));
		if (lseek(fd, at, SEEK_SET) < 0)
			return err_sys(err, -errno, "cannot write '%s'", str_escape(path));
		ret = fd_write_all(fd, data, len);
		if (ret < 0)
			return err_sys(err, ret, "cannot write '%s'", str_escape(path));
	}
	return ret == ARCHIVE_EOF ? 0 : deb_broken(r, a, err);
}
