/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which commit made a metric worse, when each boot of a commit gives a noisy figure: what to do
 * next, and what is known so far. Pure, but for the journal: whoever drives it builds, boots, adds
 * what it saw, writes the journal, and asks again. The same state gives the same step, so a bisect
 * that was killed goes on where it was.
 *
 * Belief. Each commit between the ends is as likely as any other to be the first bad one, c. Then
 * all boots of commits that have c came from one distribution and all others from a second one.
 * How well the boots fit that is the marginal likelihood of two normal groups of unknown mean and
 * spread (normal-gamma prior; Murphy, "Conjugate Bayesian analysis of the Gaussian
 * distribution", 2007, section 3), of logarithms where all values are above 0; for passes and
 * failures of two groups of unknown rates (beta prior, 1/2 and 1/2). Nothing about good and bad
 * is taken as known but which of the ends is which: their boots are in the groups like all
 * others, so uncertainty about them counts in full. Robust in three ways: values far outside of
 * what the ends gave are drawn in to a bound; normal groups of unknown spread have the tails of
 * Student's t; and boots of one commit count as correlated ('correlation'), since a build has an
 * offset of its own: n of them are worth n / (1 + (n - 1) correlation). How much is measured as
 * the bisect goes on: the analysis of variance of commits within the two groups of the likeliest
 * c (Searle, Casella and McCulloch, "Variance Components", 1992, chapter 3).
 *
 * Choice. Of all commits and numbers of boots the one with the most expected information about c
 * for its cost, where a commit that was not yet built costs 'cost_build' more, and one that stands
 * near commits that did not build or boot is less likely to give anything.
 *
 * End. Found: a commit with probability 'sure' or more, whose own boots and those of its nearest
 * tested good ancestors are at least 'proof_boots' each, differ by the exact rank-sum test at 1 %,
 * and by at least half of what the ends differ by (a build's own offset makes small steps, too).
 * Range: the same for several commits that cannot be told apart, since those between cannot be
 * tested. Else not sure, with the commits that together have probability 'sure'.
 */
#ifndef BISECT_BISECT_H
#define BISECT_BISECT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "bisect/history.h"

struct err;

enum bisect_values {
	BISECT_FIGURES,		/* any metric */
	BISECT_PASS_FAIL	/* 0 = pass, 1 = fail */
};

struct bisect_options {
	enum bisect_values values;
	double sure;			/* 0.5 < sure < 1 */
	double cost_build, cost_boot;	/* seconds, or any unit; cost_boot > 0 */
	double correlation;		/* least that is assumed, 0 <= x < 1 */
	size_t proof_boots;		/* >= 4: with less the rank-sum test cannot reach 5 % */
	size_t commit_boots;		/* most boots of one commit */
	size_t all_boots;		/* then it ends */
};

#define BISECT_OPTIONS_INIT                                                                        \
	{ .values = BISECT_FIGURES, .sure = 0.95, .cost_build = 60, .cost_boot = 10,               \
	  .correlation = 0.02, .proof_boots = 5, .commit_boots = 60, .all_boots = 1000 }

struct bisect_boot {
	size_t commit;
	double value;
};

struct bisect_commit {
	char *skipped;		/* why it cannot be tested, NULL = it can */
	size_t same_as;		/* another commit with the same kernel, or itself */
	double *v;		/* its boots' values; NULL if same_as another, which has them */
	size_t n;
};

struct bisect {
	struct history h;
	struct bisect_options o;
	struct bisect_commit *c;	/* h.n of them */
	struct bisect_boot *boots;	/* all, in the order in which they came */
	size_t n_boots;
	double *p;			/* of each commit: to be the first bad one */
	double correlation;		/* of a commit's boots: the option's, or what they show */
	bool ends_differ;		/* that is proven, by the ends' first boots */
};

#define BISECT_INIT { .h = HISTORY_INIT, .c = NULL, .boots = NULL, .p = NULL }

enum bisect_what {
	BISECT_TEST,		/* boot 'commit' 'boots' times, or fewer, then ask again */
	BISECT_FOUND,		/* 'commit' it is */
	BISECT_RANGE,		/* one of 'set', and none of them can be singled out */
	BISECT_UNSURE,		/* probably one of 'set' */
	BISECT_ALIKE		/* the ends do not differ for certain: nothing to look for */
};

struct bisect_step {
	enum bisect_what what;
	size_t commit, boots;
	double p;		/* of 'commit', or of all in 'set' */
	size_t *set;		/* commits by falling probability; owned */
	size_t n_set;
	const char *why;	/* a few words: "the good end", "most information", ... */
};

#define BISECT_STEP_INIT { .set = NULL, .n_set = 0 }

/* Takes the history over (h becomes empty). Options out of range: ERR_INPUT, h stays. */
int bisect_init(struct bisect *b, struct history *h, const struct bisect_options *o,
		struct err *err);
void bisect_release(struct bisect *b);
/* A boot of that commit gave a value: finite, 0 or 1 for passes and failures, else BUG. */
void bisect_add(struct bisect *b, size_t commit, double value);
/* It does not build, boot or run the case. An end that cannot be tested ends all. */
void bisect_skip(struct bisect *b, size_t commit, const char *why);
/* Its built kernel is the same, byte for byte, as that of another commit: boots of one are boots of
 * the other, and no commit that only one of the two has can be the first bad one. */
void bisect_same(struct bisect *b, size_t commit, size_t as);
/* Fill b->p. */
void bisect_think(struct bisect *b);
/* Thinks, then says what to do. Release the step. */
void bisect_next(struct bisect *b, struct bisect_step *step);
void bisect_step_release(struct bisect_step *step);
/* The fewest commits that together have probability 'sure', as b->p has it: fills set, n_set, p and
 * commit, the likeliest, of a step that says nothing else. Release it. */
void bisect_candidates(const struct bisect *b, struct bisect_step *step);
/* The commit that stands for it: itself, or the one whose kernel is the same. */
size_t bisect_root(const struct bisect *b, size_t commit);

/*
 * The journal: one JSON document with everything, "iorig-bisect": 1, written complete or not at
 * all; about, if not NULL, is what the driver wants to find in it again (a reference of its own).
 * Reading checks types and bounds: a journal is a file like any other. ERR_INPUT with the place of
 * what is wrong; b is then empty. *about, unless about is NULL, becomes a new reference, or NULL
 * if there is none; what is in it is not checked.
 */
int bisect_write(const struct bisect *b, const json_t *about, const char *path, struct err *err);
int bisect_read(struct bisect *b, json_t **about, const char *path, struct err *err);

#endif
