/* SPDX-License-Identifier: GPL-2.0-only */
/* What the host's noise allows to be judged. */
#include "judge/noise.h"

#include <string.h>

#include "base/strbuf.h"
#include "case/case.h"
#include "case/expect.h"
#include "record/noise.h"
#include "stats/floor.h"

double noise_floor(const struct run *run, const char *case_name, const char *job,
		   enum metric metric)
{
	if (!run->clock || strcmp(run->clock, "real") != 0)
		return -1;
	for (size_t i = 0; i < run->n_floors; i++) {
		const struct run_floor *f = &run->floors[i];

		/* a document may say anything */
		if (!strcmp(f->case_name, case_name) && !strcmp(f->job, job) &&
		    !strcmp(f->metric, metric_name(metric)) && f->floor >= 0 &&
		    f->floor <= NOISE_MOST)
			return f->floor;
	}
	return -1;
}

static bool is_relative(const struct expectation *e)
{
	return e->alone || e->metric == METRIC_SLOWDOWN;
}

double noise_floor_expected(const struct run *run, const struct kase *c,
			    const struct expectation *e)
{
	enum metric metric = e->metric == METRIC_SLOWDOWN ? METRIC_TIME : e->metric;
	double here = noise_floor(run, c->name, e->job, metric), alone;
	const struct case_job *job;

	if (!is_relative(e) || here < 0)
		return here;
	job = kase_job(c, e->job);
	if (!job || !job->alone_case || !job->alone_job)
		return -1;
	alone = noise_floor(run, job->alone_case, job->alone_job, metric);
	return alone < 0 ? -1 : floor_of_quotient(here, alone);
}

static bool refuse(struct strbuf *why, const struct expectation *e, const char *key, double value,
		   double floor)
{
	strbuf_addf(why, "%s%s: %s %.3g%% is below this host's noise floor of %.2g%% on the real "
		    "clock: refused, as nothing so small can be told from noise here",
		    metric_name(e->metric), e->alone ? "/alone" : "", key, value * 100,
		    floor * 100);
	return true;
}

bool noise_refuses(const struct run *run, const struct kase *c, const struct expectation *e,
		   struct strbuf *why)
{
	double floor = noise_floor_expected(run, c, e);

	if (floor <= 0)
		return false;
	if (e->was >= 0 && e->within >= 0 && e->within < floor)
		return refuse(why, e, "within", e->within, floor);
	if (!is_relative(e))
		return false;
	if (e->limit >= 0 && e->limit >= 1 && e->limit - 1 < floor)
		return refuse(why, e, "limit 100% +", e->limit - 1, floor);
	if (e->floor > 0 && e->floor <= 1 && 1 / e->floor - 1 < floor)
		return refuse(why, e, "floor 100% -", 1 - e->floor, floor);
	return false;
}
