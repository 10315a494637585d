/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The patches of a series one by one, so that kernels can be built with the first, the first two,
 * and so on. Each gets a folder of its own that kernel_ask (resolve.h) takes as a patch set, below
 * a temporary folder; what a kernel is cached by is the patches' content, as if they had come
 * together.
 */
#ifndef SOURCE_SERIES_H
#define SOURCE_SERIES_H

#include "base/strvec.h"
#include "patch/patchset.h"

struct err;

struct series {
	struct patchset set;		/* in order */
	struct strvec folders;		/* one for each of them */
	char *dir;			/* holds them, removed at the end; NULL = none */
};

#define SERIES_INIT { .set = PATCHSET_INIT, .folders = STRVEC_INIT }
void series_release(struct series *s);

/*
 * spec: a patch, a folder or an mbox as patchset.h takes them, or, if there is no such path and
 * tree (a git repository, or NULL) is given, commits "A..B" of it, of which merges are left out.
 * version: of the kernel ("6.1.192"), for patches that have several forms. ERR_INPUT: what
 * patchset_add() says, a range that git does not know or that is empty. Release in any case.
 */
int series_open(struct series *s, const char *spec, const char *tree, const char *version,
		struct err *err);

#endif
