/* SPDX-License-Identifier: GPL-2.0-only */
/* A run's noise floors (run/noise.h), and what they refuse. Private to judge/. */
#ifndef JUDGE_NOISE_H
#define JUDGE_NOISE_H

#include <stdbool.h>

#include "case/metric.h"

struct expectation;
struct kase;
struct run;
struct strbuf;

/* 0.04 = 4 %; -1 = not known, or on the simulated clock, which has none. */
double noise_floor(const struct run *run, const char *case_name, const char *job,
		   enum metric metric);
/* The same of what is expected of the case: of slowdown and METRIC/alone that of the quotient. */
double noise_floor_expected(const struct run *run, const struct kase *c,
			    const struct expectation *e);
/*
 * Append why nothing can be judged by it on this host: 'within' is less than the floor; of what is
 * relative, limit or floor are nearer to 1 than that, so that a job beside nothing could pass them.
 * True if there is a reason.
 */
bool noise_refuses(const struct run *run, const struct kase *c, const struct expectation *e,
		   struct strbuf *why);

#endif
