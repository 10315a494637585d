/* SPDX-License-Identifier: GPL-2.0-only */
/* git apply on a tree, one patch after the other, and what it says about offsets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "patch/patchset.h"
#include "patch/patchset_git.h"
#include "patch/patchset_text.h"
#include "patch/patchset_why.h"

#define LINK_MAX 4096

/* "Hunk #2 succeeded at 120 (offset -3 lines)." */
static void note_offset(const struct patch *p, const char *file, const char *line,
			struct strvec *notes)
{
	int hunk, at, offset;

	if (sscanf(line, "Hunk #%9d succeeded at %9d (offset %9d line", &hunk, &at, &offset) != 3)
		return;
	strvec_pushf(notes, "%s: %s: hunk %d found at line %d, %d line%s %s than it says",
		     str_escape(p->name), str_escape(file), hunk, at, abs(offset),
		     abs(offset) == 1 ? "" : "s", offset < 0 ? "higher" : "lower");
}

static void note_offsets(const struct patch *p, const char *printed, struct strvec *notes)
{
	char *file __free(ptr) = xstrdup("");

	for (const char *s = printed, *next; *s; s = next) {
		size_t len = strcspn(s, "\n");
		char *line __free(ptr) = xstrndup(s, len);

		next = s + len + (s[len] == '\n');
		if (!strncmp(line, "Checking patch ", 15) && len > 18 &&
		    !strcmp(line + len - 3, "...")) {
			line[len - 3] = '\0';
			free(file);
			file = xstrdup(line + 15);
		}
		note_offset(p, file, line, notes);
	}
}

/* Does a relative path that stands in a folder depth levels below the tree leave it? */
static bool climbs_out(const char *target, int depth)
{
	for (const char *s = target; *s;) {
		size_t len = strcspn(s, "/");

		if (len == 2 && !memcmp(s, "..", 2))
			depth--;
		else if (len && !(len == 1 && *s == '.'))
			depth++;
		if (depth < 0)
			return true;
		s += len + strspn(s + len, "/");
	}
	return false;
}

/* A symbolic link that a patch made: make would follow it. */
static int check_link(const struct patch *p, const char *tree, const char *name, struct err *err)
{
	char *path __free(ptr) = path_join(tree, name), *real __free(ptr) = NULL;
	char *top __free(ptr) = realpath(tree, NULL);
	char target[LINK_MAX + 1];
	ssize_t len = readlink(path, target, LINK_MAX);
	int depth = 0;

	if (len < 0)
		return 0; /* none, or it is gone: the patch deleted it */
	target[len] = '\0';
	for (const char *s = strchr(name, '/'); s; s = strchr(s + 1, '/'))
		depth++;
	real = realpath(path, NULL);
	if (*target == '/' || climbs_out(target, depth) ||
	    (real && top && (strncmp(real, top, strlen(top)) || !strchr("/", real[strlen(top)]))))
		return err_input(err, "'%s' makes a symbolic link out of the tree: '%s'",
				 str_escape(p->name), str_escape(name));
	return 0;
}

static int check_links(const struct patch *p, const char *tree, struct err *err)
{
	struct patch_text t __release(patch_text) = PATCH_TEXT_INIT;
	int ret = patch_text_read(&t, p->name, p->text, p->len, p->strip, err);

	for (size_t i = 0; i < t.n && ret == 0; i++) {
		if (t.files[i].new_name)
			ret = check_link(p, tree, t.files[i].new_name, err);
	}
	return ret;
}

static int apply(const struct patch *p, const char *tree, struct strvec *notes, struct err *err)
{
	struct proc proc __release(proc) = PROC_INIT;
	struct strbuf printed __release(strbuf) = STRBUF_INIT;
	int status, ret = patch_git_init(&proc, err);

	if (ret < 0)
		return ret;
	strvec_pushl(&proc.argv, "apply", "-v", "--whitespace=nowarn", NULL);
	strvec_pushf(&proc.argv, "-p%d", p->strip);
	proc.dir = tree;
	ret = patch_git_feed(&proc, p->text, p->len, &status, NULL, &printed, err);
	if (ret < 0)
		return ret;
	if (status)
		return patch_why(p, tree, printed.buf, notes, err);
	note_offsets(p, printed.buf, notes);
	return check_links(p, tree, err);
}

int patchset_apply(const struct patchset *set, const char *tree, struct strvec *notes,
		   struct err *err)
{
	for (size_t i = 0; i < set->n; i++) {
		int ret;

		BUG_ON(set->patches[i].forms); /* patchset_choose() comes first */
		ret = apply(&set->patches[i], tree, notes, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}
