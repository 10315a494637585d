/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a patch's text says that it does: files and hunks, in the grammar of git apply (git's
 * extended headers, or "---", "+++" and "@@" lines in a row). Used to refuse what must not be
 * applied before a tree is there, and to show the hunk that failed. git apply has the last word.
 */
#ifndef PATCH_PATCHSET_TEXT_H
#define PATCH_PATCHSET_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct strbuf;

struct patch_hunk {
	const char *text;	/* borrowed: from its "@@" line on */
	size_t len;
	unsigned long old_start, new_start;
};

struct patch_file {
	char *old_name, *new_name; /* without the leading parts; NULL for /dev/null */
	struct patch_hunk *hunks;
	size_t n;
	bool git;		/* has a "diff --git" line */
	bool header;		/* its extended header is being read */
	bool binary;
};

struct patch_text {
	struct patch_file *files;
	size_t n;
	size_t diff_at;		/* offset of the first file's first line */
};

#define PATCH_TEXT_INIT { .files = NULL }
void patch_text_release(struct patch_text *t);

/*
 * Read text (NUL after len bytes), which must outlive t. strip as in struct patch. ERR_INPUT, with
 * "name:line: ", for a name that leads out of the tree or into a .git, a hunk that ends early, a
 * submodule, a binary change without its data, a file that diff left out ("Only in"); "name: " for
 * a text without a diff.
 */
int patch_text_read(struct patch_text *t, const char *name, const char *text, size_t len, int strip,
		    struct err *err);
/* Is there a line that begins a diff? A quick look that checks nothing. */
bool patch_text_has_diff(const char *text, size_t len);
/* Take the CRs before LFs away if the diff's first line with a file's name has one. */
void patch_text_unix(struct strbuf *sb);
/* The subject as in struct patch, from the len bytes of text before the diff. A fresh string. */
char *patch_text_subject(const char *text, size_t len, const char *name);
/* Without "Re:" and words in brackets at its start, control characters made spaces. Fresh. */
char *patch_text_clean_subject(const char *subject, size_t len);

#endif
