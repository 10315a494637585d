/* SPDX-License-Identifier: GPL-2.0-only */
/* Case names that match globs. */
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "case/case.h"

static void list_names(const struct strvec *all, struct strbuf *list)
{
	strvec_each(name, all)
		strbuf_addf(list, "%s%s", list->len ? ", " : "", str_escape(*name));
}

/* Something else than a file under a case's name: the list of cases would not help. */
static int check_kind(const char *cases_dir, const char *name, struct err *err)
{
	char *path __free(ptr) = xstrfmt("%s/%s.case", cases_dir, name);
	struct stat st;

	if (lstat(path, &st) || S_ISREG(st.st_mode))
		return 0;
	return err_input(err, "%s:1: not a regular file", str_escape(path));
}

static int find_glob(const char *cases_dir, const struct strvec *all, const char *glob,
		     struct strvec *names, struct err *err)
{
	struct strbuf list __release(strbuf) = STRBUF_INIT;
	bool found = false;

	strvec_each(name, all) {
		if (fnmatch(glob, *name, 0) != 0)
			continue;
		found = true;
		if (!strvec_has(names, *name))
			strvec_push(names, *name);
	}
	if (found)
		return 0;
	if (check_kind(cases_dir, glob, err))
		return err->code;
	list_names(all, &list);
	return err_input(err, "no case matches '%s'; there are: %s", str_escape(glob), list.buf);
}

int kase_find(const char *cases_dir, const struct strvec *globs, struct strvec *names,
	      struct err *err)
{
	struct strvec files __release(strvec) = STRVEC_INIT;
	struct strvec all __release(strvec) = STRVEC_INIT;
	int ret = dir_walk(cases_dir, ".case", &files, err);

	if (ret < 0)
		return ret;
	strvec_each(file, &files)
		strvec_pushf(&all, "%.*s", (int)(strlen(*file) - strlen(".case")), *file);
	strvec_each(glob, globs) {
		ret = find_glob(cases_dir, &all, *glob, names, err);
		if (ret < 0)
			return ret;
	}
	strvec_sort(names);
	return 0;
}
