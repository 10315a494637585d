/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a patch does not apply, in words that help. */
#ifndef PATCH_PATCHSET_WHY_H
#define PATCH_PATCHSET_WHY_H

struct err;
struct patch;
struct strvec;

/*
 * git apply refused the patch and printed this. Tries the patch backwards (already applied?) and,
 * where there is a patch program, with fuzz; nothing in the tree changes. Always fills err
 * (ERR_INPUT; other kinds if it could not find out) and returns its code; notes gets the text of
 * the hunk that failed.
 */
int patch_why(const struct patch *p, const char *tree, const char *printed, struct strvec *notes,
	      struct err *err);

#endif
