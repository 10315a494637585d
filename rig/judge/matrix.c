/* SPDX-License-Identifier: GPL-2.0-only */
/* From verdicts to what became of each mutant. */
#include "judge/matrix.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "judge/matrix_cell.h"
#include "patch/mutant.h"
#include "record/record.h"

static void forget(struct matrix *m)
{
	for (size_t r = 0; r < m->n_rows; r++) {
		struct matrix_row *row = &m->rows[r];

		for (size_t c = 0; row->cells && c < m->n_cases; c++)
			free(row->cells[c].reason);
		free(row->cells);
		free(row->reason);
		row->cells = NULL;
		row->reason = NULL;
	}
	for (size_t c = 0; c < m->n_cases; c++)
		free(m->cases[c].reason);
	free(m->cases);
	m->cases = NULL;
	m->n_cases = 0;
}

void matrix_release(struct matrix *m)
{
	forget(m);
	free(m->rows);
	*m = (struct matrix)MATRIX_INIT;
}

static bool has_case(const struct matrix *m, const char *name)
{
	for (size_t i = 0; i < m->n_cases; i++) {
		if (!strcmp(m->cases[i].name, name))
			return true;
	}
	return false;
}

static void find_cases(struct matrix *m)
{
	for (size_t i = 0; m->stock && i < m->stock->n_verdicts; i++) {
		const char *name = m->stock->verdicts[i].case_name;
		struct matrix_case *c;

		if (has_case(m, name) || !matrix_case_expected(m->stock, name))
			continue;
		c = array_grow(m->cases, m->n_cases);
		c->name = name;
		matrix_case_judge(c, m->stock);
	}
}

bool matrix_sees(const struct mutant *m, const char *case_name)
{
	bool any = !m->sees.n;

	for (size_t i = 0; i < m->sees.n && !any; i++)
		any = fnmatch(m->sees.v[i], case_name, 0) == 0;
	return any;
}

/* No boot got as far as the agent: the cases have nothing to do with it. */
static const struct boot *never_booted(const struct run *run)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (b->outcome != OUTCOME_BROKEN || b->stage > STAGE_BOOT)
			return NULL;
	}
	return run->n_boots ? &run->boots[0] : NULL;
}

/* The cells of one kind, among those that the mutant must be seen by or among the others. */
static size_t count_cells(const struct matrix *m, const struct matrix_row *row,
			  enum matrix_cell_kind kind, bool seen)
{
	size_t n = 0;

	for (size_t c = 0; c < m->n_cases; c++)
		n += row->cells[c].kind == kind && matrix_sees(row->m, m->cases[c].name) == seen;
	return n;
}

/* "a, b" of those cells. */
static void list_cells(const struct matrix *m, const struct matrix_row *row,
		       enum matrix_cell_kind kind, bool seen, struct strbuf *out)
{
	const char *gap = "";

	for (size_t c = 0; c < m->n_cases; c++) {
		if (row->cells[c].kind != kind || matrix_sees(row->m, m->cases[c].name) != seen)
			continue;
		strbuf_addf(out, "%s%s", gap, str_escape(m->cases[c].name));
		gap = ", ";
	}
}

static enum matrix_outcome judge_unseen(const struct matrix *m, const struct matrix_row *row,
					struct strbuf *why)
{
	size_t unjudged = count_cells(m, row, CELL_UNJUDGED, true);

	if (unjudged) {
		strbuf_addstr(why, "could not be judged: ");
		list_cells(m, row, CELL_UNJUDGED, true, why);
	} else if (!count_cells(m, row, CELL_PASS, true)) {
		strbuf_addstr(why, "no case that could have seen it was judged");
	}
	if (count_cells(m, row, CELL_REGRESSED, false)) {
		strbuf_addf(why, "%sregressed elsewhere only: ", why->len ? "; " : "");
		list_cells(m, row, CELL_REGRESSED, false, why);
	}
	return unjudged || !count_cells(m, row, CELL_PASS, true) ? MATRIX_UNJUDGED : MATRIX_MISSED;
}

static enum matrix_outcome judge_cells(const struct matrix *m, const struct matrix_row *row,
				       struct strbuf *why)
{
	if (count_cells(m, row, CELL_REGRESSED, true)) {
		list_cells(m, row, CELL_REGRESSED, true, why);
		return row->m->passes ? MATRIX_FLAGGED : MATRIX_CAUGHT;
	}
	if (!row->m->passes)
		return judge_unseen(m, row, why);
	if (count_cells(m, row, CELL_UNJUDGED, true)) {
		strbuf_addstr(why, "could not be judged: ");
		list_cells(m, row, CELL_UNJUDGED, true, why);
		return MATRIX_UNJUDGED;
	}
	if (count_cells(m, row, CELL_PASS, true))
		return MATRIX_PASSES;
	strbuf_addstr(why, "no case was judged");
	return MATRIX_UNJUDGED;
}

static enum matrix_outcome judge_run_of(const struct matrix *m, struct matrix_row *row,
					struct strbuf *why)
{
	const struct boot *dead = never_booted(row->run);

	row->cells = xcalloc(m->n_cases + 1, sizeof(*row->cells));
	for (size_t c = 0; c < m->n_cases; c++)
		matrix_cell_judge(&row->cells[c], &m->cases[c], m->stock, row->run);
	if (!dead)
		return judge_cells(m, row, why);
	strbuf_addf(why, "all boots broke at stage %s: %s", stage_name(dead->stage),
		    dead->reason ? str_escape(dead->reason) : "");
	return MATRIX_NO_BOOT;
}

static enum matrix_outcome judge_row(const struct matrix *m, struct matrix_row *row,
				     struct strbuf *why)
{
	switch (row->state) {
	case MATRIX_WAITING:
		return MATRIX_NOT_RUN;
	case MATRIX_HAS_NO_FORM:
		strbuf_addstr(why, row->why);
		return MATRIX_NO_FORM;
	case MATRIX_BUILD_FAILED:
		strbuf_addstr(why, row->why);
		return MATRIX_NO_BUILD;
	case MATRIX_SAME_IMAGE:
		strbuf_addstr(why, "the same image as stock, so nothing was booted");
		return row->m->passes ? MATRIX_PASSES : MATRIX_MISSED;
	case MATRIX_RAN:
		return judge_run_of(m, row, why);
	}
	return MATRIX_NOT_RUN;
}

void matrix_judge(struct matrix *m)
{
	forget(m);
	find_cases(m);
	for (size_t r = 0; r < m->n_rows; r++) {
		struct strbuf why = STRBUF_INIT;

		m->rows[r].outcome = judge_row(m, &m->rows[r], &why);
		m->rows[r].reason = strbuf_detach(&why, NULL);
	}
}

size_t matrix_count(const struct matrix *m, enum matrix_outcome outcome)
{
	size_t n = 0;

	for (size_t r = 0; r < m->n_rows; r++)
		n += m->rows[r].outcome == outcome;
	return n;
}

enum judge_exit matrix_exit_status(const struct matrix *m)
{
	if (matrix_count(m, MATRIX_MISSED) || matrix_count(m, MATRIX_FLAGGED))
		return JUDGE_REGRESSED;
	if (matrix_count(m, MATRIX_NO_BUILD) || matrix_count(m, MATRIX_NO_BOOT) ||
	    matrix_count(m, MATRIX_UNJUDGED) || matrix_count(m, MATRIX_NOT_RUN))
		return JUDGE_CANNOT;
	return matrix_count(m, MATRIX_CAUGHT) || matrix_count(m, MATRIX_PASSES) ? JUDGE_OK :
										  JUDGE_CANNOT;
}

const char *matrix_outcome_name(enum matrix_outcome outcome)
{
	static const char *const names[MATRIX_OUTCOMES] = {
		"caught", "missed", "passes", "flagged", "no form", "no build", "no boot",
		"unjudged", "not run",
	};

	return names[outcome];
}

const char *matrix_cell_name(enum matrix_cell_kind kind)
{
	static const char *const names[] = { "pass", "regressed", "skipped", "unjudged" };

	return names[kind];
}
