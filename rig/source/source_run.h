/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running git as a tool that knows nothing but its arguments: neither the user's nor the system's
 * configuration, no hooks, no monitor, no filters of attributes, none of the GIT_* variables of
 * the environment, no locks taken for the sake of a refreshed index, no fetching of what a partial
 * clone lacks.
 */
#ifndef SOURCE_SOURCE_RUN_H
#define SOURCE_SOURCE_RUN_H

#include <stddef.h>

#include "base/strbuf.h"

struct err;
struct strvec;

struct git {
	const char *dir;	/* GIT_DIR: given, never searched for */
	const char *work_tree;	/* NULL: none is needed */
	const char *index;	/* NULL: the repository's own */
};

/*
 * Run 'git ARGS...' (ends with NULL). input: paths for its stdin, each with a NUL, or NULL.
 * out: what it prints, at most 64 MiB, or NULL. -EIO, kind ERR_RIG, with git's last line when it
 * fails, -ENOSPC if the disk is full. -ENOENT without git. Deadline: half an hour.
 */
int git_run(const struct git *g, const char *const *args, const struct strvec *input,
	    struct strbuf *out, struct err *err);
/* git_run() with the arguments in the call. */
#define git_call(g, input, out, err, ...)                                                          \
	git_run(g, (const char *const[]){ __VA_ARGS__, NULL }, input, out, err)
/* The same, and *line is the first line of what it prints (the caller's to free). */
int git_line(const struct git *g, const char *const *args, char **line, struct err *err);

#endif
