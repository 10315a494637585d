/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Planted regressions: a folder each, with a patch set (patchset.h) and a file "mutant", an INI of
 * one section:
 *
 *	[mutant]
 *	title  = what it does, in a line
 *	from   = where the idea comes from; optional
 *	expect = caught		; some case has to regress with it, or
 *				; passes: nothing observable changes, no case may regress
 *	sees   = writeback/hdd+dvd	; names or globs of cases, one of which has to be among
 *				; those that regress; optional, with caught only
 *	shows  = how one sees it from outside, in words; optional
 */
#ifndef PATCH_MUTANT_H
#define PATCH_MUTANT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strvec.h"
#include "patch/patchset.h"

struct err;
struct strbuf;

struct mutant {
	char *name, *dir;		/* its folder: the last part, and the path */
	char *title, *from, *shows;	/* from and shows may be NULL */
	bool passes;			/* expect */
	struct strvec sees;
	struct patchset patches;	/* in all their forms */
};

struct mutants {
	struct mutant *v;
	size_t n;
};

#define MUTANTS_INIT { .v = NULL, .n = 0 }
void mutants_release(struct mutants *all);

/*
 * Append the mutants below dir whose names match one of the globs (fnmatch(3); none: all), in the
 * order of names: every folder is one. ERR_INPUT: no folder dir or nothing in it, a glob that
 * matches none (lists the names), a missing or bad mutant file (file:line), a bad patch. Those
 * that are not asked for are not read.
 */
int mutants_find(struct mutants *all, const char *dir, const struct strvec *globs,
		 struct err *err);
/*
 * Does it have a patch for this version of the kernel ("6.1.192")? If not, *fits is false and why
 * gets the reason. Leaves only the patches for that version in m.
 */
int mutant_choose(struct mutant *m, const char *version, bool *fits, struct strbuf *why,
		  struct err *err);

#endif
