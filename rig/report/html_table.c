/* SPDX-License-Identifier: GPL-2.0-only */
/* The page's table of all verdicts. */
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "case/metric.h"
#include "report/html_private.h"
#include "report/html_text.h"
#include "report/story.h"

static void cell(struct strbuf *out, const char *head, const char *text)
{
	html_addf(out, "<td class=\"num\" data-h=\"%s\">%s</td>", head, text);
}

static void begin_row(struct html_page *p, const struct run *run, const struct verdict *v,
		      const char *metric)
{
	struct strbuf *out = p->out;

	html_addf(out, "<tr><td data-h=\"case\">%s</td><td data-h=\"job\">%s%s%s%s</td>",
		  v->case_name, v->role == PLAN_LOAD ? "+" : "", v->job, *metric ? " " : "",
		  metric);
	if (p->n > 1)
		html_addf(out, "<td data-h=\"kernel\">%s</td>", run->kernel.name);
}

/* What is expected of other figures than the slowdown, in the same columns. */
static void value_row(struct html_page *p, const struct run *run, const struct verdict *v,
		      const struct verdict_value *x)
{
	struct strbuf *out = p->out;
	int known = metric_unit_parse(x->unit);
	enum metric_unit unit = known < 0 ? UNIT_NUMBER : (enum metric_unit)known;
	bool floor = x->limit < 0 && x->floor >= 0;
	const struct { const char *head, *before; double v; } cells[] = {
		{ "figure", "", x->value }, { "alone", "", -1 }, { "ratio", "", -1 },
		{ floor ? "floor" : "limit", floor ? "\u2265 " : "", floor ? x->floor : x->limit },
		{ "goal", "", x->goal }, { "accepted", "", x->was },
	};
	char buf[32];

	begin_row(p, run, v, x->metric);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		html_addf(out, "<td class=\"num\" data-h=\"%s\">%s%s</td>", cells[i].head,
			  cells[i].v < 0 ? "" : cells[i].before,
			  cells[i].v < 0 ? "" : metric_format(unit, cells[i].v, buf));
	strbuf_addstr(out, "<td class=\"is\" data-h=\"verdict\">");
	html_badge(out, x->kind);
	if (story_value_misses(x))
		html_goal_badge(out);
	strbuf_addstr(out, "</td></tr>\n");
}

static void verdict_row(struct html_page *p, const struct run *run, const struct verdict *v)
{
	struct strbuf *out = p->out;
	char buf[32];

	begin_row(p, run, v, "");
	cell(out, "time", v->time_ns < 0 ? "" : story_time(v->time_ns, buf));
	cell(out, "alone", v->alone_ns < 0 ? "" : story_time(v->alone_ns, buf));
	cell(out, "ratio", v->slowdown < 0 ? "" : story_ratio(v->slowdown, buf));
	cell(out, "limit", v->limit < 0 ? "" : story_ratio(v->limit, buf));
	cell(out, "goal", v->goal < 0 ? "" : story_ratio(v->goal, buf));
	cell(out, "accepted", v->was < 0 ? "" : story_ratio(v->was, buf));
	strbuf_addstr(out, "<td class=\"is\" data-h=\"verdict\">");
	html_verdict_badge(out, v);
	strbuf_addstr(out, "</td></tr>\n");
	for (size_t i = 0; i < v->n_values; i++)
		if (v->values[i].kind != VERDICT_NONE &&
		    strcmp(v->values[i].metric, metric_name(METRIC_SLOWDOWN)) != 0)
			value_row(p, run, v, &v->values[i]);
}

const struct verdict *html_same_verdict(const struct run *run, const struct verdict *v, size_t hint)
{
	for (size_t k = 0; k < run->n_verdicts; k++) {
		const struct verdict *w = &run->verdicts[(hint + k) % run->n_verdicts];

		if (!strcmp(v->case_name, w->case_name) && !strcmp(v->job, w->job))
			return w;
	}
	return NULL;
}

/* A job's rows of all runs stand together, where the first run has them. */
static void verdict_rows(struct html_page *p, size_t r, size_t i)
{
	const struct verdict *v = &p->runs[r]->verdicts[i], *w;

	for (size_t k = 0; k < r; k++)
		if (html_same_verdict(p->runs[k], v, i))
			return;
	for (size_t k = r; k < p->n; k++) {
		w = k == r ? v : html_same_verdict(p->runs[k], v, i);
		if (w)
			verdict_row(p, p->runs[k], w);
	}
}

void html_table(struct html_page *p)
{
	struct strbuf *out = p->out;

	strbuf_addf(out, "<h2>All verdicts</h2>\n<table class=\"wide\"><thead><tr><th>case</th>"
		    "<th>job</th>%s<th class=\"num\">time</th><th class=\"num\">alone</th>"
		    "<th class=\"num\">ratio</th><th class=\"num\">limit</th><th class=\"num\">goal"
		    "</th><th class=\"num\">accepted</th><th>verdict</th></tr></thead><tbody>\n",
		    p->n > 1 ? "<th>kernel</th>" : "");
	for (size_t r = 0; r < p->n; r++)
		for (size_t i = 0; i < p->runs[r]->n_verdicts; i++)
			verdict_rows(p, r, i);
	strbuf_addstr(out,
		      "</tbody></table>\n<p class=\"soft\">A + marks a load, which runs to "
		      "disturb; the others are victims, or disks. Times are medians over the "
		      "seeds; ratio is time over the same job's time alone in the same run. Above "
		      "its limit (or below its floor, \u2265) a job has regressed; the goal is "
		      "where it should get, and a job that passes may miss it; accepted is the "
		      "value that was last taken as good. A row with a second word behind the job "
		      "is another figure of it.</p>\n");
}
