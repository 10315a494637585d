/* SPDX-License-Identifier: GPL-2.0-only */
/* A kernel given as a file: bzImage or vmlinux. */
#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "kernel/bzimage.h"
#include "kernel/cache.h"
#include "kernel/identify.h"
#include "kernel/kernel.h"
#include "kernel/source.h"

static int from_vmlinux(struct kernel *k, const char *path, struct err *err)
{
	struct vmlinux v;
	int ret = vmlinux_read(&v, path, err);

	if (ret < 0)
		return ret;
	if (!v.release[0])
		return err_input(err, "'%s' is an ELF for x86-64, but no Linux kernel",
				 str_escape(path));
	if (!v.pvh)
		return err_input(err,
				 "'%s' is a vmlinux built without CONFIG_PVH, which QEMU "
				 "cannot boot: give its bzImage",
				 str_escape(path));
	k->vmlinux = xstrdup(path);
	k->image = xstrdup(path);
	k->release = xstrdup(v.release);
	return hash_file(path, k->image_sha256, err);
}

/* Make a tree that holds the vmlinux, if the bzImage has one that can be booted by PVH. */
static int unpack_bzimage(const struct kernel_cache *c, const char *path, const char *key,
			  struct err *err)
{
	char *dir __free(ptr) = NULL;
	char *vmlinux __free(ptr) = NULL;
	struct err ignored = ERR_INIT;
	struct bzimage bz;
	struct vmlinux v = { .pvh = false };
	int ret = kernel_cache_new(c, &dir, err);

	if (ret < 0)
		return ret;
	progress("unpacking %s", path_base(path));
	vmlinux = path_join(dir, "vmlinux");
	ret = bzimage_extract(path, vmlinux, &bz, err);
	if (ret == 0)
		ret = vmlinux_read(&v, vmlinux, err);
	else if (ret == -EOPNOTSUPP)
		ret = 0;
	if (ret == 0 && !v.pvh)
		unlink(vmlinux);
	if (ret == 0)
		ret = kernel_cache_publish(c, dir, key, bz.release, NULL, err);
	if (ret < 0)
		dir_remove(dir, &ignored);
	return ret;
}

static int from_bzimage(struct kernel *k, const char *path, const char *cache_dir, struct err *err)
{
	struct kernel_cache c __release(kernel_cache) = KERNEL_CACHE_INIT;
	char sha256[HASH_HEX], key[HASH_HEX];
	struct hash h;
	int ret = kernel_cache_open(&c, cache_dir, err);

	if (ret == 0)
		ret = hash_file(path, sha256, err);
	if (ret < 0)
		return ret;
	hash_init(&h);
	hash_add_str(&h, "bzimage");
	hash_add_str(&h, sha256);
	hash_hex(&h, key);
	if (!kernel_cache_load(&c, key, k)) {
		ret = kernel_cache_lock(&c, err);
		if (ret == 0 && !kernel_cache_load(&c, key, k))
			ret = unpack_bzimage(&c, path, key, err);
		if (ret == 0 && !k->release && !kernel_cache_load(&c, key, k))
			ret = err_set(err, -EIO, "the kernel cache '%s' lost what was just put in",
				      str_escape(c.dir));
	}
	if (ret < 0)
		return ret;
	k->bzimage = xstrdup(path);
	if (!k->image) {
		k->image = xstrdup(path);
		memcpy(k->image_sha256, sha256, HASH_HEX);
	}
	return 0;
}

/* Take the modules tree if it has what libkmod needs. */
static int use_modules(struct kernel *k, const char *modules, struct err *err)
{
	char *index __free(ptr) = path_join(modules, "modules.dep.bin");

	if (!path_is_file(index))
		return err_input(err,
				 "the modules in '%s' have no modules.dep.bin: run depmod (with "
				 "-b for a folder other than /lib/modules)",
				 str_escape(modules));
	k->modules_dir = realpath(modules, NULL);
	if (!k->modules_dir)
		return err_sys(err, -errno, "cannot resolve '%s'", str_escape(modules));
	return 0;
}

static int find_modules(struct kernel *k, const char *path, const char *modules, struct err *err)
{
	char *beside __free(ptr) =
		xstrfmt("%.*s../lib/modules/%s", (int)(path_base(path) - path), path, k->release);

	if (modules && !path_is_dir(modules))
		return err_input(err, "the modules tree '%s' is no folder", str_escape(modules));
	if (modules)
		return use_modules(k, modules, err);
	if (*k->release && path_is_dir(beside))
		return use_modules(k, beside, err);
	return 0;
}

static int find_config(struct kernel *k, const char *path, struct err *err)
{
	static const char build[] = "arch/x86/boot/";
	int dir_len = (int)(path_base(path) - path);
	char *config __free(ptr) = xstrfmt("%.*sconfig-%s", dir_len, path, k->release);
	size_t build_len = sizeof(build) - 1;

	if (!path_is_file(config) && (size_t)dir_len > build_len &&
	    !strncmp(path + dir_len - build_len, build, build_len)) {
		free(config);
		config = xstrfmt("%.*s.config", dir_len - (int)build_len, path);
	}
	if (!path_is_file(config))
		return 0;
	k->config = no_free_ptr(config);
	return hash_file(k->config, k->config_sha256, err);
}

int kernel_from_file(struct kernel *k, const char *path, const char *modules, const char *cache_dir,
		     struct err *err)
{
	char *real __free(ptr) = NULL;
	enum kernel_file what;
	int ret;

	if (path_is_dir(path))
		return err_input(err,
				 "'%s' is a folder: give the kernel in it, such as "
				 "arch/x86/boot/bzImage",
				 str_escape(path));
	ret = kernel_identify(path, &what, err);
	if (ret < 0)
		return ret;
	real = realpath(path, NULL);
	if (!real)
		return err_sys(err, -errno, "cannot resolve '%s'", str_escape(path));
	switch (what) {
	case KERNEL_FILE_BZIMAGE:
		ret = from_bzimage(k, real, cache_dir, err);
		break;
	case KERNEL_FILE_VMLINUX:
		ret = from_vmlinux(k, real, err);
		break;
	}
	if (ret == 0)
		ret = find_modules(k, real, modules, err);
	return ret < 0 ? ret : find_config(k, real, err);
}
