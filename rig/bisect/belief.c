/* SPDX-License-Identifier: GPL-2.0-only */
/* How likely each commit is to be the first bad one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "bisect/private.h"
#include "stats/power.h"
#include "stats/stats.h"

/*
 * The prior of a group's mean and spread, in units of the ends' spread: the mean anywhere within
 * some ten spreads, the spread like the ends', as if 3 boots had said so.
 */
#define PRIOR_KAPPA	0.01
#define PRIOR_ALPHA	1.5
#define PRIOR_BETA	1.5
#define PRIOR_RATE	0.5	/* Jeffreys' prior of a rate */
#define LEAST_SPREAD	0.02	/* of the ends' distance: figures that never vary, would be proof at
				 * once */

#define MAD_TO_SD	1.4826	/* of normal values: spread over median distance from the median */
#define FAR		3.0	/* spreads beyond an end's median; farther values are drawn in */

#define LEAST_COMMITS	3	/* degrees of freedom that a correlation must rest on */
#define MOST_CORRELATION 0.9	/* or more boots would never help */

struct group {
	double n, sum, squares;		/* weighted */
};

double effective(const struct bisect *b, double n)
{
	return n > 0 ? n / (1 + (n - 1) * b->correlation) : 0;
}

static double *transformed(const struct scale *s, const struct bisect_commit *c)
{
	double *v = xcalloc(c->n, sizeof(*v));

	for (size_t i = 0; i < c->n; i++)
		v[i] = s->logs ? log(c->v[i]) : c->v[i];
	return v;
}

/* Median of v, and each value's distance from it appended to far. */
static double center(const double *v, size_t n, double *far)
{
	double *sorted __free(ptr) = xcalloc(n, sizeof(*sorted));
	double median;

	memcpy(sorted, v, n * sizeof(*sorted));
	median = stats_median(sorted, n);
	for (size_t i = 0; i < n; i++)
		far[i] = fabs(v[i] - median);
	return median;
}

struct scale scale_of(const struct bisect *b)
{
	const struct bisect_commit *good = &b->c[bisect_root(b, 0)];
	const struct bisect_commit *bad = &b->c[bisect_root(b, b->h.n - 1)];
	double *far __free(ptr) = xcalloc(good->n + bad->n, sizeof(*far));
	struct scale s = { .logs = b->o.values == BISECT_FIGURES };
	double *g __free(ptr) = NULL, *w __free(ptr) = NULL;
	double at_good, at_bad, spread;

	for (size_t i = 0; i < b->n_boots; i++)
		s.logs = s.logs && b->boots[i].value > 0;
	g = transformed(&s, good);
	w = transformed(&s, bad);
	at_good = center(g, good->n, far);
	at_bad = center(w, bad->n, far + good->n);
	spread = MAD_TO_SD * stats_median(far, good->n + bad->n);
	/* more than half of the values may be equal although others are not */
	if (!(spread > 0))
		spread = power_spread(g, good->n, w, bad->n);
	spread = fmax(spread, LEAST_SPREAD * fabs(at_bad - at_good));
	s.shift = (at_good + at_bad) / 2;
	s.factor = spread > 0 ? 1 / spread : 1;
	s.apart = fabs(at_bad - at_good) * s.factor;
	s.sign = at_bad < at_good ? -1 : 1;
	s.bound = s.apart / 2 + FAR;
	return s;
}

double scale_value(const struct scale *s, double value)
{
	double x = ((s->logs ? log(value) : value) - s->shift) * s->factor;

	return fmin(fmax(x, -s->bound), s->bound);
}

static struct group group_of(const struct bisect *b, const struct scale *s, size_t commit)
{
	const struct bisect_commit *c = &b->c[commit];
	double weight = c->n ? effective(b, (double)c->n) / (double)c->n : 0;
	struct group g = { 0 };

	for (size_t i = 0; i < c->n; i++) {
		double x = b->o.values == BISECT_PASS_FAIL ? c->v[i] : scale_value(s, c->v[i]);

		g.n += weight;
		g.sum += weight * x;
		g.squares += weight * x * x;
	}
	return g;
}

static void join(struct group *to, const struct group *g)
{
	to->n += g->n;
	to->sum += g->sum;
	to->squares += g->squares;
}

/* ln of the marginal likelihood, but for what depends on the number of all boots only. */
static double likelihood(const struct bisect *b, const struct group *g)
{
	double kappa = PRIOR_KAPPA + g->n, alpha = PRIOR_ALPHA + g->n / 2, beta, mean, fails;

	if (b->o.values == BISECT_PASS_FAIL) {
		fails = g->sum;
		return lgamma(PRIOR_RATE + fails) + lgamma(PRIOR_RATE + g->n - fails) -
		       lgamma(2 * PRIOR_RATE + g->n);
	}
	if (!(g->n > 0))
		return 0;
	mean = g->sum / g->n;
	beta = PRIOR_BETA + fmax(0, g->squares - g->n * mean * mean) / 2 +
	       PRIOR_KAPPA * g->n * mean * mean / (2 * kappa);
	return lgamma(alpha) - lgamma(PRIOR_ALPHA) + PRIOR_ALPHA * log(PRIOR_BETA) -
	       alpha * log(beta) + (log(PRIOR_KAPPA) - log(kappa)) / 2;
}

/* Two commits with one kernel: what only one of them has changed nothing. */
static bool is_excluded(const struct bisect *b, const size_t *same, size_t n_same, size_t c)
{
	for (size_t i = 0; i < n_same; i++) {
		size_t x = same[i];

		if (history_has(&b->h, x, c) != history_has(&b->h, b->c[x].same_as, c))
			return true;
	}
	return false;
}

static void normalise(double *p, size_t n)
{
	double most = -INFINITY, sum = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, p[i]);
	for (size_t i = 0; i < n; i++) {
		p[i] = isinf(p[i]) ? 0 : exp(p[i] - most);
		sum += p[i];
	}
	for (size_t i = 0; i < n; i++)
		p[i] = sum > 0 ? p[i] / sum : 0;
}

/* Commits with boots, and their boots as a group each. */
struct tested {
	size_t *at;
	struct group *g;
	size_t n;
};

static void weigh_all(const struct bisect *b, const struct scale *s, struct tested *t)
{
	t->n = 0;
	for (size_t i = 0; i < b->h.n; i++) {
		/* without both ends there is no scale, and nothing to believe yet */
		if (!b->c[i].n || !(s->factor > 0))
			continue;
		t->g[t->n] = group_of(b, s, i);
		t->at[t->n++] = i;
	}
}

static void weigh_commits(struct bisect *b, const struct tested *t, const size_t *same,
			  size_t n_same)
{
	b->p[0] = -INFINITY;
	for (size_t c = 1; c < b->h.n; c++) {
		struct group good = { 0 }, bad = { 0 };

		for (size_t i = 0; i < t->n; i++)
			join(history_has(&b->h, t->at[i], c) ? &bad : &good, &t->g[i]);
		b->p[c] = is_excluded(b, same, n_same, c) ? -INFINITY :
			  likelihood(b, &good) + likelihood(b, &bad);
	}
	normalise(b->p, b->h.n);
}

/* Sums of squares for one of two groups of commits. */
struct variance {
	double between, within, df_between, df_within, size;
};

static void add_variance(struct variance *v, const struct bisect *b, const struct scale *s,
			 size_t c, bool bad)
{
	double n = 0, sum = 0, squares = 0, commits = 0, all = 0;

	for (size_t i = 0; i < b->h.n; i++) {
		double mean = 0, k = (double)b->c[i].n;

		if (!b->c[i].n || history_has(&b->h, i, c) != bad)
			continue;
		for (size_t x = 0; x < b->c[i].n; x++)
			mean += scale_value(s, b->c[i].v[x]) / k;
		for (size_t x = 0; x < b->c[i].n; x++)
			v->within += pow(scale_value(s, b->c[i].v[x]) - mean, 2);
		commits++;
		n += k;
		squares += k * k;
		sum += k * mean;
		all += k * mean * mean;
	}
	if (!(n > 0))
		return;
	v->between += all - sum * sum / n;
	v->df_between += commits - 1;
	v->df_within += n - commits;
	v->size += n - squares / n;
}

/* What boots of one commit have in common, if c is the one. */
static double measure_correlation(const struct bisect *b, const struct scale *s, size_t c)
{
	struct variance v = { 0 };
	double within, between;

	add_variance(&v, b, s, c, false);
	add_variance(&v, b, s, c, true);
	/* a few commits say nothing about the spread of commits */
	if (v.df_between < LEAST_COMMITS || v.df_within < LEAST_COMMITS)
		return 0;
	within = v.within / v.df_within;
	between = (v.between / v.df_between - within) / (v.size / v.df_between);
	return between > 0 ? between / (between + within) : 0;
}

void bisect_think(struct bisect *b)
{
	size_t *at __free(ptr) = xcalloc(b->h.n, sizeof(*at));
	size_t *same __free(ptr) = xcalloc(b->h.n, sizeof(*same));
	struct group *groups __free(ptr) = xcalloc(b->h.n, sizeof(*groups));
	struct tested t = { .at = at, .g = groups };
	struct scale s = { 0 };
	size_t n_same = 0, best = 0;

	if (b->c[bisect_root(b, 0)].n && b->c[bisect_root(b, b->h.n - 1)].n)
		s = scale_of(b);
	for (size_t i = 0; i < b->h.n; i++)
		if (b->c[i].same_as != i)
			same[n_same++] = i;
	b->correlation = b->o.correlation;
	weigh_all(b, &s, &t);
	weigh_commits(b, &t, same, n_same);
	if (b->o.values == BISECT_PASS_FAIL || !t.n)
		return;
	for (size_t i = 1; i < b->h.n; i++)
		best = b->p[i] > b->p[best] ? i : best;
	b->correlation = fmin(MOST_CORRELATION, fmax(b->o.correlation,
						     measure_correlation(b, &s, best)));
	if (!(b->correlation > b->o.correlation))
		return;
	weigh_all(b, &s, &t);
	weigh_commits(b, &t, same, n_same);
}

double bad_probability(const struct bisect *b, size_t x)
{
	const uint64_t *row = b->h.ancestors + x * b->h.words;
	double sum = 0;

	for (size_t w = 0; w < b->h.words; w++)
		for (uint64_t bits = row[w]; bits; bits &= bits - 1)
			sum += b->p[w * 64 + (size_t)__builtin_ctzll(bits)];
	return fmin(1, sum);
}
