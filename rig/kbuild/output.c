/* SPDX-License-Identifier: GPL-2.0-only */
/* Taking a kernel out of its build folder. */
#include "kbuild/output.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/copy.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "patch/patchset.h"
#include "source/source.h"
#include "kernel/cache.h"
#include "kernel/vmlinux.h"

#define MODULES ".iorig-modules/lib/modules"

DEFINE_FREE(json, json_t *, json_decref(_T))

static int read_release(const char *tree, struct strbuf *release, struct err *err)
{
	char *path __free(ptr) = path_join(tree, "include/config/kernel.release");
	int ret = file_read(path, KERNEL_RELEASE_MAX, release, err);

	strbuf_trim(release);
	if (ret == 0 && (!release->len || strchr(release->buf, '/')))
		ret = err_unable(err, "the kernel's release '%s' is no name of a folder",
				 str_escape(release->buf));
	return ret;
}

static int copy_out(const struct output *o, const char *from, const char *dir, const char *name,
		    struct err *err)
{
	char *source __free(ptr) = path_join(o->tree, from);
	char *to __free(ptr) = path_join(dir, name);

	return file_copy(source, to, 0644, err);
}

/* The vmlinux if QEMU can enter it or gdb is to read it; only else was there need of a bzImage
 * (make_kernel()). */
static int copy_image(const struct output *o, const char *dir, struct err *err)
{
	char *path __free(ptr) = path_join(o->tree, "vmlinux");
	struct vmlinux v;
	int ret = vmlinux_read(&v, path, err);

	if (ret < 0)
		return ret;
	return v.pvh || o->debug_info ? copy_out(o, "vmlinux", dir, "vmlinux", err) :
		       copy_out(o, "arch/x86/boot/bzImage", dir, "vmlinuz", err);
}

static int move_modules(const struct output *o, const char *dir, const char *release,
			struct err *err)
{
	char *from __free(ptr) = xstrfmt("%s/" MODULES "/%s", o->tree, release);
	char *to __free(ptr) = xstrfmt("%s/lib/modules/%s", dir, release);
	char *parent __free(ptr) = path_join(dir, "lib/modules");
	int ret = path_is_dir(from) ? dir_make(parent, err) : 0;

	if (ret < 0 || !path_is_dir(from))
		return ret;
	if (rename(from, to) < 0)
		return err_sys(err, -errno, "cannot move '%s' to '%s'", str_escape(from),
			       str_escape(to));
	return 0;
}

static json_t *list_patches(const struct output *o)
{
	json_t *list = json_array();

	for (size_t s = 0; s < ARRAY_SIZE(o->sets); s++) {
		for (size_t i = 0; i < o->sets[s]->n; i++) {
			const struct patch *p = &o->sets[s]->patches[i];
			json_t *one = json_object();
			/* names and subjects may hold any bytes */
			char *name __free(ptr) = xstrdup(str_escape(p->name));

			json_object_set_new(one, "name", json_string(name));
			json_object_set_new(one, "subject", json_string(str_escape(p->subject)));
			json_object_set_new(one, "sha256", json_string(p->sha256));
			json_array_append_new(list, one);
		}
	}
	return list;
}

static int write_about(const struct output *o, const char *dir, struct err *err)
{
	json_t *doc __free(json) = json_object();
	char *path __free(ptr) = path_join(dir, "about.json");
	char *text __free(ptr) = NULL;

	json_object_set_new(doc, "source", json_string(str_escape(o->source->label)));
	json_object_set_new(doc, "source_id", json_string(o->source->id));
	json_object_set_new(doc, "compiler", json_string(str_escape(o->compiler)));
	json_object_set_new(doc, "compiled", json_integer(o->compiled));
	json_object_set_new(doc, "patches", list_patches(o));
	json_object_set_new(doc, "debug_info", json_boolean(o->debug_info));
	text = json_dumps(doc, JSON_INDENT(1) | JSON_SORT_KEYS);
	BUG_ON(!text);
	return file_write_atomic(path, text, strlen(text), 0644, err);
}

static int fill(const struct output *o, const char *dir, const char *release, struct err *err)
{
	char *log __free(ptr) = path_join(dir, "build.log");
	int ret = copy_image(o, dir, err);

	if (ret == 0)
		ret = copy_out(o, ".config", dir, "config", err);
	if (ret == 0)
		ret = move_modules(o, dir, release, err);
	if (ret == 0)
		ret = file_copy(o->log, log, 0644, err);
	if (ret == 0)
		ret = write_about(o, dir, err);
	return ret;
}

int output_publish(const struct output *o, struct err *err)
{
	struct strbuf release __release(strbuf) = STRBUF_INIT;
	char *dir __free(ptr) = NULL;
	struct err ignored = ERR_INIT;
	int ret = read_release(o->tree, &release, err);

	if (ret == 0)
		ret = kernel_cache_lock(o->cache, err);
	if (ret == 0)
		ret = kernel_cache_new(o->cache, &dir, err);
	if (ret == 0)
		ret = fill(o, dir, release.buf, err);
	if (ret == 0)
		ret = kernel_cache_publish(o->cache, dir, o->key, release.buf, NULL, err);
	if (ret < 0 && dir)
		dir_remove(dir, &ignored);
	kernel_cache_unlock(o->cache);
	return ret;
}
