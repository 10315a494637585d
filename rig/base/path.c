/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths, and the places where the program's own files live. */
#include "base/file.h"

#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"

bool path_is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool path_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool path_disk_full(const char *path)
{
	struct statvfs st;

	return statvfs(path, &st) == 0 && (uint64_t)st.f_bavail * st.f_frsize < (1 << 20);
}

char *path_join(const char *a, const char *b)
{
	size_t len = strlen(a);

	return xstrfmt("%s%s%s", a, len && a[len - 1] != '/' ? "/" : "", b);
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The value of an environment variable; NULL if it is unset or empty. */
static const char *env_get(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* Where the cache is; NULL if the environment does not tell. */
static char *cache_place(void)
{
	const char *own = env_get("IORIG_CACHE");
	const char *xdg = env_get("XDG_CACHE_HOME");
	const char *home = env_get("HOME");

	if (own)
		return xstrdup(own);
	/* the XDG base directory specification wants a relative path ignored */
	if (xdg && *xdg == '/')
		return path_join(xdg, "iorig");
	return home ? path_join(home, ".cache/iorig") : NULL;
}

int path_cache(char **path, struct err *err)
{
	char *place __free(ptr) = cache_place();
	int ret;

	if (!place)
		return err_set(err, -ENOENT,
			       "no place for the cache: IORIG_CACHE, XDG_CACHE_HOME and HOME "
			       "are not set");
	ret = dir_make(place, err);
	if (ret < 0)
		return err_wrap(err, "no cache");
	*path = no_free_ptr(place);
	return 0;
}

/* The folder that a path stands in, in a fresh string. */
static char *folder_of(const char *path)
{
	char *copy __free(ptr) = xstrdup(path);

	return xstrdup(dirname(copy));
}

/* The folder that the running binary stands in. */
static int exe_folder(char **path, struct err *err)
{
	char exe[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (len < 0)
		return err_sys(err, -errno, "cannot read '/proc/self/exe'");
	exe[len] = '\0';
	*path = folder_of(exe);
	return 0;
}

static bool is_source_tree(const char *dir)
{
	char *images __free(ptr) = path_join(dir, "images");
	char *cases __free(ptr) = path_join(dir, "cases");

	return path_is_dir(images) && path_is_dir(cases);
}

/* A kind of files of ours, and where it is found. */
struct place {
	const char *what;      /* for messages */
	const char *variable;  /* of the environment, overrides the rest */
	bool built;	       /* in a source tree: beside the binary, else in its root */
	const char *installed; /* below the PREFIX of PREFIX/bin/iorig */
};

static int place_find(const struct place *place, char **path, struct err *err)
{
	char *folder __free(ptr) = NULL, *root __free(ptr) = NULL, *installed __free(ptr) = NULL;
	const char *value = env_get(place->variable);
	int ret;

	if (value && !path_is_dir(value))
		return err_input(err, "no folder '%s', which %s names", str_escape(value),
				 place->variable);
	if (value) {
		*path = xstrdup(value);
		return 0;
	}
	ret = exe_folder(&folder, err);
	if (ret < 0)
		return ret;
	root = folder_of(folder);
	installed = path_join(root, place->installed);
	if (is_source_tree(root))
		*path = place->built ? no_free_ptr(folder) : no_free_ptr(root);
	else if (path_is_dir(installed))
		*path = no_free_ptr(installed);
	else
		return err_set(err, -ENOENT,
			       "no %s folder: looked for a source tree with images/ and cases/ "
			       "in '%s', and for '%s'; %s can name it",
			       place->what, str_escape(root), str_escape(installed),
			       place->variable);
	return 0;
}

int path_data(char **path, struct err *err)
{
	static const struct place data = {
		.what = "data",
		.variable = "IORIG_DATA",
		.installed = "share/iorig",
	};

	return place_find(&data, path, err);
}

int path_lib(char **path, struct err *err)
{
	static const struct place lib = {
		.what = "library",
		.variable = "IORIG_LIB",
		.built = true,
		.installed = "lib/iorig",
	};

	return place_find(&lib, path, err);
}
