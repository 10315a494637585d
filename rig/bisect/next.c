/* SPDX-License-Identifier: GPL-2.0-only */
/* What to do next: prove the ends, learn the most, prove the border, or stop. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "bisect/private.h"
#include "stats/dist.h"
#include "stats/rank.h"
#include "stats/stats.h"

#define PROOF_ALPHA	0.01	/* of the border, which was chosen for looking like one */
#define PROOF_PART	0.5	/* of what the ends differ by */
#define LEAST_ERROR	0.01	/* no boot is believed more than this: it may be a fluke */
#define LEAST_BITS	1e-3	/* less information is none */
#define DECIDED		0.01	/* as near to 0 or 1 is decided */
#define MORE_BOOTS	3	/* at a time where a border is not proven yet */

bool is_testable(const struct bisect *b, size_t x)
{
	return b->c[x].same_as == x && !b->c[x].skipped && b->c[x].n < b->o.commit_boots;
}

static double entropy(double p)
{
	return p <= 0 || p >= 1 ? 0 : -(p * log2(p) + (1 - p) * log2(1 - p));
}

/* How far apart the ends are as a boot shows it, in spreads of a boot. */
static double distance(const struct bisect *b, const struct scale *s)
{
	const struct bisect_commit *g = &b->c[bisect_root(b, 0)];
	const struct bisect_commit *w = &b->c[bisect_root(b, b->h.n - 1)];
	double wrong;

	if (b->o.values == BISECT_FIGURES)
		return s->apart;
	/* the rates with one boot more of each kind, as a symmetric channel */
	wrong = (stats_mean(g->v, g->n) * (double)g->n + 0.5) / ((double)g->n + 1);
	wrong += 1 - (stats_mean(w->v, w->n) * (double)w->n + 0.5) / ((double)w->n + 1);
	wrong = fabs(wrong - 1);
	return 2 * dist_normal_quantile(0.5 + fmin(wrong, 0.998) / 2);
}

/* Bits about x's state, and so about the commit, that n more boots of it are expected to give. */
static double information(const struct bisect *b, double apart, double bad, double had, double n)
{
	double more = effective(b, had + n) - effective(b, had);
	double wrong = fmax(LEAST_ERROR, dist_normal_cdf(-apart * sqrt(more) / 2));

	return entropy(bad * (1 - wrong) + (1 - bad) * wrong) - entropy(wrong);
}

/* That it builds and boots: less likely the nearer it stands to those that do not. */
static double works(const struct bisect *b, const size_t *skipped, size_t n, size_t x)
{
	double p = 1;

	for (size_t i = 0; i < n && !b->c[x].n; i++) {
		double far = fabs((double)x - (double)skipped[i]) - 1;

		p *= 1 - 0.5 * exp(-far / 4);
	}
	return p;
}

/* The commit and number of boots with the most information for the cost. False: there is nothing
 * more to be learned. */
static bool pick(const struct bisect *b, const struct scale *s, struct bisect_step *step)
{
	static const double batches[] = { 1, 2, 3, 5, 8 };
	size_t *skipped __free(ptr) = xcalloc(b->h.n, sizeof(size_t));
	double apart = distance(b, s), best = 0;
	size_t n_skipped = 0;

	for (size_t x = 0; x < b->h.n; x++)
		if (b->c[x].skipped)
			skipped[n_skipped++] = x;
	for (size_t x = 1; x < b->h.n; x++) {
		double bad = is_testable(b, x) ? bad_probability(b, x) : 0;
		double build = b->c[x].n ? 0 : b->o.cost_build, ok;

		if (bad <= 0 || bad >= 1)
			continue;
		ok = works(b, skipped, n_skipped, x);
		for (size_t i = 0; i < ARRAY_SIZE(batches); i++) {
			double n = fmin(batches[i], (double)(b->o.commit_boots - b->c[x].n));
			double bits = information(b, apart, bad, (double)b->c[x].n, n);
			double gain = ok * bits / (build + n * b->o.cost_boot);

			if (bits < LEAST_BITS || gain <= best)
				continue;
			best = gain;
			step->commit = x;
			step->boots = (size_t)n;
		}
	}
	step->what = BISECT_TEST;
	step->why = "most information for its cost";
	return best > 0;
}

static bool is_border_bad(const struct bisect *b, const double *bad, size_t x)
{
	if (!b->c[x].n || bad[x] < 0.5)
		return false;
	for (size_t y = 0; y < x; y++)
		if (b->c[y].n && bad[y] >= 0.5 && history_has(&b->h, x, y))
			return false;
	return true;
}

/* Is g the last tested good commit on a way to the bad one x? */
static bool is_border_good(const struct bisect *b, const double *bad, size_t g, size_t x)
{
	if (!b->c[g].n || bad[g] >= 0.5 || !history_has(&b->h, x, g))
		return false;
	for (size_t y = g + 1; y < x; y++)
		if (b->c[y].n && bad[y] < 0.5 && history_has(&b->h, y, g) &&
		    history_has(&b->h, x, y))
			return false;
	return true;
}

/* The p of a border pair; 1 if the step is no large enough part of what the ends differ by. */
static double pair_proof(const struct bisect *b, const struct bisect_commit *g,
			 const struct bisect_commit *x)
{
	struct scale s = scale_of(b);
	double *from __free(ptr) = xcalloc(g->n, sizeof(*from));
	double *to __free(ptr) = xcalloc(x->n, sizeof(*to));

	if (b->o.values == BISECT_PASS_FAIL)
		return rank_test(g->v, g->n, x->v, x->n).p;
	for (size_t i = 0; i < g->n; i++)
		from[i] = scale_value(&s, g->v[i]);
	for (size_t i = 0; i < x->n; i++)
		to[i] = scale_value(&s, x->v[i]);
	if (rank_shift(from, g->n, to, x->n, 0.5).shift * s.sign < PROOF_PART * s.apart)
		return 1;
	return rank_test(from, g->n, to, x->n).p;
}

double border_proof(const struct bisect *b, size_t boots, size_t *short_of)
{
	double *bad __free(ptr) = xcalloc(b->h.n, sizeof(*bad));
	double worst = -1;

	*short_of = b->h.n;
	for (size_t x = 0; x < b->h.n; x++)
		bad[x] = b->c[x].n ? bad_probability(b, x) : 0;
	for (size_t x = 1; x < b->h.n; x++) {
		if (!is_border_bad(b, bad, x))
			continue;
		if (b->c[x].n < boots)
			*short_of = x;
		for (size_t g = 0; g < x; g++) {
			if (!is_border_good(b, bad, g, x))
				continue;
			if (b->c[g].n < boots && *short_of == b->h.n)
				*short_of = g;
			worst = fmax(worst, pair_proof(b, &b->c[g], &b->c[x]));
		}
	}
	return worst < 0 ? 1 : worst;
}

struct ranked {
	double p;
	size_t at;
};

static int by_falling_p(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	if (a->p > b->p || a->p < b->p)
		return a->p > b->p ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

void bisect_candidates(const struct bisect *b, struct bisect_step *step)
{
	struct ranked *r __free(ptr) = xcalloc(b->h.n, sizeof(*r));

	free(step->set);
	step->set = NULL;
	step->n_set = 0;
	for (size_t i = 0; i < b->h.n; i++)
		r[i] = (struct ranked){ b->p[i], i };
	qsort(r, b->h.n, sizeof(*r), by_falling_p);
	step->p = 0;
	for (size_t i = 0; i < b->h.n && step->p < b->o.sure && r[i].p > 0; i++) {
		*array_grow(step->set, step->n_set) = r[i].at;
		step->p += r[i].p;
	}
	step->commit = step->n_set ? step->set[0] : 0;
}

/* Is every commit that can be tested as good as decided? Then what is open cannot be tested. */
static bool all_decided(const struct bisect *b)
{
	for (size_t x = 1; x < b->h.n; x++) {
		double bad = b->c[x].same_as == x && !b->c[x].skipped ? bad_probability(b, x) : 0;

		if (bad > DECIDED && bad < 1 - DECIDED)
			return false;
	}
	return true;
}

static void stop(const struct bisect *b, struct bisect_step *step, enum bisect_what what,
		 const char *why)
{
	step->what = what;
	step->why = why;
	step->boots = 0;
	if (!step->n_set)
		bisect_candidates(b, step);
}

static void test(struct bisect_step *step, size_t commit, size_t boots, const char *why)
{
	step->what = BISECT_TEST;
	step->commit = commit;
	step->boots = boots;
	step->why = why;
}

/* Looks at the ends, as in stats/looks.h; the shares of 5 % add up to it. 5 + 5 boots can give
 * 0.0079. */
static const struct { size_t boots; double alpha; } ends_looks[] = {
	{ 5, 0.008 }, { 8, 0.008 }, { 13, 0.01 }, { 22, 0.012 }, { 40, 0.012 },
};

/* Prove that the ends differ. True: step says what is to be done about them. */
static bool prove_ends(struct bisect *b, struct bisect_step *step)
{
	size_t good = bisect_root(b, 0), bad = bisect_root(b, b->h.n - 1), n;
	const struct bisect_commit *g = &b->c[good], *w = &b->c[bad];

	if (good == bad || b->c[0].skipped || b->c[b->h.n - 1].skipped) {
		stop(b, step, BISECT_ALIKE, good == bad ? "both ends are the same kernel" :
							  "an end cannot be tested");
		return true;
	}
	for (size_t look = 0; look < ARRAY_SIZE(ends_looks) && !b->ends_differ; look++) {
		n = ends_looks[look].boots;
		if (g->n < n || w->n < n) {
			if (g->n < n)
				test(step, good, n - g->n, "the good end");
			else
				test(step, bad, n - w->n, "the bad end");
			return true;
		}
		if (rank_test(g->v, n, w->v, n).p <= ends_looks[look].alpha)
			b->ends_differ = true;
	}
	if (b->ends_differ)
		return false;
	stop(b, step, BISECT_ALIKE, "the ends do not differ for certain");
	return true;
}

/* Commit and border known: are there enough boots, and do they differ? True: step says. */
static bool prove_border(const struct bisect *b, struct bisect_step *step)
{
	size_t short_of, n = b->o.proof_boots;
	double p = border_proof(b, n, &short_of);

	for (;;) {
		if (short_of < b->h.n) {
			test(step, short_of, n - b->c[short_of].n, "proof of the border");
			return true;
		}
		if (p <= PROOF_ALPHA)
			return false;
		if (n >= b->o.commit_boots)
			break;
		n = n + MORE_BOOTS < b->o.commit_boots ? n + MORE_BOOTS : b->o.commit_boots;
		p = border_proof(b, n, &short_of);
	}
	stop(b, step, BISECT_UNSURE, "the commits at the border do not differ for certain");
	return true;
}

static void conclude(const struct bisect *b, const struct scale *s, struct bisect_step *step)
{
	struct bisect_step more = BISECT_STEP_INIT;
	size_t c, root;

	bisect_candidates(b, step);
	if (!step->n_set) {
		stop(b, step, BISECT_UNSURE, "no commit is left that could be it");
		return;
	}
	c = step->set[0];
	root = bisect_root(b, c);
	if (step->n_set == 1) {
		if (is_testable(b, root) && b->c[root].n < b->o.proof_boots)
			test(step, root, b->o.proof_boots - b->c[root].n, "proof of the commit");
		else if (!prove_border(b, step))
			stop(b, step, BISECT_FOUND, "");
		return;
	}
	if (all_decided(b)) {
		if (!prove_border(b, step))
			stop(b, step, BISECT_RANGE, "those between cannot be tested");
	} else if (pick(b, s, &more)) {
		test(step, more.commit, more.boots, more.why);
	} else {
		stop(b, step, BISECT_UNSURE, "no more boots of a commit are allowed");
	}
}

void bisect_next(struct bisect *b, struct bisect_step *step)
{
	struct scale s;

	*step = (struct bisect_step)BISECT_STEP_INIT;
	bisect_think(b);
	if (prove_ends(b, step))
		return;
	s = scale_of(b);
	conclude(b, &s, step);
	if (step->what == BISECT_TEST && b->n_boots >= b->o.all_boots)
		stop(b, step, BISECT_UNSURE, "no more boots are allowed");
	if (step->what == BISECT_TEST && step->boots > b->o.all_boots - b->n_boots)
		step->boots = b->o.all_boots - b->n_boots;
}
