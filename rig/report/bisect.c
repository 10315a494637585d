/* SPDX-License-Identifier: GPL-2.0-only */
/* How a bisect ended, for people. */
#include "report/bisect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "bisect/bisect.h"
#include "bisect/trail.h"
#include "judge/followed.h"
#include "source/commits.h"
#include "report/columns.h"
#include "stats/stats.h"

#define SHORT	   12		/* digits of a commit's id */
#define LISTED_MAX 20		/* candidates */

enum column { C_STEP, C_PLACE, C_COMMIT, C_TIME, C_BOOTS, C_VALUE, C_RANGE, C_LEFT, C_P, C_N };

static const struct columns_spec table_spec[C_N] = {
	[C_STEP] = { "STEP", true }, [C_PLACE] = { "PLACE", true },
	[C_COMMIT] = { "COMMIT", false },
	[C_TIME] = { "TOOK", true }, [C_BOOTS] = { "BOOTS", true }, [C_VALUE] = { "VALUE", true },
	[C_RANGE] = { "RANGE", false }, [C_LEFT] = { "LEFT", true }, [C_P] = { "BEST", true },
};

int report_bisect_status(const struct bisect_step *end)
{
	return end->what == BISECT_FOUND ? 0 : 125;
}

size_t report_bisect_before(const struct bisect_report *r)
{
	const struct bisect *b = r->b;

	for (size_t x = r->end->commit; x-- > 0;) {
		if (history_has(&b->h, r->end->commit, x) && b->c[bisect_root(b, x)].n)
			return x;
	}
	return b->h.n;
}

const char *report_bisect_percent(double p, char *buf)
{
	/* certain is nothing that was measured */
	if (p >= 0.9995 || (p > 0 && p < 0.0005))
		snprintf(buf, 16, "%s", p > 0.5 ? ">99.9 %" : "<0.1 %");
	else
		snprintf(buf, 16, "%.3g %%", p * 100);
	return buf;
}

/* What some boots came to. */
struct summary {
	size_t n, fails;
	double median, min, max;
};

static struct summary summarise(const struct bisect_boot *boots, size_t n)
{
	double *v = xcalloc(n, sizeof(*v));
	struct summary s = { .n = n };

	for (size_t i = 0; i < n; i++) {
		v[i] = boots[i].value;
		s.fails += v[i] > 0.5;
	}
	if (n) {
		s.min = stats_min(v, n);
		s.max = stats_max(v, n);
		s.median = stats_median(v, n);
	}
	free(v);
	return s;
}

void report_bisect_values(const struct bisect *b, const struct followed *f,
			  const struct bisect_boot *boots, size_t n, struct strbuf *out)
{
	struct summary s = summarise(boots, n);
	char median[32], min[32], max[32];

	if (!n) {
		strbuf_addstr(out, "no value");
	} else if (b->o.values == BISECT_PASS_FAIL) {
		strbuf_addf(out, "%zu of %zu fail", s.fails, s.n);
	} else {
		strbuf_addf(out, "%s %s", f->name, metric_format(f->unit, s.median, median));
		if (n > 1)
			strbuf_addf(out, " (median of %zu, %s to %s)", n,
				    metric_format(f->unit, s.min, min),
				    metric_format(f->unit, s.max, max));
	}
}

static void put_values(struct columns *t, const struct bisect_report *r,
		       const struct bisect_boot *boots, size_t n)
{
	struct summary s = summarise(boots, n);
	char median[32], min[32], max[32];

	columns_put(t, C_BOOTS, "%zu", n);
	if (!n) {
		columns_put(t, C_RANGE, "broken");
	} else if (r->b->o.values == BISECT_PASS_FAIL) {
		columns_put(t, C_VALUE, s.fails ? "fail" : "pass");
		columns_put(t, C_RANGE, "%zu of %zu fail", s.fails, n);
	} else {
		enum metric_unit unit = r->followed->unit;

		columns_put(t, C_VALUE, "%s", metric_format(unit, s.median, median));
		if (n > 1)
			columns_put(t, C_RANGE, "%s to %s", metric_format(unit, s.min, min),
				    metric_format(unit, s.max, max));
	}
}

static void add_row(struct columns *t, const struct bisect_report *r, size_t i, size_t first_boot)
{
	const struct trail_step *s = &r->trail->s[i];
	const struct bisect *b = r->b;
	char time[32];

	columns_row(t);
	columns_put(t, C_STEP, "%zu", i + 1);
	if (!s->commit || s->commit == b->h.n - 1)
		columns_put(t, C_PLACE, s->commit ? "bad" : "good");
	else
		columns_put(t, C_PLACE, "%zu", s->commit);
	columns_put(t, C_COMMIT, "%.*s", SHORT, b->h.c[s->commit].id);
	columns_put(t, C_TIME, "%s", format_time((int64_t)((s->build_s + s->boot_s) *
							   (double)NS_PER_S), time));
	switch (s->what) {
	case TRAIL_BOOTED:
		put_values(t, r, b->boots + first_boot, s->boots);
		break;
	case TRAIL_SKIPPED:
		columns_put(t, C_RANGE, "skipped");
		break;
	case TRAIL_SAME:
		columns_put(t, C_RANGE, "same as %.*s", SHORT, b->h.c[s->as].id);
		break;
	}
	columns_put(t, C_LEFT, "%zu", s->left);
	columns_put(t, C_P, "%s", report_bisect_percent(s->p, time));
}

static void add_table(const struct bisect_report *r, struct strbuf *out)
{
	struct columns t;
	size_t boots = 0;

	columns_init(&t, table_spec, C_N);
	for (size_t i = 0; i < r->trail->n_steps; i++) {
		add_row(&t, r, i, boots);
		boots += r->trail->s[i].boots;
	}
	columns_print(&t, out);
	columns_release(&t);
	strbuf_addstr(out, "PLACE among the commits; VALUE is a median; LEFT commits may be "
			   "it, BEST is how\nprobable the likeliest was\n");
}

static void add_skipped(const struct bisect_report *r, struct strbuf *out)
{
	const struct bisect *b = r->b;

	for (size_t i = 0; i < b->h.n; i++) {
		if (b->c[i].skipped)
			strbuf_addf(out, "skipped %.*s: %s\n", SHORT, b->h.c[i].id,
				    str_escape(b->c[i].skipped));
	}
}

static void add_counts(const struct bisect_report *r, struct strbuf *out)
{
	double took = 0;
	size_t builds = 0;
	char time[32];

	for (size_t i = 0; i < r->trail->n; i++)
		builds += *r->trail->c[i].image != '\0';
	for (size_t i = 0; i < r->trail->n_steps; i++)
		took += r->trail->s[i].build_s + r->trail->s[i].boot_s;
	strbuf_addf(out, "%zu commits, %zu kernels, %zu boots, %s\n", r->b->h.n - 1, builds,
		    r->b->n_boots, format_time((int64_t)(took * (double)NS_PER_S), time));
}

/* Its name, what it says of itself, and who wrote it when. */
static void add_commit(const struct bisect_report *r, size_t commit, struct strbuf *out)
{
	const struct commit_words *w = &r->words[commit];

	strbuf_addf(out, "  %s\n", r->b->h.c[commit].id);
	if (w->subject && *w->subject)
		strbuf_addf(out, "  %s\n", str_escape(w->subject));
	if (w->author && *w->author)
		strbuf_addf(out, "  %s, %s\n", str_escape(w->author), str_escape(w->date));
}

static void add_list(const struct bisect_report *r, struct strbuf *out)
{
	const struct bisect_step *end = r->end;
	char percent[16];

	for (size_t i = 0; i < end->n_set && i < LISTED_MAX; i++) {
		size_t c = end->set[i];
		const char *subject = r->words[c].subject;

		strbuf_addf(out, "  %7s  %.*s  %s\n", report_bisect_percent(r->b->p[c], percent),
			    SHORT, r->b->h.c[c].id, subject ? str_escape(subject) : "");
	}
	if (end->n_set > LISTED_MAX)
		strbuf_addf(out, "  and %zu more\n", end->n_set - LISTED_MAX);
}

static void add_all_values(const struct bisect_report *r, const char *what, size_t commit,
			   struct strbuf *out)
{
	const struct bisect_commit *c = &r->b->c[bisect_root(r->b, commit)];
	struct bisect_boot *boots __free(ptr) = xcalloc(c->n, sizeof(*boots));

	for (size_t i = 0; i < c->n; i++)
		boots[i].value = c->v[i];
	strbuf_addf(out, "%s%.*s: ", what, SHORT, r->b->h.c[commit].id);
	report_bisect_values(r->b, r->followed, boots, c->n, out);
	strbuf_addch(out, '\n');
}

/* Which way is worse, the metric knows; somebody may have looked for what made it better. */
static void add_direction(const struct bisect_report *r, struct strbuf *out)
{
	const struct bisect_commit *g = &r->b->c[bisect_root(r->b, 0)];
	const struct bisect_commit *w = &r->b->c[bisect_root(r->b, r->b->h.n - 1)];

	if (!g->n || !w->n || g == w)
		return;
	if ((stats_mean(w->v, w->n) < stats_mean(g->v, g->n)) != r->followed->higher)
		strbuf_addf(out, "The bad end is better than the good one: this is what made it "
				 "better.\n");
}

static void add_answer(const struct bisect_report *r, struct strbuf *out)
{
	const struct bisect_step *end = r->end;
	size_t before = report_bisect_before(r), last = r->b->h.n - 1;
	char percent[16];

	report_bisect_percent(end->p, percent);
	switch (end->what) {
	case BISECT_FOUND:
		strbuf_addf(out, "first bad commit, probability %s:\n", percent);
		add_commit(r, end->commit, out);
		if (before < r->b->h.n)
			add_all_values(r, "before it, ", before, out);
		add_all_values(r, "with it,   ", end->commit, out);
		add_direction(r, out);
		break;
	case BISECT_RANGE:
		strbuf_addf(out, "one of %zu commits, probability %s (%s):\n", end->n_set,
			    percent, end->why);
		add_list(r, out);
		add_direction(r, out);
		break;
	case BISECT_UNSURE:
		strbuf_addf(out, "not sure: %s; with probability %s one of %zu commits:\n",
			    end->why, percent, end->n_set);
		add_list(r, out);
		break;
	case BISECT_ALIKE:
		strbuf_addf(out, "nothing to look for: %s\n", end->why);
		add_all_values(r, "good, ", 0, out);
		add_all_values(r, "bad,  ", last, out);
		if (r->differing && *r->differing)
			strbuf_addf(out, "They do differ in %s: --metric follows one of these.\n",
				    r->differing);
		break;
	case BISECT_TEST:
		BUG("not at its end");
	}
}

static void add_command(const struct bisect_report *r, size_t commit, struct strbuf *out)
{
	const struct bisect *b = r->b;
	size_t seeds = r->trail->c[bisect_root(b, commit)].tried;

	strbuf_addf(out, "  iorig run git:%.*s ", SHORT, b->h.c[commit].id);
	strvec_shell_quote(r->run_words, out);
	strbuf_addf(out, " --seeds %zu\n", seeds ? seeds : 1);
}

/* The two kernels that the answer rests on. */
static void add_commands(const struct bisect_report *r, struct strbuf *out)
{
	const struct bisect_step *end = r->end;
	size_t from = 0, to = r->b->h.n - 1;

	if (end->what == BISECT_FOUND) {
		from = report_bisect_before(r);
		to = end->commit;
	}
	strbuf_addstr(out, "The same figures again:\n");
	if (from < r->b->h.n)
		add_command(r, from, out);
	add_command(r, to, out);
}

void report_bisect(const struct bisect_report *r, struct strbuf *out)
{
	add_answer(r, out);
	strbuf_addf(out, "\nfollowed: %s of %s\n", r->followed->name, str_escape(r->case_name));
	if (r->trail->n_steps)
		add_table(r, out);
	add_skipped(r, out);
	add_counts(r, out);
	strbuf_addch(out, '\n');
	add_commands(r, out);
	if (r->picture)
		strbuf_addf(out, "picture: %s\n", str_escape(r->picture));
	strbuf_addf(out, "results: %s\n", str_escape(r->dir));
}
