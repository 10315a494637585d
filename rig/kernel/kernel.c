/* SPDX-License-Identifier: GPL-2.0-only */
/* From what the user asked for to a kernel: names, descriptions, paths. */
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "kernel/apt.h"
#include "kernel/kernel.h"
#include "kernel/source.h"

#define SUFFIX ".kernel"

/* A description's values, borrowed from the INI. */
struct description {
	const char *title, *package, *image, *modules, *cmdline;
};

void kernel_release(struct kernel *k)
{
	free(k->name);
	free(k->title);
	free(k->image);
	free(k->bzimage);
	free(k->vmlinux);
	free(k->release);
	free(k->package);
	free(k->config);
	free(k->modules_dir);
	free(k->cmdline);
	*k = (struct kernel)KERNEL_INIT;
}

static int take_key(struct description *d, const struct ini *ini, const struct ini_entry *e,
		    struct err *err)
{
	const struct {
		const char *key;
		const char **value;
	} keys[] = {
		{ "title", &d->title },
		{ "package", &d->package },
		{ "image", &d->image },
		{ "modules", &d->modules },
		{ "cmdline", &d->cmdline },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(e->key, keys[i].key) != 0)
			continue;
		if (!*e->value)
			return ini_error(ini, e->line, err, "'%s' is empty", e->key);
		*keys[i].value = e->value;
		return 0;
	}
	return ini_error(ini, e->line, err, "unknown key '%s'", str_escape(e->key));
}

static int parse_description(struct description *d, const struct ini *ini, struct err *err)
{
	const struct ini_section *s = ini_find(ini, "kernel", NULL);
	const struct ini_entry *package;

	for (size_t i = 0; i < ini->n; i++) {
		if (&ini->sections[i] != s)
			return ini_error(ini, ini->sections[i].line, err, "unknown section '%s'",
					 str_escape(ini->sections[i].name));
	}
	if (!s)
		return ini_error(ini, 1, err, "a section [kernel] is missing");
	for (size_t i = 0; i < s->n; i++) {
		int ret = take_key(d, ini, &s->entries[i], err);

		if (ret < 0)
			return ret;
	}
	if (!d->package == !d->image)
		return ini_error(ini, s->line, err, "one of 'package' and 'image' is needed");
	if (d->package && d->modules)
		return ini_error(ini, s->line, err, "'modules' goes with 'image', not 'package'");
	package = ini_get(s, "package");
	if (package && !apt_name_ok(package->value))
		return ini_error(ini, package->line, err, "'%s' is no name of a package",
				 str_escape(package->value));
	return 0;
}

/* A path in a description: relative to the folder that holds the description. */
static char *description_path(const char *ini_path, const char *path)
{
	if (*path == '/')
		return xstrdup(path);
	return xstrfmt("%.*s%s", (int)(path_base(ini_path) - ini_path), ini_path, path);
}

static int from_description(struct kernel *k, const char *path, const char *cache_dir,
			    struct err *err)
{
	struct ini ini __release(ini) = INI_INIT;
	struct description d = { .title = NULL };
	char *image __free(ptr) = NULL;
	char *modules __free(ptr) = NULL;
	int ret = ini_read(&ini, path, err);

	if (ret == 0)
		ret = parse_description(&d, &ini, err);
	if (ret < 0)
		return ret;
	if (d.title)
		k->title = xstrdup(d.title);
	if (d.cmdline)
		k->cmdline = xstrdup(d.cmdline);
	if (d.package)
		return kernel_from_package(k, d.package, cache_dir, err);
	image = description_path(path, d.image);
	if (d.modules)
		modules = description_path(path, d.modules);
	ret = kernel_from_file(k, image, modules, cache_dir, err);
	return ret < 0 ? err_wrap(err, "%s", str_escape(path)) : 0;
}

static bool name_ok(const char *name)
{
	if (!isalnum((unsigned char)*name))
		return false;
	for (; *name; name++) {
		if (!isalnum((unsigned char)*name) && !strchr("._+-", *name))
			return false;
	}
	return true;
}

static int unknown_name(const char *spec, const char *dir, struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	struct strbuf known __release(strbuf) = STRBUF_INIT;
	struct err ignored = ERR_INIT;

	if (dir_list(dir, SUFFIX, &names, &ignored) < 0)
		strvec_release(&names);
	strvec_each(name, &names) {
		size_t len = strlen(*name) - strlen(SUFFIX);

		strbuf_addf(&known, "%s%.*s", known.len ? ", " : "", (int)len, *name);
	}
	return err_input(err,
			 "unknown kernel '%s': known are %s; or give the path of a bzImage or "
			 "vmlinux",
			 str_escape(spec), known.len ? known.buf : "none");
}

int kernel_resolve(struct kernel *k, const char *spec, const char *data_dir, const char *cache_dir,
		   struct err *err)
{
	char *dir __free(ptr) = path_join(data_dir, "kernels");
	char *path __free(ptr) = xstrfmt("%s/%s" SUFFIX, dir, spec);
	bool is_name = name_ok(spec) && path_is_file(path);
	int ret;

	kernel_release(k);
	k->name = xstrdup(path_base(spec));
	if (!is_name && (strchr(spec, '/') || path_is_file(spec)))
		ret = kernel_from_file(k, spec, NULL, cache_dir, err);
	else if (is_name)
		ret = from_description(k, path, cache_dir, err);
	else
		ret = unknown_name(spec, dir, err);
	if (ret < 0)
		kernel_release(k);
	return ret;
}

int kernel_use_bzimage(struct kernel *k, struct err *err)
{
	if (!k->bzimage)
		return err_input(err, "the kernel '%s' has no bzImage", str_escape(k->name));
	free(k->image);
	k->image = xstrdup(k->bzimage);
	return hash_file(k->image, k->image_sha256, err);
}
