/* SPDX-License-Identifier: GPL-2.0-only */
/* Which metrics of a case two runs differ in most. */
#include "judge/followed.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "judge/values.h"
#include "record/record.h"
#include "stats/rank.h"

#define ALPHA 0.01	/* 5 + 5 boots can give 0.008 */

struct difference {
	char *name;
	enum metric_unit unit;
	double good, bad;	/* medians, above 0 */
};

struct differences {
	struct difference *v;
	size_t n;
};

static void look(struct differences *all, const struct suite *suite, const struct run *good,
		 const struct run *bad, const char *subject, enum metric metric)
{
	struct values a __release(values) = VALUES_INIT, b __release(values) = VALUES_INIT;
	struct difference *d;

	values_collect(&a, good, &suite->cases[0], subject, metric);
	values_collect(&b, bad, &suite->cases[0], subject, metric);
	/* of what is 0 there is no ratio */
	if (!a.n || !b.n || !(a.min > 0) || !(b.min > 0) || !(a.value > 0) || !(b.value > 0) ||
	    rank_test(a.v, a.n, b.v, b.n).p > ALPHA)
		return;
	d = array_grow(all->v, all->n);
	*d = (struct difference){ .unit = metric_info(metric)->unit, .good = a.value,
				  .bad = b.value };
	d->name = xstrfmt("%s.%s", subject, metric_name(metric));
}

static bool can_have(const struct case_job *job, enum metric metric)
{
	return job->role != PLAN_PREPARE &&
	       (job->sync || (metric != METRIC_SYNC && metric != METRIC_TOTAL));
}

static void look_at_all(struct differences *all, const struct suite *suite,
			const struct run *good, const struct run *bad)
{
	const struct kase *c = &suite->cases[0];

	for (int m = METRIC_SLOWDOWN + 1; m < METRIC_N; m++) {
		enum metric metric = (enum metric)m;
		bool of_disk = metric_info(metric)->of == METRIC_OF_DISK;

		for (size_t i = 0; !of_disk && i < c->n_jobs; i++) {
			if (can_have(&c->jobs[i], metric))
				look(all, suite, good, bad, c->jobs[i].name, metric);
		}
		for (size_t i = 0; of_disk && i < c->n_disks; i++) {
			char *subject __free(ptr) = xstrfmt("disk.%s", c->disks[i].name);

			look(all, suite, good, bad, subject, metric);
		}
	}
}

static int by_ratio(const void *x, const void *y)
{
	const struct difference *a = x, *b = y;
	double of_a = fabs(log(a->bad / a->good)), of_b = fabs(log(b->bad / b->good));

	return (of_a < of_b) - (of_a > of_b);
}

size_t followed_differing(const struct suite *suite, const struct run *good, const struct run *bad,
			  size_t most, struct strbuf *out, char **first)
{
	struct differences all = { .v = NULL };
	char from[32], to[32];

	look_at_all(&all, suite, good, bad);
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_ratio);
	if (all.n && first)
		*first = xstrdup(all.v[0].name);
	for (size_t i = 0; i < all.n; i++) {
		const struct difference *d = &all.v[i];

		if (i < most)
			strbuf_addf(out, "%s%s (%s, %s)", i ? ", " : "", d->name,
				    metric_format(d->unit, d->good, from),
				    metric_format(d->unit, d->bad, to));
		free(d->name);
	}
	free(all.v);
	return all.n;
}
