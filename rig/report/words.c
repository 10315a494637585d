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

/* "bfq" of the case "sched/raw@bfq", NULL of one without a variant. */
static const char *variant_of(const struct boot *b)
{
	const char *at = b->case_name ? strrchr(b->case_name, '@') : NULL;

	return at ? at + 1 : NULL;
}

/* override: the key's name in a [scale] or [variant] section; a variant is put over a scale. */
static char *look(const struct boot *b, const char *section, const char *arg, const char *key,
		  const char *override)
{
	struct ini ini __release(ini) = INI_INIT;
	struct err err = ERR_INIT;
	const char *variant = variant_of(b), *value;

	if (!b->case_text || ini_parse(&ini, "case", b->case_text, strlen(b->case_text), &err))
		return NULL;
	value = variant ? get(&ini, "variant", variant, override) : NULL;
	if (!value && b->scale)
		value = get(&ini, "scale", b->scale, override);
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
