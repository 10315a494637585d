/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The detection matrix: planted regressions (patch/mutant.h) against the cases, from the verdicts
 * of one run of the stock kernel and one of each mutant, with the same cases and seeds. Pure.
 *
 * A case is part of it if something is expected of it. Of a mutant and a case:
 *	regressed	the case's verdict is regressed, and stock passes the case
 *	skipped		stock lacks what the case needs, so it says nothing about mutants
 *	unjudged	stock does not pass, or the mutant's verdict is broken, skipped,
 *			inconclusive or not there
 *	pass		otherwise
 * What becomes of a mutant:
 *	caught		expect = caught, and one of the cases that 'sees' names regressed (without
 *			it: any)
 *	missed		none did, and all of those could be judged; or its image is stock's
 *	passes		expect = passes, and all cases could be judged and pass; or its image is
 *			stock's
 *	flagged		a case regressed
 *	unjudged	otherwise: a case that might have decided could not be judged, or none was
 *			there
 * and, before any of that: no form (it has no patch for the kernel: not asked, so not failed), no
 * build, no boot (all boots that there are broke before the guest's agent was there), not run.
 */
#ifndef JUDGE_MATRIX_H
#define JUDGE_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/judge.h"

struct mutant;
struct run;

/* How far a mutant came. */
enum matrix_state {
	MATRIX_WAITING,		/* its turn has not come, or its run was stopped */
	MATRIX_HAS_NO_FORM,
	MATRIX_BUILD_FAILED,	/* or its patch does not apply */
	MATRIX_SAME_IMAGE,	/* byte for byte the stock kernel: nothing to boot */
	MATRIX_RAN
};

enum matrix_outcome {
	MATRIX_CAUGHT, MATRIX_MISSED, MATRIX_PASSES, MATRIX_FLAGGED, MATRIX_NO_FORM,
	MATRIX_NO_BUILD, MATRIX_NO_BOOT, MATRIX_UNJUDGED, MATRIX_NOT_RUN,
	MATRIX_OUTCOMES
};

enum matrix_cell_kind { CELL_PASS, CELL_REGRESSED, CELL_SKIPPED, CELL_UNJUDGED };

/*
 * A case with a mutant. The change is that of the value which got worst among those of which
 * something is expected (among those that regressed, if any did): medians or merged values over
 * the seeds, as verdicts have them.
 */
struct matrix_cell {
	enum matrix_cell_kind kind;
	const char *job, *metric, *unit;	/* of the change; NULL: none; the run's */
	double base, now;			/* in the unit */
	double change;		/* now / base; 1 = the same, INFINITY, or -1 = none */
	char *reason;		/* one line, "" for pass; not escaped */
};

struct matrix_row {
	/* filled in by the caller */
	const struct mutant *m;
	enum matrix_state state;
	const struct run *run;		/* of MATRIX_RAN */
	const char *why;		/* of HAS_NO_FORM and BUILD_FAILED; escaped */
	/* by matrix_judge() */
	enum matrix_outcome outcome;
	char *reason;			/* one line, may be "" */
	struct matrix_cell *cells;	/* one for each case; NULL unless it ran */
};

struct matrix_case {
	const char *name;		/* the stock run's */
	enum matrix_cell_kind stock;	/* pass, skipped or (regressed, too) unjudged */
	char *reason;			/* why not pass */
};

struct matrix {
	/* filled in by the caller; rows is an allocated array */
	const struct run *stock;	/* NULL as long as it has not run; no row has, then */
	struct matrix_row *rows;
	size_t n_rows;
	/* by matrix_judge() */
	struct matrix_case *cases;
	size_t n_cases;
};

#define MATRIX_INIT { .stock = NULL }
/* Runs and mutants are borrowed, all else freed. */
void matrix_release(struct matrix *m);

/* Fill in cases, cells and outcomes, replacing what was there. Runs have been judged. */
void matrix_judge(struct matrix *m);
/* 1 if one is missed or flagged, else 125 if one could not be judged, was not built or not run, or
 * none was judged at all, else 0. */
enum judge_exit matrix_exit_status(const struct matrix *m);
/* Is the case one of those of which one has to regress? Without 'sees' each is. */
bool matrix_sees(const struct mutant *m, const char *case_name);
size_t matrix_count(const struct matrix *m, enum matrix_outcome outcome);

const char *matrix_outcome_name(enum matrix_outcome outcome);	/* "caught", "no boot", ... */
const char *matrix_cell_name(enum matrix_cell_kind kind);	/* "pass", "regressed", ... */

#endif
