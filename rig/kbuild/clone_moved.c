/* SPDX-License-Identifier: GPL-2.0-only */
/* Absolute paths in what kbuild notes about its own programs. */
#include "kbuild/clone_moved.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"

static const char *const suffixes[] = { ".cmd", ".d" };

/* The suffix that makes the file's name one of kbuild's notes, or NULL. */
static const char *note_suffix(const char *rel)
{
	const char *base = path_base(rel);
	size_t len = strlen(base);

	for (size_t i = 0; i < ARRAY_SIZE(suffixes) && *base == '.'; i++) {
		size_t n = strlen(suffixes[i]);

		if (len > n + 1 && !strcmp(base + len - n, suffixes[i]))
			return suffixes[i];
	}
	return NULL;
}

bool moved_is_candidate(const char *rel)
{
	return !strncmp(rel, "tools/", 6) && note_suffix(rel);
}

/* "tools/objtool/.weak.o.cmd" tells about "/tools/objtool/weak.o". */
static char *product_of(const char *rel)
{
	const char *base = path_base(rel), *suffix = note_suffix(rel);
	size_t len = strlen(base) - strlen(suffix);

	return xstrfmt("/%.*s%.*s", (int)(base - rel), rel, (int)len - 1, base + 1);
}

/* The tree that the text's first word names: "cmd_/TREE/tools/x.o :=", "/TREE/tools/x.o:". */
static char *old_tree(const char *text, const char *product)
{
	size_t len = strcspn(text, " \n");
	char *word __free(ptr) = xstrndup(text, len);
	const char *start = strchr(word, '/'), *end = start ? strstr(start, product) : NULL;

	return end && end > start ? xstrndup(start, (size_t)(end - start)) : NULL;
}

bool moved_rewrite(struct strbuf *text, const char *rel, const char *new_tree)
{
	char *product __free(ptr) = product_of(rel);
	char *old __free(ptr) = old_tree(text->buf, product);
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	size_t len = old ? strlen(old) : 0;
	const char *at = text->buf, *next;

	if (!old || !strcmp(old, new_tree) || strlen(text->buf) != text->len)
		return false;
	while ((next = strstr(at, old))) {
		strbuf_add(&out, at, (size_t)(next - at));
		/* only whole names: /x/tree is not in /x/tree-2 */
		strbuf_addstr(&out, next[len] == '/' ? new_tree : old);
		at = next + len;
	}
	strbuf_addstr(&out, at);
	strbuf_reset(text);
	strbuf_add(text, out.buf, out.len);
	return true;
}
