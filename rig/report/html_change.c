/* SPDX-License-Identifier: GPL-2.0-only */
/* What changed from the base run to another: judge/compare.h's rows in a page. */
#include <math.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "case/metric.h"
#include "judge/compare.h"
#include "report/html_private.h"
#include "report/html_text.h"
#include "report/plot.h"
#include "report/plot_case.h"
#include "report/plot_svg.h"

#define ROWS 200	/* of the table */

static const enum verdict_kind kinds[] = {
	[CHANGE_SAME] = VERDICT_PASS, [CHANGE_REGRESSED] = VERDICT_REGRESSED,
	[CHANGE_IMPROVED] = VERDICT_IMPROVED, [CHANGE_INCONCLUSIVE] = VERDICT_INCONCLUSIVE,
	[CHANGE_NOT_COMPARED] = VERDICT_SKIPPED,
};

/* What a reader needs: every change, what could not be told, and of what is the same the times. */
static bool matters(const struct change *c)
{
	return c->kind != CHANGE_SAME || c->metric == METRIC_TIME;
}

static const char *value(const struct change *c, double v, char *buf)
{
	if (c->metric < 0 || v < 0)
		return "";
	return metric_format(metric_info((enum metric)c->metric)->unit, v, buf);
}

static void add_cells(struct strbuf *out, const struct change *c)
{
	char base[32], now[32], text[96] = "", p[32] = "";

	html_addf(
		out,
		"<td class=\"num\" data-h=\"base\">%s</td><td class=\"num\" data-h=\"new\">%s</td>",
		value(c, c->base, base), value(c, c->now, now));
	if (c->kind != CHANGE_NOT_COMPARED && c->ratio && isfinite(c->change))
		snprintf(text, sizeof(text), "%+.0f %% (%+.0f to %+.0f)", (c->change - 1) * 100,
			 (c->low - 1) * 100, (c->high - 1) * 100);
	if (c->p_family >= 0)
		snprintf(p, sizeof(p), "%.2g", c->p_family);
	html_addf(
		out,
		"<td class=\"num\" data-h=\"change\">%s</td><td class=\"num\" data-h=\"p\">%s</td>",
		text, p);
}

static void add_row(struct strbuf *out, const struct change *c)
{
	html_addf(out, "<tr><td data-h=\"case\">%s</td><td data-h=\"job\">%s</td>"
		  "<td data-h=\"metric\">%s</td>", c->case_name, c->job,
		  c->metric < 0 ? "" : metric_name((enum metric)c->metric));
	add_cells(out, c);
	strbuf_addf(out, "<td class=\"is\" data-h=\"change is\"><span class=\"badge %s\">%s</span>",
		    verdict_name(kinds[c->kind]), change_name(c->kind));
	if (c->reason && *c->reason)
		html_addf(out, " %s", c->reason);
	strbuf_addstr(out, "</td></tr>\n");
}

static void add_table(struct strbuf *out, const struct compare *cmp)
{
	size_t shown = 0, left = 0;

	strbuf_addstr(
		out, "<table class=\"wide\"><thead><tr><th>case</th><th>job</th><th>metric</th>"
		     "<th class=\"num\">base</th><th class=\"num\">new</th><th class=\"num\">change"
		     "</th><th class=\"num\">p</th><th>change is</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < cmp->n; i++) {
		if (matters(&cmp->c[i]) && shown++ < ROWS)
			add_row(out, &cmp->c[i]);
		else
			left++;
	}
	strbuf_addstr(out, "</tbody></table>\n");
	strbuf_addf(out,
		    "<p class=\"soft\">Behind a change stands its interval at %.0f %% confidence; "
		    "p is the chance that the noise of all rows together looks as striking.",
		    cmp->o.level * 100);
	if (left)
		strbuf_addf(out, " %zu more rows are not shown.", left);
	strbuf_addstr(out, "</p>\n");
}

void html_change(struct html_page *p, size_t index)
{
	const struct run *base = p->runs[0], *now = p->runs[index];
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct compare cmp __release(compare) = COMPARE_INIT;
	struct err err = ERR_INIT;
	struct plot plot;

	html_addf(p->out, "<h3>%s against %s</h3>\n", now->kernel.name, base->kernel.name);
	if (compare_runs(&cmp, base, now, &o, &err)) {
		html_addf(p->out, "<p>They cannot be compared: %s</p>\n", err.msg);
		return;
	}
	if (cmp.same_kernel)
		strbuf_addstr(p->out, "<p>Both booted the same kernel image.</p>\n");
	strvec_each (note, &cmp.notes)
		html_addf(p->out, "<p>%s</p>\n", *note);
	plot_change(&plot, &cmp);
	if (plot_has_data(&plot))
		plot_svg(p->out, &plot, false);
	plot_release(&plot);
	add_table(p->out, &cmp);
}
