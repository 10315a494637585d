/* SPDX-License-Identifier: GPL-2.0-only */
/* Sources of kernels: which kind, what is a kernel's tree, and filling a folder with it. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "source/source.h"
#include "source/source_files.h"
#include "source/source_kinds.h"
#include "kernel/cache.h"

#define MAKEFILE_MAX ((size_t)1 << 20)
#define VALUE_MAX    40

void source_release(struct source *s)
{
	free(s->spec);
	free(s->label);
	free(s->version);
	free(s->pristine);
	free(s->git_dir);
	free(s->tree_oid);
	*s = (struct source)SOURCE_INIT;
}

/* The value in the line "KEY = value" of a Makefile, cut at white space; "" if there is none. */
static void makefile_value(const char *text, const char *key, char value[VALUE_MAX])
{
	size_t n = strlen(key), len = 0;

	value[0] = '\0';
	while (strncmp(text, key, n) != 0 || !strchr(" \t=", text[n]) || !text[n]) {
		text = strchr(text, '\n');
		if (!text)
			return;
		text++;
	}
	text += n + strspn(text + n, " \t");
	if (*text++ != '=')
		return;
	text += strspn(text, " \t");
	while (len < VALUE_MAX - 1 && (isalnum((unsigned char)text[len]) ||
				       (text[len] && strchr("+.-_~", text[len]))))
		len++;
	memcpy(value, text, len);
	value[len] = '\0';
}

int source_version(const char *makefile, const char *where, char **version, struct err *err)
{
	char v[VALUE_MAX], patch[VALUE_MAX], sub[VALUE_MAX], extra[VALUE_MAX];

	makefile_value(makefile, "VERSION", v);
	makefile_value(makefile, "PATCHLEVEL", patch);
	makefile_value(makefile, "SUBLEVEL", sub);
	makefile_value(makefile, "EXTRAVERSION", extra);
	if (!*v || !*patch)
		return err_input(err, "no kernel tree in %s: its Makefile sets no VERSION and "
				 "PATCHLEVEL", where);
	*version = xstrfmt("%s.%s%s%s%s", v, patch, *sub ? "." : "", sub, extra);
	return 0;
}

int source_check_folder(const char *folder, char **version, struct err *err)
{
	char *makefile __free(ptr) = path_join(folder, "Makefile");
	char *kconfig __free(ptr) = path_join(folder, "Kconfig");
	char *where __free(ptr) = xstrfmt("'%s'", str_escape(folder));
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct err ignored = ERR_INIT;

	if (!path_is_dir(folder))
		return err_input(err, "no kernel tree in %s: there is no such folder", where);
	if (file_read(makefile, MAKEFILE_MAX, &sb, &ignored) < 0)
		return err_input(err, "no kernel tree in %s: it has no Makefile", where);
	if (!path_is_file(kconfig))
		return err_input(err, "no kernel tree in %s: it has no Kconfig", where);
	return source_version(sb.buf, where, version, err);
}

static int resolve_tree(struct source *s, const char *path, struct kernel_cache *c,
			struct err *err)
{
	char *real __free(ptr) = *path ? realpath(path, NULL) : NULL;

	if (!real)
		return err_input(err, "no kernel tree in '%s': %s", str_escape(path),
				 *path ? strerror(errno) : "it has no name");
	s->kind = SOURCE_TREE;
	return source_tree_resolve(s, real, c, err);
}

static int resolve_git(struct source *s, const char *rev, const char *tree,
		       struct kernel_cache *c, struct err *err)
{
	char *real __free(ptr) = NULL;

	if (!tree)
		return err_input(err, "'git:%s' needs a repository (--tree DIR)", str_escape(rev));
	real = realpath(tree, NULL);
	if (!real)
		return err_input(err, "no repository in '%s': %s", str_escape(tree),
				 strerror(errno));
	s->kind = SOURCE_GIT;
	return source_git_resolve(s, rev, real, c, err);
}

int source_resolve(struct source *s, const char *spec, const char *tree, const char *cache_dir,
		   struct err *err)
{
	struct kernel_cache c __release(kernel_cache) = KERNEL_CACHE_INIT;
	const char *rest = strchr(spec, ':');
	size_t kind = rest ? (size_t)(rest++ - spec) : 0;
	int ret = kernel_cache_open(&c, cache_dir, err);

	if (ret < 0)
		return ret;
	free(s->spec);
	s->spec = xstrdup(spec);
	if (kind == strlen("debian") && !strncmp(spec, "debian", kind)) {
		s->kind = SOURCE_DEBIAN;
		return source_debian_resolve(s, rest, &c, err);
	}
	if (kind == strlen("tree") && !strncmp(spec, "tree", kind))
		return resolve_tree(s, rest, &c, err);
	if (kind == strlen("git") && !strncmp(spec, "git", kind))
		return resolve_git(s, rest, tree, &c, err);
	return err_input(err, "no source '%s': there are debian:PACKAGE, tree:/PATH and git:REV",
			 str_escape(spec));
}

int source_fill(struct source *s, const char *dir, struct err *err)
{
	if (s->kind == SOURCE_DEBIAN)
		return source_files_fill(s->pristine, dir, err);
	return source_git_fill(s, dir, err);
}

int source_update(struct source *s, const char *dir, struct err *err)
{
	if (s->kind == SOURCE_DEBIAN)
		return source_files_restore(s->pristine, dir, err);
	return source_git_update(s, dir, err);
}
