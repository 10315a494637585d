/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The object stores of git-based sources, CACHE/kernels/git:
 *
 *	KEY/		a bare repository of ours per user's repository (KEY is a hash of its
 *			path), or per tree without one; it borrows the user's objects and takes
 *			what has to be written
 *	KEY/index-TREE	what git knows of a work tree: makes a second look at it fast
 *	KEY.lock	held while one of them is used
 *
 * Attributes that would change what a file holds (line ends, filters, encodings) are off in it:
 * a source is the bytes that lie in the tree or in the commit.
 */
#ifndef SOURCE_SOURCE_STORE_H
#define SOURCE_SOURCE_STORE_H

#include "base/hash.h"

struct err;

struct source_store {
	char *dir;
	char *user_git;		/* the user's GIT_DIR, or NULL */
	char line[HASH_HEX];	/* source.h's line of everything in it */
	int lock_fd;
};

#define SOURCE_STORE_INIT { .dir = NULL, .lock_fd = -1 }

/*
 * Open, and make if it is not there, the store for the repository user_git, or for the tree if
 * that is NULL. Waits for its lock (deadline half an hour).
 */
int source_store_open(struct source_store *st, const char *kernels_dir, const char *user_git,
		      const char *tree, struct err *err);
void source_store_release(struct source_store *st);
/* Put the tree's files, as they are now, into the store: *oid is the tree object, the caller's to
 * free. */
int source_store_snapshot(const struct source_store *st, const char *tree, char **oid,
			  struct err *err);

#endif
