/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cases of a run with what is expected of them: those that were asked for, and behind them
 * those that others name as their 'alone' case (a slowdown is time over time alone in the same
 * run, so the alone case runs, too).
 */
#ifndef RUN_SUITE_H
#define RUN_SUITE_H

#include <stddef.h>

#include "case/case.h"
#include "case/expect.h"

struct err;
struct run_options;

struct suite {
	struct kase *cases;
	struct expect *expects;	/* one for each case */
	size_t n;
};

#define SUITE_INIT { .cases = NULL }

/* Read and check everything before anything boots; s is SUITE_INIT, and to be released after an
 * error, too. Errors are the input's: a glob that matches nothing, a case or expectation with a
 * fault, a missing 'alone' case, two cases whose results would share a folder. */
int suite_load(struct suite *s, const struct run_options *o, struct err *err);
void suite_release(struct suite *s);

#endif
