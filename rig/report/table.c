/* SPDX-License-Identifier: GPL-2.0-only */
/* The closing table, its reasons and its legend. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "record/record.h"
#include "report/columns.h"
#include "report/table.h"

enum column { C_CASE, C_JOB, C_TIME, C_ALONE, C_SLOW, C_LIMIT, C_GOAL, C_THEN, C_VERDICT, C_N };

static const struct columns_spec table_spec[C_N] = {
	[C_CASE] = { "CASE", false }, [C_JOB] = { "JOB", false },
	[C_TIME] = { "TIME", true }, [C_ALONE] = { "ALONE", true },
	[C_SLOW] = { "SLOWDOWN", true }, [C_LIMIT] = { "LIMIT", true },
	[C_GOAL] = { "GOAL", true }, [C_THEN] = { "REPORT", true },
	[C_VERDICT] = { "VERDICT", false },
};

static const char *const verdict_colors[] = {
	[VERDICT_PASS] = "32", [VERDICT_REGRESSED] = "1;31", [VERDICT_IMPROVED] = "36",
	[VERDICT_INCONCLUSIVE] = "33", [VERDICT_SKIPPED] = "33", [VERDICT_BROKEN] = "1;35",
	[VERDICT_NONE] = "",
};

static void put_time(struct columns *t, enum column c, double ns)
{
	char buf[32];

	columns_put(t, c, "%s", ns < 0 ? "-" : format_time((int64_t)ns, buf));
}

static void put_ratio(struct columns *t, enum column c, double ratio, const char *unit)
{
	if (ratio < 0)
		columns_put(t, c, "-");
	else
		columns_put(t, c, "%.*f%s", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio, unit);
}

/* The part of a case's name that its group's line does not show. */
static const char *short_name(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

static void add_row(struct columns *t, const struct verdict *v, bool first, bool color)
{
	char buf[32];

	columns_row(t);
	if (first)
		columns_put(t, C_CASE, "%s", str_escape(short_name(v->case_name)));
	columns_put(t, C_JOB, "%s%s", str_escape(v->job), v->role == PLAN_LOAD ? " (load)" : "");
	put_time(t, C_TIME, v->time_ns);
	put_time(t, C_ALONE, v->alone_ns);
	put_ratio(t, C_SLOW, v->slowdown, "x");
	put_ratio(t, C_LIMIT, v->limit, "");
	put_ratio(t, C_GOAL, v->goal, "");
	if (v->report_ns >= 0 && v->report_slowdown >= 0)
		columns_put(t, C_THEN, "%s %.1fx", format_time((int64_t)v->report_ns, buf),
			    v->report_slowdown);
	else
		put_time(t, C_THEN, v->report_ns);
	columns_put(t, C_VERDICT, "%s", v->kind == VERDICT_NONE ? "-" : verdict_name(v->kind));
	if (color)
		columns_color(t, C_VERDICT, verdict_colors[v->kind]);
}

/* Rows of the cases in one folder, under a line with its name. */
static size_t group_end(const struct run *run, size_t i)
{
	const char *name = run->verdicts[i].case_name;
	size_t len = (size_t)(short_name(name) - name);

	for (; i < run->n_verdicts; i++) {
		const char *other = run->verdicts[i].case_name;

		if ((size_t)(short_name(other) - other) != len || strncmp(name, other, len))
			break;
	}
	return i;
}

static void add_reasons(const struct run *run, struct strbuf *out)
{
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (*v->reason)
			strbuf_addf(out, "%s %s: %s: %s\n", str_escape(v->case_name),
				    str_escape(v->job), verdict_name(v->kind), v->reason);
	}
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (b->outcome != OUTCOME_BROKEN || !b->evidence.n)
			continue;
		strbuf_addf(out, "%s seed %u, its console:\n", str_escape(b->case_name), b->seed);
		for (size_t k = 0; k < b->evidence.n && k < 12; k++)
			strbuf_addf(out, "    %s\n", b->evidence.v[k]);
	}
}

void report_table(const struct run *run, struct strbuf *out, bool color)
{
	struct columns t;

	columns_init(&t, table_spec, C_N);
	for (size_t i = 0; i < run->n_verdicts;) {
		size_t end = group_end(run, i);
		const char *name = run->verdicts[i].case_name;
		const char *before = NULL;

		columns_title(&t, name, (size_t)(short_name(name) - name));
		for (; i < end; i++) {
			const struct verdict *v = &run->verdicts[i];

			add_row(&t, v, !before || strcmp(before, v->case_name), color);
			before = v->case_name;
		}
	}
	columns_print(&t, out);
	columns_release(&t);
	strbuf_addstr(out, "\nTIME: what the job took (median over seeds). ALONE: the same job by "
			   "itself in this\nrun. SLOWDOWN: the one over the other; above LIMIT it "
			   "is a regression, GOAL is where\nit should get. REPORT: what the case's "
			   "original report measured.\n");
	add_reasons(run, out);
}

void report_counts(const struct run *run, struct strbuf *out)
{
	int count[VERDICT_NONE + 1] = { 0 };
	const char *sep = "verdicts: ";

	for (size_t i = 0; i < run->n_verdicts; i++)
		count[run->verdicts[i].kind]++;
	for (int k = 0; k < VERDICT_NONE; k++)
		if (count[k]) {
			strbuf_addf(out, "%s%d %s", sep, count[k],
				    verdict_name((enum verdict_kind)k));
			sep = ", ";
		}
	if (*sep == 'v')
		strbuf_addstr(out, "verdicts: none");
	strbuf_addch(out, '\n');
}

void report_header(const struct run *run, struct strbuf *out)
{
	strbuf_addf(out, "kernel %s", str_escape(run->kernel.name));
	if (run->kernel.package)
		strbuf_addf(out, " (%s)", str_escape(run->kernel.package));
	else if (*run->kernel.release)
		strbuf_addf(out, " (%s)", str_escape(run->kernel.release));
	strbuf_addf(out, ", image %.12s\n", run->kernel.image_sha256);
	strbuf_addf(out, "QEMU %s, %s: %s\n", str_escape(run->qemu.version),
		    strcmp(run->accel, "kvm") ? "TCG" : "KVM", str_escape(run->accel_why));
	strbuf_addf(out, "%s clock, timing by %s, scale %s, %d seed%s\n", str_escape(run->clock),
		    str_escape(run->timing), str_escape(run->scale), run->seeds,
		    run->seeds == 1 ? "" : "s");
}
