/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of keys by kind, and how a row of a table is applied. */
#include "case/keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/ini.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"

static int set_text(void *field, const char *value)
{
	char **text = field;

	free(*text);
	*text = xstrdup(value);
	return 0;
}

static int check_length(const struct key *key, const char *value, struct err *err)
{
	size_t len = strlen(value);

	if (len < (size_t)key->min)
		return err_input(err, "is empty");
	if (len > (size_t)key->max)
		return err_input(err, "is longer than %" PRId64 " bytes", key->max);
	return 0;
}

int key_text(const struct key *key, const char *value, void *field, struct err *err)
{
	int ret = check_length(key, value, err);

	if (ret < 0)
		return ret;
	if (strpbrk(value, "\n\t"))
		return err_input(err, "'%s' has a newline or tab in it", str_escape(value));
	return set_text(field, value);
}

int key_script(const struct key *key, const char *value, void *field, struct err *err)
{
	int ret = check_length(key, value, err);

	return ret < 0 ? ret : set_text(field, value);
}

int key_word(const struct key *key, const char *value, void *field, struct err *err)
{
	struct strbuf list __release(strbuf) = STRBUF_INIT;

	for (const char *const *word = key->words; *word; word++) {
		if (strcmp(*word, value) == 0)
			return set_text(field, value);
		strbuf_addf(&list, " %s", *word);
	}
	return err_input(err, "'%s' is none of:%s", str_escape(value), list.buf);
}

static const char *format_plain(int64_t v, char *buf)
{
	snprintf(buf, 32, "%" PRId64, v);
	return buf;
}

/* Check a parsed number and store it. */
static int set_number(const struct key *key, const char *value, int64_t v,
		      const char *(*format)(int64_t v, char *buf), int64_t *field, struct err *err)
{
	char min[32], max[32], unit[32];

	if (v < key->min || v > key->max)
		return err_input(err, "'%s' is not between %s and %s", str_escape(value),
				 format(key->min, min), format(key->max, max));
	if (key->unit && v % key->unit)
		return err_input(err, "'%s' is not a multiple of %s", str_escape(value),
				 format(key->unit, unit));
	*field = v;
	return 0;
}

int key_size(const struct key *key, const char *value, void *field, struct err *err)
{
	int64_t v;
	int ret = parse_size(value, &v, err);

	return ret < 0 ? ret : set_number(key, value, v, format_size, field, err);
}

int key_time(const struct key *key, const char *value, void *field, struct err *err)
{
	int64_t v;
	int ret = parse_time(value, &v, err);

	return ret < 0 ? ret : set_number(key, value, v, format_time, field, err);
}

int key_number(const struct key *key, const char *value, void *field, struct err *err)
{
	int64_t v;
	int ret = parse_int(value, INT64_MIN, INT64_MAX, &v, err);

	return ret < 0 ? ret : set_number(key, value, v, format_plain, field, err);
}

int key_int(const struct key *key, const char *value, void *field, struct err *err)
{
	int64_t v;
	int ret = key_number(key, value, &v, err);

	if (!ret)
		*(int *)field = (int)v;
	return ret;
}

int key_percent(const struct key *key, const char *value, void *field, struct err *err)
{
	size_t len = strlen(value);
	char *number __free(ptr) = NULL;

	if (!len || value[len - 1] != '%')
		return err_input(err, "'%s' is not a percentage (as in 20%%)", str_escape(value));
	number = xstrndup(value, len - 1);
	return key_number(key, number, field, err);
}

int key_ratio(const struct key *key, const char *value, void *field, struct err *err)
{
	double v;
	int ret = parse_ratio(value, &v, err);

	(void)key;
	if (ret < 0)
		return ret;
	if (!(v > 0))
		return err_input(err, "'%s' is not above 0", str_escape(value));
	*(double *)field = v;
	return 0;
}

/* A parsed whole number as a double. */
static int set_real(const char *value, int parsed, int64_t v, void *field, struct err *err)
{
	if (parsed < 0)
		return parsed;
	if (v <= 0)
		return err_input(err, "'%s' is not above 0", str_escape(value));
	*(double *)field = (double)v;
	return 0;
}

int key_real_time(const struct key *key, const char *value, void *field, struct err *err)
{
	int64_t v = 0;
	int ret = parse_time(value, &v, err);

	(void)key;
	return set_real(value, ret, v, field, err);
}

int key_real_rate(const struct key *key, const char *value, void *field, struct err *err)
{
	int64_t v = 0;
	int ret = parse_rate(value, &v, err);

	(void)key;
	return set_real(value, ret, v, field, err);
}

int key_real_size(const struct key *key, const char *value, void *field, struct err *err)
{
	int64_t v = 0;
	int ret = parse_size(value, &v, err);

	(void)key;
	return set_real(value, ret, v, field, err);
}

int key_real_number(const struct key *key, const char *value, void *field, struct err *err)
{
	(void)key;
	if (strchr(value, '%'))
		return err_input(err, "'%s' is not a plain number", str_escape(value));
	return parse_ratio(value, field, err);
}

int key_words(const struct key *key, const char *value, void *field, struct err *err)
{
	struct strvec *words = field;

	strvec_release(words);
	strvec_split(words, value, " \t");
	if (!words->n)
		return err_input(err, "is empty");
	if (words->n > (size_t)key->max)
		return err_input(err, "has more than %" PRId64 " words", key->max);
	return 0;
}

static const struct key *find_key(const struct key_table *table, const char *name)
{
	for (size_t i = 0; i < table->n; i++) {
		if (strcmp(table->keys[i].name, name) == 0)
			return &table->keys[i];
	}
	return NULL;
}

int keys_apply(const struct key_table *table, void *obj, const struct ini *ini,
	       const struct ini_entry *entry, const char *name, struct err *err)
{
	const struct key *key = find_key(table, name);
	struct err why = ERR_INIT;

	if (!key)
		return ini_error(ini, entry->line, err, "unknown key '%s' of [%s]",
				 str_escape(name), table->section);
	if (key->parse(key, entry->value, (char *)obj + key->offset, &why) < 0)
		return ini_error(ini, entry->line, err, "%s: %s", str_escape(entry->key), why.msg);
	return 0;
}

int keys_read(const struct key_table *table, void *obj, const struct ini *ini,
	      const struct ini_section *section, struct err *err)
{
	for (size_t i = 0; i < section->n; i++) {
		const struct ini_entry *entry = &section->entries[i];
		int ret = keys_apply(table, obj, ini, entry, entry->key, err);

		if (ret < 0)
			return ret;
	}
	for (size_t i = 0; i < table->n; i++) {
		const char *name = table->keys[i].name;

		if (table->keys[i].required && !ini_get(section, name))
			return ini_error(ini, section->line, err, "[%s%s%s] needs the key '%s'",
					 section->name, section->arg ? " " : "",
					 section->arg ? str_escape(section->arg) : "", name);
	}
	return 0;
}
