/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commits of a user's git repository: names, order, and what they say of themselves. Nothing is
 * written to it. Git runs as source_run.h says; texts are as their authors wrote them, hostile
 * until they are escaped.
 */
#ifndef SOURCE_COMMITS_H
#define SOURCE_COMMITS_H

#include <stdbool.h>

struct err;
struct strbuf;

/* What a commit says; "" where it says nothing. */
struct commit_words {
	char *subject;			/* its first paragraph, in one line */
	char *author;			/* "A U Thor <author@example.org>" */
	char *date;			/* of the author, "2026-11-30" */
};

#define COMMIT_WORDS_INIT { .subject = NULL }
void commit_words_release(struct commit_words *w);

/* The GIT_DIR of the work tree or bare repository 'tree', the caller's to free. ERR_INPUT if it is
 * none. */
int commits_repository(const char *tree, char **git_dir, struct err *err);
/*
 * The commit that rev names, as a full object id, the caller's to free. ERR_INPUT for what cannot
 * be a revision and for one that the repository does not have; tree is its name in messages.
 */
int commits_find(const char *git_dir, const char *tree, const char *rev, char **id,
		 struct err *err);
/*
 * Append what lies between good (not itself) and bad, both full ids, in the order and with the
 * parents that bisect/history.h reads: first_parent leaves out what merges brought in. ERR_INPUT if
 * good is not an ancestor of bad; names the newest commit that both have.
 */
int commits_between(const char *git_dir, const char *good, const char *bad, bool first_parent,
		    struct strbuf *list, struct err *err);
int commits_words(const char *git_dir, const char *id, struct commit_words *w, struct err *err);

#endif
