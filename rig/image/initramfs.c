/* SPDX-License-Identifier: GPL-2.0-only */
/* Collecting an initramfs and writing it as a cpio archive in newc format. */
#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "image/initramfs.h"

#define FILE_MAX_BYTES ((size_t)256 << 20)

struct initramfs_entry {
	char *path;  /* without the leading slash */
	mode_t mode; /* with the type */
	char *data;  /* a file's content or a symlink's target; NULL: read host */
	size_t len;
	char *host;
	dev_t rdev;
};

DEFINE_FREE(archive, struct archive *, if (_T) archive_write_free(_T))
DEFINE_FREE(entry, struct archive_entry *, if (_T) archive_entry_free(_T))

void initramfs_release(struct initramfs *fs)
{
	for (size_t i = 0; i < fs->n; i++) {
		free(fs->entries[i].path);
		free(fs->entries[i].data);
		free(fs->entries[i].host);
	}
	free(fs->entries);
	*fs = (struct initramfs)INITRAMFS_INIT;
}

static struct initramfs_entry *find(const struct initramfs *fs, const char *path, size_t len)
{
	for (size_t i = 0; i < fs->n; i++) {
		if (!strncmp(fs->entries[i].path, path, len) && !fs->entries[i].path[len])
			return &fs->entries[i];
	}
	return NULL;
}

static struct initramfs_entry *append(struct initramfs *fs, const char *path, size_t len,
				      mode_t mode)
{
	struct initramfs_entry *e = array_grow(fs->entries, fs->n);

	e->path = xstrndup(path, len);
	e->mode = mode;
	return e;
}

static struct initramfs_entry *add(struct initramfs *fs, const char *path, mode_t mode)
{
	size_t len = strlen(path);

	if (path[0] != '/' || len < 2 || path[len - 1] == '/')
		BUG("'%s' is no absolute path of a guest's file", path);
	path++;
	len--;
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		struct initramfs_entry *parent = find(fs, path, (size_t)(slash - path));

		if (!parent)
			append(fs, path, (size_t)(slash - path), S_IFDIR | 0755);
		else if (!S_ISDIR(parent->mode))
			BUG("'%s' lies below '%s', which is no folder", path, parent->path);
	}
	if (find(fs, path, len))
		BUG("'%s' was added twice", path);
	return append(fs, path, len, mode);
}

void initramfs_add_dir(struct initramfs *fs, const char *path, mode_t mode)
{
	/* Something below it may have made it already, with the usual mode. */
	struct initramfs_entry *e = find(fs, path + 1, strlen(path + 1));

	if (!e || !S_ISDIR(e->mode))
		e = add(fs, path, 0);
	e->mode = S_IFDIR | (mode & 07777);
}

void initramfs_add_data(struct initramfs *fs, const char *path, mode_t mode, const void *data,
			size_t len)
{
	struct initramfs_entry *e = add(fs, path, S_IFREG | (mode & 07777));

	e->data = xmalloc(len + 1);
	if (len)
		memcpy(e->data, data, len);
	e->data[len] = '\0';
	e->len = len;
}

void initramfs_add_file(struct initramfs *fs, const char *path, mode_t mode, const char *host)
{
	add(fs, path, S_IFREG | (mode & 07777))->host = xstrdup(host);
}

void initramfs_add_symlink(struct initramfs *fs, const char *path, const char *target)
{
	struct initramfs_entry *e = add(fs, path, S_IFLNK | 0777);

	e->data = xstrdup(target);
	e->len = strlen(target);
}

void initramfs_add_chardev(struct initramfs *fs, const char *path, mode_t mode, unsigned int major,
			   unsigned int minor)
{
	add(fs, path, S_IFCHR | (mode & 07777))->rdev = makedev(major, minor);
}

static ssize_t write_strbuf(struct archive *a, void *data, const void *buf, size_t len)
{
	(void)a;
	strbuf_add(data, buf, len);
	return (ssize_t)len;
}

static int archive_failed(struct archive *a, const char *path, struct err *err)
{
	const char *why = archive_error_string(a);

	return err_set(err, -EIO, "cannot put '/%s' into an initramfs: %s", str_escape(path),
		       why ? why : "unknown reason");
}

static int write_entry(struct archive *a, const struct initramfs_entry *e, int ino, struct err *err)
{
	struct archive_entry *entry __free(entry) = archive_entry_new();
	struct strbuf content __release(strbuf) = STRBUF_INIT;

	if (e->host) {
		int ret = file_read(e->host, FILE_MAX_BYTES, &content, err);

		if (ret < 0)
			return ret;
	} else if (S_ISREG(e->mode)) {
		strbuf_add(&content, e->data, e->len);
	}
	archive_entry_set_pathname(entry, e->path);
	archive_entry_set_mode(entry, e->mode);
	archive_entry_set_uid(entry, 0);
	archive_entry_set_gid(entry, 0);
	archive_entry_set_mtime(entry, 0, 0);
	archive_entry_set_ino(entry, ino);
	archive_entry_set_nlink(entry, S_ISDIR(e->mode) ? 2 : 1);
	archive_entry_set_size(entry, (la_int64_t)content.len);
	if (S_ISLNK(e->mode))
		archive_entry_set_symlink(entry, e->data);
	if (S_ISCHR(e->mode))
		archive_entry_set_rdev(entry, e->rdev);
	if (archive_write_header(a, entry) != ARCHIVE_OK ||
	    archive_write_data(a, content.buf, content.len) != (la_ssize_t)content.len)
		return archive_failed(a, e->path, err);
	return 0;
}

static int by_path(const void *a, const void *b)
{
	const struct initramfs_entry *const *x = a, *const *y = b;

	return strcmp((*x)->path, (*y)->path);
}

/* Sorted by path, a folder comes before what is in it: it is the shorter string. */
static int write_entries(struct archive *a, const struct initramfs *fs, struct err *err)
{
	const struct initramfs_entry **order __free(ptr) = xcalloc(fs->n + 1, sizeof(*order));
	int ret = 0;

	for (size_t i = 0; i < fs->n; i++)
		order[i] = &fs->entries[i];
	qsort(order, fs->n, sizeof(*order), by_path);
	for (size_t i = 0; ret == 0 && i < fs->n; i++)
		ret = write_entry(a, order[i], (int)i + 1, err);
	return ret;
}

int initramfs_write(const struct initramfs *fs, const char *path, struct err *err)
{
	/* Declared before the archive, which writes once more into it when it is freed. */
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct archive *a __free(archive) = archive_write_new();
	int ret;

	/* newc archives are padded to 512 bytes, as other tools do. */
	if (!a || archive_write_set_format_cpio_newc(a) != ARCHIVE_OK ||
	    archive_write_add_filter_none(a) != ARCHIVE_OK ||
	    archive_write_set_bytes_per_block(a, 512) != ARCHIVE_OK ||
	    archive_write_set_bytes_in_last_block(a, 512) != ARCHIVE_OK ||
	    archive_write_open(a, &sb, NULL, write_strbuf, NULL) != ARCHIVE_OK)
		return err_set(err, -ENOMEM, "libarchive gives no writer for newc");
	ret = write_entries(a, fs, err);
	if (ret == 0 && archive_write_close(a) != ARCHIVE_OK)
		ret = archive_failed(a, "", err);
	return ret < 0 ? ret : file_write_atomic(path, sb.buf, sb.len, 0644, err);
}
