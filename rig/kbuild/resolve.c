/* SPDX-License-Identifier: GPL-2.0-only */
/* Names, paths and sources: which kernel is meant. */
#include "kbuild/resolve.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "kbuild/build.h"
#include "kbuild/describe.h"
#include "kernel/kernel.h"
#include "kernel/source.h"
#include "kernel/version.h"

#define SUFFIX	       ".kernel"
#define DEFAULT_CONFIG "small.config"

static const char *const source_prefixes[] = { "debian:", "tree:", "git:" };

/* Reports name a patch by its last part, which has to be good for repeating them: one that is no
 * file here is looked for beside the kernels. */
static char *find_patch(const char *path, const char *data_dir)
{
	static const char *const places[] = { "", "mutants/" };

	if (strchr(path, '/') || path_is_file(path) || path_is_dir(path))
		return xstrdup(path);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		char *there = xstrfmt("%s/kernels/patches/%s%s", data_dir, places[i], path);

		if (path_is_dir(there))
			return there;
		free(there);
	}
	return xstrdup(path);
}

static int build(struct kernel *k, const struct kernel_ask *ask, const struct description *d,
		 struct err *err)
{
	struct strvec config __release(strvec) = STRVEC_INIT;
	struct strvec patches __release(strvec) = STRVEC_INIT;
	const struct build_ask b = {
		.name = k->name, .source = d->source, .tree = ask->tree, .config = &config,
		.trim = d->trim, .series = d->series, .patches = ask->patches ? &patches : NULL,
		.cache_dir = ask->cache_dir, .debug_info = ask->debug_info,
	};

	if (ask->patches)
		strvec_each(path, ask->patches)
			strvec_push_nodup(&patches, find_patch(*path, ask->data_dir));
	strvec_pushv(&config, d->config.v);
	if (!config.n)
		strvec_push_nodup(&config, xstrfmt("%s/kernels/" DEFAULT_CONFIG, ask->data_dir));
	return kernel_from_source(k, &b, err);
}

static void take_cmdline(struct kernel *k, const struct description *d)
{
	if (d->cmdline)
		k->cmdline = xstrdup(d->cmdline);
}

static int from_description(struct kernel *k, const struct kernel_ask *ask, const char *path,
			    struct err *err)
{
	struct description d __release(description) = DESCRIPTION_INIT;
	int ret = description_read(&d, path, err);

	if (ret < 0)
		return ret;
	if (d.title)
		k->title = xstrdup(d.title);
	take_cmdline(k, &d);
	if (d.package)
		return kernel_from_package(k, d.package, ask->cache_dir, err);
	if (d.image)
		ret = kernel_from_file(k, d.image, d.modules, ask->cache_dir, err);
	else
		ret = build(k, ask, &d, err);
	return ret < 0 ? err_wrap(err, "%s", str_escape(path)) : 0;
}

static int unknown_name(const char *spec, const struct kernel_ask *ask, struct err *err)
{
	char *dir __free(ptr) = path_join(ask->data_dir, "kernels");
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
			 "unknown kernel '%s': known are %s; or give the path of a bzImage, a "
			 "vmlinux or a kernel tree, or debian:PACKAGE, or git:REV with --tree",
			 str_escape(spec), known.len ? known.buf : "none");
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

/* NULL if there is no such description. */
static char *description_path(const struct kernel_ask *ask, const char *name)
{
	char *path = xstrfmt("%s/kernels/%s" SUFFIX, ask->data_dir, name);

	if (name_ok(name) && path_is_file(path))
		return path;
	free(path);
	return NULL;
}

/* How ask->like is built, but for its source. */
static int read_like(struct description *d, const struct kernel_ask *ask, struct err *err)
{
	char *path __free(ptr) = description_path(ask, ask->like);
	int ret;

	if (!path)
		return unknown_name(ask->like, ask, err);
	ret = description_read(d, path, err);
	if (!ret && !d->source)
		ret = err_input(err, "'%s' is not built here, so nothing can be built like it",
				str_escape(ask->like));
	free(d->source);
	d->source = NULL;
	return ret;
}

/* A source on the command line is built with the shared small configuration, or as it says. */
static int from_source(struct kernel *k, const struct kernel_ask *ask, char *source,
		       struct err *err)
{
	struct description d __release(description) = DESCRIPTION_INIT;
	int ret = ask->like ? read_like(&d, ask, err) : 0;

	if (ret < 0) {
		free(source);
		return ret;
	}
	d.source = source;
	take_cmdline(k, &d);
	return build(k, ask, &d, err);
}

static int from_tree(struct kernel *k, const struct kernel_ask *ask, struct err *err)
{
	char *real = realpath(ask->spec, NULL);
	char *spec;

	if (!real)
		return err_sys(err, -errno, "cannot resolve '%s'", str_escape(ask->spec));
	free(k->name);
	k->name = xstrdup(path_base(real));
	spec = xstrfmt("tree:%s", real);
	free(real);
	return from_source(k, ask, spec, err);
}

static bool is_source(const char *spec)
{
	for (size_t i = 0; i < ARRAY_SIZE(source_prefixes); i++) {
		if (!strncmp(spec, source_prefixes[i], strlen(source_prefixes[i])))
			return true;
	}
	return false;
}

/* "+mm-fix" of "patches/mm-fix.patch": which kernel of several with the same base it is. */
static void add_patch_name(struct kernel *k, const struct strvec *patches)
{
	char *last __free(ptr) = xstrdup(patches->v[patches->n - 1]);
	size_t len = strlen(last);
	char *plain, *dot;

	while (len > 1 && last[len - 1] == '/')
		last[--len] = '\0';
	plain = (char *)path_base(last);
	dot = strrchr(plain, '.');
	if (dot && dot > plain)
		*dot = '\0';
	/* a mutant's folder has one patch per kernel version, whose name says nothing */
	plain = xstrfmt("%s+%s", k->name, plain);
	free(k->name);
	k->name = plain;
}

static int resolve(struct kernel *k, const struct kernel_ask *ask, struct err *err)
{
	const char *spec = ask->spec;
	char *path __free(ptr) = description_path(ask, spec);

	if (!path && is_source(spec))
		return from_source(k, ask, xstrdup(spec), err);
	if (!path && path_is_dir(spec))
		return from_tree(k, ask, err);
	if (ask->like)
		return err_input(err, "'%s' is no source and no tree, so it cannot be built like "
				 "'%s'", str_escape(spec), str_escape(ask->like));
	if (path)
		return from_description(k, ask, path, err);
	if (strchr(spec, '/') || path_is_file(spec))
		return kernel_from_file(k, spec, NULL, ask->cache_dir, err);
	return unknown_name(spec, ask, err);
}

int kernel_check_built(const struct kernel *k, const char *spec, struct err *err)
{
	if (k->source)
		return 0;
	return err_input(err, "the kernel '%s' is not built here, so it cannot be patched: give "
			 "one with a source, such as debian-6.1, or a kernel tree",
			 str_escape(spec));
}

int kernel_resolve(struct kernel *k, const struct kernel_ask *ask, struct err *err)
{
	bool patched = ask->patches && ask->patches->n;
	int ret;

	kernel_release(k);
	k->name = xstrdup(ask->name ? ask->name : path_base(ask->spec));
	ret = resolve(k, ask, err);
	if (ret == 0 && patched)
		ret = kernel_check_built(k, ask->spec, err);
	if (ret == 0)
		ret = kernel_check_age(k->release, err);
	if (ret == 0 && patched)
		add_patch_name(k, ask->patches);
	if (ret < 0)
		kernel_release(k);
	return ret;
}
