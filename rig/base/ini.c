/* SPDX-License-Identifier: GPL-2.0-only */
/* Reader for INI files: lines to sections and entries, with the place of every error. */
#include "base/ini.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#define FILE_MAX       ((size_t)1 << 20)
#define LINE_MAX_BYTES ((size_t)4096)

static const char key_chars[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				"0123456789._-";
/* A section may be about a part of something, "[job.rate/alone]". */
static const char section_chars[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789._/-";

int ini_error(const struct ini *ini, int line, struct err *err, const char *fmt, ...)
{
	char msg[sizeof(err->msg)];
	va_list ap;

	va_start(ap, fmt);
	if (vsnprintf(msg, sizeof(msg), fmt, ap) < 0)
		msg[0] = '\0';
	va_end(ap);
	return err_input(err, "%s:%d: %s", str_escape(ini->path), line, msg);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *s)
{
	while (is_blank(*s))
		s++;
	return s;
}

/* Nothing more on the line: its end or a comment. */
static bool at_end(const char *s)
{
	return !*s || *s == ';' || *s == '#';
}

static int bad_trailer(const struct ini *ini, int line, const char *s, struct err *err)
{
	return ini_error(ini, line, err, "unexpected text after the section: '%s'", str_escape(s));
}

/* "[name]" or "[name arg]"; s is behind the bracket. */
static int parse_section(struct ini *ini, int line, const char *s, struct err *err)
{
	struct ini_section *section;
	const char *name, *arg, *rest;
	size_t name_len, arg_len;

	name = skip_blanks(s);
	name_len = strspn(name, section_chars);
	arg = skip_blanks(name + name_len);
	arg_len = strcspn(arg, " \t]");
	rest = skip_blanks(arg + arg_len);
	if (!name_len)
		return ini_error(ini, line, err, "section without a name");
	if (arg_len && arg == name + name_len)
		return ini_error(ini, line, err, "section name has a bad character: '%s'",
				 str_escape(name));
	if (memchr(arg, '"', arg_len))
		return ini_error(ini, line, err, "section argument takes no quotes");
	if (!*rest)
		return ini_error(ini, line, err, "section without a closing bracket");
	if (*rest != ']')
		return ini_error(ini, line, err, "section with more than one argument");
	rest++;
	if (!at_end(skip_blanks(rest)) || (*rest && !is_blank(*rest)))
		return bad_trailer(ini, line, rest, err);
	section = array_grow(ini->sections, ini->n);
	section->line = line;
	section->name = xstrndup(name, name_len);
	section->arg = arg_len ? xstrndup(arg, arg_len) : NULL;
	return 0;
}

/* The character that an escape stands for, 0 if it is unknown. */
static char unescape(char c)
{
	switch (c) {
	case '"':
	case '\\':
		return c;
	case 'n':
		return '\n';
	case 't':
		return '\t';
	}
	return 0;
}

/*
 * The quoted part of a value; s is behind the opening quote. Returns what follows the closing
 * one, or NULL after an error.
 */
static const char *parse_quoted(const struct ini *ini, int line, const char *s,
				struct strbuf *value, struct err *err)
{
	for (; *s && *s != '"'; s++) {
		char c = *s;

		if (c == '\\') {
			c = unescape(*++s);
			if (!c) {
				ini_error(ini, line, err,
					  "unknown escape '\\%.1s' (known: \\\" \\\\ \\n \\t)",
					  (unsigned char)*s < 0x80 ? s : "?");
				return NULL;
			}
		}
		strbuf_addch(value, c);
	}
	if (*s)
		return s + 1;
	ini_error(ini, line, err, "quote is not closed");
	return NULL;
}

/*
 * A value up to the end of its line or a comment. As in git-config, quotes may stand anywhere in
 * it; blanks at its ends are dropped unless they are quoted.
 */
static int parse_value(const struct ini *ini, int line, const char *s, struct strbuf *value,
		       struct err *err)
{
	size_t keep = 0; /* length up to the last byte that is not an unquoted blank */

	s = skip_blanks(s);
	while (*s && !(at_end(s) && is_blank(s[-1]))) {
		if (*s == '"') {
			s = parse_quoted(ini, line, s + 1, value, err);
			if (!s)
				return err->code;
			keep = value->len;
			continue;
		}
		strbuf_addch(value, *s);
		if (!is_blank(*s))
			keep = value->len;
		s++;
	}
	value->len = keep;
	if (value->alloc)
		value->buf[keep] = '\0';
	return 0;
}

/* "key = value"; s is at the key. */
static int parse_entry(struct ini *ini, int line, const char *s, struct err *err)
{
	struct strbuf value = STRBUF_INIT;
	size_t key_len = strspn(s, key_chars);
	const char *equals = skip_blanks(s + key_len);
	struct ini_section *section;
	struct ini_entry *entry;
	int ret;

	if (!ini->n)
		return ini_error(ini, line, err, "text outside a section: '%s'", str_escape(s));
	if (!key_len)
		return ini_error(ini, line, err, "line is no key: '%s'", str_escape(s));
	if (*equals != '=')
		return ini_error(ini, line, err, "key without '=': '%s'", str_escape(s));
	ret = parse_value(ini, line, equals + 1, &value, err);
	if (ret < 0) {
		strbuf_release(&value);
		return ret;
	}
	section = &ini->sections[ini->n - 1];
	entry = array_grow(section->entries, section->n);
	entry->key = xstrndup(s, key_len);
	entry->value = strbuf_detach(&value, NULL);
	entry->line = line;
	return 0;
}

/* One line without its end. Its bytes are checked first, so the rest can take it as a string. */
static int parse_line(struct ini *ini, int line, const char *data, size_t len, struct err *err)
{
	char text[LINE_MAX_BYTES + 1];
	const char *s;

	if (len && data[len - 1] == '\r')
		len--;
	if (len > LINE_MAX_BYTES)
		return ini_error(ini, line, err, "line is longer than %zu bytes", LINE_MAX_BYTES);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)data[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return ini_error(ini, line, err, "control character \\x%02x", c);
	}
	memcpy(text, data, len);
	text[len] = '\0';
	s = skip_blanks(text);
	if (at_end(s))
		return 0;
	if (*s == '[')
		return parse_section(ini, line, s + 1, err);
	return parse_entry(ini, line, s, err);
}

static int compare_sections(const void *a, const void *b)
{
	const struct ini_section *x = *(struct ini_section *const *)a;
	const struct ini_section *y = *(struct ini_section *const *)b;
	int order = strcmp(x->name, y->name);

	/* no argument sorts first; a given one is never empty */
	if (!order)
		order = strcmp(x->arg ? x->arg : "", y->arg ? y->arg : "");
	return order ? order : x->line - y->line;
}

static int compare_entries(const void *a, const void *b)
{
	const struct ini_entry *x = *(struct ini_entry *const *)a;
	const struct ini_entry *y = *(struct ini_entry *const *)b;
	int order = strcmp(x->key, y->key);

	return order ? order : x->line - y->line;
}

/* Duplicates are found by sorting: comparing all pairs takes minutes on a hostile file. */
static int check_sections(const struct ini *ini, struct err *err)
{
	const struct ini_section **sorted = xcalloc(ini->n, sizeof(*sorted));
	int ret = 0;

	for (size_t i = 0; i < ini->n; i++)
		sorted[i] = &ini->sections[i];
	qsort(sorted, ini->n, sizeof(*sorted), compare_sections);
	for (size_t i = 1; i < ini->n && !ret; i++) {
		const struct ini_section *a = sorted[i - 1], *b = sorted[i];

		if (strcmp(a->name, b->name) == 0 &&
		    strcmp(a->arg ? a->arg : "", b->arg ? b->arg : "") == 0)
			ret = ini_error(ini, b->line, err, "duplicate section '%s%s%s' (line %d)",
					b->name, b->arg ? " " : "",
					b->arg ? str_escape(b->arg) : "", a->line);
	}
	free(sorted);
	return ret;
}

static int check_entries(const struct ini *ini, const struct ini_section *section, struct err *err)
{
	const struct ini_entry **sorted = xcalloc(section->n, sizeof(*sorted));
	int ret = 0;

	for (size_t i = 0; i < section->n; i++)
		sorted[i] = &section->entries[i];
	qsort(sorted, section->n, sizeof(*sorted), compare_entries);
	for (size_t i = 1; i < section->n && !ret; i++) {
		const struct ini_entry *a = sorted[i - 1], *b = sorted[i];

		if (strcmp(a->key, b->key) == 0)
			ret = ini_error(ini, b->line, err, "duplicate key '%s' (line %d)", b->key,
					a->line);
	}
	free(sorted);
	return ret;
}

static int parse_all(struct ini *ini, const char *data, size_t len, struct err *err)
{
	int line = 1, ret;

	if (len > FILE_MAX)
		return ini_error(ini, 1, err, "file is larger than %zu bytes", FILE_MAX);
	for (const char *end = data + len; data < end; line++) {
		const char *eol = memchr(data, '\n', (size_t)(end - data));
		size_t line_len = (size_t)((eol ? eol : end) - data);

		ret = parse_line(ini, line, data, line_len, err);
		if (ret < 0)
			return ret;
		data += line_len + (eol ? 1 : 0);
	}
	ret = check_sections(ini, err);
	for (size_t i = 0; i < ini->n && !ret; i++)
		ret = check_entries(ini, &ini->sections[i], err);
	return ret;
}

int ini_parse(struct ini *ini, const char *path, const char *data, size_t len, struct err *err)
{
	int ret;

	*ini = (struct ini){ .path = xstrdup(path) };
	ret = parse_all(ini, data, len, err);
	if (ret < 0)
		ini_release(ini);
	return ret;
}

int ini_read(struct ini *ini, const char *path, struct err *err)
{
	struct strbuf data = STRBUF_INIT;
	int ret = file_read(path, FILE_MAX, &data, err);

	if (!ret) {
		ret = ini_parse(ini, path, data.buf, data.len, err);
	} else {
		*ini = (struct ini)INI_INIT;
		err->kind = ERR_INPUT;
		/* a file that is not there has no lines */
		if (ret != -ENOENT)
			err_wrap(err, "%s:1", str_escape(path));
	}
	strbuf_release(&data);
	return ret;
}

void ini_release(struct ini *ini)
{
	for (size_t i = 0; i < ini->n; i++) {
		struct ini_section *s = &ini->sections[i];

		for (size_t k = 0; k < s->n; k++) {
			free(s->entries[k].key);
			free(s->entries[k].value);
		}
		free(s->entries);
		free(s->name);
		free(s->arg);
	}
	free(ini->sections);
	free(ini->path);
	*ini = (struct ini)INI_INIT;
}

const struct ini_section *ini_find(const struct ini *ini, const char *name, const char *arg)
{
	for (size_t i = 0; i < ini->n; i++) {
		const struct ini_section *s = &ini->sections[i];

		if (strcmp(s->name, name) == 0 && !s->arg == !arg &&
		    (!arg || strcmp(s->arg, arg) == 0))
			return s;
	}
	return NULL;
}

const struct ini_entry *ini_get(const struct ini_section *s, const char *key)
{
	for (size_t i = 0; i < s->n; i++) {
		if (strcmp(s->entries[i].key, key) == 0)
			return &s->entries[i];
	}
	return NULL;
}
