/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel source to build from, told by its content, and how its files get into a folder.
 *
 *	debian:PACKAGE[=VERSION][/SUITE]
 *		a Debian source package of the kernel: "linux-source-6.1", or "linux-source", which
 *		is the newest. It is the one that the system's apt would install; if its lists do
 *		not know it, those of Debian's other suites are asked through a private apt state in
 *		the cache (suite.h), never through /etc or /var/lib/apt. With SUITE ("sid",
 *		"trixie-backports") only that suite is asked: "linux-source/sid"
 *	tree:/PATH
 *		a kernel tree as it lies there now: a git work tree with its uncommitted and
 *		untracked (not ignored) files, or an unpacked one; what an earlier build left in it
 *		is ignored, nothing is written to it (source_list.h)
 *	git:REV
 *		a commit of the git repository that --tree names (a work tree or a bare repository);
 *		needs tree. Submodules are left out
 *
 * A build folder is where one kernel is made:
 *	DIR/tree/	the source, and the objects that make puts beside it
 *	DIR/files	the paths of the source's files in tree/, sorted by bytes, each with a NUL
 *	DIR/index	of git-based sources: what git knows of tree/
 * source_fill() makes tree/ in an empty DIR. source_update() takes a DIR that holds another state
 * of the same line, and changes only the files that differ, so that make builds only what depends
 * on them. Files in tree/ may share their inode with other folders (hard links): they are replaced,
 * never written into.
 *
 * Git runs with the user's configuration and hooks switched off (source_run.h), and never writes
 * to the user's repository: what it has to write goes to CACHE/kernels/git (source_store.h).
 *
 * Unpacked packages lie in CACHE/kernels/sources/ID/ (tree/, files as above, complete.json written
 * last); the package itself is not kept.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "base/hash.h"

struct err;

enum source_kind { SOURCE_DEBIAN, SOURCE_TREE, SOURCE_GIT };

struct source {
	enum source_kind kind;
	char *spec;	/* as asked for */
	char *label;	/* for people: "linux-source-6.1 6.1.192-3", "tree linux
			 * (v6.1.5-3-gabcdef, 2 files changed)", "git v6.1.5 (1234567890ab)" */
	char *version;	/* "6.1.192", from its Makefile */
	/* Of the content: trees and commits with equal files have equal ids, wherever they lie;
	 * of a package, its own hash. */
	char id[HASH_HEX];
	/* What its other states have in common: the repository of trees and commits, the path of
	 * a tree without one; a package has one state. */
	char line[HASH_HEX];
	char *pristine;	/* debian: the folder in the cache, read-only by agreement */
	char *git_dir;	/* git-based: a repository of ours that has or borrows the objects */
	char *tree_oid;	/* git-based: the tree object with the wanted content */
};

#define SOURCE_INIT { .spec = NULL }
void source_release(struct source *s);

/*
 * Find it, and fetch and unpack what is not in the cache yet (progress() tells). tree is --tree's
 * argument or NULL. Offline, a debian: source that was resolved before is taken from the cache.
 * Apt is asked only if its lists are others than at the last time, or if lists of ours are older
 * than a day. ERR_INPUT: a spec of no known kind, a package name that is none, a folder that is no
 * kernel tree (no Makefile with VERSION and PATCHLEVEL, no Kconfig: the message says what is
 * missing), a REV that the repository does not have, git: without tree. ERR_UNABLE: a package that
 * cannot be had.
 */
int source_resolve(struct source *s, const char *spec, const char *tree, const char *cache_dir,
		   struct err *err);
/* DIR is there and empty. A debian: tree is hard-linked where the filesystem can. */
int source_fill(struct source *s, const char *dir, struct err *err);
/*
 * DIR holds another state of s->line, made by source_fill() or a clone of such (clone.h). Files of
 * the source that were changed meanwhile (by a patch) get their content back, with the time of
 * now; files that the source has not are left alone. After an error DIR's content is undefined.
 */
int source_update(struct source *s, const char *dir, struct err *err);

#endif
