/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one thing that is followed from kernel to kernel: a metric of a case, or whether it passes.
 * Each seed of a run gives one value of it, or a reason why it has none. Pure.
 */
#ifndef JUDGE_FOLLOWED_H
#define JUDGE_FOLLOWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "case/metric.h"
#include "run/suite.h"

struct err;
struct run;
struct strbuf;

struct followed {
	char *name;		/* "hdd.time", "disk.dvd.dirty-max", "hdd.time/alone", "verdict" */
	bool verdict;		/* passes and failures: 0 and 1; the fields below are unused */
	char *subject;		/* the job, or "disk.NAME" */
	enum metric metric;
	bool alone;		/* over that of the alone job, seed by seed */
	enum metric_unit unit;
	bool higher;		/* more is better */
	double limit, floor;	/* what is expected of it, -1 = nothing */
	/*
	 * What has to run for it: the case, and its alone case only if the value needs that. A
	 * view: cases and expectations are borrowed, without what cannot be judged in it.
	 */
	struct suite suite;
};

#define FOLLOWED_INIT { .name = NULL, .suite = SUITE_INIT }
void followed_release(struct followed *f);

/*
 * From "JOB.METRIC", "JOB.METRIC/alone" or "disk.NAME.METRIC"; NULL means the first metric with a
 * limit or a floor that is expected of the first victim that has one, else of any job or disk,
 * else the first victim's time. Of what is expected relative to 'alone' the metric itself is taken
 * then, which spares the boots of the alone case. suite->cases[0] is the case; the suite is
 * borrowed for as long as f lives. ERR_INPUT for a name that is none of the case's (lists them).
 */
int followed_init(struct followed *f, const struct suite *suite, const char *name,
		  struct err *err);
/* Whether all that is expected of the case and its alone cases holds. */
void followed_init_verdict(struct followed *f, const struct suite *suite);

enum followed_kind {
	FOLLOWED_VALUE,
	FOLLOWED_NO_VALUE,	/* this boot broke or did not measure it */
	FOLLOWED_DEAD,		/* the kernel did not get as far as the agent */
	FOLLOWED_LACKS,		/* the kernel lacks what the case needs */
	FOLLOWED_MISSING	/* the run has no such boot */
};

/* What the run's boots of that seed say. Appends to why, in one line, when it is no value. */
enum followed_kind followed_get(const struct followed *f, const struct run *run, uint32_t seed,
				double *value, struct strbuf *why);

/*
 * The metrics of the case that differ for certain between two runs of it (exact rank-sum test,
 * p at most 1 %): appends "JOB.METRIC (2.51 s, 24.3 s)" of the medians, the largest ratio first, at
 * most 'most' of them, ", " between. first, if not NULL and there is any, becomes the first one's
 * name, the caller's to free. How many there are.
 */
size_t followed_differing(const struct suite *suite, const struct run *good, const struct run *bad,
			  size_t most, struct strbuf *out, char **first);

#endif
