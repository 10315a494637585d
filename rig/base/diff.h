/* SPDX-License-Identifier: GPL-2.0-only */
/* Two texts as a unified diff, which patch -p1 and git apply take. */
#ifndef BASE_DIFF_H
#define BASE_DIFF_H

struct strbuf;

/*
 * Append what "diff -u" writes, with three lines of context and "a/NAME" and "b/NAME" for the two;
 * nothing if they are the same. Lines are as they are, not escaped. The shortest diff, unless what
 * lies between the first and the last change is more than 2,000 lines: then all of that is shown
 * as replaced.
 */
void diff_unified(const char *name, const char *before, const char *after, struct strbuf *out);

#endif
