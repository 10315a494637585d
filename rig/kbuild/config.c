/* SPDX-License-Identifier: GPL-2.0-only */
/* Configuration fragments: reading, overriding, and what kconfig starts from. */
#include "kbuild/config.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#define PREFIX	     "CONFIG_"
#define NOT_SET	     " is not set"
#define OPTIONAL     "# optional"
#define FRAGMENT_MAX ((size_t)1 << 20)
#define OPTIONS_MAX  20000
#define LINE_MAX_    ((size_t)4096)

/* A line of a fragment, for messages. */
struct place {
	const char *path;
	int line;
};

void config_release(struct config *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->options[i].name);
		free(c->options[i].value);
		free(c->options[i].file);
	}
	free(c->options);
	free(c->base);
	*c = (struct config)CONFIG_INIT;
}

/* Length of the "CONFIG_X" that s begins with, 0 if it does not. */
static size_t name_len(const char *s)
{
	size_t len = strlen(PREFIX);

	if (strncmp(s, PREFIX, len) != 0)
		return 0;
	while (isalnum((unsigned char)s[len]) || s[len] == '_')
		len++;
	return len > strlen(PREFIX) ? len : 0;
}

static bool is_number(const char *s)
{
	s += *s == '-';
	if (!strncmp(s, "0x", 2))
		return s[2] && !s[2 + strspn(s + 2, "0123456789abcdefABCDEF")];
	return *s && !s[strspn(s, "0123456789")];
}

/* A text in quotes with no quote inside but escaped ones. */
static bool is_text(const char *s)
{
	if (*s++ != '"')
		return false;
	for (; *s && *s != '"'; s++) {
		if (*s == '\\' && !*++s)
			return false;
		if ((unsigned char)*s < 0x20)
			return false;
	}
	return s[0] == '"' && !s[1];
}

static bool value_ok(const char *s)
{
	return !strcmp(s, "y") || !strcmp(s, "m") || !strcmp(s, "n") || is_number(s) || is_text(s);
}

static void trim_end(char *s)
{
	size_t len = strlen(s);

	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t' || s[len - 1] == '\r'))
		s[--len] = '\0';
}

/* Cut "# optional" off the end. */
static bool take_optional(char *line)
{
	size_t len = strlen(line), mark = strlen(OPTIONAL);

	if (len <= mark || strcmp(line + len - mark, OPTIONAL) != 0 ||
	    !isspace((unsigned char)line[len - mark - 1]))
		return false;
	line[len - mark] = '\0';
	trim_end(line);
	return true;
}

/* "# CONFIG_X is not set" becomes the name; anything else after '#' is a comment: NULL. */
static char *unset_name(char *line)
{
	char *name = line + 1 + strspn(line + 1, " \t");
	size_t len = name_len(name);

	if (!len || strcmp(name + len, NOT_SET) != 0)
		return NULL;
	name[len] = '\0';
	return name;
}

static void add_option(struct config *c, const struct place *at, const char *name,
		       const char *value, bool optional)
{
	struct config_option *o = array_grow(c->options, c->n);

	*o = (struct config_option){
		.name = xstrdup(name), .value = xstrdup(value), .optional = optional,
		.file = xstrdup(path_base(at->path)), .line = at->line,
	};
}

static int add_line(struct config *c, const struct place *at, char *line, struct err *err)
{
	bool optional;
	size_t len;

	line += strspn(line, " \t");
	trim_end(line);
	optional = take_optional(line);
	if (*line == '#') {
		char *name = unset_name(line);

		if (name)
			add_option(c, at, name, "n", optional);
		return 0;
	}
	if (!*line)
		return 0;
	len = name_len(line);
	if (!len || line[len] != '=')
		return err_input(err, "%s:%d: neither 'CONFIG_X=value' nor "
				      "'# CONFIG_X is not set': '%s'",
				 str_escape(at->path), at->line, str_escape(line));
	if (!value_ok(line + len + 1))
		return err_input(err, "%s:%d: no value for an option (y, m, n, a number or a "
				      "quoted text): '%s'", str_escape(at->path), at->line,
				 str_escape(line + len + 1));
	if (c->n >= OPTIONS_MAX)
		return err_input(err, "%s:%d: more than %d options", str_escape(at->path), at->line,
				 OPTIONS_MAX);
	line[len] = '\0';
	add_option(c, at, line, line + len + 1, optional);
	return 0;
}

int config_add(struct config *c, const char *path, struct err *err)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct place at = { .path = path };
	int ret = file_read(path, FRAGMENT_MAX, &text, err);

	if (ret < 0) {
		err->kind = ERR_INPUT;
		return ret;
	}
	if (strlen(text.buf) != text.len)
		return err_input(err, "%s: holds a NUL byte", str_escape(path));
	for (char *line = text.buf, *next; ret == 0 && line; line = next) {
		char *end = strchr(line, '\n');

		next = end ? end + 1 : NULL;
		if (end)
			*end = '\0';
		at.line++;
		if (strlen(line) > LINE_MAX_)
			return err_input(err, "%s:%d: longer than %zu bytes", str_escape(path),
					 at.line, LINE_MAX_);
		ret = add_line(c, &at, line, err);
	}
	return ret;
}

static int by_name(const void *a, const void *b)
{
	const struct config_option *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);

	/* of equal names the later one last */
	return order ? order : (*x > *y) - (*x < *y);
}

/* Pointers to the options in the order of names; free it. */
static const struct config_option **sorted(const struct config *c)
{
	const struct config_option **s = xcalloc(c->n + 1, sizeof(*s));

	for (size_t i = 0; i < c->n; i++)
		s[i] = &c->options[i];
	qsort(s, c->n, sizeof(*s), by_name);
	return s;
}

static void drop_overridden(struct config *c)
{
	const struct config_option **s = sorted(c);
	bool *drop = xcalloc(c->n + 1, sizeof(*drop));
	size_t n = 0;

	for (size_t i = 0; i + 1 < c->n; i++)
		drop[s[i] - c->options] = !strcmp(s[i]->name, s[i + 1]->name);
	for (size_t i = 0; i < c->n; i++) {
		if (!drop[i]) {
			c->options[n++] = c->options[i];
			continue;
		}
		free(c->options[i].name);
		free(c->options[i].value);
		free(c->options[i].file);
	}
	free(drop);
	free(s);
	/* array_grow() counts on the array's size following from n */
	if (n != c->n) {
		struct config_option *fresh = NULL;
		size_t m = 0;

		for (size_t i = 0; i < n; i++)
			*array_grow(fresh, m) = c->options[i];
		free(c->options);
		c->options = fresh;
		c->n = n;
	}
}

void config_seal(struct config *c)
{
	struct hash h;

	drop_overridden(c);
	hash_init(&h);
	for (size_t i = 0; i < c->n; i++) {
		hash_add_str(&h, c->options[i].name);
		hash_add_str(&h, c->options[i].value);
		hash_add_str(&h, c->options[i].optional ? "optional" : "");
	}
	hash_add_str(&h, c->base ? "base" : "all off");
	hash_add_str(&h, c->base ? c->base : "");
	hash_add_str(&h, c->trim ? "trim" : "");
	hash_hex(&h, c->sha256);
}

static int find_name(const void *name, const void *option)
{
	const struct config_option *const *o = option;

	return strcmp(name, (*o)->name);
}

/* Take a line of the base: an option that is not wanted otherwise, and no module if those go. */
static void base_line(const struct config *c, const struct config_option **wanted, const char *line,
		      size_t len, struct strbuf *sb)
{
	bool unset = !strncmp(line, "# ", 2);
	const char *start = unset ? line + 2 : line;
	size_t n = name_len(start);
	char *name __free(ptr) = xstrndup(start, n);

	if (!n || (!unset && start[n] != '='))
		return;
	if (c->n && bsearch(name, wanted, c->n, sizeof(*wanted), find_name))
		return;
	if (c->trim && !unset && !strncmp(start + n, "=m", 2))
		strbuf_addf(sb, "# %s" NOT_SET "\n", name);
	else
		strbuf_addf(sb, "%.*s\n", (int)len, line);
}

void config_start(const struct config *c, struct strbuf *sb)
{
	const struct config_option **wanted = sorted(c);

	for (const char *line = c->base; line && *line;) {
		size_t len = strcspn(line, "\n");

		if (len <= LINE_MAX_)
			base_line(c, wanted, line, len, sb);
		line += len + (line[len] == '\n');
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct config_option *o = &c->options[i];

		if (!strcmp(o->value, "n"))
			strbuf_addf(sb, "# %s" NOT_SET "\n", o->name);
		else
			strbuf_addf(sb, "%s=%s\n", o->name, o->value);
	}
	free(wanted);
}
