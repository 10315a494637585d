/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Doing a bisect: its folder, journal and ends, and step after step until it is known how it ends.
 *
 *	DIR/bisect.json		the journal (bisect/bisect.h), rewritten whole after each step
 *	DIR/TIME-git_COMMIT/	the run of a commit: seed 1, 2, ... of it. A commit that is booted
 *				again gets more seeds in the same run
 *	DIR/lock		held by whoever works here
 *
 * A rig that is killed loses nothing but the boots that were going on: the next one takes the steps
 * from the journal, and the boots that no step has yet from the runs.
 */
#ifndef CMD_BISECT_WORK_H
#define CMD_BISECT_WORK_H

#include <stddef.h>

#include "bisect/bisect.h"
#include "bisect/trail.h"
#include "judge/followed.h"
#include "source/commits.h"
#include "run/options.h"
#include "run/suite.h"

struct bisect_args;
struct err;
struct strbuf;

struct bisect_work {
	struct bisect_args *args;
	char *dir;
	int lock_fd;			/* -1 before */
	struct run_options o;		/* args->o with out = dir; borrows all of it */
	char *git_dir;
	struct suite suite;
	struct followed followed;
	struct bisect b;
	struct trail trail;
	struct bisect_step step;	/* the next, or the end */
	char started[32];
};

/* Release in any case. */
void bisect_work_init(struct bisect_work *w, struct bisect_args *args);
void bisect_work_release(struct bisect_work *w);

/*
 * Begin, or go on: read the case, ask the repository, make the folder, write the journal. Nothing
 * is built or booted. ERR_INPUT: no such repository or commits, GOOD that is no ancestor of BAD,
 * not one case, a metric that it has not; a folder with another bisect or without one; one that
 * was begun with something else, or in which another one works.
 */
int bisect_work_begin(struct bisect_work *w, struct err *err);
/* Step after step. 0: w->step says how it ends. Whatever the error, the journal has all steps that
 * were finished. */
int bisect_work_run(struct bisect_work *w, struct err *err);
int bisect_work_write(struct bisect_work *w, struct err *err);

/* The metrics in which the ends differ for certain, as followed_differing() tells them: boots what
 * is not there yet. 0, and err set, if the ends could not be built or booted. */
size_t bisect_work_differing(struct bisect_work *w, struct strbuf *out, char **first,
			     struct err *err);

/* "1234567890ab", of the commit at that place; 13 bytes, returned. */
const char *bisect_work_short(const struct bisect_work *w, size_t commit, char *buf);
/* What the commit says of itself; empty words if the repository does not tell any more. */
void bisect_work_words(const struct bisect_work *w, size_t commit, struct commit_words *words);

#endif
