/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Products of kbuild that know where they lie. The programs below tools/ (objtool) are built by a
 * part of kbuild that writes absolute paths to its .NAME.cmd and .NAME.d files. In a folder of
 * another name make would find that they changed, build objtool again, and then everything that
 * was made with it: the whole kernel. So their copies name the new folder.
 */
#ifndef KBUILD_CLONE_MOVED_H
#define KBUILD_CLONE_MOVED_H

#include <stdbool.h>

struct strbuf;

/* Is rel, relative to the kernel's tree, the name of such a file? */
bool moved_is_candidate(const char *rel);
/*
 * Where text begins with a rule for the product that rel belongs to and names the tree it was made
 * in, put new_tree (absolute, without a slash at the end) in the place of that tree throughout.
 * Returns whether anything changed.
 */
bool moved_rewrite(struct strbuf *text, const char *rel, const char *new_tree);

#endif
