/* SPDX-License-Identifier: GPL-2.0-only */
/* The table with a column per kernel. */
#include "report/side.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "record/record.h"
#include "report/columns.h"

#define CELL_WIDTH   13		/* of "30.7 s 14.3x" with its mark */
#define LEFT_WIDTH   20		/* of case and job in the shipped suite */
#define TABLE_WIDTH  80
#define MAX_LETTERS  26

enum { C_CASE, C_JOB, C_RUNS };

struct side {
	const struct run *const *runs;
	size_t n;
	struct columns_spec *spec;
	struct strvec heads;
	bool letters;		/* the headings are letters: names would not fit */
	struct columns t;
};

static const struct verdict *find(const struct run *run, const struct verdict *like)
{
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (!strcmp(v->case_name, like->case_name) && !strcmp(v->job, like->job))
			return v;
	}
	return NULL;
}

static void make_heads(struct side *s)
{
	size_t width = LEFT_WIDTH + (s->n == 2 ? 8 : 0);

	for (size_t i = 0; i < s->n; i++) {
		size_t len = strlen(str_escape(s->runs[i]->kernel.name));

		width += 2 + (len > CELL_WIDTH ? len : CELL_WIDTH);
	}
	s->letters = width > TABLE_WIDTH && s->n <= MAX_LETTERS;
	for (size_t i = 0; i < s->n; i++) {
		if (s->letters)
			strvec_pushf(&s->heads, "%c", (int)('A' + i));
		else
			strvec_push(&s->heads, str_escape(s->runs[i]->kernel.name));
	}
}

static void make_spec(struct side *s)
{
	s->spec = xcalloc(C_RUNS + s->n + 1, sizeof(*s->spec));
	s->spec[C_CASE] = (struct columns_spec){ "CASE", false };
	s->spec[C_JOB] = (struct columns_spec){ "JOB", false };
	for (size_t i = 0; i < s->n; i++)
		s->spec[C_RUNS + i] = (struct columns_spec){ s->heads.v[i], true };
	s->spec[C_RUNS + s->n] = (struct columns_spec){ "CHANGE", true };
}

static void put_cell(struct side *s, size_t i, const struct verdict *v, bool color)
{
	char buf[32], ratio[32] = "";
	size_t c = C_RUNS + i;

	if (!v) {
		columns_put(&s->t, c, "- ");
		return;
	}
	if (v->time_ns < 0) {
		columns_put(&s->t, c, "%s ", v->kind == VERDICT_NONE ? "-" :
								       verdict_name(v->kind));
		return;
	}
	if (v->slowdown >= 0)
		snprintf(ratio, sizeof(ratio), v->slowdown < 1e6 ? " %.*fx" : " %.*ex",
			 v->slowdown < 9.995 ? 2 : v->slowdown < 99.95 ? 1 : 0, v->slowdown);
	format_time(v->time_ns < 9.2e18 ? (int64_t)v->time_ns : INT64_MAX, buf);
	columns_put(&s->t, c, "%s%s%c", buf, ratio, v->kind == VERDICT_REGRESSED ? '!' : ' ');
	if (color && v->kind == VERDICT_REGRESSED)
		columns_color(&s->t, c, "1;31");
}

/* Of two: by how much the second's time differs. */
static void put_change(struct side *s, const struct verdict *a, const struct verdict *b)
{
	double change;

	if (!a || !b || a->time_ns <= 0 || b->time_ns < 0)
		return;
	change = b->time_ns / a->time_ns;
	if (change >= 2)
		columns_put(&s->t, C_RUNS + s->n, change < 1e6 ? "%.1fx" : "%.1ex", change);
	else
		columns_put(&s->t, C_RUNS + s->n, "%+.1f%%", (change - 1) * 100);
}

static void add_row(struct side *s, const struct verdict *like, bool first, bool color)
{
	const struct verdict *a = NULL, *b = NULL;

	columns_row(&s->t);
	if (first)
		columns_put(&s->t, C_CASE, "%s", str_escape(like->case_name));
	columns_put(&s->t, C_JOB, "%s%s", like->role == PLAN_LOAD ? "+" : "",
		    str_escape(like->job));
	for (size_t i = 0; i < s->n; i++) {
		const struct verdict *v = find(s->runs[i], like);

		put_cell(s, i, v, color);
		a = i == 0 ? v : a;
		b = i == 1 ? v : b;
	}
	if (s->n == 2)
		put_change(s, a, b);
}

/* The rows that run i has and none before it. */
static void add_rows(struct side *s, size_t i, bool color)
{
	const char *before = NULL;

	for (size_t k = 0; k < s->runs[i]->n_verdicts; k++) {
		const struct verdict *v = &s->runs[i]->verdicts[k];
		bool seen = false;

		for (size_t r = 0; r < i && !seen; r++)
			seen = find(s->runs[r], v) != NULL;
		if (seen)
			continue;
		add_row(s, v, !before || strcmp(before, v->case_name), color);
		before = v->case_name;
	}
}

static void add_kernel(const struct side *s, size_t i, struct strbuf *out)
{
	const struct run *r = s->runs[i];

	if (s->letters)
		strbuf_addf(out, "%s = ", s->heads.v[i]);
	strbuf_addf(out, "%s: %s, image %.12s", str_escape(r->kernel.name),
		    r->kernel.release ? str_escape(r->kernel.release) : "?",
		    str_escape(r->kernel.image_sha256));
	if (r->kernel.source)
		strbuf_addf(out, ", built from %s", str_escape(r->kernel.source));
	strbuf_addch(out, '\n');
	for (size_t p = 0; p < r->kernel.n_patches; p++) {
		const struct run_patch *patch = &r->kernel.patches[p];

		strbuf_addf(out, "    + %s (%.12s): ", str_escape(patch->name),
			    str_escape(patch->sha256));
		strbuf_add_escaped(out, patch->subject, strlen(patch->subject), 200);
		strbuf_addch(out, '\n');
	}
}

void report_side(const struct run *const *runs, size_t n, struct strbuf *out, bool color)
{
	struct side s = { .runs = runs, .n = n, .heads = STRVEC_INIT };

	make_heads(&s);
	make_spec(&s);
	columns_init(&s.t, s.spec, C_RUNS + n + 1);
	for (size_t i = 0; i < n; i++)
		add_rows(&s, i, color);
	columns_print(&s.t, out);
	columns_release(&s.t);
	strbuf_addstr(out, "\nTime of each job (median over seeds), and its slowdown against the "
			   "same job\nalone with the same kernel; ! = above its limit.");
	if (n == 2)
		strbuf_addstr(out, " CHANGE: of the time, from the\nfirst kernel to the second.");
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < n; i++)
		add_kernel(&s, i, out);
	strvec_release(&s.heads);
	free(s.spec);
}
