/* SPDX-License-Identifier: GPL-2.0-only */
/* One case of the matrix, and one case with one mutant. Private to judge/. */
#ifndef JUDGE_MATRIX_CELL_H
#define JUDGE_MATRIX_CELL_H

#include <stdbool.h>

#include "judge/matrix.h"

struct run;

/* Is anything expected of the case in that run? */
bool matrix_case_expected(const struct run *run, const char *name);
/* What stock's verdicts say of the case whose name is in c. */
void matrix_case_judge(struct matrix_case *c, const struct run *stock);
/* Fill the zeroed cell. */
void matrix_cell_judge(struct matrix_cell *cell, const struct matrix_case *c,
		       const struct run *stock, const struct run *run);

#endif
