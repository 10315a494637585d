/* SPDX-License-Identifier: GPL-2.0-only */
/* Test all rows together, and say what each means. */
#include "judge/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "judge/compare_rows.h"
#include "record/record.h"
#include "stats/family.h"
#include "stats/power.h"
#include "stats/rank.h"

#define FAMILY_SEED 1		/* of the relabellings that are drawn: the same runs, the same p */

static const char *or_empty(const char *s)
{
	return s ? s : "";
}

static bool is_real(const struct run *run)
{
	return !strcmp(or_empty(run->clock), "real");
}

static int check_same(const char *what, const char *base, const char *now, struct err *err)
{
	if (!strcmp(or_empty(base), or_empty(now)))
		return 0;
	return err_unable(err, "the base run has %s '%s' and the new one '%s', so their figures "
			       "cannot be compared", what, str_escape(or_empty(base)),
			  str_escape(or_empty(now)));
}

static void note_difference(struct compare *cmp, const char *what, const char *base,
			    const char *now)
{
	if (strcmp(or_empty(base), or_empty(now)) != 0)
		strvec_pushf(&cmp->notes, "%s: '%s' in the base run, '%s' in the new", what,
			     str_escape(or_empty(base)), str_escape(or_empty(now)));
}

/* Whether the host's noise is known is only known once there are rows. */
static void add_noise_note(struct compare *cmp)
{
	size_t unknown = 0, ratios = 0;

	for (size_t i = 0; i < cmp->n; i++) {
		bool counts = cmp->c[i].p >= 0 && cmp->c[i].ratio;

		ratios += counts;
		unknown += counts && cmp->c[i].floor < 0;
	}
	if (unknown)
		strvec_pushf(&cmp->notes, "this host's noise floor is not known for %zu of %zu "
			     "rows; 'iorig compare --measure-floor' measures it", unknown, ratios);
}

/* Boots that the host's stalls cost. */
static void add_void_note(struct compare *cmp, const char *which, const struct run *run)
{
	size_t again = 0, voided = 0, untold = 0;

	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		again += b->controlled && b->control.tries > 1;
		voided += boot_is_void(b);
		untold += b->controlled && !boot_is_void(b) && b->control.waited_ns < 0;
	}
	if (voided || again)
		strvec_pushf(&cmp->notes, "the host stalled: of the %s run's boots %zu were made "
			     "again, and %zu count for nothing", which, again, voided);
	if (untold)
		strvec_pushf(&cmp->notes, "this host does not tell how long QEMU waited for a "
			     "processor in %zu boots of the %s run", untold, which);
}

static void add_notes(struct compare *cmp, const struct run *base, const struct run *now)
{
	note_difference(cmp, "QEMU differs", base->qemu.version, now->qemu.version);
	note_difference(cmp, "the accelerator differs", base->accel, now->accel);
	if (is_real(base)) {
		note_difference(cmp, "the host differs", base->host.cpu, now->host.cpu);
		add_void_note(cmp, "base", base);
		add_void_note(cmp, "new", now);
	}
	if (base->interrupted)
		strvec_push(&cmp->notes, "the base run was stopped before its end");
	if (now->interrupted)
		strvec_push(&cmp->notes, "the new run was stopped before its end");
}

/* The row's values as the tests take them: logarithms where ratios mean something. */
static void take_logs(const struct compare *cmp, struct compare_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		struct compare_row *r = &rows->r[i];

		for (size_t k = 0; r->a && cmp->c[i].ratio && k < cmp->c[i].n_base; k++)
			r->a[k] = log(r->a[k]);
		for (size_t k = 0; r->b && cmp->c[i].ratio && k < cmp->c[i].n_now; k++)
			r->b[k] = log(r->b[k]);
	}
}

/* One boot against one can only be looked at. */
static bool is_testable(const struct change *c, const struct compare_row *r)
{
	return r->a && c->n_base + c->n_now >= 3;
}

static double floor_distance(const struct change *c)
{
	return c->ratio ? log1p(fmax(c->floor, 0)) : 0;
}

/* What a change has to be beyond to be none of the noise. */
static double margin_of(const struct compare *cmp, const struct change *c)
{
	return c->ratio ? fmax(log1p(cmp->o.noise), floor_distance(c)) : 0;
}

static void test_family(struct compare *cmp, const struct compare_rows *rows)
{
	struct family_row *family __free(ptr) = xcalloc(cmp->n, sizeof(*family));
	size_t n = 0;

	for (size_t i = 0; i < cmp->n; i++) {
		if (!is_testable(&cmp->c[i], &rows->r[i]))
			continue;
		family[n] = (struct family_row){
			.block = rows->r[i].block, .a = rows->r[i].a, .b = rows->r[i].b,
			.m = cmp->c[i].n_base, .n = cmp->c[i].n_now,
			.margin = margin_of(cmp, &cmp->c[i]),
		};
		n++;
	}
	family_adjust(family, n, FAMILY_SEED);
	cmp->tested = n;
	n = 0;
	for (size_t i = 0; i < cmp->n; i++) {
		if (is_testable(&cmp->c[i], &rows->r[i]))
			cmp->c[i].p_family = family[n++].p;
	}
}

/* How far from "the same" a change is: |ln| of a ratio, |x| of a difference. */
static double distance(const struct change *c, double x)
{
	return c->ratio ? fabs(log(x)) : fabs(x);
}

static double matters_distance(const struct change *c)
{
	return c->ratio ? log1p(c->matters) : 0;
}

static void measure(const struct compare *cmp, struct change *c, const struct compare_row *r)
{
	struct rank_shift s = rank_shift(r->a, c->n_base, r->b, c->n_now, cmp->o.level);
	struct power power = { cmp->o.alpha, cmp->o.power, cmp->tested ? cmp->tested : 1 };
	double sd = power_spread(r->a, c->n_base, r->b, c->n_now), visible;

	c->change = c->ratio ? exp(s.shift) : s.shift;
	c->low = c->ratio ? exp(s.low) : s.low;
	c->high = c->ratio ? exp(s.high) : s.high;
	c->level = s.level;
	c->effect = rank_effect(r->a, c->n_base, r->b, c->n_now);
	c->p = rank_test(r->a, c->n_base, r->b, c->n_now).p;
	/* splits of unequal sizes have no mirror image, and then all rows together may seem surer
	 * than one: both have to be convinced */
	c->p_family = c->p_family < 0 ? -1 : fmax(c->p, c->p_family);
	visible = power_smallest(&power, sd, c->n_base, c->n_now) + floor_distance(c);
	c->visible = c->ratio ? expm1(visible) : -1;
	if (!c->ratio && isinf(visible))
		c->visible = INFINITY;
}

static int seeds_more(const struct compare *cmp, const struct change *c,
		      const struct compare_row *r, double difference)
{
	struct power power = { cmp->o.alpha, cmp->o.power, cmp->tested ? cmp->tested : 1 };
	double sd = power_spread(r->a, c->n_base, r->b, c->n_now);
	double beyond = difference - floor_distance(c);
	size_t have = c->n_base < c->n_now ? c->n_base : c->n_now;
	size_t need = cmp->o.alpha > 0 && beyond > 0 ? power_values(&power, sd, beyond) : 0;

	if (!need)
		return -1;
	return need > have ? (int)(need - have) : 1;
}

static void judge_doubt(const struct compare *cmp, struct change *c, const struct compare_row *r)
{
	c->kind = CHANGE_INCONCLUSIVE;
	c->seeds_more = seeds_more(cmp, c, r, distance(c, c->change));
	c->reason = xstrfmt("a change like this comes about by chance in %.0f%% of comparisons "
			    "of %zu rows", c->p_family * 100, cmp->tested);
}

static void judge_blind(const struct compare *cmp, struct change *c, const struct compare_row *r)
{
	c->kind = CHANGE_INCONCLUSIVE;
	/* a single boot has no spread to go by: enough to have one, then look again */
	c->seeds_more = c->n_base + c->n_now < 3 ? 4 : seeds_more(cmp, c, r, log1p(cmp->o.blind));
	if (isinf(c->visible))
		c->reason = xstrfmt("%zu and %zu seeds are too few for any change to show",
				    c->n_base, c->n_now);
	else
		c->reason = xstrfmt("less than %.0f%% would not have shown in %zu and %zu seeds",
				    c->visible * 100, c->n_base, c->n_now);
}

static char *within_noise(const struct change *c)
{
	return xstrfmt("it changed, but by no more than this host's noise floor of %.2g%%",
		       c->floor * 100);
}

static void judge_change(const struct compare *cmp, struct change *c, const struct compare_row *r)
{
	bool more = c->ratio ? c->change > 1 : c->change > 0;
	bool big = distance(c, c->change) > 0 && distance(c, c->change) >= matters_distance(c);
	bool sure = c->p_family >= 0 && c->p_family <= cmp->o.alpha;
	bool noise = c->floor > 0 && distance(c, c->change) <= margin_of(cmp, c);
	double edge = fmax(distance(c, c->low), distance(c, c->high));

	if (sure && big && !noise) {
		c->kind = more == metric_info((enum metric)c->metric)->higher ? CHANGE_IMPROVED :
									       CHANGE_REGRESSED;
	} else if (sure) {
		c->kind = CHANGE_SAME;
		c->reason = noise || c->floor >= c->matters ? within_noise(c) :
			    xstrfmt("it changed for certain, but by less than the %.3g%% that "
				    "matter", c->matters * 100);
	} else if (c->level >= cmp->o.level && edge <= matters_distance(c)) {
		c->kind = CHANGE_SAME;
	} else if (big && c->p_family >= 0 && c->p_family <= cmp->o.doubt) {
		judge_doubt(cmp, c, r);
	} else if (isinf(c->visible) || c->visible > cmp->o.blind) {
		judge_blind(cmp, c, r);
	} else {
		c->kind = CHANGE_SAME;
	}
	/* by its own p it would have been news on a quieter host */
	if (c->kind == CHANGE_SAME && !c->reason && noise && c->p <= cmp->o.alpha)
		c->reason = within_noise(c);
}

/* The same image on the simulated clock gives the same figures: nothing is left to chance. */
static bool is_identical(const struct compare *cmp, const struct change *c,
			 const struct compare_row *r)
{
	if (!cmp->same_kernel || c->n_base != c->n_now)
		return false;
	for (size_t i = 0; i < c->n_base; i++) {
		if (r->a[i] < r->b[i] || r->a[i] > r->b[i])
			return false;
	}
	return true;
}

static void judge_rows(struct compare *cmp, const struct compare_rows *rows)
{
	for (size_t i = 0; i < cmp->n; i++) {
		struct change *c = &cmp->c[i];

		if (rows->r[i].a) {
			measure(cmp, c, &rows->r[i]);
			if (is_identical(cmp, c, &rows->r[i]))
				c->kind = CHANGE_SAME;
			else
				judge_change(cmp, c, &rows->r[i]);
		}
		c->reason = c->reason ? c->reason : xstrdup("");
	}
}

int compare_runs(struct compare *cmp, const struct run *base, const struct run *now,
		 const struct compare_options *o, struct err *err)
{
	struct compare_rows rows __release(compare_rows) = COMPARE_ROWS_INIT;
	const char *image = base->kernel.image_sha256;
	int ret;

	*cmp = (struct compare){ .notes = STRVEC_INIT, .o = *o };
	cmp->same_kernel = *image && !strcmp(image, now->kernel.image_sha256) &&
			   !strcmp(or_empty(base->kernel.cmdline), or_empty(now->kernel.cmdline));
	ret = check_same("clock", base->clock, now->clock, err);
	if (!ret)
		ret = check_same("timing", base->timing, now->timing, err);
	if (!ret)
		ret = check_same("scale", base->scale, now->scale, err);
	if (ret)
		return ret;
	add_notes(cmp, base, now);
	compare_rows_collect(&rows, cmp, base, now);
	take_logs(cmp, &rows);
	test_family(cmp, &rows);
	judge_rows(cmp, &rows);
	if (is_real(base))
		add_noise_note(cmp);
	return 0;
}

void compare_release(struct compare *cmp)
{
	for (size_t i = 0; i < cmp->n; i++)
		free(cmp->c[i].reason);
	free(cmp->c);
	strvec_release(&cmp->notes);
	cmp->c = NULL;
	cmp->n = 0;
}

enum judge_exit compare_exit_status(const struct compare *cmp)
{
	bool open = !cmp->n;

	for (size_t i = 0; i < cmp->n; i++) {
		switch (cmp->c[i].kind) {
		case CHANGE_REGRESSED:
			return JUDGE_REGRESSED;
		case CHANGE_INCONCLUSIVE:
		case CHANGE_NOT_COMPARED:
			open = true;
			break;
		case CHANGE_SAME:
		case CHANGE_IMPROVED:
			break;
		}
	}
	return open ? JUDGE_CANNOT : JUDGE_OK;
}

size_t compare_count(const struct compare *cmp, enum change_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < cmp->n; i++)
		n += cmp->c[i].kind == kind;
	return n;
}

int compare_seeds_more(const struct compare *cmp)
{
	int most = 0;

	for (size_t i = 0; i < cmp->n; i++) {
		if (cmp->c[i].seeds_more < 0)
			return -1;
		most = cmp->c[i].seeds_more > most ? cmp->c[i].seeds_more : most;
	}
	return most;
}

const char *change_name(enum change_kind kind)
{
	static const char *const names[] = {
		[CHANGE_SAME] = "same", [CHANGE_REGRESSED] = "regressed",
		[CHANGE_IMPROVED] = "improved", [CHANGE_INCONCLUSIVE] = "inconclusive",
		[CHANGE_NOT_COMPARED] = "not compared",
	};

	return names[kind];
}
