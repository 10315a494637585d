/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does a run that lies there already say what a new one would? A matrix that was stopped is gone on
 * with by taking those that do. Pure.
 */
#ifndef JUDGE_MATRIX_KEPT_H
#define JUDGE_MATRIX_KEPT_H

#include <stdbool.h>
#include <stddef.h>

struct kase;
struct kernel;
struct run;
struct run_options;

/* What the new run would be made of. */
struct matrix_want {
	const struct kernel *k;
	const struct run_options *o;	/* resolved */
	const struct kase *cases;
	size_t n_cases;
};

/*
 * NULL if it does; else what is different, in a few words: it was stopped early; the kernel's
 * image, configuration, source, patches or command line; clock, timing, accelerator, scale, QEMU or
 * rig; other cases (by their content) or seeds than those, or more. Expectations do not count:
 * verdicts can be made anew.
 */
const char *matrix_kept_differs(const struct run *run, const struct matrix_want *want);

#endif
