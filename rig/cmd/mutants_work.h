/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Making the detection matrix: the stock kernel, then one mutant after the other is built, and run
 * if no run of it is there yet. After each, matrix.json is rewritten whole.
 */
#ifndef CMD_MUTANTS_WORK_H
#define CMD_MUTANTS_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/mutants_kept.h"
#include "cmd/run_measure.h"
#include "judge/matrix.h"
#include "patch/mutant.h"
#include "kernel/kernel.h"
#include "report/matrix.h"
#include "run/options.h"
#include "run/suite.h"

struct err;
struct mutants_args;

/* What phases took on this host, to tell when the rest will be done. */
struct mutants_pace {
	int64_t build_ns, run_ns;
	int builds, runs;
};

struct mutants_work {
	const struct mutants_args *args;
	char *dir;			/* of the matrix, in o.out, too */
	struct run_options o;		/* args->o with out; borrows all of it */
	struct suite suite;
	struct mutants mutants;
	struct mutants_kept kept;
	struct run_kernel stock;
	struct run *runs;		/* one for each mutant */
	char **why;			/* likewise: why it has no form or was not built, or NULL */
	struct matrix matrix;
	struct matrix_asked asked;
	char started[32];
	struct mutants_pace pace;
	int lock_fd;			/* on the folder, -1 before */
};

/* w is zeroed before. Release in any case. */
void mutants_work_init(struct mutants_work *w, const struct mutants_args *args);
void mutants_work_release(struct mutants_work *w);

/*
 * Read mutants and cases, find or build the stock kernel, make the folder. Nothing boots.
 * ERR_INPUT: what mutants_find() and suite_load() say, nothing is expected of any case, a kernel
 * that is not built here and so cannot be patched, a folder in which another one works.
 */
int mutants_work_begin(struct mutants_work *w, struct err *err);
/*
 * Run what is missing. ERR_UNABLE: stock passes none of the cases. Whatever the error, the matrix
 * has what was finished, and matrix.stock is NULL if stock's run was not.
 */
int mutants_work_run(struct mutants_work *w, struct err *err);

#endif
