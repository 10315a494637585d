/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running git and patch on the text of a patch, without the user's configuration: no repository is
 * looked for, no system's or user's settings and attributes are read, messages are in English.
 */
#ifndef PATCH_PATCHSET_GIT_H
#define PATCH_PATCHSET_GIT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct proc;
struct strbuf;

/* Add git's path to the empty p->argv, and to its environment what the above takes. */
int patch_git_init(struct proc *p, struct err *err);
/*
 * Run p with the text as its standard input, in p->dir, under a deadline of two minutes. *status is
 * its exit status; out and errout (may be NULL) get what it prints. An error only if it could not
 * be run to its end; a stop that was asked for is -EINTR.
 */
int patch_git_feed(struct proc *p, const void *text, size_t len, int *status, struct strbuf *out,
		   struct strbuf *errout, struct err *err);

#endif
