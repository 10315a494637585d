/* SPDX-License-Identifier: GPL-2.0-only */
/* Asking a repository for its commits. */
#include "source/commits.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "source/source_list.h"
#include "source/source_run.h"

#define REV_MAX	   250
#define WORDS_ONLY "--format=%s%n%an <%ae>%n%as"

void commit_words_release(struct commit_words *w)
{
	free(w->subject);
	free(w->author);
	free(w->date);
	*w = (struct commit_words)COMMIT_WORDS_INIT;
}

int commits_repository(const char *tree, char **git_dir, struct err *err)
{
	char *real __free(ptr) = realpath(tree, NULL);

	*git_dir = NULL;
	if (!real)
		return err_input(err, "no repository in '%s': %s", str_escape(tree),
				 strerror(errno));
	source_find_git(real, git_dir);
	return *git_dir ? 0 : err_input(err, "no git repository in '%s'", str_escape(tree));
}

static int check_rev(const char *rev, struct err *err)
{
	size_t len = strlen(rev);

	/* A minus would make it an option. */
	if (len == 0 || len > REV_MAX || *rev == '-')
		return err_input(err, "'%s' is no name of a commit", str_escape(rev));
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)rev[i] < ' ' || rev[i] == 127)
			return err_input(err, "'%s' is no name of a commit", str_escape(rev));
	}
	return 0;
}

int commits_find(const char *git_dir, const char *tree, const char *rev, char **id,
		 struct err *err)
{
	char *expr __free(ptr) = xstrfmt("%s^{commit}", rev);
	const char *const args[] = { "rev-parse", "--verify", expr, NULL };
	const struct git g = { .dir = git_dir };
	struct err git_err = ERR_INIT;
	int ret = check_rev(rev, err);

	if (ret < 0)
		return ret;
	ret = git_line(&g, args, id, &git_err);
	if (ret == -EIO)
		return err_input(err, "the repository '%s' has no commit '%s' (%s)",
				 str_escape(tree), str_escape(rev), git_err.msg);
	if (ret < 0)
		*err = git_err;
	return ret;
}

/* Whether it is one, git says by its exit status; which one they share, merge-base prints. */
static int check_ancestor(const struct git *g, const char *good, const char *bad, struct err *err)
{
	const char *const args[] = { "merge-base", good, bad, NULL };
	char *common __free(ptr) = NULL;
	struct err git_err = ERR_INIT;
	int ret = git_line(g, args, &common, &git_err);

	if (ret < 0 && ret != -EIO) {
		*err = git_err;
		return ret;
	}
	if (ret < 0 || !*common)
		return err_input(err, "the good commit %.12s and the bad one %.12s have no common "
				 "ancestor", good, bad);
	if (strcmp(common, good) != 0)
		return err_input(err, "the good commit %.12s is not an ancestor of the bad one "
				 "%.12s: bisect from what both have, %.12s", good, bad, common);
	return 0;
}

int commits_between(const char *git_dir, const char *good, const char *bad, bool first_parent,
		    struct strbuf *list, struct err *err)
{
	char *range __free(ptr) = xstrfmt("%s..%s", good, bad);
	const char *const args[] = { "rev-list", "--topo-order", "--reverse", "--parents", range,
				     first_parent ? "--first-parent" : NULL, NULL };
	const struct git g = { .dir = git_dir };
	int ret = check_ancestor(&g, good, bad, err);

	return ret < 0 ? ret : git_run(&g, args, NULL, list, err);
}

/* The text up to the next newline, which *at is moved behind. */
static char *take_line(const char **at)
{
	size_t len = strcspn(*at, "\n");
	char *line = xstrndup(*at, len);

	*at += (*at)[len] ? len + 1 : len;
	return line;
}

int commits_words(const char *git_dir, const char *id, struct commit_words *w, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	const struct git g = { .dir = git_dir };
	const char *at;
	int ret = git_call(&g, NULL, &out, err, "log", "-1", "--no-show-signature", WORDS_ONLY, id,
			   "--");

	if (ret < 0)
		return ret;
	commit_words_release(w);
	at = out.buf;
	w->subject = take_line(&at);
	w->author = take_line(&at);
	w->date = take_line(&at);
	return 0;
}
