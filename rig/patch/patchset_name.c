/* SPDX-License-Identifier: GPL-2.0-only */
/* Unquoting, stripping and checking the names of files in patches. */
#include "patch/patchset_name.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"

/* One character of a quoted name behind a backslash; returns how many bytes it took, 0 if none. */
static size_t unescape(const char *s, size_t len, char *c)
{
	static const char from[] = "abtnvfr\"\\", to[] = "\a\b\t\n\v\f\r\"\\";
	const char *at = len && *s ? strchr(from, *s) : NULL;

	if (at) {
		*c = to[at - from];
		return 1;
	}
	if (len < 3 || s[0] < '0' || s[0] > '3' || s[1] < '0' || s[1] > '7' || s[2] < '0' ||
	    s[2] > '7')
		return 0;
	*c = (char)((s[0] - '0') << 6 | (s[1] - '0') << 3 | (s[2] - '0'));
	return *c ? 3 : 0;
}

/* Append the quoted string that s begins with; returns its length with the quotes, 0 if bad. */
static size_t unquote(struct strbuf *sb, const char *s, size_t len)
{
	for (size_t i = 1; i < len; i++) {
		char c = s[i];

		if (c == '"')
			return i + 1;
		if (c == '\\') {
			size_t used = unescape(s + i + 1, len - i - 1, &c);

			if (!used)
				return 0;
			i += used;
		}
		strbuf_addch(sb, c);
	}
	return 0;
}

static const char *strip_parts(const char *name, int strip)
{
	for (; strip > 0 && name; strip--) {
		name = strchr(name, '/');
		if (name)
			name += strspn(name, "/");
	}
	return name;
}

/* git apply would refuse most of these, too; here it is said before a tree is there. */
static const char *check(const char *name)
{
	const char *part = name;

	if (!*name)
		return "an empty file name";
	if (*name == '/')
		return "a path that leads out of the tree";
	while (part) {
		size_t len = strcspn(part, "/");

		if (len == 2 && !memcmp(part, "..", 2))
			return "a path that leads out of the tree";
		if (len == 4 && !strncasecmp(part, ".git", 4))
			return "a path inside of a .git";
		if (!len || (len == 1 && *part == '.'))
			return "a path with an empty part";
		part = part[len] ? part + len + 1 : NULL;
	}
	return NULL;
}

static const char *finish(char **name, const char *full, int strip)
{
	const char *rest = strip_parts(full, strip), *why;

	*name = NULL;
	if (!rest)
		return "a file name with too few leading parts to strip";
	why = check(rest);
	if (!why)
		*name = xstrdup(rest);
	return why;
}

const char *patch_name_read(char **name, const char *s, size_t len, int strip)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	const char *tab;

	*name = NULL;
	if (len && *s == '"') {
		if (!unquote(&sb, s, len))
			return "a badly quoted file name";
		return finish(name, sb.buf, strip);
	}
	tab = memchr(s, '\t', len);
	strbuf_add(&sb, s, tab ? (size_t)(tab - s) : len);
	while (sb.len && strchr(" \r", sb.buf[sb.len - 1]))
		sb.buf[--sb.len] = '\0';
	if (!strcmp(sb.buf, "/dev/null"))
		return NULL;
	return finish(name, sb.buf, strip);
}

/* The two names are not quoted: any of the spaces may be the one between them. */
static bool split(struct strbuf *first, const char *s, size_t len, int strip)
{
	for (size_t i = 1; i + 1 < len; i++) {
		char *a __free(ptr) = NULL, *b __free(ptr) = NULL;
		const char *x, *y;

		if (s[i] != ' ')
			continue;
		a = xstrndup(s, i);
		b = xstrndup(s + i + 1, len - i - 1);
		x = strip_parts(a, strip);
		y = strip_parts(b, strip);
		if (x && y && !strcmp(x, y)) {
			strbuf_addstr(first, a);
			return true;
		}
	}
	return false;
}

const char *patch_name_read_twice(char **name, const char *s, size_t len, int strip)
{
	struct strbuf first __release(strbuf) = STRBUF_INIT, second __release(strbuf) = STRBUF_INIT;
	size_t used;

	*name = NULL;
	while (len && strchr(" \r", s[len - 1]))
		len--;
	if (!len || *s != '"')
		return split(&first, s, len, strip) ? finish(name, first.buf, strip) : NULL;
	used = unquote(&first, s, len);
	if (!used || used + 1 >= len || s[used] != ' ')
		return NULL;
	if (s[used + 1] == '"' && !unquote(&second, s + used + 1, len - used - 1))
		return NULL;
	if (s[used + 1] != '"')
		strbuf_add(&second, s + used + 1, len - used - 1);
	const char *x = strip_parts(first.buf, strip), *y = strip_parts(second.buf, strip);

	return x && y && !strcmp(x, y) ? finish(name, first.buf, strip) : NULL;
}
