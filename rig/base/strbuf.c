/* SPDX-License-Identifier: GPL-2.0-only */
/* A growing byte string. */
#include "base/strbuf.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"

/* The byte that every fresh buffer points to. Never written: alloc is 0 then. */
char strbuf_empty[1];

void strbuf_init(struct strbuf *sb)
{
	*sb = (struct strbuf)STRBUF_INIT;
}

void strbuf_release(struct strbuf *sb)
{
	if (sb->alloc)
		free(sb->buf);
	strbuf_init(sb);
}

static void set_len(struct strbuf *sb, size_t len)
{
	sb->len = len;
	if (sb->alloc)
		sb->buf[len] = '\0';
}

void strbuf_reset(struct strbuf *sb)
{
	set_len(sb, 0);
}

char *strbuf_detach(struct strbuf *sb, size_t *len)
{
	char *s;

	strbuf_reserve(sb, 0);
	s = sb->buf;
	if (len)
		*len = sb->len;
	strbuf_init(sb);
	return s;
}

void strbuf_reserve(struct strbuf *sb, size_t n)
{
	/* a size that overflows is one that no malloc can serve */
	size_t need = n < SIZE_MAX - sb->len ? sb->len + n + 1 : SIZE_MAX;
	size_t grown = sb->alloc < SIZE_MAX / 2 ? sb->alloc * 2 : SIZE_MAX;
	bool fresh = !sb->alloc;

	if (need <= sb->alloc)
		return;
	sb->alloc = need > grown ? need : grown;
	if (sb->alloc < 64)
		sb->alloc = 64;
	sb->buf = xrealloc(fresh ? NULL : sb->buf, sb->alloc);
	sb->buf[sb->len] = '\0';
}

void strbuf_grown(struct strbuf *sb, size_t n)
{
	BUG_ON(n && n >= sb->alloc - sb->len);
	set_len(sb, sb->len + n);
}

void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	if (!len)
		return;
	strbuf_reserve(sb, len);
	memcpy(sb->buf + sb->len, data, len);
	set_len(sb, sb->len + len);
}

void strbuf_addstr(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

void strbuf_addch(struct strbuf *sb, int c)
{
	char byte = (char)c;

	strbuf_add(sb, &byte, 1);
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	BUG_ON(len < 0);
	strbuf_reserve(sb, (size_t)len);
	vsnprintf(sb->buf + sb->len, (size_t)len + 1, fmt, ap);
	set_len(sb, sb->len + (size_t)len);
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
}

void strbuf_consume(struct strbuf *sb, size_t n)
{
	BUG_ON(n > sb->len);
	if (!n)
		return;
	memmove(sb->buf, sb->buf + n, sb->len - n);
	set_len(sb, sb->len - n);
}

void strbuf_trim(struct strbuf *sb)
{
	size_t end = sb->len, start = 0;

	while (end && isspace((unsigned char)sb->buf[end - 1]))
		end--;
	set_len(sb, end);
	while (start < end && isspace((unsigned char)sb->buf[start]))
		start++;
	strbuf_consume(sb, start);
}

/* Smallest code point for a sequence of that many bytes: less is an overlong form. */
static const uint32_t utf8_least[] = { 0, 0, 0x80, 0x800, 0x10000 };

/* Characters that nobody sees but that turn the direction of what follows, break lines or hide
 * text (Unicode's format characters and separators): they reach beyond their own text. */
static bool is_invisible(uint32_t cp)
{
	return cp == 0xad || cp == 0x61c || cp == 0x180e || (cp >= 0x200b && cp <= 0x200f) ||
	       (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff ||
	       (cp >= 0xfff9 && cp <= 0xfffb) || (cp >= 0xe0000 && cp <= 0xe0fff);
}

/*
 * Length of the valid UTF-8 sequence at s for a visible code point above U+009F, else 0 (RFC 3629:
 * no overlong forms, no surrogates, nothing above U+10FFFF).
 */
static size_t utf8_len(const unsigned char *s, size_t len)
{
	size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	uint32_t cp = s[0] & (0xffu >> (n + 1));

	if (s[0] < 0xc2 || s[0] > 0xf4 || n > len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		cp = cp << 6 | (s[i] & 0x3fu);
	}
	if (cp < utf8_least[n] || cp <= 0x9f || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff) ||
	    is_invisible(cp))
		return 0;
	return n;
}

void strbuf_add_escaped(struct strbuf *sb, const void *data, size_t len, size_t max)
{
	const unsigned char *s = data;
	size_t end = len < max ? len : max;
	size_t n;

	for (size_t i = 0; i < end; i += n) {
		n = s[i] >= 0x20 && s[i] <= 0x7e ? 1 : utf8_len(s + i, end - i);
		if (n) {
			strbuf_add(sb, s + i, n);
		} else {
			strbuf_addf(sb, "\\x%02x", s[i]);
			n = 1;
		}
	}
	if (end < len)
		strbuf_addstr(sb, "...");
}

const char *str_escape(const char *s)
{
	static struct strbuf ring[8] = {
		STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT,
		STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT,
	};
	static size_t next;
	struct strbuf *sb = &ring[next++ % ARRAY_SIZE(ring)];

	strbuf_reset(sb);
	strbuf_add_escaped(sb, s, strlen(s), 400);
	return sb->buf;
}
