/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of a recorded case's text. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/ini.h"
#include "record/record.h"
#include "report/words.h"

static const char *get(const struct ini *ini, const char *section, const char *arg, const char *key)
{
	const struct ini_section *s = ini_find(ini, section, arg);
	const struct ini_entry *e = s ? ini_get(s, key) : NULL;

	return e ? e->value : NULL;
}

/* override: the key's name in a [scale] section. */
static char *look(const struct boot *b, const char *section, const char *arg, const char *key,
		  const char *override)
{
	struct ini ini __release(ini) = INI_INIT;
	struct err err = ERR_INIT;
	const char *value;

	if (!b->case_text || ini_parse(&ini, "case", b->case_text, strlen(b->case_text), &err))
		return NULL;
	value = b->scale ? get(&ini, "scale", b->scale, override) : NULL;
	if (!value)
		value = get(&ini, section, arg, key);
	return value ? xstrdup(value) : NULL;
}

char *words_case(const struct boot *b, const char *key)
{
	return look(b, "case", NULL, key, key);
}

char *words_of(const struct boot *b, const char *kind, const char *name, const char *key)
{
	char *override __free(ptr) = xstrfmt("%s.%s.%s", kind, name, key);

	return look(b, kind, name, key, override);
}
