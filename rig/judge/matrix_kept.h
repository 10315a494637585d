/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does a run that lies there already say what a new one would? A matrix that was stopped is gone on
 * with by taking those that do, and a comparison begins with them. Pure.
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
 * NULL if the run is one that only boots may be missing of, and that has no others than those
 * cases' (more seeds may be there); else what is different.
 */
const char *matrix_kept_unfit(const struct run *run, const struct matrix_want *want);
/* How many boots of those cases and seeds the run lacks. */
size_t matrix_kept_missing(const struct run *run, const struct matrix_want *want);
/*
 * NULL if it does; else what is different, in a few words: it was stopped early; the kernel's
 * image, configuration, source, patches or command line; clock, timing, accelerator, scale, QEMU,
 * or the rig and what it brings (run/options.h); other cases (by their content) or seeds than
 * those, or more. Expectations do not count: verdicts can be made anew.
 */
const char *matrix_kept_differs(const struct run *run, const struct matrix_want *want);

#endif
