/* SPDX-License-Identifier: GPL-2.0-only */
/* From a source, a configuration and patches to a kernel in the cache. */
#include "kbuild/build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "kbuild/clone.h"
#include "kbuild/config.h"
#include "kbuild/folders.h"
#include "kbuild/inventory.h"
#include "kbuild/make.h"
#include "kbuild/output.h"
#include "patch/patchset.h"
#include "source/source.h"
#include "kernel/cache.h"
#include "kernel/config.h"
#include "kernel/kernel.h"
#include "kernel/source.h"
#include "kernel/version.h"

/* Part of every key: raise it when the same inputs give another kernel. */
#define RECIPE	       "1"
#define PACKAGE_PREFIX "package:"

/* All that decides what comes out. */
struct recipe {
	const struct build_ask *ask;
	struct source source;
	struct config config;
	struct patchset series, patches;
	char *compiler;
	char compiler_id[HASH_HEX];
	char line[HASH_HEX];		/* of the build folder */
	char base_key[HASH_HEX];	/* without the user's patches */
	char key[HASH_HEX];
	struct kernel_cache cache;
};

#define RECIPE_INIT                                                                                \
	{ .source = SOURCE_INIT, .config = CONFIG_INIT, .series = PATCHSET_INIT,                   \
	  .patches = PATCHSET_INIT, .cache = KERNEL_CACHE_INIT }

static void recipe_release(struct recipe *r)
{
	source_release(&r->source);
	config_release(&r->config);
	patchset_release(&r->series);
	patchset_release(&r->patches);
	kernel_cache_release(&r->cache);
	free(r->compiler);
}

/* The configuration of a packaged kernel, to start from. */
static int take_base(struct config *config, const char *package, const char *cache_dir,
		     struct err *err)
{
	struct kernel k __release(kernel) = KERNEL_INIT;
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	int ret = kernel_from_package(&k, package, cache_dir, err);

	if (ret == 0 && !k.config)
		ret = err_unable(err, "the package '%s' has no configuration", package);
	if (ret == 0)
		ret = kernel_config_read(&k, &text, err);
	if (ret == 0)
		config->base = strbuf_detach(&text, NULL);
	return ret;
}

static int read_config(struct recipe *r, struct err *err)
{
	const struct build_ask *ask = r->ask;
	size_t prefix = strlen(PACKAGE_PREFIX);
	int ret = 0;

	strvec_each(word, ask->config) {
		if (!strncmp(*word, PACKAGE_PREFIX, prefix))
			ret = take_base(&r->config, *word + prefix, ask->cache_dir, err);
		else
			ret = config_add(&r->config, *word, err);
		if (ret < 0)
			return ret;
	}
	r->config.trim = ask->trim;
	config_seal(&r->config);
	return 0;
}

static int read_patches(struct recipe *r, struct err *err)
{
	int ret = r->ask->series ? patchset_add(&r->series, r->ask->series, err) : 0;

	if (ret < 0 || !r->ask->patches)
		return ret;
	strvec_each(path, r->ask->patches) {
		ret = patchset_add(&r->patches, *path, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static void add_patches(struct hash *h, const struct patchset *set)
{
	for (size_t i = 0; i < set->n; i++)
		hash_add_str(h, set->patches[i].sha256);
}

static void make_key(const struct recipe *r, const char *source, const struct patchset *patches,
		     char hex[HASH_HEX])
{
	struct hash h;

	hash_init(&h);
	hash_add_str(&h, "kernel " RECIPE);
	hash_add_str(&h, source);
	hash_add_str(&h, r->config.sha256);
	hash_add_str(&h, r->compiler_id);
	if (r->ask->debug_info)
		hash_add_str(&h, "debug info");
	add_patches(&h, &r->series);
	if (patches)
		add_patches(&h, patches);
	hash_hex(&h, hex);
}

static int read_recipe(struct recipe *r, struct err *err)
{
	int ret = kernel_cache_open(&r->cache, r->ask->cache_dir, err);

	/* What is wrong with the input is said before anything is fetched. */
	if (ret == 0)
		ret = read_patches(r, err);
	if (ret == 0)
		ret = read_config(r, err);
	if (ret == 0)
		ret = make_compiler(&r->compiler, r->compiler_id, err);
	if (ret == 0)
		ret = source_resolve(&r->source, r->ask->source, r->ask->tree, r->ask->cache_dir,
				     err);
	if (ret == 0)
		ret = kernel_check_age(r->source.version, err);
	if (ret == 0)
		ret = patchset_choose(&r->series, r->source.version, err);
	if (ret == 0)
		ret = patchset_choose(&r->patches, r->source.version, err);
	if (ret < 0)
		return ret;
	make_key(r, r->source.line, NULL, r->line);
	make_key(r, r->source.id, NULL, r->base_key);
	make_key(r, r->source.id, &r->patches, r->key);
	return 0;
}

/* Offsets of hunks and options that are not there: worth a line, no reason to stop. */
static void tell(const char *name, const struct strvec *notes)
{
	strvec_each(note, notes)
		progress("%s: %s", name, *note);
}

/* A tree with the wanted source in f: a clone of the line's last one where there is one. */
static int lay_out(struct recipe *r, struct build_folder *f, const char *from,
		   const struct build_state *st, struct err *err)
{
	bool same = !strcmp(st->source_id, r->source.id);
	int ret;

	if (!*st->source_id || (r->series.n && !same)) {
		progress("laying out %s", r->source.label);
		return source_fill(&r->source, f->dir, err);
	}
	inventory_touch(from);
	ret = clone_folder(from, f->dir, err);
	return ret < 0 || same ? ret : source_update(&r->source, f->dir, err);
}

/* Nothing is wrong with what the user wrote, but this source or patch cannot be judged with it. */
static int unless_plain(const struct recipe *r, const struct patchset *patches, struct err *err)
{
	if (err->kind == ERR_INPUT && (patches->n || r->source.kind != SOURCE_DEBIAN))
		err->kind = ERR_UNABLE;
	return err->code;
}

/* Patch, configure and compile what lies in t->tree. fresh: a source without objects. */
static int compile(struct recipe *r, const struct patchset *patches, bool fresh,
		   struct make_task *t, struct err *err)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;
	int ret = 0;

	if (fresh)
		ret = patchset_apply(&r->series, t->tree, &notes, err);
	if (ret == 0)
		ret = patchset_apply(patches, t->tree, &notes, err);
	if (ret < 0)
		return ret;
	progress("configuring %s", t->what);
	ret = config_apply(&r->config, t->tree, t->log, &notes, err);
	if (ret < 0)
		return unless_plain(r, patches, err);
	tell(t->what, &notes);
	return make_kernel(t, err);
}

/* Keep the log of a build that failed, and say where. */
static int keep_log(struct recipe *r, const char *log, const char *key, struct err *err)
{
	char *dir __free(ptr) = path_join(r->cache.dir, "logs");
	char *kept __free(ptr) = xstrfmt("%s/%s.log", dir, key);
	struct err ignored = ERR_INIT;

	if (err->kind == ERR_UNABLE && dir_make(dir, &ignored) == 0 && rename(log, kept) == 0)
		err_wrap(err, "%s (build log: %s)", r->ask->name, kept);
	return err->code;
}

/* Build with these patches, publish under key; the build folder becomes the line's if they are
 * none. The line is locked. */
static int build_one(struct recipe *r, const struct patchset *patches, const char *key,
		     struct err *err)
{
	struct build_folder f __release(build_folder) = BUILD_FOLDER_INIT;
	char *from __free(ptr) = build_folder_path(r->cache.dir, r->line);
	char *tree __free(ptr) = NULL, *log __free(ptr) = NULL;
	struct build_state st;
	struct make_task t = { .what = r->ask->name, .debug_info = r->ask->debug_info };
	struct err late = ERR_INIT;
	bool fresh;
	int ret;

	build_folder_state(r->cache.dir, r->line, &st);
	ret = build_folder_new(&f, r->cache.dir, err);
	if (ret < 0)
		return ret;
	t.tree = tree = path_join(f.dir, "tree");
	t.log = log = path_join(f.dir, "build.log");
	fresh = !*st.source_id || (r->series.n && strcmp(st.source_id, r->source.id));
	t.expected = fresh ? st.compiled : 0;
	ret = lay_out(r, &f, from, &st, err);
	unlink(log);	/* a clone's */
	if (ret == 0)
		ret = compile(r, patches, fresh, &t, err);
	if (ret == 0) {
		const struct output o = {
			.cache = &r->cache, .key = key, .tree = tree, .log = log,
			.source = &r->source, .compiler = r->compiler,
			.sets = { &r->series, patches }, .compiled = t.compiled,
			.debug_info = r->ask->debug_info,
		};

		ret = output_publish(&o, err);
	}
	if (ret < 0) {
		keep_log(r, log, key, err);
		build_folder_drop(&f, &late);
		return ret;
	}
	if (patches->n)
		return build_folder_drop(&f, err);
	memcpy(st.source_id, r->source.id, HASH_HEX);
	if (fresh)
		st.compiled = t.compiled;
	return build_folder_keep(&f, r->cache.dir, r->line, &st, err);
}

/* Is there a build folder with this very source to clone for a patch? */
static bool has_base(const struct recipe *r)
{
	struct build_state st;

	build_folder_state(r->cache.dir, r->line, &st);
	return !strcmp(st.source_id, r->source.id);
}

static int build(struct recipe *r, struct kernel *k, struct err *err)
{
	const struct patchset none = PATCHSET_INIT;
	int lock __free(fd) = build_folder_lock(r->cache.dir, r->line, err);
	int ret = 0;

	if (lock < 0)
		return lock;
	if (kernel_cache_load(&r->cache, r->key, k))
		return 0;
	if (r->patches.n && !has_base(r))
		ret = build_one(r, &none, r->base_key, err);
	if (ret == 0)
		ret = build_one(r, &r->patches, r->key, err);
	if (ret == 0 && !kernel_cache_load(&r->cache, r->key, k))
		ret = err_set(err, -EIO, "the kernel cache '%s' lost what was just put in",
			      str_escape(r->cache.dir));
	return ret;
}

static void name_patches(struct kernel *k, const struct patchset *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct patch *p = &set->patches[i];
		struct kernel_patch *kp = array_grow(k->patches, k->n_patches);

		kp->name = xstrdup(p->name);
		kp->subject = xstrdup(p->subject);
		memcpy(kp->sha256, p->sha256, HASH_HEX);
	}
}

int kernel_from_source(struct kernel *k, const struct build_ask *ask, struct err *err)
{
	struct recipe r __release(recipe) = RECIPE_INIT;
	char *dir __free(ptr) = NULL;
	int ret;

	r.ask = ask;
	ret = read_recipe(&r, err);
	if (ret == 0 && !kernel_cache_load(&r.cache, r.key, k))
		ret = build(&r, k, err);
	if (ret < 0)
		return ret;
	dir = kernel_cache_tree(&r.cache, r.key);
	inventory_touch(dir);
	k->source = xstrdup(r.source.label);
	k->compiler = xstrdup(r.compiler);
	k->build_log = path_join(dir, "build.log");
	memcpy(k->source_id, r.source.id, HASH_HEX);
	name_patches(k, &r.series);
	name_patches(k, &r.patches);
	return 0;
}
