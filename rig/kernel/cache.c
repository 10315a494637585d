/* SPDX-License-Identifier: GPL-2.0-only */
/* Trees of the kernel cache: making, naming, loading. */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "kernel/cache.h"
#include "kernel/kernel.h"

#define TREE_FORMAT  1
#define DOCUMENT     "complete.json"
#define DOCUMENT_MAX 65536
#define NEW_PREFIX   "new-"

DEFINE_FREE(json, json_t *, json_decref(_T))

int kernel_cache_open(struct kernel_cache *c, const char *cache_dir, struct err *err)
{
	static const char *const folders[] = { "debs", "trees", "resolved" };
	char *real __free(ptr) = NULL;
	int ret = 0;

	c->dir = path_join(cache_dir, "kernels");
	for (size_t i = 0; ret == 0 && i < ARRAY_SIZE(folders); i++) {
		char *path __free(ptr) = path_join(c->dir, folders[i]);

		ret = dir_make(path, err);
	}
	if (ret < 0)
		return ret;
	/* Absolute: QEMU may run in another folder. */
	real = realpath(c->dir, NULL);
	if (!real)
		return err_sys(err, -errno, "cannot resolve '%s'", str_escape(c->dir));
	free(c->dir);
	c->dir = no_free_ptr(real);
	return 0;
}

void kernel_cache_unlock(struct kernel_cache *c)
{
	if (c->lock_fd >= 0)
		close(c->lock_fd);
	c->lock_fd = -1;
}

void kernel_cache_release(struct kernel_cache *c)
{
	free(c->dir);
	kernel_cache_unlock(c);
	*c = (struct kernel_cache)KERNEL_CACHE_INIT;
}

int kernel_cache_lock(struct kernel_cache *c, struct err *err)
{
	struct deadline d = deadline_in("the lock of the kernel cache", 1800 * NS_PER_S);
	struct strvec names __release(strvec) = STRVEC_INIT;
	char *path __free(ptr) = path_join(c->dir, "lock");
	int ret;

	if (c->lock_fd >= 0)
		return 0;
	ret = file_lock(path, &d, err);
	if (ret < 0)
		return ret;
	c->lock_fd = ret;
	ret = dir_list(c->dir, NULL, &names, err);
	strvec_each(name, &names) {
		char *stale __free(ptr) = path_join(c->dir, *name);

		if (ret == 0 && !strncmp(*name, NEW_PREFIX, strlen(NEW_PREFIX)))
			ret = dir_remove(stale, err);
	}
	return ret;
}

char *kernel_cache_tree(const struct kernel_cache *c, const char *key)
{
	return xstrfmt("%s/trees/%s", c->dir, key);
}

int kernel_cache_new(const struct kernel_cache *c, char **dir, struct err *err)
{
	char *prefix __free(ptr) = path_join(c->dir, NEW_PREFIX);

	BUG_ON(c->lock_fd < 0);
	return dir_temp(prefix, dir, err);
}

/* Note the SHA-256 of dir/name under its name, if there is such a file. */
static int describe_file(json_t *doc, const char *dir, const char *name, struct err *err)
{
	char *path __free(ptr) = path_join(dir, name);
	char hex[HASH_HEX];
	int ret;

	if (!path_is_file(path))
		return 0;
	ret = hash_file(path, hex, err);
	if (ret == 0)
		json_object_set_new(doc, name, json_string(hex));
	return ret;
}

static char *modules_path(const char *dir, const char *release)
{
	return xstrfmt("%s/lib/modules/%s", dir, release);
}

static int describe_tree(const char *dir, const char *release, const char *package, struct err *err)
{
	json_t *doc __free(json) = json_object();
	char *modules __free(ptr) = modules_path(dir, release);
	char *path __free(ptr) = path_join(dir, DOCUMENT);
	char *text __free(ptr) = NULL;
	int ret = describe_file(doc, dir, "vmlinuz", err);

	if (ret == 0)
		ret = describe_file(doc, dir, "vmlinux", err);
	if (ret == 0)
		ret = describe_file(doc, dir, "config", err);
	if (ret < 0)
		return ret;
	json_object_set_new(doc, "format", json_integer(TREE_FORMAT));
	json_object_set_new(doc, "release", json_string(release));
	json_object_set_new(doc, "modules", json_boolean(*release && path_is_dir(modules)));
	if (package)
		json_object_set_new(doc, "package", json_string(package));
	text = json_dumps(doc, JSON_INDENT(1) | JSON_SORT_KEYS);
	if (!text)
		return err_set(err, -EILSEQ, "cannot describe the kernel in '%s'", str_escape(dir));
	return file_write_atomic(path, text, strlen(text), 0644, err);
}

int kernel_cache_publish(const struct kernel_cache *c, const char *dir, const char *key,
			 const char *release, const char *package, struct err *err)
{
	char *tree __free(ptr) = kernel_cache_tree(c, key);
	int ret = describe_tree(dir, release, package, err);

	BUG_ON(c->lock_fd < 0);
	/* One that is there was found incomplete, else nobody would have made it again. */
	if (ret == 0)
		ret = dir_remove(tree, err);
	if (ret == 0 && rename(dir, tree) < 0)
		ret = err_sys(err, -errno, "cannot move '%s' to '%s'", str_escape(dir),
			      str_escape(tree));
	return ret;
}

static json_t *load_document(const char *dir)
{
	char *path __free(ptr) = path_join(dir, DOCUMENT);
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct err ignored = ERR_INIT;
	json_t *doc;

	if (file_read(path, DOCUMENT_MAX, &sb, &ignored) < 0)
		return NULL;
	doc = json_loadb(sb.buf, sb.len, 0, NULL);
	if (json_integer_value(json_object_get(doc, "format")) != TREE_FORMAT) {
		json_decref(doc);
		return NULL;
	}
	return doc;
}

/* False if the document names a file that is not there. */
static bool load_file(const json_t *doc, const char *dir, const char *name, char **path,
		      char hex[HASH_HEX])
{
	const char *hash = json_string_value(json_object_get(doc, name));

	if (!hash)
		return true;
	*path = path_join(dir, name);
	snprintf(hex, HASH_HEX, "%s", hash);
	return path_is_file(*path);
}

static bool load_modules(const json_t *doc, const char *dir, struct kernel *k)
{
	char *index __free(ptr) = NULL;

	if (!json_is_true(json_object_get(doc, "modules")))
		return true;
	k->modules_dir = modules_path(dir, k->release);
	index = path_join(k->modules_dir, "modules.dep.bin");
	return path_is_file(index);
}

bool kernel_cache_load(const struct kernel_cache *c, const char *key, struct kernel *k)
{
	char *dir __free(ptr) = kernel_cache_tree(c, key);
	struct kernel found __release(kernel) = KERNEL_INIT;
	json_t *doc __free(json) = load_document(dir);
	const char *release = json_string_value(json_object_get(doc, "release"));
	const char *package = json_string_value(json_object_get(doc, "package"));
	char bzimage_sha256[HASH_HEX] = "";

	if (!doc || !release)
		return false;
	found.release = xstrdup(release);
	if (!load_file(doc, dir, "vmlinuz", &found.bzimage, bzimage_sha256) ||
	    !load_file(doc, dir, "vmlinux", &found.vmlinux, found.image_sha256) ||
	    !load_file(doc, dir, "config", &found.config, found.config_sha256) ||
	    !load_modules(doc, dir, &found))
		return false;
	if (!found.vmlinux)
		memcpy(found.image_sha256, bzimage_sha256, HASH_HEX);
	if (found.vmlinux || found.bzimage)
		found.image = xstrdup(found.vmlinux ? found.vmlinux : found.bzimage);
	if (package)
		found.package = xstrdup(package);
	found.name = no_free_ptr(k->name);
	found.title = no_free_ptr(k->title);
	found.cmdline = no_free_ptr(k->cmdline);
	kernel_release(k);
	*k = found;
	found = (struct kernel)KERNEL_INIT;
	return true;
}
