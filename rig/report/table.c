/* SPDX-License-Identifier: GPL-2.0-only */
/* The closing table, its reasons and its legend. */
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "case/metric.h"
#include "record/record.h"
#include "report/columns.h"
#include "report/table.h"
#include "report/waits.h"

/* Of one reason or console line; longer ones are cut with "...". */
#define TEXT_MAX 2048
#define EVIDENCE_MAX 12		/* console lines of one boot */
#define LINE_MAX_COLUMNS 80

/* What the rows are made for. */
struct form {
	bool color;
	bool report_below;	/* no room for a column: what the report measured has a line */
};

enum column { C_CASE, C_JOB, C_TIME, C_RANGE, C_ALONE, C_SLOW, C_LIMIT, C_GOAL, C_THEN, C_VERDICT,
	      C_N };

static const struct columns_spec table_spec[C_N] = {
	[C_CASE] = { "CASE", false }, [C_JOB] = { "JOB", false },
	[C_TIME] = { "TIME", true }, [C_RANGE] = { "RANGE", true }, [C_ALONE] = { "ALONE", true },
	[C_SLOW] = { "RATIO", true }, [C_LIMIT] = { "LIMIT", true },
	[C_GOAL] = { "GOAL", true }, [C_THEN] = { "REPORT", true },
	[C_VERDICT] = { "VERDICT", false },
};

static const char *const verdict_colors[] = {
	[VERDICT_PASS] = "32", [VERDICT_REGRESSED] = "1;31", [VERDICT_IMPROVED] = "36",
	[VERDICT_INCONCLUSIVE] = "33", [VERDICT_SKIPPED] = "33", [VERDICT_BROKEN] = "1;35",
	[VERDICT_NONE] = "", [VERDICT_KNOWN] = "33",
};

/* A document's reals may be beyond what an integer holds. */
static const char *time_text(double ns, char *buf)
{
	return format_time(ns < (double)INT64_MAX ? (int64_t)ns : INT64_MAX, buf);
}

static void put_time(struct columns *t, enum column c, double ns)
{
	char buf[32];

	columns_put(t, c, "%s", ns < 0 ? "-" : time_text(ns, buf));
}

/* "9.1-12.3 s": the unit once if it is the same. */
static void put_range(struct columns *t, double min_ns, double max_ns)
{
	char min[32], max[32];
	const char *unit;

	time_text(min_ns, min);
	time_text(max_ns, max);
	unit = strrchr(min, ' ');
	if (min_ns < 0 || max_ns < 0)
		columns_put(t, C_RANGE, "-");
	else if (!strcmp(min, max))
		columns_put(t, C_RANGE, "%s", max);
	else if (unit && strrchr(max, ' ') && !strcmp(unit, strrchr(max, ' ')))
		columns_put(t, C_RANGE, "%.*s-%s", (int)(unit - min), min, max);
	else
		columns_put(t, C_RANGE, "%s-%s", min, max);
}

/* Three significant digits; whole numbers above that as long as they are short. */
static void put_ratio(struct columns *t, enum column c, double ratio, const char *unit)
{
	if (ratio < 0)
		columns_put(t, c, "-");
	else if (ratio >= 1e6)
		columns_put(t, c, "%.1e%s", ratio, unit);
	else
		columns_put(t, c, "%.*f%s", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio, unit);
}

/* What the report measured, into its column or into a line below the row. */
static void add_report(struct columns *t, const struct verdict *v, const struct form *form)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	double slowdown = v->report_slowdown;
	char buf[32];

	strbuf_addstr(&sb, v->report_ns < 0 ? "-" : time_text(v->report_ns, buf));
	if (v->report_ns >= 0 && slowdown >= 0)
		strbuf_addf(&sb, slowdown < 1e6 ? " %.1fx" : " %.1ex", slowdown);
	if (!form->report_below) {
		columns_put(t, C_THEN, "%s", sb.buf);
	} else if (v->report_ns >= 0) {
		char *line __free(ptr) = xstrfmt("    report        %s", sb.buf);

		columns_title(t, line);
	}
}

/* The part of a case's name that its group's line does not show. */
static const char *short_name(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

static void add_row(struct columns *t, const struct verdict *v, bool first,
		    const struct form *form)
{
	columns_row(t);
	if (first)
		columns_put(t, C_CASE, "%s", str_escape(short_name(v->case_name)));
	columns_put(t, C_JOB, "%s%s", v->role == PLAN_LOAD ? "+" : "", str_escape(v->job));
	put_time(t, C_TIME, v->time_ns);
	if (v->seeds > 1)
		put_range(t, v->time_min_ns, v->time_max_ns);
	put_time(t, C_ALONE, v->alone_ns);
	put_ratio(t, C_SLOW, v->slowdown, "x");
	put_ratio(t, C_LIMIT, v->limit, "");
	put_ratio(t, C_GOAL, v->goal, "");
	columns_put(t, C_VERDICT, "%s", v->kind == VERDICT_NONE ? "-" : verdict_name(v->kind));
	if (form->color)
		columns_color(t, C_VERDICT, verdict_colors[v->kind]);
	add_report(t, v, form);
}

/* The value in its unit; a document may name one that is none. */
static const char *value_text(const struct verdict_value *v, double value, char *buf)
{
	int unit = metric_unit_parse(v->unit);

	return value < 0 ? "-" :
	       metric_format(unit < 0 ? UNIT_NUMBER : (enum metric_unit)unit, value, buf);
}

/* "limit 250 ms", "floor 0.8", both, or what it was. */
static void add_bound(struct strbuf *sb, const struct verdict_value *v)
{
	char buf[32];

	if (v->limit >= 0)
		strbuf_addf(sb, "limit %s", value_text(v, v->limit, buf));
	if (v->floor >= 0)
		strbuf_addf(sb, "%sfloor %s", sb->len ? ", " : "", value_text(v, v->floor, buf));
	if (!sb->len)
		strbuf_addf(sb, "was %s", value_text(v, v->was, buf));
}

/* The slowdown has columns of its own; other metrics get a line if anything is expected. */
static bool has_line(const struct verdict_value *v)
{
	return v->kind != VERDICT_NONE && strcmp(v->metric, "slowdown") != 0;
}

/* METRIC VALUE LIMIT VERDICT, with widths that leave it within 80 columns. */
static void add_value(struct columns *t, const struct verdict_value *v, bool color)
{
	struct strbuf line __release(strbuf) = STRBUF_INIT;
	struct strbuf bound __release(strbuf) = STRBUF_INIT;
	const char *sgr = color ? verdict_colors[v->kind] : "";
	char buf[32];

	add_bound(&bound, v);
	strbuf_addf(&line, "    %-12.24s  %10s  %-18s  ", str_escape(v->metric),
		    value_text(v, v->value, buf), bound.buf);
	if (*sgr)
		strbuf_addf(&line, "\033[%sm%s\033[0m", sgr, verdict_name(v->kind));
	else
		strbuf_addstr(&line, verdict_name(v->kind));
	columns_title(t, line.buf);
}

/* The verdict behind the last of those whose cases are in the same folder as the first's. */
static size_t group_end(const struct run *run, size_t first)
{
	const char *name = run->verdicts[first].case_name;
	size_t len = (size_t)(short_name(name) - name), i;

	for (i = first; i < run->n_verdicts; i++) {
		const char *other = run->verdicts[i].case_name;

		if ((size_t)(short_name(other) - other) != len || strncmp(name, other, len))
			break;
	}
	return i;
}

/* Rows of the cases in one folder, under a line with its name. */
static size_t add_group(struct columns *t, const struct run *run, size_t i,
			const struct form *form)
{
	size_t end = group_end(run, i);
	const char *name = run->verdicts[i].case_name, *before = NULL;
	char *folder __free(ptr) = xstrndup(name, (size_t)(short_name(name) - name));

	if (*folder)
		columns_title(t, str_escape(folder));
	for (; i < end; i++) {
		const struct verdict *v = &run->verdicts[i];

		add_row(t, v, !before || strcmp(before, v->case_name), form);
		before = v->case_name;
		for (size_t k = 0; k < v->n_values; k++) {
			if (has_line(&v->values[k]))
				add_value(t, &v->values[k], form->color);
		}
	}
	return end;
}

static void add_text(struct strbuf *out, const char *before, const char *text)
{
	strbuf_addstr(out, before);
	strbuf_add_escaped(out, text, strlen(text), TEXT_MAX);
	strbuf_addch(out, '\n');
}

static void add_reasons(const struct run *run, struct strbuf *out)
{
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (!*v->reason)
			continue;
		strbuf_addf(out, "%s %s: %s", str_escape(v->case_name), str_escape(v->job),
			    verdict_name(v->kind));
		add_text(out, ": ", v->reason);
	}
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (b->outcome != OUTCOME_BROKEN || !b->evidence.n)
			continue;
		strbuf_addf(out, "%s seed %u, its console:\n", str_escape(b->case_name), b->seed);
		for (size_t k = 0; k < b->evidence.n && k < EVIDENCE_MAX; k++)
			add_text(out, "    ", b->evidence.v[k]);
	}
}

static bool has_ranges(const struct run *run)
{
	for (size_t i = 0; i < run->n_verdicts; i++)
		if (run->verdicts[i].seeds > 1)
			return true;
	return false;
}

static bool has_lines(const struct run *run)
{
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		for (size_t k = 0; k < v->n_values; k++) {
			if (has_line(&v->values[k]))
				return true;
		}
	}
	return false;
}

static void fill(struct columns *t, const struct run *run, const struct form *form)
{
	columns_init(t, table_spec, C_N);
	for (size_t i = 0; i < run->n_verdicts;)
		i = add_group(t, run, i, form);
}

void report_table(const struct run *run, struct strbuf *out, bool color)
{
	struct columns t;

	fill(&t, run, &(struct form){ .color = color });
	if (columns_width(&t) > LINE_MAX_COLUMNS) {
		columns_release(&t);
		fill(&t, run, &(struct form){ .color = color, .report_below = true });
	}
	columns_print(&t, out);
	columns_release(&t);
	strbuf_addstr(out, "\nJOB: + marks a load, which runs to disturb. TIME: what the job took, "
			   "the median\nover seeds. ");
	if (has_ranges(run))
		strbuf_addstr(out, "RANGE: the least and the most of them.\n");
	strbuf_addstr(out, "ALONE: the same job by itself in this run. RATIO: the slowdown,\n"
			   "TIME over ALONE; above LIMIT it is a regression, GOAL is where it "
			   "should get.\nREPORT: what the case's original report measured, at the "
			   "sizes of --scale=full.\nVERDICT: - where nothing is expected.\n");
	if (has_lines(run))
		strbuf_addstr(out, "A line below a job: another metric of it (iorig list metrics), "
				   "its value, what\nit is held against, the verdict; "
				   "/alone means over the same metric of it alone.\n");
	add_reasons(run, out);
}

void report_counts(const struct run *run, struct strbuf *out)
{
	int count[VERDICT_KINDS] = { 0 };
	const char *before = " ";

	for (size_t i = 0; i < run->n_verdicts; i++)
		count[run->verdicts[i].kind]++;
	strbuf_addstr(out, "verdicts:");
	for (int k = 0; k < VERDICT_KINDS; k++) {
		if (!count[k] || k == VERDICT_NONE)
			continue;
		strbuf_addf(out, "%s%d %s", before, count[k], verdict_name((enum verdict_kind)k));
		before = ", ";
	}
	if (count[VERDICT_NONE] == (int)run->n_verdicts)
		strbuf_addf(out, " none; nothing is expected of these jobs at scale %s, so "
				 "nothing was judged", str_escape(run->scale));
	strbuf_addch(out, '\n');
}

void report_header(const struct run *run, struct strbuf *out)
{
	strbuf_addf(out, "kernel %s", str_escape(run->kernel.name));
	if (run->kernel.package)
		strbuf_addf(out, " (%s)", str_escape(run->kernel.package));
	else if (*run->kernel.release)
		strbuf_addf(out, " (%s)", str_escape(run->kernel.release));
	strbuf_addf(out, ", image %.12s\n", str_escape(run->kernel.image_sha256));
	strbuf_addf(out, "QEMU %s, %s: %s\n", str_escape(run->qemu.version),
		    strcmp(run->accel, "kvm") ? "TCG" : "KVM", str_escape(run->accel_why));
	strbuf_addf(out, "%s clock, timing by %s, scale %s, %d seed%s\n", str_escape(run->clock),
		    str_escape(run->timing), str_escape(run->scale), run->seeds,
		    run->seeds == 1 ? "" : "s");
}

void report_run(const struct run *run, struct strbuf *out, bool color)
{
	report_header(run, out);
	strbuf_addch(out, '\n');
	report_table(run, out, color);
	report_waits(run, out);
	strbuf_addch(out, '\n');
	report_counts(run, out);
}
