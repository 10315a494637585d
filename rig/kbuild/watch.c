/* SPDX-License-Identifier: GPL-2.0-only */
/* Steps and errors in what a kernel's build prints. */
#include "kbuild/watch.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"

#define LINE_SHOWN ((size_t)240)

enum { KIND_NONE, KIND_MAKE, KIND_PROGRAM, KIND_ERROR };

/* What a line looks like, by fnmatch(3); the first that fits decides. */
static const struct {
	const char *pattern;
	int kind;
} patterns[] = {
	/* harmless, or it says less than the line that follows or came before */
	{ "*: warning: *", KIND_NONE },
	{ "*: in function `*", KIND_NONE },
	{ "collect2: error: *", KIND_NONE },
	/* gcc, clang, ld in its newer form, objtool */
	{ "*: error: *", KIND_ERROR },
	{ "*: fatal error: *", KIND_ERROR },
	{ "error: *", KIND_ERROR },
	/* gas */
	{ "*:[0-9]*: Error: *", KIND_ERROR },
	/* ld */
	{ "*: undefined reference to *", KIND_ERROR },
	{ "*: multiple definition of *", KIND_ERROR },
	{ "*ld: *", KIND_ERROR },
	/* kconfig */
	{ "*:[0-9]*:error: *", KIND_ERROR },
	{ "*:[0-9]*: syntax error*", KIND_ERROR },
	{ "*:[0-9]*: invalid *", KIND_ERROR },
	{ "*:[0-9]*: unknown *", KIND_ERROR },
	{ "*:[0-9]*: can't open file *", KIND_ERROR },
	{ "*recursive dependency detected*", KIND_ERROR },
	/* modpost, resolve_btfids, scripts of kbuild */
	{ "ERROR: *", KIND_ERROR },
	{ "FAILED*", KIND_ERROR },
	/* make, and what kbuild stops with by itself: "Makefile:730: *** missing ..." */
	{ "make*\\*\\*\\* No rule to make target *", KIND_ERROR },
	{ "*:[0-9]*: \\*\\*\\* \\[*", KIND_MAKE },
	{ "*:[0-9]*: \\*\\*\\* *", KIND_ERROR },
	{ "*: not found", KIND_PROGRAM },
	{ "*: command not found", KIND_PROGRAM },
	{ "make*: *: No such file or directory", KIND_PROGRAM },
	{ "make*: \\*\\*\\* *", KIND_MAKE },
};

static const char *const full[] = { "No space left on device", "Disk quota exceeded" };
static const char *const memory[] = {
	"Killed signal terminated program", "virtual memory exhausted", "Cannot allocate memory",
	": out of memory allocating ",
};

void watch_release(struct watch *w)
{
	strvec_release(&w->errors);
	free(w->last);
	*w = (struct watch)WATCH_INIT;
}

static bool has_any(const char *line, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strstr(line, words[i]))
			return true;
	}
	return false;
}

/* "  CC [M]  fs/ext4/inode.o": two spaces, a word in capitals, what it works on. */
static bool take_step(struct watch *w, const char *line)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	const char *word = line + 2, *object;
	size_t len = 0;

	if (strncmp(line, "  ", 2) != 0)
		return false;
	while (isupper((unsigned char)word[len]) || isdigit((unsigned char)word[len]) ||
	       (len && word[len] == '_'))
		len++;
	object = word + len + strspn(word + len, " ");
	if (!len || object == word + len || !*object)
		return false;
	if (!strncmp(object, "[M] ", 4))
		object += 4 + strspn(object + 4, " ");
	if ((len == 2 && !memcmp(word, "CC", 2)) || (len == 2 && !memcmp(word, "AS", 2)))
		w->compiled++;
	strbuf_add_escaped(&sb, word, len, 16);
	strbuf_addch(&sb, ' ');
	strbuf_add_escaped(&sb, object, strlen(object), 72);
	snprintf(w->step, sizeof(w->step), "%s", sb.buf);
	return true;
}

static int kind_of(const char *line)
{
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		if (fnmatch(patterns[i].pattern, line, 0) == 0)
			return patterns[i].kind;
	}
	return KIND_NONE;
}

/* The line for a message: tabs are spaces, the rest of the unprintable is escaped. */
static char *shown(const char *line)
{
	char *copy __free(ptr) = xstrdup(line);
	struct strbuf sb = STRBUF_INIT;

	for (char *s = copy; *s; s++)
		*s = *s == '\t' ? ' ' : *s;
	strbuf_add_escaped(&sb, copy, strlen(copy), LINE_SHOWN);
	strbuf_trim(&sb);
	return strbuf_detach(&sb, NULL);
}

bool watch_line(struct watch *w, const char *line)
{
	char *text __free(ptr) = NULL;
	int kind;

	if (take_step(w, line))
		return true;
	if (!line[strspn(line, " \t\r")])
		return false;
	w->disk_full |= has_any(line, full, ARRAY_SIZE(full));
	w->no_memory |= has_any(line, memory, ARRAY_SIZE(memory));
	kind = kind_of(line);
	text = shown(line);
	free(w->last);
	w->last = xstrdup(text);
	if (!kind || kind < w->kind)
		return false;
	if (kind > w->kind)
		strvec_release(&w->errors);
	w->kind = kind;
	if (w->errors.n < WATCH_ERRORS && !strvec_has(&w->errors, text))
		strvec_push(&w->errors, text);
	return false;
}

void watch_errors(const struct watch *w, struct strbuf *sb)
{
	for (size_t i = 0; i < w->errors.n; i++)
		strbuf_addf(sb, "%s%s", i ? "; " : "", w->errors.v[i]);
	if (!w->errors.n)
		strbuf_addstr(sb, w->last ? w->last : "no message");
}
