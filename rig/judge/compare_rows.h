/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of a comparison before they are tested. Private to judge/. */
#ifndef JUDGE_COMPARE_ROWS_H
#define JUDGE_COMPARE_ROWS_H

#include <stddef.h>

#include "judge/compare.h"

/* What a row's test works on, besides what is in its struct change. */
struct compare_row {
	double *a, *b;		/* values of base and new, in the order of their boots; NULL:
				 * not to be tested, and the change says why */
	size_t block;		/* its case */
};

struct compare_rows {
	struct compare_row *r;	/* r[i] belongs to cmp->c[i] */
	size_t n;
};

#define COMPARE_ROWS_INIT { .r = NULL, .n = 0 }

/* Fill cmp->c and rows with a row per job and metric: medians, boots, what matters, and the reason
 * of those that cannot be tested. */
void compare_rows_collect(struct compare_rows *rows, struct compare *cmp, const struct run *base,
			  const struct run *now);
void compare_rows_release(struct compare_rows *rows);

#endif
