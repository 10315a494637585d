/* SPDX-License-Identifier: GPL-2.0-only */
/* Escaping for HTML. */
#include <stdarg.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "report/html_text.h"

static void add_markup_free(struct strbuf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		switch (text[i]) {
		case '&':
			strbuf_addstr(out, "&amp;");
			break;
		case '<':
			strbuf_addstr(out, "&lt;");
			break;
		case '>':
			strbuf_addstr(out, "&gt;");
			break;
		case '"':
			strbuf_addstr(out, "&quot;");
			break;
		case '\'':
			strbuf_addstr(out, "&#39;");
			break;
		default:
			strbuf_addch(out, text[i]);
		}
	}
}

static void add_piece(struct strbuf *out, const char *text, size_t len, size_t max)
{
	struct strbuf plain = STRBUF_INIT;

	strbuf_add_escaped(&plain, text, len, max);
	add_markup_free(out, plain.buf, plain.len);
	strbuf_release(&plain);
}

void html_add(struct strbuf *out, const char *text)
{
	if (text)
		add_piece(out, text, strlen(text), HTML_TEXT_MAX);
}

void html_add_lines(struct strbuf *out, const char *text, size_t max)
{
	size_t left = max;

	while (text && *text) {
		size_t len = strcspn(text, "\n\t");

		add_piece(out, text, len, left);
		left -= len < left ? len : left;
		text += len;
		if (!left || !*text)
			return;
		strbuf_addch(out, *text++);
		left--;
	}
}

void html_addf(struct strbuf *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	for (; *fmt; fmt++) {
		if (*fmt != '%') {
			strbuf_addch(out, *fmt);
			continue;
		}
		switch (*++fmt) {
		case 's':
			html_add(out, va_arg(ap, const char *));
			break;
		case 'd':
			strbuf_addf(out, "%d", va_arg(ap, int));
			break;
		case 'u':
			strbuf_addf(out, "%u", va_arg(ap, unsigned int));
			break;
		case 'z':
			BUG_ON(*++fmt != 'u');
			strbuf_addf(out, "%zu", va_arg(ap, size_t));
			break;
		case '%':
			strbuf_addch(out, '%');
			break;
		default:
			BUG("html_addf: no such conversion");
		}
	}
	va_end(ap);
}
