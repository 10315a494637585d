/* SPDX-License-Identifier: GPL-2.0-only */
/* Private object stores beside the user's repositories. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "source/source_list.h"
#include "source/source_run.h"
#include "source/source_store.h"

#define ATTRIBUTES "* -text -crlf -ident -filter -working-tree-encoding\n"

void source_store_release(struct source_store *st)
{
	free(st->dir);
	free(st->user_git);
	if (st->lock_fd >= 0)
		close(st->lock_fd);
	*st = (struct source_store)SOURCE_STORE_INIT;
}

/* A path that the user's git tells of itself, absolute. */
static int user_path(const char *user_git, const char *const *args, char **path, struct err *err)
{
	const struct git g = { .dir = user_git };
	char *said __free(ptr) = NULL;
	char *whole __free(ptr) = NULL;
	int ret = git_line(&g, args, &said, err);

	if (ret < 0)
		return ret;
	/* git ran in the root folder. */
	whole = path_join(*said == '/' ? "" : "/", said);
	*path = realpath(whole, NULL);
	return *path ? 0 : err_sys(err, -errno, "cannot resolve '%s'", str_escape(whole));
}

static int write_info(const char *dir, const char *name, const char *text, struct err *err)
{
	char *path __free(ptr) = path_join(dir, name);
	char *folder __free(ptr) = xstrndup(path, (size_t)(path_base(path) - path));
	int ret = dir_make(folder, err);

	return ret < 0 ? ret : file_write_atomic(path, text, strlen(text), 0644, err);
}

/* Let the store see the user's objects. They may have moved since the last time. */
static int borrow(const struct source_store *st, struct err *err)
{
	const char *const args[] = { "rev-parse", "--git-path", "objects", NULL };
	char *objects __free(ptr) = NULL;
	char *line __free(ptr) = NULL;
	int ret;

	if (!st->user_git)
		return 0;
	ret = user_path(st->user_git, args, &objects, err);
	if (ret < 0)
		return ret;
	if (strchr(objects, '\n'))
		return err_input(err, "the path '%s' has a line break", str_escape(objects));
	line = xstrfmt("%s\n", objects);
	return write_info(st->dir, "objects/info/alternates", line, err);
}

static int make_store(const struct source_store *st, struct err *err)
{
	const char *const args[] = { "rev-parse", "--show-object-format", NULL };
	char *fresh __free(ptr) = xstrfmt("%s.new", st->dir);
	char *format __free(ptr) = NULL;
	char *option __free(ptr) = NULL;
	const struct git user = { .dir = st->user_git }, g = { .dir = fresh };
	int ret = st->user_git ? git_line(&user, args, &format, err) : 0;

	if (ret < 0)
		return ret;
	option = xstrfmt("--object-format=%s", format ? format : "sha1");
	ret = dir_remove(fresh, err);
	if (ret == 0)
		ret = dir_make(fresh, err);
	if (ret == 0)
		ret = git_call(&g, NULL, NULL, err, "init", "--quiet", "--bare", "--template=",
			       option);
	if (ret == 0)
		ret = write_info(fresh, "info/attributes", ATTRIBUTES, err);
	if (ret == 0 && rename(fresh, st->dir) < 0)
		ret = err_sys(err, -errno, "cannot move '%s' to '%s'", str_escape(fresh),
			      str_escape(st->dir));
	return ret;
}

int source_store_open(struct source_store *st, const char *kernels_dir, const char *user_git,
		      const char *tree, struct err *err)
{
	struct deadline d = deadline_in("the lock of a git store", 1800 * NS_PER_S);
	const char *const args[] = { "rev-parse", "--git-common-dir", NULL };
	char *folder __free(ptr) = path_join(kernels_dir, "git");
	char *common __free(ptr) = NULL;
	char *lock __free(ptr) = NULL;
	struct hash h;
	int ret = user_git ? user_path(user_git, args, &common, err) : 0;

	if (ret == 0)
		ret = dir_make(folder, err);
	if (ret < 0)
		return ret;
	hash_init(&h);
	hash_add_str(&h, common ? "repository" : "tree");
	hash_add_str(&h, common ? common : tree);
	hash_hex(&h, st->line);
	st->user_git = user_git ? xstrdup(user_git) : NULL;
	st->dir = path_join(folder, st->line);
	lock = xstrfmt("%s.lock", st->dir);
	st->lock_fd = file_lock(lock, &d, err);
	if (st->lock_fd < 0)
		return st->lock_fd;
	if (!path_is_dir(st->dir))
		ret = make_store(st, err);
	return ret < 0 ? ret : borrow(st, err);
}

/* What is in a and not in b; both are sorted. */
static void subtract(const struct strvec *a, const struct strvec *b, struct strvec *rest)
{
	size_t j = 0;

	for (size_t i = 0; i < a->n; i++) {
		while (j < b->n && strcmp(b->v[j], a->v[i]) < 0)
			j++;
		if (j == b->n || strcmp(b->v[j], a->v[i]) != 0)
			strvec_push(rest, a->v[i]);
	}
}

static int index_names(const struct git *g, struct strvec *names, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	int ret = git_call(g, NULL, &out, err, "ls-files", "-z");

	for (size_t at = 0; ret == 0 && at < out.len; at += strlen(out.buf + at) + 1)
		strvec_push(names, out.buf + at);
	strvec_sort(names);
	return ret;
}

static int take_names(const struct git *g, const struct strvec *names, char **oid,
		      struct err *err)
{
	const char *const write_tree[] = { "write-tree", NULL };
	struct strvec had __release(strvec) = STRVEC_INIT;
	struct strvec gone __release(strvec) = STRVEC_INIT;
	int ret = index_names(g, &had, err);

	if (ret < 0)
		return ret;
	subtract(&had, names, &gone);
	if (gone.n)
		ret = git_call(g, &gone, NULL, err, "update-index", "-z", "--force-remove",
			       "--stdin");
	if (ret == 0)
		ret = git_call(g, names, NULL, err, "update-index", "-z", "--add", "--remove",
			       "--replace", "--stdin");
	if (ret == 0)
		ret = git_line(g, write_tree, oid, err);
	/* An index that knows a file's object does not ask whether that is still there. */
	return ret < 0 ? ret : git_call(g, NULL, NULL, err, "rev-list", "--objects", "--quiet",
					*oid);
}

int source_store_snapshot(const struct source_store *st, const char *tree, char **oid,
			  struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	char hex[HASH_HEX];
	char *index __free(ptr) = NULL;
	char *lock __free(ptr) = NULL;
	struct err first = ERR_INIT;
	struct git g = { .dir = st->dir, .work_tree = tree };
	int ret = source_list(tree, st->dir, &names, err);

	if (ret < 0)
		return ret;
	hash_mem(tree, strlen(tree), hex);
	index = xstrfmt("%s/index-%.16s", st->dir, hex);
	lock = xstrfmt("%s.lock", index);
	g.index = index;
	/* We hold the store's lock: this one was left by a git that was killed. */
	unlink(lock);
	ret = take_names(&g, &names, oid, &first);
	if (ret == 0)
		return 0;
	if (ret != -EINTR) {
		/* It may be damaged, or name borrowed objects that their owner has thrown away. */
		free(*oid);
		*oid = NULL;
		unlink(index);
		unlink(lock);
		return take_names(&g, &names, oid, err);
	}
	*err = first;
	return ret;
}
