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
	size_t n_asked;		/* the first ones; the rest was added for their sake */
};

#define SUITE_INIT { .cases = NULL }

/* Read and check everything; nothing has booted if this fails. */
int suite_load(struct suite *s, const struct run_options *o, struct err *err);
void suite_release(struct suite *s);

#endif
