/* SPDX-License-Identifier: GPL-2.0-only */
/* Reader for the folders of planted regressions. */
#include "patch/mutant.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/strbuf.h"

#define SEES_MAX 64

static void release(struct mutant *m)
{
	free(m->name);
	free(m->dir);
	free(m->title);
	free(m->from);
	free(m->shows);
	strvec_release(&m->sees);
	patchset_release(&m->patches);
}

void mutants_release(struct mutants *all)
{
	for (size_t i = 0; i < all->n; i++)
		release(&all->v[i]);
	free(all->v);
	*all = (struct mutants)MUTANTS_INIT;
}

static const struct {
	const char *key;
	size_t offset;
} texts[] = {
	{ "title", offsetof(struct mutant, title) },
	{ "from", offsetof(struct mutant, from) },
	{ "shows", offsetof(struct mutant, shows) },
};

static int take_expect(struct mutant *m, const struct ini *ini, const struct ini_entry *e,
		       struct err *err)
{
	m->passes = !strcmp(e->value, "passes");
	if (!m->passes && strcmp(e->value, "caught"))
		return ini_error(ini, e->line, err, "expect: '%s' is neither 'caught' nor 'passes'",
				 str_escape(e->value));
	return 0;
}

static int take_sees(struct mutant *m, const struct ini *ini, const struct ini_entry *e,
		     struct err *err)
{
	strvec_split(&m->sees, e->value, " \t");
	if (m->sees.n > SEES_MAX)
		return ini_error(ini, e->line, err, "sees: more than %d cases", SEES_MAX);
	return 0;
}

static int take_key(struct mutant *m, const struct ini *ini, const struct ini_entry *e,
		    struct err *err)
{
	if (!*e->value)
		return ini_error(ini, e->line, err, "'%s' is empty", e->key);
	if (!strcmp(e->key, "expect"))
		return take_expect(m, ini, e, err);
	if (!strcmp(e->key, "sees"))
		return take_sees(m, ini, e, err);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (strcmp(e->key, texts[i].key) != 0)
			continue;
		*(char **)((char *)m + texts[i].offset) = xstrdup(e->value);
		return 0;
	}
	return ini_error(ini, e->line, err, "unknown key '%s'", str_escape(e->key));
}

static int check(const struct mutant *m, const struct ini *ini, const struct ini_section *s,
		 struct err *err)
{
	const struct ini_entry *sees = ini_get(s, "sees");

	if (!m->title || !ini_get(s, "expect"))
		return ini_error(ini, s->line, err, "'%s' is missing",
				 m->title ? "expect" : "title");
	if (sees && m->passes)
		return ini_error(ini, sees->line, err, "'sees' goes with 'expect = caught' only");
	return 0;
}

static int parse(struct mutant *m, const struct ini *ini, struct err *err)
{
	const struct ini_section *s = ini_find(ini, "mutant", NULL);

	for (size_t i = 0; i < ini->n; i++) {
		if (&ini->sections[i] != s)
			return ini_error(ini, ini->sections[i].line, err, "unknown section '%s'",
					 str_escape(ini->sections[i].name));
	}
	if (!s)
		return ini_error(ini, 1, err, "a section [mutant] is missing");
	for (size_t i = 0; i < s->n; i++) {
		int ret = take_key(m, ini, &s->entries[i], err);

		if (ret < 0)
			return ret;
	}
	return check(m, ini, s, err);
}

static int add(struct mutants *all, const char *dir, const char *name, struct err *err)
{
	struct ini ini __release(ini) = INI_INIT;
	struct mutant *m = array_grow(all->v, all->n);
	char *path __free(ptr) = NULL;
	int ret;

	*m = (struct mutant){ .name = xstrdup(name), .dir = path_join(dir, name),
			      .sees = STRVEC_INIT };
	m->patches = (struct patchset)PATCHSET_INIT;
	path = path_join(m->dir, "mutant");
	if (!path_is_file(path))
		return err_input(err, "%s:1: no such file, which has to say what the patch does",
				 str_escape(path));
	ret = ini_read(&ini, path, err);
	if (ret == 0)
		ret = parse(m, &ini, err);
	return ret < 0 ? ret : patchset_add(&m->patches, m->dir, err);
}

/* Folders only: a README may lie beside them. */
static int list_folders(const char *dir, struct strvec *names, struct err *err)
{
	struct strvec all __release(strvec) = STRVEC_INIT;
	int ret = path_is_dir(dir) ? dir_list(dir, NULL, &all, err) : 0;

	strvec_each (name, &all) {
		char *path __free(ptr) = path_join(dir, *name);

		if (**name != '.' && path_is_dir(path))
			strvec_push(names, *name);
	}
	if (!ret && !names->n)
		ret = err_input(err, "no mutants in '%s'", str_escape(dir));
	return ret;
}

static int no_match(const char *glob, const struct strvec *names, struct err *err)
{
	struct strbuf list __release(strbuf) = STRBUF_INIT;

	strvec_each (name, names)
		strbuf_addf(&list, "%s%s", list.len ? ", " : "", str_escape(*name));
	return err_input(err, "no mutant matches '%s'; there are: %s", str_escape(glob), list.buf);
}

int mutants_find(struct mutants *all, const char *dir, const struct strvec *globs,
		 struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	char **used __free(ptr) = xcalloc(globs->n + 1, sizeof(*used));
	int ret = list_folders(dir, &names, err);

	strvec_each (name, &names) {
		bool wanted = !globs->n;

		for (size_t i = 0; i < globs->n; i++) {
			if (fnmatch(globs->v[i], *name, 0) != 0)
				continue;
			used[i] = *name;
			wanted = true;
		}
		if (wanted && !ret)
			ret = add(all, dir, *name, err);
	}
	for (size_t i = 0; i < globs->n && !ret; i++) {
		if (!used[i])
			ret = no_match(globs->v[i], &names, err);
	}
	return ret;
}

int mutant_choose(struct mutant *m, const char *version, bool *fits, struct strbuf *why,
		  struct err *err)
{
	struct err no_form = ERR_INIT;
	int ret = patchset_choose(&m->patches, version, &no_form);

	*fits = ret == 0;
	if (ret == 0)
		return 0;
	if (no_form.kind != ERR_UNABLE) {
		*err = no_form;
		return ret;
	}
	strbuf_addstr(why, no_form.msg);
	return 0;
}
