/* SPDX-License-Identifier: GPL-2.0-only */
/* The case that gives a job's time alone: its name, and whether there is one. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "case/load.h"

void alone_resolve(const struct kase *c, struct case_job *job)
{
	char *text __free(ptr) = job->alone_case;
	const char *slash = strrchr(c->name, '/');
	char *colon = text ? strchr(text, ':') : NULL;
	int folder = slash ? (int)(slash + 1 - c->name) : 0;

	if (!text)
		return;
	if (colon)
		*colon = '\0';
	job->alone_job = xstrdup(colon ? colon + 1 : job->name);
	job->alone_case = xstrfmt("%.*s%s", strchr(text, '/') ? 0 : folder, c->name, text);
}

/* The folder that names are below: path without "NAME.case". NULL if the path is no such. */
static char *cases_dir(const struct kase *c)
{
	size_t name = strcspn(c->name, "@");
	size_t tail = name + strlen(".case"), len = strlen(c->path);
	const char *at = c->path + len - tail;

	if (len < tail || strncmp(at, c->name, name) != 0 || strcmp(at + name, ".case") != 0 ||
	    (at > c->path && at[-1] != '/'))
		return NULL;
	return at > c->path ? xstrndup(c->path, (size_t)(at - c->path - 1)) : xstrdup(".");
}

static bool name_is_safe(const char *name)
{
	return *name != '/' && *name != '.' && !strstr(name, "/.") && !strstr(name, "//");
}

/* Has that file the variant? What is wrong with it otherwise is told when it is read. */
static bool has_variant(const char *path, const char *variant)
{
	struct ini ini __release(ini) = INI_INIT;
	struct err ignored = ERR_INIT;

	return ini_read(&ini, path, &ignored) == 0 && ini_find(&ini, "variant", variant);
}

void alone_pair(struct kase *c)
{
	char *dir __free(ptr) = cases_dir(c);

	for (size_t i = 0; dir && c->variant && i < c->n_jobs; i++) {
		struct case_job *job = &c->jobs[i];
		char *name __free(ptr) = NULL, *path __free(ptr) = NULL;

		if (!job->alone_case || strchr(job->alone_case, '@') ||
		    !name_is_safe(job->alone_case))
			continue;
		path = kase_path(dir, job->alone_case);
		if (!has_variant(path, c->variant))
			continue;
		name = job->alone_case;
		job->alone_case = xstrfmt("%s@%s", name, c->variant);
	}
}

int alone_check(const struct kase *c, const struct case_job *job, const struct ini *ini, int line,
		struct err *err)
{
	char *dir __free(ptr) = NULL, *path __free(ptr) = NULL;
	const char *at;

	if (!job->alone_case)
		return 0;
	if (strcmp(job->alone_case, c->name) == 0)
		return ini_error(ini, line, err, "alone: this is its own case");
	dir = cases_dir(c);
	if (!dir)
		return ini_error(ini, line, err, "alone: the case is not in a folder of cases "
				 "as '%s.case'", str_escape(c->name));
	path = kase_path(dir, job->alone_case);
	if (!name_is_safe(job->alone_case) || !path_is_file(path))
		return ini_error(ini, line, err, "alone: there is no case '%s'",
				 str_escape(job->alone_case));
	at = strchr(job->alone_case, '@');
	if (at && !has_variant(path, at + 1))
		return ini_error(ini, line, err, "alone: there is no case '%s': no [variant] of "
				 "that name", str_escape(job->alone_case));
	return 0;
}
