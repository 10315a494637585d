/* SPDX-License-Identifier: GPL-2.0-only */
/* Debian's source packages of kernels: found, fetched, unpacked once. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "base/tool.h"
#include "source/source.h"
#include "source/source_kinds.h"
#include "source/source_unpack.h"
#include "source/suite.h"
#include "kernel/apt.h"
#include "kernel/cache.h"
#include "kernel/resolved.h"

/* Part of a source's id: raise it when trees are unpacked in another way than before. */
#define RECIPE	     "debian source 1"
#define DOCUMENT     "complete.json"
#define DOCUMENT_MAX 65536
#define DAY_S	     86400
#define SOON_S	     600

DEFINE_FREE(json, json_t *, json_decref(_T))

/* PACKAGE[=VERSION][/SUITE] */
struct wanted {
	char *name;	/* PACKAGE or PACKAGE=VERSION */
	char *package;
	char *suite;	/* NULL: any */
};

static void wanted_release(struct wanted *w)
{
	free(w->name);
	free(w->package);
	free(w->suite);
}

static int wanted_parse(struct wanted *w, const char *spec, struct err *err)
{
	const char *slash = strchr(spec, '/');
	size_t len = slash ? (size_t)(slash - spec) : strlen(spec);
	const char *equals = memchr(spec, '=', len);

	w->name = xstrndup(spec, len);
	w->package = equals ? xstrndup(spec, (size_t)(equals - spec)) : xstrdup(w->name);
	w->suite = slash ? xstrdup(slash + 1) : NULL;
	if (!apt_name_ok(w->package))
		return err_input(err, "'%s' is no name of a package", str_escape(w->package));
	if (equals && !apt_version_ok(w->name + strlen(w->package) + 1))
		return err_input(err, "'%s' is no version of a package",
				 str_escape(w->name + strlen(w->package) + 1));
	if (w->suite && !apt_suite_name_ok(w->suite))
		return err_input(err, "'%s' is no name of a suite (bookworm, sid)",
				 str_escape(w->suite));
	return 0;
}

static char *source_dir(const struct kernel_cache *c, const char *id)
{
	return xstrfmt("%s/sources/%s", c->dir, id);
}

/* Take the unpacked source from the cache. -ENOENT, without a message, if it is not there whole. */
static int load(struct source *s, const struct kernel_cache *c, const char *id)
{
	char *dir __free(ptr) = source_dir(c, id);
	char *path __free(ptr) = path_join(dir, DOCUMENT);
	char *tree __free(ptr) = path_join(dir, "tree");
	char *files __free(ptr) = path_join(dir, "files");
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct err ignored = ERR_INIT;
	json_t *doc __free(json) = NULL;
	const char *package, *version;

	if (file_read(path, DOCUMENT_MAX, &sb, &ignored) < 0)
		return -ENOENT;
	doc = json_loadb(sb.buf, sb.len, 0, NULL);
	package = json_string_value(json_object_get(doc, "package"));
	version = json_string_value(json_object_get(doc, "version"));
	if (!package || !version || !path_is_file(files))
		return -ENOENT;
	if (source_check_folder(tree, &s->version, &ignored) < 0)
		return -ENOENT;
	s->label = xstrfmt("%s %s", package, version);
	s->pristine = no_free_ptr(dir);
	memcpy(s->id, id, HASH_HEX);
	memcpy(s->line, id, HASH_HEX);
	return 0;
}

/* The package with the source, if this one only depends on it ("linux-source"). */
static int follow(struct apt_package *p, const struct strvec *options, struct err *err)
{
	static const char prefix[] = "linux-source-";
	char *name __free(ptr) = NULL;

	strvec_each (part, &p->parts) {
		if (!name && !strncmp(*part, prefix, strlen(prefix)))
			name = xstrdup(*part);
	}
	if (!name)
		return 0;
	apt_package_release(p);
	return apt_show(p, options, name, err);
}

static int show(struct apt_package *p, const struct wanted *w, const struct strvec *options,
		struct err *err)
{
	int ret;

	apt_package_release(p);
	ret = apt_show(p, options, w->name, err);
	return ret < 0 ? ret : follow(p, options, err);
}

/* Ask one of Debian's suites. With lists that are old enough to be wrong about it ask again. */
static int ask_suite(struct apt_package *p, const struct wanted *w, const char *name, bool likely,
		     struct kernel_cache *c, struct apt_suite *suite, struct err *err)
{
	struct err first = ERR_INIT;
	int ret = apt_suite_open(suite, name, c->dir, DAY_S, err);

	if (ret < 0)
		return ret;
	ret = show(p, w, &suite->options, &first);
	if (ret == -ENOENT && likely) {
		apt_suite_release(suite);
		ret = apt_suite_open(suite, name, c->dir, SOON_S, err);
		if (ret < 0)
			return ret;
		ret = show(p, w, &suite->options, &first);
	}
	if (ret < 0)
		*err = first;
	return ret;
}

static int unknown(const struct wanted *w, const char *asked, const struct err *why,
		   struct err *err)
{
	if (why->code && why->code != -ENOENT)
		err_unable(err, "the package '%s' cannot be had: %s", w->name, why->msg);
	else
		err_unable(err, "the package '%s' cannot be had: neither apt's own lists nor "
			   "Debian's %s know it", w->name, asked);
	return err->code;
}

/* What apt knows, the system's first. suite gets the lists that know it, if they are others. */
static int ask(struct apt_package *p, const struct wanted *w, struct kernel_cache *c,
	       struct apt_suite *suite, struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	struct strbuf asked __release(strbuf) = STRBUF_INIT;
	struct err why = ERR_INIT;
	char *apt __free(ptr) = NULL;
	int ret = tool_find("apt-get", "apt", &apt, &why);

	if (ret < 0)
		return unknown(w, "suites", &(struct err){ .code = -EIO, .msg = "no apt here" },
			       err);
	if (!w->suite) {
		struct err system_err = ERR_INIT;

		ret = show(p, w, NULL, &system_err);
		if (ret < 0 && ret != -ENOENT)
			*err = system_err;
		if (ret != -ENOENT)
			return ret;
		apt_suites_for(w->package, &names);
	} else {
		strvec_push(&names, w->suite);
	}
	ret = kernel_cache_lock(c, err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < names.n; i++) {
		struct err apt_suite_err = ERR_INIT;

		apt_suite_release(suite);
		ret = ask_suite(p, w, names.v[i], i == 0, c, suite, &apt_suite_err);
		if (ret == 0)
			return 0;
		/* Of several that fail the likeliest one's reason counts. */
		if (ret == -EINTR || !why.code || why.code == -ENOENT)
			why = apt_suite_err;
		if (ret == -EINTR) {
			*err = why;
			return ret;
		}
		strbuf_addf(&asked, "%s%s", i ? ", " : "", names.v[i]);
	}
	return unknown(w, asked.buf, &why, err);
}

static int describe(const char *dir, const struct apt_package *p, struct err *err)
{
	char *path __free(ptr) = path_join(dir, DOCUMENT);
	json_t *doc __free(json) = json_pack("{s:s, s:s, s:s}", "package", p->name, "version",
					     p->version, "sha256", p->sha256);
	char *text __free(ptr) = json_dumps(doc, JSON_INDENT(1));

	if (!text)
		return err_set(err, -ENOMEM, "cannot write '%s'", str_escape(path));
	return file_write_atomic(path, text, strlen(text), 0644, err);
}

static int unpack(const char *dir, const char *deb, const struct apt_package *p, struct err *err)
{
	char *tree __free(ptr) = path_join(dir, "tree");
	char *what __free(ptr) = xstrfmt("%s %s", p->name, p->version);
	char *version __free(ptr) = NULL;
	int ret = source_unpack(deb, dir, what, err);

	if (ret == 0)
		ret = source_check_folder(tree, &version, err);
	return ret < 0 ? ret : describe(dir, p, err);
}

/* Fetch and unpack it in a folder of its own, which gets its name when all is there. */
static int make(const struct kernel_cache *c, const struct apt_package *p,
		const struct strvec *options, const char *id, struct err *err)
{
	char *sources __free(ptr) = path_join(c->dir, "sources");
	char *place __free(ptr) = source_dir(c, id);
	char *fetched __free(ptr) = NULL;
	char *dir __free(ptr) = NULL, *deb __free(ptr) = NULL;
	struct err ignored = ERR_INIT;
	int ret = kernel_cache_new(c, &dir, err);

	if (ret < 0)
		return ret;
	fetched = path_join(dir, "fetched");
	ret = dir_make(fetched, err);
	if (ret == 0)
		ret = apt_download(p, options, fetched, &deb, err);
	if (ret == 0)
		ret = unpack(dir, deb, p, err);
	if (ret == 0)
		ret = dir_remove(fetched, err);
	if (ret == 0)
		ret = dir_make(sources, err);
	/* What lies there was found incomplete. */
	if (ret == 0)
		ret = dir_remove(place, err);
	if (ret == 0 && rename(dir, place) < 0)
		ret = err_sys(err, -errno, "cannot move '%s' to '%s'", str_escape(dir),
			      str_escape(place));
	if (ret < 0)
		dir_remove(dir, &ignored);
	return ret;
}

static int resolve(struct source *s, const struct wanted *w, struct kernel_cache *c, char *id,
		   struct err *err)
{
	struct apt_package p = APT_PACKAGE_INIT;
	struct apt_suite suite __release(apt_suite) = APT_SUITE_INIT;
	struct hash h;
	int ret = ask(&p, w, c, &suite, err);

	if (ret == 0) {
		hash_init(&h);
		hash_add_str(&h, RECIPE);
		hash_add_str(&h, p.sha256);
		hash_hex(&h, id);
		ret = load(s, c, id);
	}
	if (ret == -ENOENT && !err->code) {
		ret = kernel_cache_lock(c, err);
		if (ret == 0 && load(s, c, id) < 0)
			ret = make(c, &p, suite.name ? &suite.options : NULL, id, err);
		if (ret == 0 && !s->pristine && load(s, c, id) < 0)
			ret = err_set(err, -EIO, "the kernel cache '%s' lost what was just put in",
				      str_escape(c->dir));
	}
	apt_package_release(&p);
	return ret;
}

static void lists_stamp(const struct kernel_cache *c, char hex[HASH_HEX])
{
	char system[HASH_HEX];
	struct hash h;

	apt_lists_stamp(system);
	hash_init(&h);
	hash_add_str(&h, system);
	apt_suites_stamp(c->dir, &h);
	hash_hex(&h, hex);
}

int source_debian_resolve(struct source *s, const char *spec, struct kernel_cache *c,
			  struct err *err)
{
	struct wanted w __release(wanted) = { .name = NULL };
	char *key __free(ptr) = NULL;
	struct resolved last, now = { .key = "" };
	struct err apt_err = ERR_INIT;
	int ret = wanted_parse(&w, spec, err);

	if (ret < 0)
		return ret;
	key = xstrfmt("source %s%s%s", w.name, w.suite ? " " : "", w.suite ? w.suite : "");
	resolved_load(&last, c, key);
	lists_stamp(c, now.lists);
	if (last.key[0] && !strcmp(now.lists, last.lists) && load(s, c, last.key) == 0)
		return 0;
	ret = resolve(s, &w, c, now.key, &apt_err);
	kernel_cache_unlock(c);
	if (ret == 0) {
		/* Asking may have fetched lists. */
		lists_stamp(c, now.lists);
		return resolved_save(&now, c, key, err);
	}
	if (apt_err.kind == ERR_UNABLE && last.key[0] && load(s, c, last.key) == 0) {
		progress("%s; taking %s from the cache", apt_err.msg, s->label);
		return 0;
	}
	*err = apt_err;
	return ret;
}
