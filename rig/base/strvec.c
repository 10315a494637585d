/* SPDX-License-Identifier: GPL-2.0-only */
/* A NULL-terminated array of owned strings. */
#include "base/strvec.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"

/* The NULL that every fresh vector points to. Never written: alloc is 0 then. */
char *strvec_empty[1];

void strvec_init(struct strvec *vec)
{
	*vec = (struct strvec)STRVEC_INIT;
}

void strvec_release(struct strvec *vec)
{
	strvec_each (s, vec)
		free(*s);
	if (vec->alloc)
		free(vec->v);
	strvec_init(vec);
}

/* Make room for one more string and the NULL. */
static void grow(struct strvec *vec)
{
	bool fresh = !vec->alloc;

	if (vec->n + 2 <= vec->alloc)
		return;
	vec->alloc = fresh ? 8 : vec->alloc * 2;
	vec->v = xreallocarray(fresh ? NULL : vec->v, vec->alloc, sizeof(*vec->v));
	vec->v[vec->n] = NULL;
}

void strvec_push_nodup(struct strvec *vec, char *s)
{
	grow(vec);
	vec->v[vec->n++] = s;
	vec->v[vec->n] = NULL;
}

const char *strvec_push(struct strvec *vec, const char *s)
{
	strvec_push_nodup(vec, xstrdup(s));
	return vec->v[vec->n - 1];
}

const char *strvec_pushf(struct strvec *vec, const char *fmt, ...)
{
	struct strbuf sb = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	strvec_push_nodup(vec, strbuf_detach(&sb, NULL));
	return vec->v[vec->n - 1];
}

void strvec_pushl(struct strvec *vec, ...)
{
	const char *s;
	va_list ap;

	va_start(ap, vec);
	while ((s = va_arg(ap, const char *)))
		strvec_push(vec, s);
	va_end(ap);
}

void strvec_pushv(struct strvec *vec, char *const *v)
{
	for (; *v; v++)
		strvec_push(vec, *v);
}

char **strvec_detach(struct strvec *vec)
{
	char **v;

	grow(vec);
	v = vec->v;
	strvec_init(vec);
	return v;
}

bool strvec_has(const struct strvec *vec, const char *s)
{
	strvec_each (own, vec) {
		if (strcmp(*own, s) == 0)
			return true;
	}
	return false;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strvec_sort(struct strvec *vec)
{
	qsort(vec->v, vec->n, sizeof(*vec->v), compare);
}

void strvec_split(struct strvec *vec, const char *s, const char *seps)
{
	for (;;) {
		size_t len;

		s += strspn(s, seps);
		len = strcspn(s, seps);
		if (!len)
			return;
		strvec_push_nodup(vec, xstrndup(s, len));
		s += len;
	}
}

void str_shell_quote(const char *s, struct strbuf *sb)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789_@%+=:,./-";

	if (*s && !s[strspn(s, plain)]) {
		strbuf_addstr(sb, s);
		return;
	}
	strbuf_addch(sb, '\'');
	for (; *s; s++) {
		/* nothing escapes a quote inside single quotes: close, add one, open again */
		if (*s == '\'')
			strbuf_addstr(sb, "'\\''");
		else
			strbuf_addch(sb, *s);
	}
	strbuf_addch(sb, '\'');
}

void strvec_shell_quote(const struct strvec *vec, struct strbuf *sb)
{
	for (size_t i = 0; i < vec->n; i++) {
		if (i)
			strbuf_addch(sb, ' ');
		str_shell_quote(vec->v[i], sb);
	}
}
