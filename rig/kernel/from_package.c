/* SPDX-License-Identifier: GPL-2.0-only */
/* A kernel out of Debian packages: ask apt, fetch, unpack, index, take the vmlinux out. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/tool.h"
#include "kernel/apt.h"
#include "kernel/bzimage.h"
#include "kernel/cache.h"
#include "kernel/deb.h"
#include "kernel/kernel.h"
#include "kernel/resolved.h"
#include "kernel/source.h"

/* Part of a tree's key: raise it when trees are made in another way than before. */
#define TREE_RECIPE "packages 1"
#define PARTS_MAX   12

struct part_list {
	struct apt_package *parts;
	size_t n;
};

static void part_list_release(struct part_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		apt_package_release(&list->parts[i]);
	free(list->parts);
	list->parts = NULL;
	list->n = 0;
}

static bool part_list_has(const struct part_list *list, const char *wanted)
{
	for (size_t i = 0; i < list->n; i++) {
		size_t len = strlen(list->parts[i].name);

		if (!strncmp(list->parts[i].name, wanted, len) &&
		    (wanted[len] == '\0' || wanted[len] == '='))
			return true;
	}
	return false;
}

/* The package and the parts of a kernel that it and they depend on. */
static int ask_apt(struct part_list *list, const char *package, struct err *err)
{
	struct strvec todo __release(strvec) = STRVEC_INIT;

	strvec_push(&todo, package);
	for (size_t i = 0; i < todo.n; i++) {
		struct apt_package *p;
		int ret;

		if (part_list_has(list, todo.v[i]))
			continue;
		if (list->n == PARTS_MAX)
			return err_unable(err,
					  "the package '%s' depends on more than %d parts of "
					  "kernels",
					  package, PARTS_MAX);
		p = array_grow(list->parts, list->n);
		*p = (struct apt_package)APT_PACKAGE_INIT;
		ret = apt_show(p, NULL, todo.v[i], err);
		if (ret == 0)
			strvec_pushv(&todo, p->parts.v);
		/* A part of the list always has a name. */
		if (!p->name)
			list->n--;
		if (ret < 0)
			return ret;
	}
	return 0;
}

static void tree_key(const struct part_list *list, char key[HASH_HEX])
{
	struct hash h;

	hash_init(&h);
	hash_add_str(&h, TREE_RECIPE);
	for (size_t i = 0; i < list->n; i++)
		hash_add_str(&h, list->parts[i].sha256);
	hash_hex(&h, key);
}

/* The package's file in debs/, fetched unless it is there and intact. */
static int fetch(const struct kernel_cache *c, const struct apt_package *p, char **deb,
		 struct err *err)
{
	char *path __free(ptr) = xstrfmt("%s/debs/%s.deb", c->dir, p->sha256);
	char *fetched __free(ptr) = NULL;
	char *dir __free(ptr) = NULL;
	struct err ignored = ERR_INIT;
	char hex[HASH_HEX];
	int ret = 0;

	if (hash_file(path, hex, &ignored) < 0 || strcmp(hex, p->sha256) != 0) {
		ret = kernel_cache_new(c, &dir, err);
		if (ret < 0)
			return ret;
		ret = apt_download(p, NULL, dir, &fetched, err);
		if (ret == 0 && rename(fetched, path) < 0)
			ret = err_sys(err, -errno, "cannot move '%s' to '%s'", str_escape(fetched),
				      str_escape(path));
		dir_remove(dir, &ignored);
	}
	if (ret == 0)
		*deb = no_free_ptr(path);
	return ret;
}

static bool release_ok(const char *s)
{
	if (!isalnum((unsigned char)*s))
		return false;
	for (; *s; s++) {
		if (!isalnum((unsigned char)*s) && !strchr("+.-_~", *s))
			return false;
	}
	return true;
}

/* Which package's name says it: boot/vmlinuz-RELEASE. */
static int find_release(const char *dir, char **release, struct err *err)
{
	static const char prefix[] = "vmlinuz-";
	char *boot __free(ptr) = path_join(dir, "boot");
	struct strvec names __release(strvec) = STRVEC_INIT;
	int ret = path_is_dir(boot) ? dir_list(boot, NULL, &names, err) : 0;

	if (ret < 0)
		return ret;
	*release = NULL;
	strvec_each(name, &names) {
		const char *rest = *name + sizeof(prefix) - 1;

		if (strncmp(*name, prefix, sizeof(prefix) - 1) != 0 || !release_ok(rest))
			continue;
		if (*release)
			return err_unable(err, "the package holds more than one kernel");
		*release = xstrdup(rest);
	}
	return *release ? 0 : err_unable(err, "the package holds no kernel in boot/");
}

static int move_boot_file(const char *dir, const char *what, const char *release, struct err *err)
{
	char *from __free(ptr) = xstrfmt("%s/boot/%s-%s", dir, what, release);
	char *to __free(ptr) = path_join(dir, what);

	if (rename(from, to) == 0 || (errno == ENOENT && !strcmp(what, "config")))
		return 0;
	return err_sys(err, -errno, "cannot move '%s' to '%s'", str_escape(from), str_escape(to));
}

static int run_depmod(const char *dir, const char *release, struct err *err)
{
	struct deadline d = deadline_in("depmod", 300 * NS_PER_S);
	struct proc proc __release(proc) = PROC_INIT;
	char *modules __free(ptr) = xstrfmt("%s/lib/modules/%s", dir, release);
	char *usr __free(ptr) = path_join(dir, "usr");
	char *program __free(ptr) = NULL;
	int ret;

	if (!path_is_dir(modules))
		return 0;
	ret = tool_find("depmod", "kmod", &program, err);
	if (ret < 0)
		return ret;
	/* A depmod may look in lib/modules or in usr/lib/modules: let both be the same. */
	if (symlink(".", usr) < 0)
		return err_sys(err, -errno, "cannot link '%s'", str_escape(usr));
	/* Without the host's depmod.d, which is about the host's modules. */
	strvec_pushl(&proc.argv, program, "-C", "/dev/null", "-b", dir, release, NULL);
	return proc_capture(&proc, &d, 1 << 20, NULL, NULL, err);
}

/* Put vmlinux beside vmlinuz if it can be booted by PVH. */
static int extract_vmlinux(const char *dir, struct err *err)
{
	char *vmlinuz __free(ptr) = path_join(dir, "vmlinuz");
	char *path __free(ptr) = path_join(dir, "vmlinux");
	struct vmlinux v = { .pvh = false };
	struct bzimage bz;
	int ret = bzimage_extract(vmlinuz, path, &bz, err);

	if (ret == -EOPNOTSUPP)
		return 0;
	if (ret == 0)
		ret = vmlinux_read(&v, path, err);
	if (ret == 0 && !v.pvh && unlink(path) < 0)
		ret = err_sys(err, -errno, "cannot remove '%s'", str_escape(path));
	return ret;
}

static int finish_tree(const char *dir, const char *release, struct err *err)
{
	char *boot __free(ptr) = path_join(dir, "boot");
	int ret = move_boot_file(dir, "vmlinuz", release, err);

	if (ret == 0)
		ret = move_boot_file(dir, "config", release, err);
	if (ret == 0)
		ret = dir_remove(boot, err);
	if (ret == 0)
		ret = extract_vmlinux(dir, err);
	return ret < 0 ? ret : run_depmod(dir, release, err);
}

static int fill_tree(const struct kernel_cache *c, const struct part_list *list, const char *dir,
		     char **release, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < list->n; i++) {
		const struct apt_package *p = &list->parts[i];
		char *deb __free(ptr) = NULL;

		ret = fetch(c, p, &deb, err);
		/* One that only points to others is empty: nothing to tell. */
		if (ret == 0 && p->parts.n == 0)
			progress("unpacking %s", p->name);
		if (ret == 0)
			ret = deb_unpack(deb, dir, err);
	}
	if (ret == 0)
		ret = find_release(dir, release, err);
	return ret < 0 ? ret : finish_tree(dir, *release, err);
}

/* "NAME VERSION" of the first package that is named after the release, else of the first. */
static char *package_text(const struct part_list *list, const char *release)
{
	const struct apt_package *p = &list->parts[0];

	for (size_t i = list->n; i-- > 0;) {
		if (strstr(list->parts[i].name, release))
			p = &list->parts[i];
	}
	return xstrfmt("%s %s", p->name, p->version);
}

static int make_tree(const struct kernel_cache *c, const struct part_list *list, const char *key,
		     struct err *err)
{
	char *dir __free(ptr) = NULL;
	char *release __free(ptr) = NULL;
	char *package __free(ptr) = NULL;
	struct err ignored = ERR_INIT;
	int ret = kernel_cache_new(c, &dir, err);

	if (ret < 0)
		return ret;
	ret = fill_tree(c, list, dir, &release, err);
	if (ret == 0) {
		package = package_text(list, release);
		ret = kernel_cache_publish(c, dir, key, release, package, err);
	}
	if (ret < 0)
		dir_remove(dir, &ignored);
	return ret;
}

/* Ask apt, and have the tree that it names. */
static int resolve(struct kernel_cache *c, const char *package, struct resolved *r,
		   struct kernel *k, struct err *err)
{
	struct part_list list __release(part_list) = { .n = 0 };
	bool loaded;
	int ret = ask_apt(&list, package, err);

	if (ret < 0)
		return ret;
	tree_key(&list, r->key);
	loaded = kernel_cache_load(c, r->key, k);
	if (!loaded) {
		ret = kernel_cache_lock(c, err);
		loaded = ret == 0 && kernel_cache_load(c, r->key, k);
	}
	if (ret == 0 && !loaded) {
		ret = make_tree(c, &list, r->key, err);
		loaded = ret == 0 && kernel_cache_load(c, r->key, k);
		if (ret == 0 && !loaded)
			ret = err_set(err, -EIO, "the kernel cache '%s' lost what was just put in",
				      str_escape(c->dir));
	}
	return ret < 0 ? ret : resolved_save(r, c, package, err);
}

int kernel_from_package(struct kernel *k, const char *package, const char *cache_dir,
			struct err *err)
{
	struct kernel_cache c __release(kernel_cache) = KERNEL_CACHE_INIT;
	struct resolved last, now = { .key = "" };
	struct err apt_err = ERR_INIT;
	int ret = kernel_cache_open(&c, cache_dir, err);

	if (ret < 0)
		return ret;
	apt_lists_stamp(now.lists);
	resolved_load(&last, &c, package);
	if (last.key[0] && now.lists[0] && !strcmp(now.lists, last.lists) &&
	    kernel_cache_load(&c, last.key, k))
		return 0;
	ret = resolve(&c, package, &now, k, &apt_err);
	if (ret == 0)
		return 0;
	if (apt_err.kind == ERR_UNABLE && last.key[0] && kernel_cache_load(&c, last.key, k)) {
		progress("%s; taking %s from the cache", apt_err.msg, k->package);
		return 0;
	}
	*err = apt_err;
	return ret;
}
