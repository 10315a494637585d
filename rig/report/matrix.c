/* SPDX-License-Identifier: GPL-2.0-only */
/* The detection matrix as text. */
#include "report/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "judge/matrix.h"
#include "patch/mutant.h"
#include "record/record.h"
#include "report/columns.h"

#define TABLE_WIDTH 80
#define CELL_COLUMNS 7		/* "+99%!" and the gap */
#define GAP 2
#define SMALL 0.05
#define REASON_MAX 600

enum { C_MUTANT, C_OUTCOME, C_CELLS };

static const char *const colors[MATRIX_OUTCOMES] = {
	[MATRIX_CAUGHT] = "32", [MATRIX_PASSES] = "32", [MATRIX_MISSED] = "1;31",
	[MATRIX_FLAGGED] = "1;31", [MATRIX_NO_FORM] = "36", [MATRIX_NO_BUILD] = "1;35",
	[MATRIX_NO_BOOT] = "1;35", [MATRIX_UNJUDGED] = "33", [MATRIX_NOT_RUN] = "33",
};

const char *report_matrix_change(const struct matrix_cell *cell, char *buf)
{
	double change = cell->change;

	if (change < 0 || isnan(change))
		snprintf(buf, MATRIX_CELL, "-");
	else if (isinf(change))
		snprintf(buf, MATRIX_CELL, "inf");
	else if (fabs(change - 1) < SMALL)
		snprintf(buf, MATRIX_CELL, ".");
	else if (change >= 1.995)
		snprintf(buf, MATRIX_CELL, change < 1e4 ? "%.*fx" : "%.*ex", change < 9.95,
			 change);
	else
		snprintf(buf, MATRIX_CELL, "%+.0f%%", (change - 1) * 100);
	return buf;
}

static char mark(const struct matrix_cell *cell)
{
	return cell->kind == CELL_REGRESSED ? '!' : cell->kind == CELL_UNJUDGED ? '?' : ' ';
}

static void put_cell(struct columns *t, size_t column, const struct matrix_cell *cell, bool color)
{
	char buf[MATRIX_CELL];

	columns_put(t, column, "%s%c",
		    cell->kind == CELL_SKIPPED ? "-" : report_matrix_change(cell, buf), mark(cell));
	if (color && cell->kind == CELL_REGRESSED)
		columns_color(t, column, "1;31");
}

/* The cases from first to last - 1. */
static void add_block(const struct matrix *m, size_t first, size_t last, bool color,
		      struct strbuf *out)
{
	struct columns_spec *spec __free(ptr) = xcalloc(C_CELLS + m->n_cases, sizeof(*spec));
	struct strvec heads __release(strvec) = STRVEC_INIT;
	struct columns t;

	spec[C_MUTANT] = (struct columns_spec){ "MUTANT", false };
	spec[C_OUTCOME] = (struct columns_spec){ "OUTCOME", false };
	for (size_t c = first; c < last; c++) {
		strvec_pushf(&heads, "%zu ", c + 1);
		spec[C_CELLS + c - first] = (struct columns_spec){ heads.v[c - first], true };
	}
	columns_init(&t, spec, C_CELLS + last - first);
	for (size_t r = 0; r < m->n_rows; r++) {
		const struct matrix_row *row = &m->rows[r];

		columns_row(&t);
		columns_put(&t, C_MUTANT, "%s", str_escape(row->m->name));
		columns_put(&t, C_OUTCOME, "%s", matrix_outcome_name(row->outcome));
		if (color)
			columns_color(&t, C_OUTCOME, colors[row->outcome]);
		for (size_t c = first; c < last && row->cells; c++)
			put_cell(&t, C_CELLS + c - first, &row->cells[c], color);
	}
	columns_print(&t, out);
	columns_release(&t);
	strbuf_addch(out, '\n');
}

static void add_blocks(const struct matrix *m, bool color, struct strbuf *out)
{
	size_t left = strlen("MUTANT"), outcome = strlen("OUTCOME"), n;

	for (size_t r = 0; r < m->n_rows; r++) {
		size_t len = strlen(str_escape(m->rows[r].m->name));
		size_t word = strlen(matrix_outcome_name(m->rows[r].outcome));

		left = len > left ? len : left;
		outcome = word > outcome ? word : outcome;
	}
	left += GAP + outcome;
	n = left + CELL_COLUMNS < TABLE_WIDTH ? (TABLE_WIDTH - left) / CELL_COLUMNS : 1;
	for (size_t first = 0; !first || first < m->n_cases; first += n)
		add_block(m, first, first + n < m->n_cases ? first + n : m->n_cases, color, out);
}

static void add_cases(const struct matrix *m, struct strbuf *out)
{
	for (size_t c = 0; c < m->n_cases; c++) {
		strbuf_addf(out, "%3zu %s\n", c + 1, str_escape(m->cases[c].name));
		if (m->cases[c].stock == CELL_PASS)
			continue;
		strbuf_addstr(out, "    stock itself: ");
		strbuf_add_escaped(out, m->cases[c].reason, strlen(m->cases[c].reason), REASON_MAX);
		strbuf_addch(out, '\n');
	}
	strbuf_addstr(out, "\nThe expected value of a case that got worst with the mutant, against "
			   "stock (both\nover all seeds); . = less than 5% either way, - = none. "
			   "! = regressed, and stock\npasses; ? = could not be judged.\n\n");
}

/* The cells that say why, where the outcome's own line does not. */
static bool explains(const struct matrix_row *row, const struct matrix_case *c,
		     const struct matrix_cell *cell)
{
	if (c->stock != CELL_PASS)
		return false;
	return cell->kind == CELL_UNJUDGED ||
	       (cell->kind == CELL_REGRESSED && row->outcome != MATRIX_CAUGHT);
}

static void add_reason(const struct matrix *m, const struct matrix_row *row, struct strbuf *out)
{
	strbuf_addf(out, "%s: %s", str_escape(row->m->name), matrix_outcome_name(row->outcome));
	if (*row->reason) {
		strbuf_addf(out, "%s", row->outcome == MATRIX_CAUGHT ? " by " : ": ");
		strbuf_add_escaped(out, row->reason, strlen(row->reason), REASON_MAX);
	}
	strbuf_addch(out, '\n');
	/* of a kernel that does not boot every cell would say the same */
	for (size_t c = 0; row->cells && row->outcome != MATRIX_NO_BOOT && c < m->n_cases; c++) {
		const struct matrix_cell *cell = &row->cells[c];

		if (!explains(row, &m->cases[c], cell))
			continue;
		strbuf_addf(out, "    %s: ", str_escape(m->cases[c].name));
		strbuf_add_escaped(out, cell->reason, strlen(cell->reason), REASON_MAX);
		strbuf_addch(out, '\n');
	}
}

/* Of all but those of which there is nothing to say. */
static void add_reasons(const struct matrix *m, struct strbuf *out)
{
	size_t before = out->len;

	for (size_t r = 0; r < m->n_rows; r++) {
		if (m->rows[r].outcome != MATRIX_PASSES || *m->rows[r].reason)
			add_reason(m, &m->rows[r], out);
	}
	if (out->len > before)
		strbuf_addch(out, '\n');
}

static size_t expected(const struct matrix *m, bool passes)
{
	size_t n = 0;

	for (size_t r = 0; r < m->n_rows; r++)
		n += m->rows[r].m->passes == passes && m->rows[r].outcome != MATRIX_NO_FORM;
	return n;
}

void report_matrix_counts(const struct matrix *m, struct strbuf *out)
{
	const char *gap = "";

	if (expected(m, false)) {
		strbuf_addf(out, "%zu of %zu regressions caught", matrix_count(m, MATRIX_CAUGHT),
			    expected(m, false));
		gap = ", ";
	}
	if (expected(m, true)) {
		strbuf_addf(out, "%s%zu of %zu no-ops pass", gap, matrix_count(m, MATRIX_PASSES),
			    expected(m, true));
		gap = ", ";
	}
	for (int i = 0; i < MATRIX_OUTCOMES; i++) {
		enum matrix_outcome o = (enum matrix_outcome)i;

		if (o == MATRIX_CAUGHT || o == MATRIX_PASSES || !matrix_count(m, o))
			continue;
		strbuf_addf(out, "%s%zu %s", gap, matrix_count(m, o), matrix_outcome_name(o));
		gap = ", ";
	}
}

void report_matrix(const struct matrix *m, bool color, struct strbuf *out)
{
	const struct run *s = m->stock;

	strbuf_addf(out, "stock: kernel %s (%s), image %.12s, %d seed%s, %zu case%s\n\n",
		    str_escape(s->kernel.name ? s->kernel.name : "-"),
		    str_escape(s->kernel.release ? s->kernel.release : "-"),
		    str_escape(s->kernel.image_sha256), s->seeds, s->seeds == 1 ? "" : "s",
		    m->n_cases, m->n_cases == 1 ? "" : "s");
	add_blocks(m, color, out);
	add_cases(m, out);
	add_reasons(m, out);
	strbuf_addstr(out, "mutants: ");
	report_matrix_counts(m, out);
	strbuf_addch(out, '\n');
}
