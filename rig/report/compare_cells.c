/* SPDX-License-Identifier: GPL-2.0-only */
/* Figures of a comparison as people read them. */
#include "report/compare_cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "case/metric.h"
#include "judge/compare.h"
#include "stats/power.h"

#define FOLD 10		/* from here on ratios say more than percentages */

const char *cell_value(const struct change *c, double v, char *buf)
{
	if (v < 0 || c->metric < 0)
		snprintf(buf, CELL, "-");
	else
		metric_format(metric_info((enum metric)c->metric)->unit, v, buf);
	return buf;
}

static void add_sign(char *buf, double v)
{
	buf[0] = v < 0 ? '-' : '+';
}

const char *cell_change(const struct change *c, double change, char *buf)
{
	double percent = (change - 1) * 100;

	if (!c->ratio) {
		add_sign(buf, change);
		metric_format(metric_info((enum metric)c->metric)->unit, fabs(change), buf + 1);
	} else if (change >= FOLD) {
		snprintf(buf, CELL, change < 1e6 ? "%.3gx" : "%.1ex", change);
	} else if (change <= 1.0 / FOLD) {
		snprintf(buf, CELL, "1/%.3g", 1 / change);
	} else if (fabs(percent) < 0.05) {
		snprintf(buf, CELL, "0%%");
	} else {
		snprintf(buf, CELL, fabs(percent) < 99.95 ? "%+.1f%%" : "%+.0f%%", percent);
	}
	return buf;
}

/* Without the decimal that a bound has no use for. */
static const char *bound(const struct change *c, double change, char *buf)
{
	double percent = (change - 1) * 100;

	if (!c->ratio || change >= FOLD || change <= 1.0 / FOLD || fabs(percent) < 9.95)
		return cell_change(c, change, buf);
	snprintf(buf, CELL, "%+.0f%%", percent);
	return buf;
}

const char *cell_range(const struct change *c, char *buf)
{
	char low[CELL], high[CELL];

	snprintf(buf, CELL, "%.16s..%.16s", bound(c, c->low, low), bound(c, c->high, high));
	return buf;
}

const char *cell_p(double p, char *buf)
{
	if (p < 0)
		snprintf(buf, CELL, "-");
	else if (p < 0.001)
		snprintf(buf, CELL, "<.001");
	else
		snprintf(buf, CELL, p < 0.0995 ? "%.3f" : "%.2f", p);
	return buf;
}

const char *cell_visible(const struct change *c, char *buf)
{
	if (isinf(c->visible))
		snprintf(buf, CELL, "none");
	else if (c->visible < 0)
		snprintf(buf, CELL, "-");
	else if (c->visible + 1 >= FOLD)
		snprintf(buf, CELL, c->visible < 1e4 ? "%.3gx" : "%.0ex", c->visible + 1);
	else if (c->visible < 0.995)
		snprintf(buf, CELL, "%.2g%%", c->visible * 100);
	else
		snprintf(buf, CELL, "%.0f%%", round(c->visible * 10) * 10);
	return buf;
}

const char *cell_color(enum change_kind kind)
{
	static const char *const colors[] = {
		[CHANGE_SAME] = "32", [CHANGE_REGRESSED] = "1;31", [CHANGE_IMPROVED] = "36",
		[CHANGE_INCONCLUSIVE] = "33", [CHANGE_NOT_COMPARED] = "1;35",
	};

	return colors[kind];
}

void cell_add_seeds(const struct change *c, struct strbuf *out)
{
	if (c->kind != CHANGE_INCONCLUSIVE || !c->seeds_more)
		return;
	if (c->seeds_more < 0)
		strbuf_addf(out, "; more than %d seeds would be needed", POWER_MOST);
	else
		strbuf_addf(out, "; %d seed%s more in each run would settle it", c->seeds_more,
			    c->seeds_more == 1 ? "" : "s");
}

void cell_add_reason(const struct change *c, struct strbuf *out)
{
	strbuf_addf(out, "%s %s %s: %s: ", str_escape(c->case_name), str_escape(c->job),
		    c->metric < 0 ? "" : metric_name((enum metric)c->metric),
		    change_name(c->kind));
	strbuf_add_escaped(out, c->reason, strlen(c->reason), REASON_MAX);
	cell_add_seeds(c, out);
	strbuf_addch(out, '\n');
}

char *cell_title(const struct change *c, const char *indent)
{
	return xstrfmt("%s%s %s%s", indent, str_escape(c->case_name),
		       c->role == PLAN_LOAD ? "+" : "", str_escape(c->job));
}

bool cell_same_job(const struct change *a, const struct change *b)
{
	return !strcmp(a->case_name, b->case_name) && !strcmp(a->job, b->job);
}

void cell_add_counts(const struct compare *cmp, struct strbuf *out)
{
	int more = compare_seeds_more(cmp);
	const char *before = " ";

	strbuf_addstr(out, "compared:");
	for (int k = 0; k <= CHANGE_NOT_COMPARED; k++) {
		size_t count = compare_count(cmp, (enum change_kind)k);

		if (!count)
			continue;
		strbuf_addf(out, "%s%zu %s", before, count, change_name((enum change_kind)k));
		before = ", ";
	}
	strbuf_addstr(out, cmp->n ? "\n" : " nothing\n");
	if (more > 0)
		strbuf_addf(out, "%d seeds more in each run would settle what is inconclusive\n",
			    more);
}
