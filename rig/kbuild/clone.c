/* SPDX-License-Identifier: GPL-2.0-only */
/* Copying a build folder with hard links for its sources. */
#include "kbuild/clone.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sig.h"
#include "base/strbuf.h"
#include "kbuild/clone_moved.h"

#define FILES_MAX ((size_t)256 << 20)
#define CHUNK	  ((size_t)1 << 20)
#define NOTE_MAX  ((size_t)16 << 20)
#define TREE	  "tree/"

DEFINE_FREE(fts, FTS *, if (_T) fts_close(_T))

struct clone {
	struct strbuf text; /* of DIR/files */
	const char **names; /* in it; they are sorted */
	size_t n;
	const char *to;
	char *new_tree; /* absolute; NULL until the folder is there */
};

#define CLONE_INIT { .text = STRBUF_INIT }

static void clone_release(struct clone *c)
{
	strbuf_release(&c->text);
	free(c->names);
	free(c->new_tree);
	*c = (struct clone)CLONE_INIT;
}

static int read_names(struct clone *c, const char *dir, struct err *err)
{
	char *path __free(ptr) = path_join(dir, "files");
	int ret = file_read(path, FILES_MAX, &c->text, err);
	size_t n = 0;

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < c->text.len; i++)
		n += !c->text.buf[i];
	c->names = xcalloc(n + 1, sizeof(*c->names));
	for (const char *p = c->text.buf; c->n < n; p += strlen(p) + 1)
		c->names[c->n++] = p;
	return 0;
}

static int compare(const void *name, const void *entry)
{
	return strcmp(name, *(const char *const *)entry);
}

/* Is the file, named relative to the build folder, one of the sources? */
static bool is_source(const struct clone *c, const char *rel)
{
	if (strncmp(rel, TREE, strlen(TREE)) != 0)
		return false;
	return bsearch(rel + strlen(TREE), c->names, c->n, sizeof(*c->names), compare);
}

static void times_of(const struct stat *st, struct timespec times[2])
{
	times[0] = st->st_atim;
	times[1] = st->st_mtim;
}

/* The content, by reference where the filesystem can. 0 or -errno. */
static int copy_content(int in, int out)
{
	struct strbuf chunk __release(strbuf) = STRBUF_INIT;
	ssize_t n;

	if (ioctl(out, FICLONE, in) == 0)
		return 0;
	while ((n = copy_file_range(in, NULL, out, NULL, CHUNK, 0)) > 0)
		;
	if (n == 0)
		return 0;
	if (errno != EXDEV && errno != EINVAL && errno != EOPNOTSUPP && errno != ENOSYS)
		return -errno;
	strbuf_reserve(&chunk, CHUNK);
	while ((n = read(in, chunk.buf, CHUNK)) > 0) {
		int ret = fd_write_all(out, chunk.buf, (size_t)n);

		if (ret < 0)
			return ret;
	}
	return n < 0 ? -errno : 0;
}

static int finish_file(int fd, const struct stat *st)
{
	struct timespec times[2];

	times_of(st, times);
	return fchmod(fd, st->st_mode & 07777) < 0 || futimens(fd, times) < 0 ? -errno : 0;
}

static int open_new(const char *to)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : fd;
}

static int copy_file(const char *from, const char *to, const struct stat *st)
{
	int in __free(fd) = open(from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int out __free(fd) = in < 0 ? -errno : open_new(to);
	int ret = out < 0 ? out : 0;

	if (ret == 0 && st->st_size)
		ret = copy_content(in, out);
	return ret < 0 ? ret : finish_file(out, st);
}

/* A file that may name the folder it lies in. */
static int copy_note(const struct clone *c, const char *from, const char *to, const char *rel,
		     const struct stat *st)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct err ignored = ERR_INIT;
	int out __free(fd) = -1, ret = file_read(from, NOTE_MAX, &text, &ignored);

	if (ret < 0)
		return ret;
	if (!moved_rewrite(&text, rel + strlen(TREE), c->new_tree))
		return copy_file(from, to, st);
	out = open_new(to);
	ret = out < 0 ? out : fd_write_all(out, text.buf, text.len);
	return ret < 0 ? ret : finish_file(out, st);
}

static int link_or_copy(const char *from, const char *to, const struct stat *st)
{
	if (link(from, to) == 0)
		return 0;
	if (errno != EXDEV && errno != EMLINK && errno != EPERM)
		return -errno;
	return copy_file(from, to, st);
}

static int copy_link(const char *from, const char *to, const struct stat *st)
{
	char target[4096];
	ssize_t len = readlink(from, target, sizeof(target) - 1);
	struct timespec times[2];

	if (len < 0)
		return -errno;
	target[len] = '\0';
	times_of(st, times);
	if (symlink(target, to) < 0 || utimensat(AT_FDCWD, to, times, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	return 0;
}

/* A folder gets its mode and times when all that it holds is there. */
static int finish_folder(const char *to, const struct stat *st)
{
	struct timespec times[2];

	times_of(st, times);
	if (chmod(to, st->st_mode & 07777) < 0 || utimensat(AT_FDCWD, to, times, 0) < 0)
		return -errno;
	return 0;
}

static int make_folder(struct clone *c, const char *to, int level)
{
	char *top __free(ptr) = NULL;

	if (mkdir(to, 0700) < 0 && !(errno == EEXIST && level == FTS_ROOTLEVEL))
		return -errno;
	if (level == FTS_ROOTLEVEL) {
		top = realpath(to, NULL);
		if (!top)
			return -errno;
		c->new_tree = path_join(top, "tree");
	}
	return 0;
}

static int copy_regular(const struct clone *c, FTSENT *e, const char *rel, const char *to)
{
	bool note = !strncmp(rel, TREE, strlen(TREE)) && moved_is_candidate(rel + strlen(TREE));
	int ret;

	if (is_source(c, rel))
		return link_or_copy(e->fts_accpath, to, e->fts_statp);
	ret = note ? copy_note(c, e->fts_accpath, to, rel, e->fts_statp)
		   : copy_file(e->fts_accpath, to, e->fts_statp);
	/* the new folder has a lock file of its own already */
	return ret == -EEXIST && e->fts_level == 1 ? 0 : ret;
}

static int copy_entry(struct clone *c, FTSENT *e, const char *rel, const char *to)
{
	switch (e->fts_info) {
	case FTS_D:
		return make_folder(c, to, e->fts_level);
	case FTS_DP:
		return finish_folder(to, e->fts_statp);
	case FTS_F:
		return copy_regular(c, e, rel, to);
	case FTS_SL:
	case FTS_SLNONE:
		return copy_link(e->fts_accpath, to, e->fts_statp);
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		return -e->fts_errno;
	default: /* fts_info is no enum */
		return -ENOTSUP;
	}
}

static int copy_all(struct clone *c, FTS *fts, const char *from, struct err *err)
{
	FTSENT *e;

	for (errno = 0; (e = fts_read(fts)); errno = 0) {
		const char *rel = e->fts_path + strlen(from);
		char *path __free(ptr) = NULL;
		int ret;

		if (sig_stop_asked())
			return err_interrupted(err);
		rel += strspn(rel, "/");
		path = *rel ? path_join(c->to, rel) : xstrdup(c->to);
		ret = copy_entry(c, e, rel, path);
		if (ret < 0)
			return err_sys(err, ret, "cannot copy '%s' to '%s'",
				       str_escape(e->fts_path), str_escape(c->to));
	}
	if (errno)
		return err_sys(err, -errno, "cannot walk folder '%s'", str_escape(from));
	return 0;
}

int clone_folder(const char *from, const char *to, struct err *err)
{
	struct clone c __release(clone) = CLONE_INIT;
	char *roots[] = { (char *)from, NULL };
	FTS *fts __free(fts) = NULL;
	int ret = read_names(&c, from, err);

	if (ret < 0)
		return ret;
	c.to = to;
	fts = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	if (!fts)
		return err_sys(err, -errno, "cannot walk folder '%s'", str_escape(from));
	return copy_all(&c, fts, from, err);
}
