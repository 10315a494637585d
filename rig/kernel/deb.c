/* SPDX-License-Identifier: GPL-2.0-only */
/* A .deb is an ar archive that holds data.tar.*: two libarchive readers, one inside the other. */
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "kernel/deb.h"

#define FILES_MAX 200000
#define BYTES_MAX (4LL << 30)
#define CHUNK	  65536

struct unpacking {
	const char *deb, *dst;
	struct archive *outer, *inner;
	char chunk[CHUNK]; /* what the inner reader was given last */
	char *folder;	   /* made last: saves most of the calls to dir_make() */
	int64_t files, bytes;
};

static void unpacking_release(struct unpacking *u)
{
	if (u->inner)
		archive_read_free(u->inner);
	if (u->outer)
		archive_read_free(u->outer);
	free(u->folder);
}

static int broken(const struct unpacking *u, struct archive *a, struct err *err)
{
	const char *why = archive_error_string(a);

	return err_input(err, "'%s' is no intact Debian package: %s", str_escape(u->deb),
			 str_escape(why ? why : "unknown reason"));
}

static ssize_t read_outer(struct archive *inner, void *data, const void **buf)
{
	struct unpacking *u = data;
	ssize_t n = archive_read_data(u->outer, u->chunk, sizeof(u->chunk));

	*buf = u->chunk;
	if (n < 0)
		archive_set_error(inner, archive_errno(u->outer), "%s",
				  archive_error_string(u->outer));
	return n < 0 ? ARCHIVE_FATAL : n;
}

static int open_outer(struct unpacking *u, struct err *err)
{
	struct archive_entry *entry;
	int ret;

	u->outer = archive_read_new();
	if (!u->outer || archive_read_support_format_ar(u->outer) != ARCHIVE_OK)
		return err_set(err, -ENOMEM, "libarchive gives no reader for ar");
	if (archive_read_open_filename(u->outer, u->deb, CHUNK) != ARCHIVE_OK)
		return broken(u, u->outer, err);
	while ((ret = archive_read_next_header(u->outer, &entry)) == ARCHIVE_OK) {
		const char *name = archive_entry_pathname(entry);

		if (name && !strncmp(name, "data.tar", strlen("data.tar")))
			return 0;
	}
	if (ret != ARCHIVE_EOF)
		return broken(u, u->outer, err);
	return err_input(err, "'%s' is no Debian package: it holds no data.tar",
			 str_escape(u->deb));
}

static int open_inner(struct unpacking *u, struct err *err)
{
	static int (*const filters[])(struct archive *) = {
		archive_read_support_filter_gzip, archive_read_support_filter_xz,
		archive_read_support_filter_zstd, archive_read_support_filter_bzip2,
		archive_read_support_filter_lzma,
	};

	u->inner = archive_read_new();
	if (!u->inner || archive_read_support_format_tar(u->inner) != ARCHIVE_OK)
		return err_set(err, -ENOMEM, "libarchive gives no reader for tar");
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		if (filters[i](u->inner) != ARCHIVE_OK)
			return err_set(err, -ENOTSUP, "this libarchive lacks a decompressor: %s",
				       archive_error_string(u->inner));
	}
	if (archive_read_open(u->inner, u, NULL, read_outer, NULL) != ARCHIVE_OK)
		return broken(u, u->inner, err);
	return 0;
}

static bool has_dotdot(const char *path)
{
	struct strvec parts __release(strvec) = STRVEC_INIT;

	strvec_split(&parts, path, "/");
	return strvec_has(&parts, "..");
}

/* The path below dst that a wanted member goes to, or NULL. */
static const char *wanted(const char *name)
{
	while (*name == '/' || !strncmp(name, "./", 2))
		name++;
	if (!strncmp(name, "usr/lib/modules/", strlen("usr/lib/modules/")))
		name += strlen("usr/");
	if (!strncmp(name, "boot/", strlen("boot/")) ||
	    !strncmp(name, "lib/modules/", strlen("lib/modules/")))
		return name;
	return NULL;
}

static int make_folder(struct unpacking *u, const char *file, struct err *err)
{
	char *folder __free(ptr) = xstrndup(file, (size_t)(path_base(file) - file));
	int ret;

	if (u->folder && !strcmp(u->folder, folder))
		return 0;
	ret = dir_make(folder, err);
	if (ret == 0) {
		free(u->folder);
		u->folder = no_free_ptr(folder);
	}
	return ret;
}

static int write_file(struct unpacking *u, const char *path, struct err *err)
{
	int fd __free(fd) = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	const void *data;
	size_t len;
	la_int64_t at;
	int ret;

	if (fd < 0)
		return err_sys(err, -errno, "cannot create '%s'", str_escape(path));
	while ((ret = archive_read_data_block(u->inner, &data, &len, &at)) == ARCHIVE_OK) {
		u->bytes += (int64_t)len;
		if (u->bytes > BYTES_MAX || at > BYTES_MAX)
			return err_input(err, "'%s' holds more than 4 GiB", str_escape(u->deb));
		if (lseek(fd, at, SEEK_SET) < 0)
			return err_sys(err, -errno, "cannot write '%s'", str_escape(path));
		ret = fd_write_all(fd, data, len);
		if (ret < 0)
			return err_sys(err, ret, "cannot write '%s'", str_escape(path));
	}
	return ret == ARCHIVE_EOF ? 0 : broken(u, u->inner, err);
}

static int unpack_entry(struct unpacking *u, struct archive_entry *entry, struct err *err)
{
	const char *name = archive_entry_pathname(entry);
	char *path __free(ptr) = NULL;
	int ret;

	name = name ? wanted(name) : NULL;
	if (!name)
		return 0;
	/* Before its type: hard links need not have one. */
	if (archive_entry_hardlink(entry))
		return err_input(err, "'%s': '%s' is a hard link", str_escape(u->deb),
				 str_escape(name));
	if (archive_entry_filetype(entry) != AE_IFREG)
		return 0;
	if (has_dotdot(name))
		return err_input(err, "'%s': '%s' leads out of the package", str_escape(u->deb),
				 str_escape(name));
	if (++u->files > FILES_MAX)
		return err_input(err, "'%s' holds more than %d files", str_escape(u->deb),
				 FILES_MAX);
	path = path_join(u->dst, name);
	ret = make_folder(u, path, err);
	return ret < 0 ? ret : write_file(u, path, err);
}

int deb_unpack(const char *deb, const char *dst, struct err *err)
{
	struct unpacking u __release(unpacking) = { .deb = deb, .dst = dst };
	struct archive_entry *entry;
	int ret = open_outer(&u, err);

	if (ret == 0)
		ret = open_inner(&u, err);
	if (ret < 0)
		return ret;
	while ((ret = archive_read_next_header(u.inner, &entry)) == ARCHIVE_OK) {
		ret = unpack_entry(&u, entry, err);
		if (ret < 0)
			return ret;
	}
	return ret == ARCHIVE_EOF ? 0 : broken(&u, u.inner, err);
}
