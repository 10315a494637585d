/* SPDX-License-Identifier: GPL-2.0-only */
/* Reader for *.kernel files. */
#include "kbuild/describe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/strbuf.h"
#include "kernel/apt.h"

#define PACKAGE_PREFIX "package:"

void description_release(struct description *d)
{
	free(d->title);
	free(d->source);
	free(d->package);
	free(d->image);
	free(d->modules);
	free(d->cmdline);
	free(d->series);
	strvec_release(&d->config);
	*d = (struct description)DESCRIPTION_INIT;
}

/* A path in a description: relative to the folder that holds the description. */
static char *description_path(const char *ini_path, const char *path)
{
	if (*path == '/')
		return xstrdup(path);
	return xstrfmt("%.*s%s", (int)(path_base(ini_path) - ini_path), ini_path, path);
}

static int take_config(struct description *d, const struct ini *ini, const struct ini_entry *e,
		       struct err *err)
{
	struct strvec words __release(strvec) = STRVEC_INIT;

	strvec_split(&words, e->value, " \t");
	for (size_t i = 0; i < words.n; i++) {
		const char *word = words.v[i];
		size_t prefix = strlen(PACKAGE_PREFIX);

		if (strncmp(word, PACKAGE_PREFIX, prefix)) {
			strvec_push_nodup(&d->config, description_path(ini->path, word));
			continue;
		}
		if (i > 0)
			return ini_error(ini, e->line, err, "'%s' is a base: it comes first",
					 str_escape(word));
		if (!apt_name_ok(word + prefix))
			return ini_error(ini, e->line, err, "'%s' is no name of a package",
					 str_escape(word + prefix));
		strvec_push(&d->config, word);
	}
	return 0;
}

static int take_trim(struct description *d, const struct ini *ini, const struct ini_entry *e,
		     struct err *err)
{
	if (strcmp(e->value, "modules"))
		return ini_error(ini, e->line, err, "trim: '%s' is not 'modules'",
				 str_escape(e->value));
	d->trim = true;
	return 0;
}

static const struct {
	const char *key;
	size_t offset;
	bool path;
} texts[] = {
	{ "title", offsetof(struct description, title), false },
	{ "source", offsetof(struct description, source), false },
	{ "package", offsetof(struct description, package), false },
	{ "image", offsetof(struct description, image), true },
	{ "modules", offsetof(struct description, modules), true },
	{ "cmdline", offsetof(struct description, cmdline), false },
	{ "series", offsetof(struct description, series), true },
};

static int take_key(struct description *d, const struct ini *ini, const struct ini_entry *e,
		    struct err *err)
{
	if (!*e->value)
		return ini_error(ini, e->line, err, "'%s' is empty", e->key);
	if (!strcmp(e->key, "config"))
		return take_config(d, ini, e, err);
	if (!strcmp(e->key, "trim"))
		return take_trim(d, ini, e, err);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		char **field = (char **)((char *)d + texts[i].offset);

		if (strcmp(e->key, texts[i].key) != 0)
			continue;
		*field = texts[i].path ? description_path(ini->path, e->value) : xstrdup(e->value);
		return 0;
	}
	return ini_error(ini, e->line, err, "unknown key '%s'", str_escape(e->key));
}

/* What does not fit together; NULL if all does. */
static const char *complaint(const struct description *d, bool based)
{
	if (!!d->source + !!d->package + !!d->image != 1)
		return "one of 'source', 'package' and 'image' is needed";
	if (d->modules && !d->image)
		return "'modules' goes with 'image' only";
	if ((d->config.n || d->series || d->trim) && !d->source)
		return "'config', 'series' and 'trim' go with 'source' only";
	if (d->trim && !based)
		return "'trim' needs a base: 'config = package:NAME ...'";
	return NULL;
}

static int check(const struct description *d, const struct ini *ini, const struct ini_section *s,
		 struct err *err)
{
	const struct ini_entry *package = ini_get(s, "package");
	bool based = d->config.n && !strncmp(d->config.v[0], PACKAGE_PREFIX,
					     strlen(PACKAGE_PREFIX));
	const char *wrong = complaint(d, based);

	if (wrong)
		return ini_error(ini, s->line, err, "%s", wrong);
	if (package && !apt_name_ok(package->value))
		return ini_error(ini, package->line, err, "'%s' is no name of a package",
				 str_escape(package->value));
	return 0;
}

static int parse(struct description *d, const struct ini *ini, struct err *err)
{
	const struct ini_section *s = ini_find(ini, "kernel", NULL);

	for (size_t i = 0; i < ini->n; i++) {
		if (&ini->sections[i] != s)
			return ini_error(ini, ini->sections[i].line, err, "unknown section '%s'",
					 str_escape(ini->sections[i].name));
	}
	if (!s)
		return ini_error(ini, 1, err, "a section [kernel] is missing");
	for (size_t i = 0; i < s->n; i++) {
		int ret = take_key(d, ini, &s->entries[i], err);

		if (ret < 0)
			return ret;
	}
	return check(d, ini, s, err);
}

int description_read(struct description *d, const char *path, struct err *err)
{
	struct ini ini __release(ini) = INI_INIT;
	int ret = ini_read(&ini, path, err);

	if (ret == 0)
		ret = parse(d, &ini, err);
	if (ret < 0)
		description_release(d);
	return ret;
}
