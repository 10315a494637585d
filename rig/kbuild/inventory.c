/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting and removing what is in the cache. */
#include "kbuild/inventory.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sig.h"
#include "base/strbuf.h"
#include "base/strvec.h"

#define DOCUMENT_MAX (1 << 20)

DEFINE_FREE(json, json_t *, json_decref(_T))
DEFINE_FREE(dir, DIR *, if (_T) closedir(_T))

static const struct {
	enum cache_kind kind;
	const char *folder;	/* below CACHE/kernels */
	bool each;		/* every entry is an item; else the whole folder is one */
} places[] = {
	{ CACHE_KERNEL, "trees", true },    { CACHE_BUILD, "builds", true },
	{ CACHE_SOURCE, "sources", true },  { CACHE_GIT, "git", true },
	{ CACHE_PACKAGE, "debs", true },    { CACHE_OTHER, "modules", false },
	{ CACHE_OTHER, "apt", false },	    { CACHE_OTHER, "logs", false },
};

static const char *const kind_names[CACHE_KINDS] = {
	[CACHE_KERNEL] = "kernel", [CACHE_BUILD] = "build",	[CACHE_SOURCE] = "source",
	[CACHE_GIT] = "git",	   [CACHE_PACKAGE] = "package", [CACHE_OTHER] = "other",
};

const char *cache_kind_name(enum cache_kind kind)
{
	return kind_names[kind];
}

int cache_kind_parse(const char *name)
{
	for (int i = 0; i < CACHE_KINDS; i++) {
		if (!strcmp(kind_names[i], name))
			return i;
	}
	return -1;
}

void inventory_release(struct inventory *inv)
{
	for (size_t i = 0; i < inv->n; i++) {
		free(inv->items[i].path);
		free(inv->items[i].label);
	}
	free(inv->items);
	*inv = (struct inventory)INVENTORY_INIT;
}

/* Blocks below the open folder, whose descriptor it takes. A kernel tree is not deep. */
static int64_t count_bytes(int fd, bool shared, int depth)
{
	DIR *dir __free(dir) = fdopendir(fd);
	struct dirent *d;
	int64_t bytes = 0;

	if (!dir) {
		close(fd);
		return 0;
	}
	while ((d = readdir(dir)) && !sig_stop_asked()) {
		struct stat st;

		if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, "..") ||
		    fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (S_ISDIR(st.st_mode) && depth < 64) {
			int sub = openat(dirfd(dir), d->d_name,
					 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

			bytes += sub < 0 ? 0 : count_bytes(sub, shared, depth + 1);
		} else if (shared || st.st_nlink == 1) {
			bytes += (int64_t)st.st_blocks * 512;
		}
	}
	return bytes;
}

static int64_t item_bytes(const struct cache_item *item, const struct stat *st)
{
	int fd;

	if (!S_ISDIR(st->st_mode))
		return (int64_t)st->st_blocks * 512;
	fd = open(item->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? 0 : count_bytes(fd, item->kind != CACHE_BUILD, 0);
}

static json_t *load(const char *dir, const char *name)
{
	char *path __free(ptr) = path_join(dir, name);
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct err ignored = ERR_INIT;

	if (file_read(path, DOCUMENT_MAX, &sb, &ignored) < 0)
		return NULL;
	return json_loadb(sb.buf, sb.len, 0, NULL);
}

static void add_text(struct strbuf *sb, const json_t *doc, const char *key)
{
	const char *text = json_string_value(json_object_get(doc, key));

	if (text && *text)
		strbuf_addf(sb, "%s%s", sb->len ? " " : "", str_escape(text));
}

/* What the folder's own documents say it is. */
static char *make_label(const struct cache_item *item)
{
	json_t *complete __free(json) = load(item->path, "complete.json");
	json_t *about __free(json) = load(item->path, "about.json");
	json_t *state __free(json) = load(item->path, "state.json");
	struct strbuf sb = STRBUF_INIT;
	size_t patches = json_array_size(json_object_get(about, "patches"));

	add_text(&sb, complete, "release");
	add_text(&sb, complete, "package");
	add_text(&sb, complete, "label");
	add_text(&sb, about, "source");
	add_text(&sb, state, "label");
	if (patches)
		strbuf_addf(&sb, " + %zu patch%s", patches, patches == 1 ? "" : "es");
	if (json_is_true(json_object_get(about, "debug_info")))
		strbuf_addstr(&sb, ", debug info");
	if (!sb.len)
		strbuf_addf(&sb, "%.40s", str_escape(path_base(item->path)));
	return strbuf_detach(&sb, NULL);
}

static void add_item(struct inventory *inv, enum cache_kind kind, const char *path)
{
	struct cache_item *item;
	struct stat st;

	if (lstat(path, &st) < 0)
		return;
	item = array_grow(inv->items, inv->n);
	item->kind = kind;
	item->path = xstrdup(path);
	item->used = st.st_mtim.tv_sec;
	item->bytes = item_bytes(item, &st);
	item->label = make_label(item);
}

static int compare(const void *a, const void *b)
{
	const struct cache_item *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->used != y->used)
		return x->used > y->used ? -1 : 1;
	return strcmp(x->path, y->path);
}

int inventory_read(struct inventory *inv, const char *cache_dir, struct err *err)
{
	for (size_t p = 0; p < ARRAY_SIZE(places); p++) {
		char *dir __free(ptr) = xstrfmt("%s/kernels/%s", cache_dir, places[p].folder);
		struct strvec names __release(strvec) = STRVEC_INIT;
		int ret;

		if (!path_is_dir(dir))
			continue;
		if (!places[p].each) {
			add_item(inv, places[p].kind, dir);
			continue;
		}
		ret = dir_list(dir, NULL, &names, err);
		if (ret < 0)
			return ret;
		strvec_each(name, &names) {
			char *path __free(ptr) = path_join(dir, *name);

			add_item(inv, places[p].kind, path);
		}
	}
	if (inv->n)
		qsort(inv->items, inv->n, sizeof(*inv->items), compare);
	return sig_stop_asked() ? err_interrupted(err) : 0;
}

int inventory_remove(const struct cache_item *item, const char *cache_dir, struct err *err)
{
	char *name __free(ptr) = item->kind == CACHE_BUILD
					 ? xstrfmt("locks/%s", path_base(item->path))
					 : xstrdup("lock");
	char *path __free(ptr) = xstrfmt("%s/kernels/%s", cache_dir, name);
	struct err busy = ERR_INIT;
	int ret, fd __free(fd) = file_lock(path, NULL, &busy);

	if (fd == -EWOULDBLOCK)
		return 0;
	/* A line that was never locked has nobody who builds it. */
	if (fd < 0 && fd != -ENOENT) {
		*err = busy;
		return fd;
	}
	ret = dir_remove(item->path, err);
	return ret < 0 ? ret : 1;
}

void inventory_touch(const char *path)
{
	utimensat(AT_FDCWD, path, NULL, 0);
}
