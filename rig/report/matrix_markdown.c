/* SPDX-License-Identifier: GPL-2.0-only */
/* The detection matrix as a Markdown document. */
#include "base/strbuf.h"
#include "judge/matrix.h"
#include "patch/mutant.h"
#include "record/record.h"
#include "report/markdown.h"
#include "report/matrix.h"

static void add_head(const struct matrix *m, struct strbuf *out)
{
	strbuf_addstr(out, "\n| mutant | expected | outcome |");
	for (size_t c = 0; c < m->n_cases; c++)
		strbuf_addf(out, " %zu |", c + 1);
	strbuf_addstr(out, "\n|---|---|---|");
	for (size_t c = 0; c < m->n_cases; c++)
		strbuf_addstr(out, "--:|");
	strbuf_addch(out, '\n');
}

static void add_cell(const struct matrix_cell *cell, struct strbuf *out)
{
	bool regressed = cell->kind == CELL_REGRESSED;
	char buf[MATRIX_CELL];

	strbuf_addf(out, " %s%s%s%s |", regressed ? "**" : "",
		    cell->kind == CELL_SKIPPED ? "-" : report_matrix_change(cell, buf),
		    regressed ? "**" : "", cell->kind == CELL_UNJUDGED ? " ?" : "");
}

static void add_row(const struct matrix *m, const struct matrix_row *row, struct strbuf *out)
{
	bool well = row->outcome == MATRIX_CAUGHT || row->outcome == MATRIX_PASSES;

	strbuf_addstr(out, "| ");
	markdown_text(out, row->m->name);
	strbuf_addf(out, " | %s | %s%s%s |", row->m->passes ? "passes" : "caught", well ? "" : "**",
		    matrix_outcome_name(row->outcome), well ? "" : "**");
	for (size_t c = 0; c < m->n_cases; c++) {
		if (row->cells)
			add_cell(&row->cells[c], out);
		else
			strbuf_addstr(out, " |");
	}
	strbuf_addch(out, '\n');
}

static void add_cases(const struct matrix *m, struct strbuf *out)
{
	strbuf_addch(out, '\n');
	for (size_t c = 0; c < m->n_cases; c++) {
		strbuf_addf(out, "%zu. ", c + 1);
		markdown_text(out, m->cases[c].name);
		if (m->cases[c].stock != CELL_PASS) {
			strbuf_addstr(out, " (stock itself: ");
			markdown_text(out, m->cases[c].reason);
			strbuf_addch(out, ')');
		}
		strbuf_addch(out, '\n');
	}
}

static void add_mutants(const struct matrix *m, struct strbuf *out)
{
	strbuf_addch(out, '\n');
	for (size_t r = 0; r < m->n_rows; r++) {
		const struct matrix_row *row = &m->rows[r];

		strbuf_addstr(out, "- ");
		markdown_text(out, row->m->name);
		strbuf_addstr(out, ": ");
		markdown_text(out, row->m->title);
		strbuf_addf(out, "; %s", matrix_outcome_name(row->outcome));
		if (*row->reason) {
			strbuf_addstr(out, row->outcome == MATRIX_CAUGHT ? " by " : ": ");
			markdown_text(out, row->reason);
		}
		strbuf_addch(out, '\n');
	}
}

void report_matrix_markdown(const struct matrix *m, struct strbuf *out)
{
	const struct run *s = m->stock;

	strbuf_addstr(out, "# Detection matrix of ");
	markdown_text(out, s->kernel.name ? s->kernel.name : "-");
	strbuf_addstr(out, "\n\nKernel ");
	markdown_text(out, s->kernel.release ? s->kernel.release : "-");
	strbuf_addf(out, ", image %.12s, %d seed%s. ", str_escape(s->kernel.image_sha256), s->seeds,
		    s->seeds == 1 ? "" : "s");
	report_matrix_counts(m, out);
	strbuf_addstr(out, ".\n");
	add_head(m, out);
	for (size_t r = 0; r < m->n_rows; r++)
		add_row(m, &m->rows[r], out);
	add_cases(m, out);
	strbuf_addstr(out, "\nA cell is the expected value of that case which got worst with the "
			   "mutant, against stock (both\nover all seeds); a dot is less than 5% "
			   "either way. Bold: regressed, and stock passes. ?: could\nnot be "
			   "judged.\n");
	add_mutants(m, out);
}
