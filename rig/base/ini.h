/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reader for *.case, *.expect, *.disk and *.kernel: INI in the dialect of git-config and fio.
 *
 *	[case]                  a section, optionally with one argument: [disk hda]
 *	title = Some text       ; a comment starts with ; or # at the start or after white space
 *	run   = "sh -c 'a; b'"  double quotes keep ; and #; \" \\ \n \t are known inside them
 *
 * Keys are [A-Za-z0-9._-]+; names of sections may have a '/' as well. Refused with
 * 'file:line: ...' (ERR_INPUT): files above 1 MiB, lines above 4,096 bytes, NUL bytes and other
 * control characters but tab, text outside a section, a key without '=', duplicate sections,
 * duplicate keys in a section, an unclosed quote, anything that is not a regular file. CRLF is
 * accepted.
 */
#ifndef BASE_INI_H
#define BASE_INI_H

#include <stddef.h>

struct err;

struct ini_entry {
	char *key, *value;
	int line;
};

struct ini_section {
	char *name;
	char *arg;	/* NULL if the section has none */
	int line;
	struct ini_entry *entries;
	size_t n;
};

struct ini {
	char *path;	/* as given, for messages */
	struct ini_section *sections;
	size_t n;
};

#define INI_INIT { .path = NULL, .sections = NULL, .n = 0 }

int ini_read(struct ini *ini, const char *path, struct err *err);
/* The same from memory; path is only for messages. */
int ini_parse(struct ini *ini, const char *path, const char *data, size_t len, struct err *err);
void ini_release(struct ini *ini);
/* The first section with that name and argument (arg NULL: without one), or NULL. */
const struct ini_section *ini_find(const struct ini *ini, const char *name, const char *arg);
const struct ini_entry *ini_get(const struct ini_section *s, const char *key);
/* err_input() with 'path:line: ' in front. */
int ini_error(const struct ini *ini, int line, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
