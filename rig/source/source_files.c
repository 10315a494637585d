/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of a source's files, and a folder with them as hard links. */
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/copy.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sig.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "source/source_files.h"

#define LIST_MAX ((size_t)64 << 20)

int source_files_write(const char *dir, const struct strvec *names, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	char *path __free(ptr) = path_join(dir, "files");

	for (size_t i = 0; i < names->n; i++)
		strbuf_add(&sb, names->v[i], strlen(names->v[i]) + 1);
	return file_write_atomic(path, sb.buf, sb.len, 0644, err);
}

static bool name_stays(const char *name)
{
	struct strvec parts __release(strvec) = STRVEC_INIT;

	strvec_split(&parts, name, "/");
	return *name != '/' && parts.n > 0 && !strvec_has(&parts, "..");
}

int source_files_read(const char *dir, struct strvec *names, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	char *path __free(ptr) = path_join(dir, "files");
	int ret = file_read(path, LIST_MAX, &sb, err);

	if (ret < 0)
		return ret;
	for (size_t at = 0; at < sb.len; at += strlen(sb.buf + at) + 1) {
		if (!name_stays(sb.buf + at))
			return err_set(err, -EBADMSG, "'%s' names '%s', which is outside",
				       str_escape(path), str_escape(sb.buf + at));
		strvec_push(names, sb.buf + at);
	}
	return 0;
}

/* Two trees, and the files of the first. */
struct pair {
	char *from, *to;	/* their tree/ */
	struct strvec names;
	char *folder;		/* made last: the names are sorted */
	bool may_link;
};

static void pair_release(struct pair *p)
{
	free(p->from);
	free(p->to);
	free(p->folder);
	strvec_release(&p->names);
}

static int pair_init(struct pair *p, const char *from, const char *dir, struct err *err)
{
	p->from = path_join(from, "tree");
	p->to = path_join(dir, "tree");
	p->may_link = true;
	return source_files_read(from, &p->names, err);
}

static int make_folder(struct pair *p, const char *to, struct err *err)
{
	char *folder __free(ptr) = xstrndup(to, (size_t)(path_base(to) - to));
	int ret;

	if (p->folder && !strcmp(p->folder, folder))
		return 0;
	ret = dir_make(folder, err);
	if (ret == 0) {
		free(p->folder);
		p->folder = no_free_ptr(folder);
	}
	return ret;
}

static int copy_link(const char *from, const char *to, struct err *err)
{
	char target[PATH_MAX];
	ssize_t len = readlink(from, target, sizeof(target) - 1);

	if (len >= 0)
		target[len] = '\0';
	if (len < 0 || symlink(target, to) < 0)
		return err_sys(err, -errno, "cannot copy the link '%s' to '%s'", str_escape(from),
			       str_escape(to));
	return 0;
}

/* times: the source's time, too. */
static int copy_file(const char *from, const struct stat *st, const char *to, bool times,
		     struct err *err)
{
	const struct timespec both[2] = { st->st_mtim, st->st_mtim };
	int ret = file_copy(from, to, st->st_mode & 0777, err);

	if (ret == 0 && times && utimensat(AT_FDCWD, to, both, 0) < 0)
		ret = err_sys(err, -errno, "cannot set the time of '%s'", str_escape(to));
	return ret;
}

/* A filesystem without hard links says EPERM; a file may have no more than some 65,000 names. */
static int link_file(struct pair *p, const char *from, const struct stat *st, const char *to,
		     struct err *err)
{
	if (p->may_link) {
		if (link(from, to) == 0)
			return 0;
		if (errno != EXDEV && errno != EPERM && errno != EMLINK && errno != EOPNOTSUPP)
			return err_sys(err, -errno, "cannot link '%s' to '%s'", str_escape(from),
				       str_escape(to));
		p->may_link = errno == EMLINK;
	}
	return copy_file(from, st, to, true, err);
}

static int fill_one(struct pair *p, const char *name, struct err *err)
{
	char *from __free(ptr) = path_join(p->from, name);
	char *to __free(ptr) = path_join(p->to, name);
	struct stat st;
	int ret = make_folder(p, to, err);

	if (ret < 0)
		return ret;
	if (lstat(from, &st) < 0)
		return err_sys(err, -errno, "the unpacked source lacks '%s'", str_escape(from));
	return S_ISLNK(st.st_mode) ? copy_link(from, to, err) : link_file(p, from, &st, to, err);
}

int source_files_fill(const char *from, const char *dir, struct err *err)
{
	struct pair p __release(pair) = { .names = STRVEC_INIT };
	int ret = pair_init(&p, from, dir, err);

	for (size_t i = 0; ret == 0 && i < p.names.n; i++) {
		ret = fill_one(&p, p.names.v[i], err);
		if (ret == 0 && sig_stop_asked())
			ret = err_interrupted(err);
	}
	return ret < 0 ? ret : source_files_write(dir, &p.names, err);
}

static bool same_target(const char *a, const char *b)
{
	char at[PATH_MAX], bt[PATH_MAX];
	ssize_t an = readlink(a, at, sizeof(at)), bn = readlink(b, bt, sizeof(bt));

	return an >= 0 && an == bn && !memcmp(at, bt, (size_t)an);
}

static bool same_file(const char *from, const struct stat *st, const char *to)
{
	struct stat now;

	if (lstat(to, &now) < 0 || now.st_mode != st->st_mode)
		return false;
	if (S_ISLNK(st->st_mode))
		return same_target(from, to);
	return now.st_size == st->st_size && now.st_mtim.tv_sec == st->st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == st->st_mtim.tv_nsec;
}

static int restore_one(struct pair *p, const char *name, struct err *err)
{
	char *from __free(ptr) = path_join(p->from, name);
	char *to __free(ptr) = path_join(p->to, name);
	struct stat st;
	int ret;

	if (lstat(from, &st) < 0)
		return err_sys(err, -errno, "the unpacked source lacks '%s'", str_escape(from));
	if (same_file(from, &st, to))
		return 0;
	ret = dir_remove(to, err);
	if (ret == 0)
		ret = make_folder(p, to, err);
	if (ret < 0)
		return ret;
	return S_ISLNK(st.st_mode) ? copy_link(from, to, err)
				   : copy_file(from, &st, to, false, err);
}

int source_files_restore(const char *from, const char *dir, struct err *err)
{
	struct pair p __release(pair) = { .names = STRVEC_INIT };
	int ret = pair_init(&p, from, dir, err);

	for (size_t i = 0; ret == 0 && i < p.names.n; i++) {
		ret = restore_one(&p, p.names.v[i], err);
		if (ret == 0 && sig_stop_asked())
			ret = err_interrupted(err);
	}
	return ret < 0 ? ret : source_files_write(dir, &p.names, err);
}
