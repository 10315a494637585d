/* SPDX-License-Identifier: GPL-2.0-only */
/* The detection matrix as a JSON document. */
#include <math.h>

#include "base/err.h"
#include "judge/matrix.h"
#include "patch/mutant.h"
#include "record/record.h"
#include "report/json_text.h"
#include "report/matrix.h"

static json_t *number(double v)
{
	return isfinite(v) && v >= 0 ? json_real(v) : json_null();
}

static json_t *texts(char *const *v)
{
	json_t *list = json_array();

	for (; *v; v++)
		json_array_append_new(list, json_text(*v));
	return list;
}

static void set(json_t *obj, const char *key, json_t *value)
{
	BUG_ON(json_object_set_new(obj, key, value) < 0);
}

static json_t *asked_json(const struct matrix_asked *asked)
{
	json_t *j = json_object();

	set(j, "kernel", json_text(asked->kernel));
	set(j, "tree", json_text(asked->tree));
	set(j, "cases", texts(asked->cases));
	set(j, "only", texts(asked->only));
	set(j, "seeds", json_integer(asked->seeds));
	set(j, "clock", json_text(asked->clock));
	set(j, "timing", json_text(asked->timing));
	set(j, "accel", json_text(asked->accel));
	return j;
}

static json_t *run_json(const struct run *run)
{
	json_t *j = json_object();

	set(j, "run", json_text(run->id));
	set(j, "kernel", json_text(run->kernel.name));
	set(j, "release", json_text(run->kernel.release));
	set(j, "image_sha256", json_text(run->kernel.image_sha256));
	return j;
}

static json_t *cases_json(const struct matrix *m)
{
	json_t *list = json_array();

	for (size_t c = 0; c < m->n_cases; c++) {
		json_t *j = json_object();

		set(j, "name", json_text(m->cases[c].name));
		set(j, "stock", json_text(matrix_cell_name(m->cases[c].stock)));
		set(j, "reason", json_text(m->cases[c].reason));
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *cells_json(const struct matrix *m, const struct matrix_row *row)
{
	json_t *list = json_array();

	for (size_t c = 0; row->cells && c < m->n_cases; c++) {
		const struct matrix_cell *cell = &row->cells[c];
		json_t *j = json_object();

		set(j, "case", json_text(m->cases[c].name));
		set(j, "kind", json_text(matrix_cell_name(cell->kind)));
		set(j, "job", json_text(cell->job));
		set(j, "metric", json_text(cell->metric));
		set(j, "unit", json_text(cell->unit));
		set(j, "stock", number(cell->base));
		set(j, "mutant", number(cell->now));
		set(j, "change", number(cell->change));
		set(j, "reason", json_text(cell->reason));
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *mutant_json(const struct matrix *m, const struct matrix_row *row)
{
	json_t *j = json_object();

	set(j, "name", json_text(row->m->name));
	set(j, "title", json_text(row->m->title));
	set(j, "expect", json_text(row->m->passes ? "passes" : "caught"));
	set(j, "sees", texts(row->m->sees.v));
	set(j, "outcome", json_text(matrix_outcome_name(row->outcome)));
	set(j, "same_image", json_boolean(row->state == MATRIX_SAME_IMAGE));
	set(j, "reason", json_text(row->reason));
	set(j, "ran", row->run ? run_json(row->run) : json_null());
	set(j, "cells", cells_json(m, row));
	return j;
}

json_t *report_matrix_json(const struct matrix *m, const struct matrix_asked *asked)
{
	json_t *j = json_object(), *mutants = json_array();

	for (size_t r = 0; r < m->n_rows; r++)
		json_array_append_new(mutants, mutant_json(m, &m->rows[r]));
	set(j, "iorig", json_integer(RECORD_VERSION));
	set(j, "kind", json_string("matrix"));
	set(j, "started", json_text(asked->started));
	set(j, "asked", asked_json(asked));
	set(j, "status", json_integer(matrix_exit_status(m)));
	set(j, "stock", m->stock ? run_json(m->stock) : json_null());
	set(j, "cases", cases_json(m));
	set(j, "mutants", mutants);
	return j;
}
