/* SPDX-License-Identifier: GPL-2.0-only */
/* Sources that git holds: trees as they lie there, commits, and their files in a build folder. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "source/commits.h"
#include "source/source.h"
#include "source/source_files.h"
#include "source/source_kinds.h"
#include "source/source_list.h"
#include "source/source_run.h"
#include "source/source_store.h"
#include "kernel/cache.h"

#define SHORT_OID 12

/* Everything else is told by the tree object and the store. */
static void identify(struct source *s, const struct source_store *st)
{
	struct hash h;

	hash_init(&h);
	hash_add_str(&h, "git");
	hash_add_str(&h, s->tree_oid);
	hash_hex(&h, s->id);
	memcpy(s->line, st->line, HASH_HEX);
	s->git_dir = xstrdup(st->dir);
}

/* "v6.1.5-3-gabcdef, 2 files changed"; without commits the version has to do. */
static void label_tree(struct source *s, const struct source_store *st, const char *path)
{
	const char *const describe[] = { "describe", "--tags", "--always", "HEAD", NULL };
	const char *const head_tree[] = { "rev-parse", "--verify", "HEAD^{tree}", NULL };
	const struct git user = { .dir = st->user_git }, store = { .dir = st->dir };
	char *name __free(ptr) = NULL, *head __free(ptr) = NULL;
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct err ignored = ERR_INIT;
	size_t changed = 0;

	if (!st->user_git || git_line(&user, describe, &name, &ignored) < 0 ||
	    git_line(&user, head_tree, &head, &ignored) < 0 ||
	    git_call(&store, NULL, &out, &ignored, "diff-tree", "-r", "-z", "--name-only",
		     "--no-renames", head, s->tree_oid) < 0) {
		s->label = xstrfmt("tree %s (%s)", str_escape(path_base(path)), s->version);
		return;
	}
	for (size_t i = 0; i < out.len; i++)
		changed += out.buf[i] == '\0';
	if (changed)
		s->label = xstrfmt("tree %s (%s, %zu file%s changed)", str_escape(path_base(path)),
				   str_escape(name), changed, changed == 1 ? "" : "s");
	else
		s->label = xstrfmt("tree %s (%s)", str_escape(path_base(path)), str_escape(name));
}

int source_tree_resolve(struct source *s, const char *path, struct kernel_cache *c,
			struct err *err)
{
	struct source_store st __release(source_store) = SOURCE_STORE_INIT;
	char *git_dir __free(ptr) = NULL;
	int ret = source_check_folder(path, &s->version, err);

	if (ret < 0)
		return ret;
	source_find_git(path, &git_dir);
	ret = source_store_open(&st, c->dir, git_dir, path, err);
	if (ret < 0)
		return ret;
	progress("reading the tree %s", str_escape(path));
	ret = source_store_snapshot(&st, path, &s->tree_oid, err);
	if (ret < 0)
		return err_wrap(err, "cannot read the tree '%s'", str_escape(path));
	identify(s, &st);
	label_tree(s, &st, path);
	return 0;
}

/* One object of the user's repository by an expression. */
static int rev_parse(const char *git_dir, const char *expr, char **oid, struct err *err)
{
	const char *const args[] = { "rev-parse", "--verify", expr, NULL };
	const struct git g = { .dir = git_dir };

	return git_line(&g, args, oid, err);
}

/* The commit, and the tree object that it holds. */
static int find_commit(const char *git_dir, const char *rev, const char *tree, char **commit,
		       char **tree_oid, struct err *err)
{
	char *expr __free(ptr) = NULL;
	int ret = commits_find(git_dir, tree, rev, commit, err);

	if (ret < 0)
		return ret;
	expr = xstrfmt("%s^{tree}", *commit);
	return rev_parse(git_dir, expr, tree_oid, err);
}

/* Is it a kernel's? The store sees the user's objects. */
static int check_commit(struct source *s, const struct source_store *st, const char *rev,
			struct err *err)
{
	const struct git g = { .dir = st->dir };
	char *makefile __free(ptr) = xstrfmt("%s:Makefile", s->tree_oid);
	char *kconfig __free(ptr) = xstrfmt("%s:Kconfig", s->tree_oid);
	char *where __free(ptr) = xstrfmt("the commit '%s'", str_escape(rev));
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct err git_err = ERR_INIT;
	const char *missing = NULL;
	int ret = git_call(&g, NULL, &text, &git_err, "cat-file", "blob", makefile);

	if (ret == -EIO)
		missing = "Makefile";
	if (ret == 0)
		ret = git_call(&g, NULL, NULL, &git_err, "cat-file", "-e", kconfig);
	if (ret == -EIO && !missing)
		missing = "Kconfig";
	if (missing)
		return err_input(err, "no kernel tree in %s: it has no %s", where, missing);
	if (ret < 0)
		*err = git_err;
	return ret < 0 ? ret : source_version(text.buf, where, &s->version, err);
}

int source_git_resolve(struct source *s, const char *rev, const char *tree,
		       struct kernel_cache *c, struct err *err)
{
	struct source_store st __release(source_store) = SOURCE_STORE_INIT;
	char *git_dir __free(ptr) = NULL, *commit __free(ptr) = NULL;
	int ret = commits_repository(tree, &git_dir, err);

	if (ret < 0)
		return ret;
	ret = find_commit(git_dir, rev, tree, &commit, &s->tree_oid, err);
	if (ret == 0)
		ret = source_store_open(&st, c->dir, git_dir, tree, err);
	if (ret == 0)
		ret = check_commit(s, &st, rev, err);
	if (ret < 0)
		return ret;
	identify(s, &st);
	if (!strncmp(commit, rev, strlen(rev)))
		s->label = xstrfmt("git %.*s", SHORT_OID, commit);
	else
		s->label = xstrfmt("git %s (%.*s)", str_escape(rev), SHORT_OID, commit);
	return 0;
}

/* DIR/files from DIR/index; a submodule's entry is no file. */
static int write_files(const struct git *g, const char *dir, struct err *err)
{
	static const char submodule[] = "160000 ";
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct strvec names __release(strvec) = STRVEC_INIT;
	int ret = git_call(g, NULL, &out, err, "ls-files", "-s", "-z");

	if (ret < 0)
		return ret;
	for (size_t at = 0; at < out.len; at += strlen(out.buf + at) + 1) {
		const char *name = strchr(out.buf + at, '\t');

		if (name && strncmp(out.buf + at, submodule, strlen(submodule)) != 0)
			strvec_push(&names, name + 1);
	}
	strvec_sort(&names);
	return source_files_write(dir, &names, err);
}

/* Make DIR/tree what the tree object says. */
static int checkout(struct source *s, const char *dir, bool update, struct err *err)
{
	char *real __free(ptr) = realpath(dir, NULL);
	char *tree __free(ptr) = path_join(real ? real : dir, "tree");
	char *index __free(ptr) = path_join(real ? real : dir, "index");
	char *lock __free(ptr) = xstrfmt("%s.lock", index);
	const struct git g = { .dir = s->git_dir, .work_tree = tree, .index = index };
	int ret = dir_make(tree, err);

	if (ret < 0)
		return ret;
	unlink(lock);
	/* Copies have other inodes than the files that the index knows: look at their content
	 * once, or all would be written anew and then compiled anew. */
	if (update)
		ret = git_call(&g, NULL, NULL, err, "update-index", "-q", "--refresh");
	if (ret == 0)
		ret = git_call(&g, NULL, NULL, err, "read-tree", update ? "--reset" : "-m", "-u",
			       s->tree_oid);
	if (ret < 0)
		return err_wrap(err, "cannot get the files of %s", s->label);
	return write_files(&g, dir, err);
}

int source_git_fill(struct source *s, const char *dir, struct err *err)
{
	return checkout(s, dir, false, err);
}

int source_git_update(struct source *s, const char *dir, struct err *err)
{
	return checkout(s, dir, true, err);
}
