/* SPDX-License-Identifier: GPL-2.0-only */
/* What people call a patch, out of the text before its diff; and line ends of other systems. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "patch/patchset_text.h"

#define SUBJECT_MAX ((size_t)200)

/* The names of files in a diff have no CR, whatever the files' own lines end with. */
static bool names_dos(const char *text)
{
	for (const char *s = text, *nl; (nl = strchr(s, '\n')); s = nl + 1) {
		if (!strncmp(s, "diff --git ", 11) ||
		    (!strncmp(s, "--- ", 4) && !strncmp(nl + 1, "+++ ", 4)))
			return nl[-1] == '\r';
	}
	return false;
}

void patch_text_unix(struct strbuf *sb)
{
	size_t to = 0;

	if (!names_dos(sb->buf))
		return;
	for (size_t i = 0; i < sb->len; i++) {
		if (sb->buf[i] != '\r' || sb->buf[i + 1] != '\n')
			sb->buf[to++] = sb->buf[i];
	}
	sb->len = to;
	sb->buf[to] = '\0';
}

char *patch_text_clean_subject(const char *subject, size_t len)
{
	char *all __free(ptr) = xstrndup(subject, len), *s = all, *end;

	size_t to = 0;

	/* white space of any kind and length becomes one blank: subjects are folded */
	for (const char *c = all; *c; c++) {
		bool blank = *c == ' ' || iscntrl((unsigned char)*c);

		if (!blank || !to || all[to - 1] != ' ')
			all[to++] = blank ? ' ' : *c;
	}
	all[to] = '\0';
	for (;;) {
		s += strspn(s, " ");
		end = *s == '[' ? strchr(s, ']') : NULL;
		if (end)
			s = end + 1;
		else if (!strncasecmp(s, "re:", 3))
			s += 3;
		else
			break;
	}
	end = s + strnlen(s, SUBJECT_MAX);
	while (end > s && (end[-1] == ' ' || (*end & 0xc0) == 0x80))
		end--; /* nor is a character cut in two */
	return xstrndup(s, (size_t)(end - s));
}

/* A line with the lines that continue it: those that begin with white space. */
static size_t folded_len(const char *s, const char *end)
{
	const char *at = s;

	do {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		if (!newline || newline + 1 == end)
			return (size_t)(end - s);
		at = newline + 1;
	} while (*at == ' ' || *at == '\t');
	return (size_t)(at - s);
}

/* Lines that stand before the text of some patches and say nothing about it. */
static bool is_preamble(const char *s)
{
	static const char *const words[] = {
		"From ",  "From:", "Date:", "Author:", "Origin:", "Bug:", "Bug-",
		"commit ", "diff ", "Index:", "---",	"===",	   "#",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strncmp(s, words[i], strlen(words[i])))
			return true;
	}
	return false;
}

char *patch_text_subject(const char *text, size_t len, const char *name)
{
	const char *end = text + len, *first = NULL;
	char *subject = NULL;

	for (const char *s = text, *next; s < end && !subject; s = next) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		const char *colon = memchr(s, ':', (size_t)((newline ? newline : end) - s));

		next = newline ? newline + 1 : end;
		if (!strncasecmp(s, "Subject:", 8) || !strncasecmp(s, "Description:", 12))
			subject = patch_text_clean_subject(colon + 1,
							   folded_len(colon + 1, end));
		else if (!first && !is_preamble(s) && strspn(s, " \t\r") < (size_t)(next - s - 1))
			first = s;
	}
	if (!subject && first)
		subject = patch_text_clean_subject(first, strcspn(first, "\n"));
	if (subject && *subject)
		return subject;
	free(subject);
	return xstrdup(name);
}
