/* SPDX-License-Identifier: GPL-2.0-only */
/* Case names that match globs, and the words for sets of cases. */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/strbuf.h"
#include "case/case.h"

#define SET_BYTES (64 << 10)	/* of cases/default */

static void list_names(const struct strvec *all, struct strbuf *list)
{
	strvec_each(name, all)
		strbuf_addf(list, "%s%s", list->len ? ", " : "", str_escape(*name));
}

char *kase_path(const char *cases_dir, const char *name)
{
	return xstrfmt("%s/%.*s.case", cases_dir, (int)strcspn(name, "@"), name);
}

/* The name of the case in a file, and those of its variants. */
static int add_names(const char *cases_dir, const char *file, struct strvec *all, struct err *err)
{
	char *name __free(ptr) = xstrndup(file, strlen(file) - strlen(".case"));
	char *path __free(ptr) = xstrfmt("%s/%s", cases_dir, file);
	struct ini ini __release(ini) = INI_INIT;
	struct err ignored = ERR_INIT;

	if (!strcmp(name, KASE_SET_DEFAULT) || !strcmp(name, KASE_SET_ALL))
		return err_input(err, "%s:1: '%s' is the word for a set of cases", str_escape(path),
				 name);
	if (strchr(name, '@'))
		return err_input(err, "%s:1: the name of a case's file has no '@': behind it "
				 "stands a variant", str_escape(path));
	strvec_push(all, name);
	if (ini_read(&ini, path, &ignored) < 0)
		return 0;
	for (size_t i = 0; i < ini.n; i++) {
		const struct ini_section *s = &ini.sections[i];

		if (strcmp(s->name, "variant") == 0 && s->arg)
			strvec_pushf(all, "%s@%s", name, s->arg);
	}
	return 0;
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

/* Add what matches; does anything? */
static bool add_matches(const struct strvec *all, const char *glob, struct strvec *names)
{
	bool found = false;

	strvec_each(name, all) {
		if (fnmatch(glob, *name, 0) != 0)
			continue;
		found = true;
		if (!strvec_has(names, *name))
			strvec_push(names, *name);
	}
	return found;
}

static int find_glob(const char *cases_dir, const struct strvec *all, const char *glob,
		     struct strvec *names, struct err *err)
{
	struct strbuf list __release(strbuf) = STRBUF_INIT;

	if (add_matches(all, glob, names))
		return 0;
	if (check_kind(cases_dir, glob, err))
		return err->code;
	list_names(all, &list);
	return err_input(err, "no case matches '%s'; there are: %s", str_escape(glob), list.buf);
}

/* The globs of cases/default; a folder of cases that has none means all of them. */
static int find_default(const char *cases_dir, const struct strvec *all, struct strvec *names,
			struct err *err)
{
	char *path __free(ptr) = path_join(cases_dir, KASE_SET_DEFAULT);
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	int line = 0, ret;

	if (access(path, F_OK) && errno == ENOENT)
		return find_glob(cases_dir, all, "*", names, err);
	ret = file_read(path, SET_BYTES, &text, err);
	if (ret < 0)
		return ret;
	if (text.len && memchr(text.buf, '\0', text.len))
		return err_input(err, "%s:1: has a NUL byte", str_escape(path));
	for (char *at = text.len ? text.buf : NULL; at;) {
		char *glob = strsep(&at, "\n");

		line++;
		glob += strspn(glob, " \t\r");
		glob[strcspn(glob, "#; \t\r")] = '\0';
		if (*glob && !add_matches(all, glob, names))
			return err_input(err, "%s:%d: no case matches '%s'", str_escape(path), line,
					 str_escape(glob));
	}
	return names->n ? 0 : err_input(err, "%s:1: names no case", str_escape(path));
}

int kase_find(const char *cases_dir, const struct strvec *globs, struct strvec *names,
	      struct err *err)
{
	struct strvec files __release(strvec) = STRVEC_INIT;
	struct strvec all __release(strvec) = STRVEC_INIT;
	int ret = dir_walk(cases_dir, ".case", &files, err);

	if (ret < 0)
		return ret;
	strvec_each(file, &files) {
		ret = add_names(cases_dir, *file, &all, err);
		if (ret < 0)
			return ret;
	}
	strvec_each(glob, globs) {
		if (!strcmp(*glob, KASE_SET_DEFAULT))
			ret = find_default(cases_dir, &all, names, err);
		else
			ret = find_glob(cases_dir, &all,
					strcmp(*glob, KASE_SET_ALL) ? *glob : "*", names, err);
		if (ret < 0)
			return ret;
	}
	strvec_sort(names);
	return 0;
}
