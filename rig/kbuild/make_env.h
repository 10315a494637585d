/* SPDX-License-Identifier: GPL-2.0-only */
/* The environment that a kernel is built in, and how many jobs make may run. */
#ifndef KBUILD_MAKE_ENV_H
#define KBUILD_MAKE_ENV_H

#include <stdbool.h>

struct proc;

/*
 * Set p->env: of ours only PATH, HOME, TMPDIR and CCACHE_* remain, so that no KCONFIG_*, KBUILD_*,
 * CFLAGS, CC, ARCH, LOCALVERSION, MAKEFLAGS or locale leaks in; what kbuild would take from clock,
 * user, host and a surrounding git repository is fixed.
 */
void make_env_set(struct proc *p);
/*
 * Jobs, after make_env_set(): if our MAKEFLAGS names a jobserver that works (inherited pipe
 * descriptors or a FIFO), it is passed on; else a word -jN is appended to p->argv, with N the
 * processors that we may run on.
 */
void make_env_jobs(struct proc *p);
/*
 * The jobserver in the text of a MAKEFLAGS: its last --jobserver-auth= or --jobserver-fds=. True
 * if it works: either both descriptors are inherited pipes (fds[0], fds[1]; inherited: not marked
 * close-on-exec, as all of our own are), or it names a FIFO (fds are -1). *word is the option, a
 * fresh string. False, nothing set, otherwise.
 */
bool make_env_jobserver(const char *makeflags, int fds[2], char **word);

#endif
