/* SPDX-License-Identifier: GPL-2.0-only */
/* A JSON writer over a fixed buffer. */
#include "agent/jsonw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put(struct jsonw *json, char c)
{
	if (json->len >= json->cap) {
		json->full = true;
		return;
	}
	json->buf[json->len++] = c;
}

static void put_text(struct jsonw *json, const char *text)
{
	while (*text)
		put(json, *text++);
}

static void put_quoted(struct jsonw *json, const char *text, size_t len)
{
	char escape[8];

	put(json, '"');
	for (; len--; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\') {
			put(json, '\\');
			put(json, c);
		} else if (c == '\0' || c > '~') {
			put(json, '?');
		} else if (c < ' ') {
			snprintf(escape, sizeof(escape), "\\u%04x", c);
			put_text(json, escape);
		} else {
			put(json, c);
		}
	}
	put(json, '"');
}

static void put_key(struct jsonw *json, const char *key)
{
	if (json->comma)
		put(json, ',');
	json->comma = true;
	if (!key)
		return;
	put_quoted(json, key, strlen(key));
	put(json, ':');
}

void jsonw_begin(struct jsonw *json, char *buf, size_t cap)
{
	*json = (struct jsonw){ .buf = buf, .cap = cap };
	put(json, '{');
}

long jsonw_end(struct jsonw *json)
{
	put(json, '}');
	return json->full ? -1 : (long)json->len;
}

void jsonw_number(struct jsonw *json, const char *key, int64_t value)
{
	char number[24];

	put_key(json, key);
	snprintf(number, sizeof(number), "%" PRId64, value);
	put_text(json, number);
}

void jsonw_count(struct jsonw *json, const char *key, int64_t value)
{
	if (value >= 0)
		jsonw_number(json, key, value);
}

void jsonw_bytes(struct jsonw *json, const char *key, const char *text, size_t len)
{
	put_key(json, key);
	put_quoted(json, text, len);
}

void jsonw_string(struct jsonw *json, const char *key, const char *text)
{
	jsonw_bytes(json, key, text, strlen(text));
}

void jsonw_open(struct jsonw *json, const char *key, char bracket)
{
	put_key(json, key);
	put(json, bracket);
	json->comma = false;
}

void jsonw_close(struct jsonw *json, char bracket)
{
	put(json, bracket);
	json->comma = true;
}
