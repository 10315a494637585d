/* SPDX-License-Identifier: GPL-2.0-only */
/* From an A/A comparison to the host's noise floor. */
#include "cmd/compare_floor.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "judge/compare.h"
#include "record/noise.h"
#include "report/columns.h"
#include "run/noise.h"
#include "run/options.h"
#include "stats/floor.h"

struct floors {
	struct run_floor *v;
	size_t n;
};

#define FLOORS_INIT { .n = 0 }

static void floors_release(struct floors *f)
{
	for (size_t i = 0; i < f->n; i++)
		run_floor_release(&f->v[i]);
	free(f->v);
}

/* Why the row gives no floor, or NULL. */
static const char *unfit(const struct compare *cmp, const struct change *c)
{
	if (c->metric < 0 || c->p < 0)
		return *c->reason ? c->reason : "it was not measured";
	if (!c->ratio)
		return "a figure that may be 0 has no ratio";
	if (c->n_base < FLOOR_SEEDS_LEAST || c->n_now < FLOOR_SEEDS_LEAST ||
	    c->level < cmp->o.level)
		return "too few boots stood";
	return floor_of_ratio(c->low, c->high) > NOISE_MOST ? "this is no measurement" : NULL;
}

static const char *case_sha256(const struct run *run, const char *case_name)
{
	for (size_t i = 0; i < run->n_boots; i++)
		if (!strcmp(run->boots[i].case_name, case_name))
			return run->boots[i].case_sha256;
	return "";
}

static void add(struct floors *f, const struct change *c, const struct run *run)
{
	struct run_floor *to = array_grow(f->v, f->n);
	char now[32];

	*to = (struct run_floor){
		.case_name = xstrdup(c->case_name), .job = xstrdup(c->job),
		.metric = xstrdup(metric_name((enum metric)c->metric)),
		.floor = floor_of_ratio(c->low, c->high),
		.seeds = (int)(c->n_base < c->n_now ? c->n_base : c->n_now),
		.measured = xstrdup(clock_utc(now)),
	};
	snprintf(to->case_sha256, sizeof(to->case_sha256), "%s", case_sha256(run, c->case_name));
}

static void add_line(struct columns *t, const struct change *c, const struct run_floor *f,
		     const char *why)
{
	columns_row(t);
	columns_put(t, 0, "%s", str_escape(c->case_name));
	columns_put(t, 1, "%s", str_escape(c->job));
	columns_put(t, 2, "%s", c->metric < 0 ? "-" : metric_name((enum metric)c->metric));
	if (f)
		columns_put(t, 3, "%.3g%%", f->floor * 100);
	else
		columns_put(t, 3, "-");
	columns_put(t, 4, "%s", f ? "" : str_escape(why));
}

int compare_floor_keep(const struct compare *cmp, const struct run *run,
		       const struct run_options *o, size_t *missing, struct strbuf *out,
		       struct err *err)
{
	static const struct columns_spec spec[] = {
		{ "CASE", false }, { "JOB", false }, { "METRIC", false }, { "FLOOR", true },
		{ "", false },
	};
	struct floors floors __release(floors) = FLOORS_INIT;
	char *path __free(ptr) = noise_path(o);
	struct columns t;

	*missing = 0;
	columns_init(&t, spec, ARRAY_SIZE(spec));
	for (size_t i = 0; i < cmp->n; i++) {
		const char *why = unfit(cmp, &cmp->c[i]);

		if (why)
			*missing += cmp->c[i].ratio || cmp->c[i].metric < 0;
		else
			add(&floors, &cmp->c[i], run);
		add_line(&t, &cmp->c[i], why ? NULL : &floors.v[floors.n - 1], why);
	}
	columns_print(&t, out);
	columns_release(&t);
	if (!floors.n) {
		strbuf_addstr(out, "\nno floor was measured\n");
		return 0;
	}
	strbuf_addf(out, "\nthis host's noise floor on the real clock, of %zu figures, is kept in "
		    "%s\n", floors.n, str_escape(path));
	return noise_keep(o, floors.v, floors.n, err);
}
