/* SPDX-License-Identifier: GPL-2.0-only */
/* The page in short: a card for each verdict that a reader needs first. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "case/metric.h"
#include "report/html_private.h"
#include "report/html_text.h"
#include "report/story.h"
#include "report/who.h"
#include "report/words.h"

#define SHORT_MAX 6	/* verdicts told in sentences; bad ones are told up to 5 times as many */

static size_t case_index(const struct html_page *p, const char *name)
{
	for (size_t i = 0; i < p->cases.n; i++)
		if (!strcmp(p->cases.v[i], name))
			return i;
	return 0;
}

/* Whose figures these are: the names alone say nothing to who does not know the case. */
static void add_who(struct strbuf *out, const struct boot *b, const struct verdict *v)
{
	const struct job_result *job = story_job(b, v->job);
	struct strbuf text __release(strbuf) = STRBUF_INIT;

	if (job) {
		who_sentence(b, job, &text);
	} else if (!strncmp(v->job, "disk.", 5)) {
		strbuf_addf(&text, "%s is a disk of the machine: ", v->job + 5);
		who_disk(b, v->job + 5, &text);
	}
	if (text.len)
		html_addf(out, "<p class=\"soft\">%s.</p>\n", text.buf);
}

static bool is_told(const struct verdict_value *x)
{
	return x->kind != VERDICT_NONE && strcmp(x->metric, metric_name(METRIC_SLOWDOWN)) != 0;
}

static void add_values(struct strbuf *out, const struct verdict *v)
{
	bool of_disk = !strncmp(v->job, "disk.", 5), any = false;

	for (size_t i = 0; i < v->n_values; i++) {
		const struct verdict_value *x = &v->values[i];
		struct strbuf text __release(strbuf) = STRBUF_INIT;
		int metric = metric_find(x->metric, of_disk);

		if (!is_told(x))
			continue;
		strbuf_addstr(out, any ? "" : "<ul>\n");
		any = true;
		story_value(x, &text);
		html_addf(out, "<li>%s", text.buf);
		if (metric >= 0)
			html_addf(out, " <span class=\"soft\">(%s: %s)</span>", x->metric,
				  metric_info((enum metric)metric)->about);
		strbuf_addstr(out, "</li>\n");
	}
	strbuf_addstr(out, any ? "</ul>\n" : "");
}

/* Figures without their bounds, which stand right above. */
static void add_figures(const struct verdict *v, struct strbuf *out)
{
	char buf[32];

	if (v->time_ns >= 0)
		strbuf_addf(out, "%s takes %s", v->job, story_time(v->time_ns, buf));
	if (v->time_ns >= 0 && v->slowdown >= 0)
		strbuf_addf(out, ", %s times as long as alone", story_ratio(v->slowdown, buf));
	for (size_t i = 0; i < v->n_values; i++) {
		const struct verdict_value *x = &v->values[i];
		int unit = metric_unit_parse(x->unit);

		if (is_told(x) && unit >= 0 && x->value >= 0)
			strbuf_addf(out, "%s%s %s", out->len ? "; " : "", x->metric,
				    metric_format((enum metric_unit)unit, x->value, buf));
	}
}

/* The same job's figures in the run that this one is held against. */
static void add_base(struct html_page *p, const struct run *run, const struct verdict *v)
{
	const struct run *base = p->runs[0];
	const struct verdict *w = html_same_verdict(base, v, (size_t)(v - run->verdicts));
	struct strbuf text __release(strbuf) = STRBUF_INIT;

	if (p->n < 2 || run == base || !w)
		return;
	add_figures(w, &text);
	html_addf(p->out, "<p><b>%s, %s:</b> %s</p>\n",
		  html_is_unpatched(base, run) ? "Without the patch" : "The base",
		  base->kernel.name, text.len ? text.buf : "nothing was measured");
}

/* On which side of its limit or floor all seeds are; none of a value without both. */
enum side { SIDE_NONE, SIDE_GOOD, SIDE_BAD, SIDE_BOTH };

static enum side side_of(const struct verdict_value *x)
{
	bool good, bad;

	if (x->kind == VERDICT_NONE || x->min < 0 || (x->limit < 0 && x->floor < 0))
		return SIDE_NONE;
	good = (x->limit < 0 || x->max <= x->limit) && (x->floor < 0 || x->min >= x->floor);
	bad = (x->limit >= 0 && x->min > x->limit) || (x->floor >= 0 && x->max < x->floor);
	return good ? SIDE_GOOD : bad ? SIDE_BAD : SIDE_BOTH;
}

/* How much of it may be chance: what a person asks next. */
static void add_real(struct strbuf *out, const struct verdict *v)
{
	size_t n[SIDE_BOTH + 1] = { 0 };
	const char *what;
	int seeds = v->seeds;

	for (size_t i = 0; i < v->n_values; i++) {
		enum side side = side_of(&v->values[i]);

		n[side]++;
		/* a job that was stopped has no time in any boot, but other figures */
		if (side != SIDE_NONE && v->values[i].seeds > seeds)
			seeds = v->values[i].seeds;
	}
	if (v->kind == VERDICT_BROKEN || v->kind == VERDICT_SKIPPED ||
	    !(n[SIDE_GOOD] + n[SIDE_BAD] + n[SIDE_BOTH]))
		return;
	if (n[SIDE_BOTH])
		what = "no: seeds lie on both sides of a limit";
	else if (n[SIDE_BAD])
		what = "yes: what is beyond its limit is so in every seed";
	else
		what = "yes: every seed keeps all limits";
	if (seeds > 1)
		html_addf(out, "<p><b>Is it sure?</b> %s (%d of them).</p>\n", what, seeds);
	else
		strbuf_addstr(out, "<p><b>Is it sure?</b> One seed cannot tell how far the figures "
				   "move: add <code>--seeds=5</code> to the command.</p>\n");
}

static void card(struct html_page *p, const struct run *run, const struct verdict *v)
{
	const struct boot *b = story_boot(run, v->case_name);
	char *title __free(ptr) = b ? words_case(b, "title") : NULL;
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct strbuf *out = p->out;

	strbuf_addf(out, "<div class=\"card %s%s\"><p>", verdict_name(v->kind),
		    html_is_short(v) ? " short" : "");
	html_verdict_badge(out, v);
	html_addf(out, " <b>%s</b>", v->case_name);
	if (title)
		html_addf(out, " <span class=\"soft\">%s</span>", title);
	strbuf_addstr(out, "</p>\n");
	if (b)
		add_who(out, b, v);
	strbuf_addstr(out, "<p class=\"amount\">");
	if (!strncmp(v->job, "disk.", 5))
		strbuf_addstr(&text, "Its figures are judged");
	else
		story_amount(v, &text);
	html_addf(out, "%s. <a href=\"#case-%zu\">See it</a></p>\n", text.buf,
		  case_index(p, v->case_name));
	add_values(out, v);
	add_base(p, run, v);
	if (v->reason && *v->reason)
		html_addf(out, "<p><b>Why:</b> %s</p>\n", v->reason);
	add_real(out, v);
	html_wait(out, run, v);
	strbuf_addstr(out, "<p><b>To repeat it:</b></p>");
	html_command(out, run, v->case_name);
	strbuf_addstr(out, "</div>\n");
}

/* Those that are judged, worst first; of the same kind those short of their goal first, then the
 * greatest slowdown. */
static int by_need(const void *a, const void *b)
{
	const struct verdict *x = *(const struct verdict *const *)a;
	const struct verdict *y = *(const struct verdict *const *)b;

	if (story_rank(x) != story_rank(y))
		return story_rank(x) - story_rank(y);
	if (html_is_short(x) != html_is_short(y))
		return html_is_short(y) - html_is_short(x);
	return (x->slowdown < y->slowdown) - (x->slowdown > y->slowdown);
}

void html_in_short(struct html_page *p, const struct run *run)
{
	const struct verdict **v __free(ptr) = xcalloc(run->n_verdicts + 1, sizeof(const void *));
	size_t n = 0, told = 0;

	for (size_t i = 0; i < run->n_verdicts; i++)
		if (run->verdicts[i].kind != VERDICT_NONE)
			v[n++] = &run->verdicts[i];
	qsort(v, n, sizeof(const void *), by_need);
	if (n && !p->first)
		p->first = v[0]->case_name;
	for (size_t i = 0; i < n; i++) {
		bool bad = v[i]->kind == VERDICT_REGRESSED || v[i]->kind == VERDICT_BROKEN;

		if (told >= (bad ? SHORT_MAX * 5 : SHORT_MAX))
			break;
		card(p, run, v[i]);
		told++;
	}
	if (told < n)
		strbuf_addf(p->out, "<p class=\"soft\">%zu more below.</p>\n", n - told);
}
