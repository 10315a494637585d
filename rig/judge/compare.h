/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two runs of the same cases: what changed, by how much, and how sure is that. Pure.
 *
 * Compared are the jobs that both runs have and neither's verdict calls broken or skipped, with
 * what each boot measured: time, sync and total of jobs that end, rate of those that are stopped,
 * p50, p99, max and errors of the agent's own. slowdown and /alone are not: both parts of them are
 * rows of their own.
 *
 * Seeds are independent samples, and are not paired: the same seed makes two kernels start jobs at
 * the same moments, but a few instructions more or less send everything after that on another path
 * (the same rebuilt kernel already gives figures as another seed would), so pairs have nothing in
 * common but their number, and pairing would halve what the test can see.
 *
 * Of each row:
 *	change		ratio of new to base: Hodges and Lehmann's estimate with the interval that
 *			belongs to the rank-sum test (stats/rank.h); where a value is 0, the
 *			difference instead
 *	p		of the exact rank-sum test of this row alone
 *	p_family	adjusted for all rows: the chance that the noise of all rows together looks
 *			as striking as this (stats/family.h); a case is a block; never below p
 *	effect		probability that a boot of the new kernel has the larger value
 *	visible		the smallest ratio that would have been found with probability 'power'
 *			(stats/power.h)
 *	floor		on the real clock, this host's noise floor (stats/floor.h), as the runs have
 *			it, the greater of both; the test is against it, or against 'noise' if that
 *			is more: no change within it can become certain, and visible is beyond it
 * Its kind is the first that holds:
 *	not compared	the reason says why; also where the case's 'within' is below the floor
 *	regressed or improved	p_family at most alpha, and the change is at least what matters and
 *			beyond the floor
 *	same		p_family at most alpha, but the change is less than that
 *	same		the interval lies within what matters
 *	inconclusive	p_family is at most 'doubt' and the change matters: it is too striking
 *	inconclusive	visible is more than 'blind': the run could not have seen what it is for
 *	same		otherwise
 * 'same' therefore means: no change was found, and one of 'visible' would have been. So the chance
 * that two runs of one kernel show any regression or improvement at all is at most alpha, over all
 * their rows together.
 */
#ifndef JUDGE_COMPARE_H
#define JUDGE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strvec.h"
#include "case/metric.h"
#include "judge/judge.h"
#include "wire/plan.h"

struct err;
struct run;

struct compare_options {
	double alpha;		/* 0 <= alpha < 1; of one look (stats/looks.h) of several */
	double level;		/* of each row's own interval */
	double matters;		/* least change that counts, if the case's 'within' does not say */
	double noise;		/* what two builds of one source differ by; changes are tested
				 * against it */
	double doubt;		/* see inconclusive */
	double blind;
	double power;
};

/* 5 %, 95 %, 5 %, 0, 20 %, 50 %, 80 %. */
#define COMPARE_OPTIONS_INIT                                                                       \
	{ .alpha = 0.05, .level = 0.95, .matters = 0.05, .noise = 0, .doubt = 0.2, .blind = 0.5,   \
	  .power = 0.8 }

enum change_kind {
	CHANGE_SAME, CHANGE_REGRESSED, CHANGE_IMPROVED, CHANGE_INCONCLUSIVE, CHANGE_NOT_COMPARED
};

struct change {
	const char *case_name, *job;	/* borrowed from the runs */
	enum plan_role role;
	int metric;			/* enum metric; -1: the job was not compared at all */
	enum change_kind kind;
	char *reason;			/* one line, may be ""; escaped where it is the guest's */
	size_t n_base, n_now;		/* boots */
	double base, now;		/* medians, in the metric's unit; -1 = none */
	bool ratio;			/* else change, low, high are differences, and matters
					 * and visible mean nothing */
	double change, low, high;	/* 1 = the same (differences: 0) */
	double level;			/* of the interval: what so few seeds could give */
	double p, p_family;		/* -1 = not tested */
	double effect;
	double matters;			/* 0.05 = 5 % */
	double floor;			/* 0.04 = 4 %; -1 = not known, or no ratio */
	double visible;			/* 0.12 = 12 %; INFINITY = none at all; -1 = not known */
	int seeds_more;			/* in each run, to settle an inconclusive one; -1 = more
					 * than POWER_MOST */
};

struct compare {
	struct change *c;	/* as the base run's verdicts, then what only the new has */
	size_t n;
	size_t tested;		/* rows that were tested together */
	bool same_kernel;	/* the same image */
	struct strvec notes;	/* what else differs: QEMU, host; interrupted runs. Escaped. */
	struct compare_options o;
};

#define COMPARE_INIT { .c = NULL, .n = 0, .notes = STRVEC_INIT }

/*
 * Runs on different clocks, timings or scales: ERR_UNABLE. base and now are borrowed for as long
 * as cmp lives. Release in any case.
 */
int compare_runs(struct compare *cmp, const struct run *base, const struct run *now,
		 const struct compare_options *o, struct err *err);
void compare_release(struct compare *cmp);
/* 1 if any row regressed, else 125 if one is inconclusive or not compared or there is none, else
 * 0. */
enum judge_exit compare_exit_status(const struct compare *cmp);
/* The most seeds that any inconclusive row needs, -1 as above: 0 if all is settled. */
int compare_seeds_more(const struct compare *cmp);
size_t compare_count(const struct compare *cmp, enum change_kind kind);
const char *change_name(enum change_kind kind);	/* "same", "regressed", ... */

#endif
