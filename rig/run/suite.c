/* SPDX-License-Identifier: GPL-2.0-only */
/* The cases of a run with what is expected of them. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "run/options.h"
#include "run/suite.h"

void suite_release(struct suite *s)
{
	for (size_t i = 0; i < s->n; i++) {
		kase_release(&s->cases[i]);
		expect_release(&s->expects[i]);
	}
	free(s->cases);
	free(s->expects);
	*s = (struct suite)SUITE_INIT;
}

/* A boot's folder is named after its case, with '-' for every '/': "a/b-c" is "a-b/c" there. */
static bool same_folder(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && (*a == '/' ? '-' : *a) != (*b == '/' ? '-' : *b))
			return false;
	return *a == *b;
}

static int suite_add(struct suite *s, const struct run_options *o, const char *name,
		     struct err *err)
{
	char *cases __free(ptr) = path_join(o->data_dir, "cases");
	char *path __free(ptr) = kase_path(cases, name);
	/* of all variants together */
	char *expect __free(ptr) = xstrfmt("%s/expect/%.*s.expect", o->data_dir,
					   (int)strcspn(name, "@"), name);
	char *disks __free(ptr) = xstrfmt("%s/images/disks", o->data_dir);
	size_t n = s->n;
	int ret;

	for (size_t i = 0; i < s->n; i++) {
		if (!strcmp(s->cases[i].name, name))
			return 0;
		if (same_folder(s->cases[i].name, name))
			return err_input(err, "cases '%s' and '%s' would share a result folder",
					 str_escape(s->cases[i].name), str_escape(name));
	}
	array_grow(s->cases, s->n);
	array_grow(s->expects, n);
	s->cases[s->n - 1] = (struct kase)KASE_INIT;
	s->expects[s->n - 1] = (struct expect)EXPECT_INIT;
	ret = kase_read(&s->cases[s->n - 1], path, name, o->scale, disks, &o->applets, err);
	if (ret)
		return ret;
	return expect_read(&s->expects[s->n - 1], expect, &s->cases[s->n - 1], err);
}

/* An expectation that no case reads would be taken for one that is kept. */
static int check_orphans(const struct run_options *o, struct err *err)
{
	char *expect __free(ptr) = path_join(o->data_dir, "expect");
	struct strvec files __release(strvec) = STRVEC_INIT;
	int ret = path_is_dir(expect) ? dir_walk(expect, ".expect", &files, err) : 0;

	for (size_t i = 0; i < files.n && !ret; i++) {
		int len = (int)(strlen(files.v[i]) - strlen(".expect"));
		char *path __free(ptr) = xstrfmt("%s/cases/%.*s.case", o->data_dir, len,
						 files.v[i]);

		if (!path_is_file(path))
			ret = err_input(err, "%s/%s:1: there is no case '%s'", expect,
					str_escape(files.v[i]), str_escape(path));
	}
	return ret;
}

int suite_load(struct suite *s, const struct run_options *o, struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	char *cases __free(ptr) = path_join(o->data_dir, "cases");
	int ret = kase_find(cases, &o->globs, &names, err);

	if (!ret)
		ret = check_orphans(o, err);

	for (size_t i = 0; i < names.n && !ret; i++)
		ret = suite_add(s, o, names.v[i], err);
	if (ret)
		return ret;
	/* The list grows while it is walked: an added case may name one in turn. */
	for (size_t i = 0; i < s->n; i++) {
		for (size_t j = 0; j < s->cases[i].n_jobs; j++) {
			const char *alone = s->cases[i].jobs[j].alone_case;
			char *copy __free(ptr) = alone ? xstrdup(alone) : NULL;

			if (!copy)
				continue;
			ret = suite_add(s, o, copy, err);
			if (ret)
				return err_wrap(err, "which '%s' names as its alone case",
						s->cases[i].name);
		}
	}
	return kase_check_alone(s->cases, s->n, err);
}
