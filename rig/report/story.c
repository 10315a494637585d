/* SPDX-License-Identifier: GPL-2.0-only */
/* Verdicts in words. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "case/metric.h"
#include "record/record.h"
#include "report/facts.h"
#include "report/story.h"
#include "report/words.h"

static const enum verdict_kind worst_first[] = {
	VERDICT_REGRESSED, VERDICT_BROKEN, VERDICT_INCONCLUSIVE, VERDICT_KNOWN, VERDICT_SKIPPED,
	VERDICT_IMPROVED, VERDICT_PASS, VERDICT_NONE,
};

int story_rank(const struct verdict *v)
{
	for (size_t i = 0; i < ARRAY_SIZE(worst_first); i++)
		if (worst_first[i] == v->kind)
			return (int)i;
	return (int)ARRAY_SIZE(worst_first);
}

void story_counts(const struct run *run, struct strbuf *out)
{
	bool any = false;

	for (size_t k = 0; k < ARRAY_SIZE(worst_first); k++) {
		size_t n = 0;

		for (size_t i = 0; i < run->n_verdicts; i++)
			n += run->verdicts[i].kind == worst_first[k];
		if (!n || worst_first[k] == VERDICT_NONE)
			continue;
		strbuf_addf(out, "%s%zu %s", any ? ", " : "", n, verdict_name(worst_first[k]));
		any = true;
	}
	if (!any)
		strbuf_addstr(out, "nothing was judged");
}

const char *story_time(double ns, char *buf)
{
	return format_time(ns < 9e18 ? (int64_t)ns : INT64_MAX, buf);
}

const char *story_ratio(double v, char *buf)
{
	if (v >= 1e6)
		snprintf(buf, 32, "%.1e", v);
	else
		snprintf(buf, 32, "%.*f", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v);
	return buf;
}

bool story_value_misses(const struct verdict_value *v)
{
	return v->goal >= 0 && v->value >= 0 &&
	       (v->higher ? v->value < v->goal : v->value > v->goal);
}

static bool slowdown_misses(const struct verdict *v)
{
	return v->goal >= 0 && v->slowdown >= 0 && v->slowdown > v->goal;
}

bool story_misses(const struct verdict *v)
{
	for (size_t i = 0; i < v->n_values; i++)
		if (story_value_misses(&v->values[i]))
			return true;
	return slowdown_misses(v);
}

size_t story_count_misses(const struct run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_verdicts; i++)
		n += run->verdicts[i].kind == VERDICT_PASS && story_misses(&run->verdicts[i]);
	return n;
}

static void add_bounds(const struct verdict *v, struct strbuf *out)
{
	const struct { const char *name; double v; } bounds[] = {
		{ "limit", v->limit },
		{ slowdown_misses(v) ? "goal missed:" : "goal", v->goal },
		{ "last accepted", v->was },
	};
	const char *before = " (";
	char buf[32];

	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
		if (bounds[i].v < 0)
			continue;
		strbuf_addf(out, "%s%s %s", before, bounds[i].name, story_ratio(bounds[i].v, buf));
		before = ", ";
	}
	if (*before == ',')
		strbuf_addch(out, ')');
}

void story_amount(const struct verdict *v, struct strbuf *out)
{
	char a[32], b[32];

	if (v->time_ns < 0) {
		strbuf_addf(out, v->role == PLAN_LOAD && v->n_values
				 ? "%s ran until the victims had ended" : "%s has no time", v->job);
		return;
	}
	strbuf_addf(out, "%s takes %s", v->job, story_time(v->time_ns, a));
	if (v->slowdown >= 0 && v->alone_ns >= 0)
		strbuf_addf(out, ", %s times the %s that it takes alone",
			    story_ratio(v->slowdown, a), story_time(v->alone_ns, b));
	add_bounds(v, out);
	if (v->seeds > 1 && v->time_min_ns >= 0)
		strbuf_addf(out, "; %s to %s over %d seeds", story_time(v->time_min_ns, a),
			    story_time(v->time_max_ns, b), v->seeds);
}

static void add_metric(enum metric_unit unit, const char *what, double v, struct strbuf *out)
{
	char buf[32];

	if (v >= 0)
		strbuf_addf(out, ", %s %s", what, metric_format(unit, v, buf));
}

void story_value(const struct verdict_value *v, struct strbuf *out)
{
	int known = metric_unit_parse(v->unit);
	enum metric_unit unit = known < 0 ? UNIT_NUMBER : (enum metric_unit)known;
	char buf[32];

	strbuf_addf(out, "%s %s", v->metric, v->value < 0 ? "not measured"
							   : metric_format(unit, v->value, buf));
	add_metric(unit, "limit", v->limit, out);
	add_metric(unit, "floor", v->floor, out);
	add_metric(unit, story_value_misses(v) ? "goal missed:" : "goal", v->goal, out);
	add_metric(unit, "last accepted", v->was, out);
}

static const char *percent(double part, char *buf)
{
	snprintf(buf, 32, "%.0f %%", part * 100);
	return buf;
}

static void add_figures(const struct boot *b, const struct facts *f, int most, struct strbuf *out)
{
	const char *own = f->own >= 0 ? b->disks[f->own].name : NULL;
	char buf[32];

	if (own && f->disks[f->own].busy >= 0)
		strbuf_addf(out, "while it runs, its disk %s has requests in flight %s of "
			    "the time", own,
			    percent(f->disks[f->own].busy, buf));
	if (f->full >= 0)
		strbuf_addf(out, "%sdirty pages stand at %s of the limit on average",
			    out->len ? "; " : "", percent(f->full, buf));
	if (most >= 0 && f->disks[most].held > 0)
		strbuf_addf(out, "%s%s of them are %s's", out->len ? ", " : "",
			    percent(f->disks[most].held, buf), b->disks[most].name);
	if (f->iowait >= 0)
		strbuf_addf(out, "%sthe processor waits for disks %s of the time",
			    out->len ? "; " : "", percent(f->iowait, buf));
	if (f->own >= 0 && f->disks[f->own].stalled_ns > 0)
		strbuf_addf(out, "; %s completes nothing for %s though pages wait for it", own,
			    story_time((double)f->disks[f->own].stalled_ns, buf));
}

void story_wait(const struct boot *b, const struct facts *f, struct strbuf *conclusion,
		struct strbuf *figures)
{
	int most;
	enum mechanism m = facts_mechanism(f, b->n_disks, &most);
	const char *own = f->own >= 0 ? b->disks[f->own].name : "";

	switch (m) {
	case MECHANISM_LIMIT_OTHER:
		strbuf_addf(conclusion, "at the dirty limit (balance_dirty_pages): %s's pages fill "
			    "it, while its own disk %s idles", b->disks[most].name, own);
		break;
	case MECHANISM_LIMIT_OWN:
		strbuf_addf(conclusion, "at the dirty limit (balance_dirty_pages), which its own "
			    "pages for %s fill", own);
		break;
	case MECHANISM_DISK:
		strbuf_addf(conclusion,
			    "for requests to its own disk %s, which are in flight nearly "
			    "all the time",
			    own);
		break;
	case MECHANISM_CPU:
		strbuf_addstr(conclusion, "for the processor");
		break;
	case MECHANISM_ELSEWHERE:
		strbuf_addf(conclusion, "neither for its disk %s, which idles, nor at the dirty "
			    "limit, which is far: look at memory, locks and the bus", own);
		break;
	case MECHANISM_UNKNOWN:
		break;
	}
	add_figures(b, f, most, figures);
}

void story_stack(const struct job_result *job, struct strbuf *out)
{
	const struct job_wait *best = NULL;
	int64_t all = 0;
	char buf[32];

	for (size_t i = 0; i < job->n_waits; i++) {
		const struct job_wait *w = &job->waits[i];
		bool asleep = w->state && !strcmp(w->state, "D");

		if (w->count <= 0 || w->count > INT64_MAX - all)
			continue;
		all += w->count;
		if (!best || (asleep && (strcmp(best->state, "D") || w->count > best->count)))
			best = w;
	}
	if (!best || !best->stack || !*best->stack)
		return;
	strbuf_addf(out, "%s of looks found it in state %s: ",
		    percent((double)best->count / (double)all, buf), best->state);
	for (const char *c = best->stack; *c; c++)
		strbuf_addstr(out, *c == ' ' ? " <- " : (char[]){ *c, '\0' });
}

void story_kernel(const struct run *run, struct strbuf *out)
{
	strbuf_addstr(out, run->kernel.name);
	if (run->kernel.release && *run->kernel.release)
		strbuf_addf(out, " %s", run->kernel.release);
	if (run->kernel.package)
		strbuf_addf(out, " (%s)", run->kernel.package);
	else if (run->kernel.source)
		strbuf_addf(out, " (%s)", run->kernel.source);
	if (run->kernel.n_patches)
		strbuf_addf(out, ", %zu patch%s", run->kernel.n_patches,
			    run->kernel.n_patches == 1 ? "" : "es");
}

const struct job_result *story_job(const struct boot *b, const char *name)
{
	for (size_t i = 0; i < b->n_jobs; i++)
		if (!strcmp(b->jobs[i].name, name))
			return &b->jobs[i];
	return NULL;
}

/* The longest time of a victim. */
static int64_t victim_time(const struct boot *b)
{
	int64_t most = -1;

	for (size_t i = 0; i < b->n_jobs; i++)
		if (b->jobs[i].role == PLAN_VICTIM && b->jobs[i].ended &&
		    b->jobs[i].end.wall_ns > most)
			most = b->jobs[i].end.wall_ns;
	return most;
}

const struct boot *story_boot(const struct run *run, const char *case_name)
{
	const struct boot *best = NULL;

	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (strcmp(b->case_name, case_name))
			continue;
		if (b->outcome == OUTCOME_BROKEN)
			return b;
		if (!best || victim_time(b) > victim_time(best))
			best = b;
	}
	return best;
}

bool story_facts(const struct boot *b, const struct job_result *job, struct facts *f)
{
	char *run __free(ptr) = words_of(b, "job", job->name, "run");

	if (!facts_job(f, b, job, NULL))
		return false;
	f->own = run ? facts_disk_of(b, run) : -1;
	return true;
}
