/* SPDX-License-Identifier: GPL-2.0-only */
/* Folders: make, remove, list. */
#include "base/file.h"

#include <dirent.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/strvec.h"

DEFINE_FREE(dir, DIR *, if (_T) closedir(_T))
DEFINE_FREE(fts, FTS *, if (_T) fts_close(_T))

int dir_make(const char *path, struct err *err)
{
	char *part __free(ptr) = xstrdup(path);
	char *end = part;

	if (!*path)
		return err_set(err, -ENOENT, "cannot make a folder without a name");
	do {
		char kept;

		end += strspn(end, "/");
		end += strcspn(end, "/");
		kept = *end;
		*end = '\0';
		/* EROFS, EACCES and the like do not matter where the folder is there */
		if (mkdir(part, 0777) < 0 && !path_is_dir(part))
			return err_sys(err, errno == EEXIST ? -ENOTDIR : -errno,
				       "cannot make folder '%s'", str_escape(part));
		*end = kept;
	} while (*end);
	return 0;
}

int dir_remove(const char *path, struct err *err)
{
	char *roots[] = { (char *)path, NULL };
	FTS *fts __free(fts) = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;

	if (!fts)
		return err_sys(err, -errno, "cannot remove '%s'", str_escape(path));
	for (errno = 0; (e = fts_read(fts)); errno = 0) {
		int code = 0;

		switch (e->fts_info) {
		case FTS_D:
			break;
		case FTS_DNR:
		case FTS_ERR:
		case FTS_NS:
			code = e->fts_errno;
			break;
		case FTS_DP:
			code = rmdir(e->fts_accpath) < 0 ? errno : 0;
			break;
		default: /* files of every kind; fts_info is no enum */
			code = unlink(e->fts_accpath) < 0 ? errno : 0;
			break;
		}
		if (code && code != ENOENT)
			return err_sys(err, -code, "cannot remove '%s'", str_escape(e->fts_path));
	}
	if (errno)
		return err_sys(err, -errno, "cannot remove '%s'", str_escape(path));
	return 0;
}

int dir_temp(const char *prefix, char **path, struct err *err)
{
	char *name __free(ptr) = xstrfmt("%sXXXXXX", prefix);

	if (!mkdtemp(name))
		return err_sys(err, -errno, "cannot make a temporary folder '%s'",
			       str_escape(name));
	*path = no_free_ptr(name);
	return 0;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), n = suffix ? strlen(suffix) : 0;

	return len >= n && (!n || strcmp(name + len - n, suffix) == 0);
}

int dir_list(const char *path, const char *suffix, struct strvec *names, struct err *err)
{
	struct strvec found __release(strvec) = STRVEC_INIT;
	DIR *dir __free(dir) = opendir(path);
	struct dirent *e;

	if (!dir)
		return err_sys(err, -errno, "cannot open folder '%s'", str_escape(path));
	for (errno = 0; (e = readdir(dir)); errno = 0) {
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
		    has_suffix(e->d_name, suffix))
			strvec_push(&found, e->d_name);
	}
	if (errno)
		return err_sys(err, -errno, "cannot read folder '%s'", str_escape(path));
	strvec_sort(&found);
	strvec_pushv(names, found.v);
	return 0;
}

int dir_walk(const char *path, const char *suffix, struct strvec *names, struct err *err)
{
	struct strvec found __release(strvec) = STRVEC_INIT;
	char *roots[] = { (char *)path, NULL };
	FTS *fts __free(fts) = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	FTSENT *e;

	if (!fts)
		return err_sys(err, -errno, "cannot walk folder '%s'", str_escape(path));
	for (errno = 0; (e = fts_read(fts)); errno = 0) {
		const char *rel = e->fts_path + strlen(path);

		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS)
			return err_sys(err, -e->fts_errno, "cannot read '%s'",
				       str_escape(e->fts_path));
		if (e->fts_level == FTS_ROOTLEVEL && e->fts_info != FTS_D && e->fts_info != FTS_DP)
			return err_sys(err, -ENOTDIR, "cannot walk '%s'", str_escape(path));
		if (e->fts_info == FTS_F && has_suffix(e->fts_name, suffix))
			strvec_push(&found, rel + strspn(rel, "/"));
	}
	if (errno)
		return err_sys(err, -errno, "cannot walk folder '%s'", str_escape(path));
	strvec_sort(&found);
	strvec_pushv(names, found.v);
	return 0;
}
