/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of a tree, by git's notion of ignored. */
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "source/source_list.h"
#include "source/source_run.h"

/* Repositories in repositories. */
#define DEPTH_MAX 8

/*
 * For a top folder that its own .gitignore ignores whole: everything in it counts but the products
 * of kbuild, of its packaging targets and of patch. The last pattern that fits decides.
 */
static const char *const top_patterns[] = {
	"!/*",		  "/.*",	   "!/.gitignore",   "!/.gitattributes",
	"!/.mailmap",	  "!/.clang-format", "!/.editorconfig", "!/.rustfmt.toml",
	"!/.cocciconfig", "!/.get_maintainer.ignore",	     "!/.pylintrc",
	"/vmlinux*",	  "/System.map",   "/Module.symvers", "/Module.markers",
	"/modules.*",	  "/built-in.*",   "/*.o",	     "/*.a",
	"/*.ko",	  "/*.cmd",	   "/*.orig",	     "/*.rej",
	"/*.patch",	  "/*.tar*",	   "/*.rpm",	     "/*.deb",
	"/linux",	  "/tags",	   "/TAGS",	     "/cscope*",
	"/ncscope*",	  "/GPATH",	   "/GRTAGS",	     "/GSYMS",
	"/GTAGS",	  "/ID",	   "/compile_commands.json", "/rust-project.json",
	"/defconfig",	  "/all*.config",  "/signing_key*",  "/tar-install",
	"/rpmbuild",	  "/vmlinux-gdb.py",
};

static char *dot_git(const char *path)
{
	return path_join(path, ".git");
}

void source_find_git(const char *path, char **git_dir)
{
	static const char *const bare[] = { "HEAD", "objects", "refs" };
	char *dot __free(ptr) = dot_git(path);
	struct stat st;
	bool is_bare = true;

	*git_dir = NULL;
	/* A file in worktrees and submodules: git reads it. */
	if (lstat(dot, &st) == 0 && (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))) {
		*git_dir = no_free_ptr(dot);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(bare); i++) {
		char *part __free(ptr) = path_join(path, bare[i]);

		is_bare &= stat(part, &st) == 0;
	}
	if (is_bare)
		*git_dir = xstrdup(path);
}

struct listing {
	const char *spare;
	struct strvec *names;
};

static int ask_git(const struct git *g, bool tracked, const char *const *patterns, size_t n,
		   struct strvec *found, struct err *err)
{
	struct strvec args __release(strvec) = STRVEC_INIT;
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	int ret;

	strvec_pushl(&args, "ls-files", "-z", "--others", "--exclude-standard", NULL);
	if (tracked)
		strvec_push(&args, "--cached");
	for (size_t i = 0; i < n; i++)
		strvec_pushl(&args, "-x", patterns[i], NULL);
	ret = git_run(g, (const char *const *)args.v, NULL, &out, err);
	for (size_t at = 0; ret == 0 && at < out.len; at += strlen(out.buf + at) + 1)
		strvec_push(found, out.buf + at);
	strvec_sort(found);
	return ret;
}

/* All folders between root and the name's last part are real. *seen is the last that was. */
static bool folders_are_real(const char *root, const char *name, char **seen)
{
	size_t len = (size_t)(path_base(name) - name);
	struct stat st;

	if (*seen && strlen(*seen) == len && !strncmp(*seen, name, len))
		return true;
	for (const char *s = name; (s = strchr(s, '/')); s++) {
		char *part __free(ptr) = xstrndup(name, (size_t)(s - name));
		char *path __free(ptr) = path_join(root, part);

		if (lstat(path, &st) < 0 || !S_ISDIR(st.st_mode))
			return false;
	}
	free(*seen);
	*seen = xstrndup(name, len);
	return true;
}

static int list_folder(struct listing *l, const char *root, const char *prefix, int depth,
		       struct err *err);

/* One line of git's: a file, or the folder of a submodule or nested repository. */
static int take(struct listing *l, const char *root, const char *prefix, char *name, int depth,
		char **seen, struct err *err)
{
	size_t len = strlen(name);
	char *path __free(ptr) = NULL;
	char *whole __free(ptr) = NULL;
	struct stat st;

	if (len && name[len - 1] == '/')
		name[--len] = '\0';
	path = path_join(root, name);
	if (!len || !folders_are_real(root, name, seen) || lstat(path, &st) < 0)
		return 0;
	whole = xstrfmt("%s%s", prefix, name);
	if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) {
		strvec_push_nodup(l->names, no_free_ptr(whole));
	} else if (S_ISDIR(st.st_mode)) {
		char *dot __free(ptr) = dot_git(path);
		char *below __free(ptr) = xstrfmt("%s/", whole);

		if (lstat(dot, &st) == 0)
			return list_folder(l, path, below, depth + 1, err);
	}
	return 0;
}

static int list_folder(struct listing *l, const char *root, const char *prefix, int depth,
		       struct err *err)
{
	struct strvec found __release(strvec) = STRVEC_INIT;
	char *git_dir __free(ptr) = NULL;
	char *none __free(ptr) = path_join(l->spare, "no-index");
	char *seen __free(ptr) = NULL;
	struct git g = { .work_tree = root };
	int ret;

	if (depth > DEPTH_MAX)
		return err_input(err, "repositories more than %d deep in '%s'", DEPTH_MAX,
				 str_escape(root));
	source_find_git(root, &git_dir);
	if (git_dir && strcmp(git_dir, root) != 0) {
		g.dir = git_dir;
		ret = ask_git(&g, true, NULL, 0, &found, err);
		if (ret < 0)
			return ret;
	}
	/* No repository, or one that nothing was added to. */
	g = (struct git){ .dir = l->spare, .work_tree = root, .index = none };
	if (depth == 0 && !strvec_has(&found, "Makefile")) {
		strvec_release(&found);
		ret = ask_git(&g, false, NULL, 0, &found, err);
		if (ret < 0)
			return ret;
	}
	if (depth == 0 && !strvec_has(&found, "Makefile")) {
		strvec_release(&found);
		ret = ask_git(&g, false, top_patterns, ARRAY_SIZE(top_patterns), &found, err);
		if (ret < 0)
			return ret;
	}
	for (size_t i = 0; i < found.n; i++) {
		/* Unmerged files have up to three lines. */
		if (i && !strcmp(found.v[i], found.v[i - 1]))
			continue;
		ret = take(l, root, prefix, found.v[i], depth, &seen, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int source_list(const char *tree, const char *spare, struct strvec *names, struct err *err)
{
	struct listing l = { .spare = spare, .names = names };
	int ret = list_folder(&l, tree, "", 0, err);

	if (ret == 0)
		strvec_sort(names);
	return ret;
}
