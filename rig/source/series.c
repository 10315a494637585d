/* SPDX-License-Identifier: GPL-2.0-only */
/* Splitting a series into patches that can be applied one after the other. */
#include "source/series.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "source/source_list.h"
#include "source/source_run.h"

#define NAME_MAX_BYTES 60	/* of a folder: it becomes a part of the kernel's name */
#define SUFFIX ".patch"

void series_release(struct series *s)
{
	struct err ignored = ERR_INIT;

	if (s->dir)
		dir_remove(s->dir, &ignored);
	free(s->dir);
	s->dir = NULL;
	strvec_release(&s->folders);
	patchset_release(&s->set);
}

/* "0002-mm-fix" of "0002-mm-fix.patch", with nothing that a path or a kernel's name cannot have. */
static char *plain_name(const struct patch *p)
{
	size_t len = strlen(p->name), tail = strlen(SUFFIX);
	char *name;

	if (len > tail && !strcmp(p->name + len - tail, SUFFIX))
		len -= tail;
	name = xstrndup(p->name, len < NAME_MAX_BYTES ? len : NAME_MAX_BYTES);
	for (char *c = name; *c; c++) {
		/* a dot would be taken for the beginning of a suffix */
		if (!isalnum((unsigned char)*c) && !strchr("_+-", *c))
			*c = '_';
	}
	return name;
}

static int write_folder(struct series *s, size_t i, struct err *err)
{
	const struct patch *p = &s->set.patches[i];
	char *name __free(ptr) = plain_name(p);
	char *dir __free(ptr) = xstrfmt("%s/%zu/%s", s->dir, i + 1, name);
	char *patch __free(ptr) = path_join(dir, "it" SUFFIX);
	char *series __free(ptr) = path_join(dir, "series");
	char *line __free(ptr) = xstrfmt("it" SUFFIX " -p%d\n", p->strip);
	int ret = dir_make(dir, err);

	if (!ret)
		ret = file_write_atomic(patch, p->text, p->len, 0644, err);
	if (!ret)
		ret = file_write_atomic(series, line, strlen(line), 0644, err);
	if (!ret)
		strvec_push(&s->folders, dir);
	return ret;
}

/* The commits as mails, as git format-patch writes them. */
static int add_range(struct series *s, const char *range, const char *tree, struct err *err)
{
	char *git_dir __free(ptr) = NULL;
	char *path __free(ptr) = path_join(s->dir, "commits.mbox");
	struct strbuf mails __release(strbuf) = STRBUF_INIT;
	struct err failed = ERR_INIT;
	struct git git = { .dir = NULL };
	int ret;

	source_find_git(tree, &git_dir);
	if (!git_dir)
		return err_input(err, "'%s' is no git repository", str_escape(tree));
	git.dir = git_dir;
	ret = git_call(&git, NULL, &mails, &failed, "format-patch", "--stdout", "--no-renames",
		       "--no-signature", "--full-index", "--binary", "--end-of-options", range);
	if (ret == -EIO)
		return err_input(err, "commits '%s' of '%s': %s", str_escape(range),
				 str_escape(tree), failed.msg);
	if (ret) {
		*err = failed;
		return ret;
	}
	if (!mails.len)
		return err_input(err, "no commit in '%s' of '%s' that is no merge",
				 str_escape(range), str_escape(tree));
	ret = file_write_atomic(path, mails.buf, mails.len, 0600, err);
	return ret ? ret : patchset_add(&s->set, path, err);
}

int series_open(struct series *s, const char *spec, const char *tree, const char *version,
		struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	char *prefix __free(ptr) = path_join(tmp && *tmp ? tmp : "/tmp", "iorig-series-");
	bool there = path_is_file(spec) || path_is_dir(spec);
	int ret = dir_temp(prefix, &s->dir, err);

	if (ret)
		return ret;
	if (!there && tree && strstr(spec, ".."))
		ret = add_range(s, spec, tree, err);
	else
		ret = patchset_add(&s->set, spec, err);
	if (!ret)
		ret = patchset_choose(&s->set, version, err);
	for (size_t i = 0; i < s->set.n && !ret; i++)
		ret = write_folder(s, i, err);
	return ret;
}
