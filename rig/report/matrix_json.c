/* SPDX-License-Identifier: GPL-2.0-only */
/* The detection matrix as a JSON document. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "judge/matrix.h"
#include "kbuild/mutant.h"
#include "record/record.h"
#include "report/matrix.h"

/* Names and reasons may hold any bytes: what is no text is shown as \xNN. */
static json_t *text(const char *s)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	json_t *j;

	if (!s)
		return json_null();
	strbuf_add_escaped(&sb, s, strlen(s), sizeof(((struct err *)0)->msg));
	j = json_string(sb.buf);
	BUG_ON(!j);
	return j;
}

static json_t *number(double v)
{
	return isfinite(v) && v >= 0 ? json_real(v) : json_null();
}

static json_t *texts(char *const *v)
{
	json_t *list = json_array();

	for (; *v; v++)
		json_array_append_new(list, text(*v));
	return list;
}

static void set(json_t *obj, const char *key, json_t *value)
{
	BUG_ON(json_object_set_new(obj, key, value) < 0);
}

static json_t *asked_json(const struct matrix_asked *asked)
{
	json_t *j = json_object();

	set(j, "kernel", text(asked->kernel));
	set(j, "tree", text(asked->tree));
	set(j, "cases", texts(asked->cases));
	set(j, "only", texts(asked->only));
	set(j, "seeds", json_integer(asked->seeds));
	set(j, "clock", text(asked->clock));
	set(j, "timing", text(asked->timing));
	set(j, "accel", text(asked->accel));
	return j;
}

static json_t *run_json(const struct run *run)
{
	json_t *j = json_object();

	set(j, "run", text(run->id));
	set(j, "kernel", text(run->kernel.name));
	set(j, "release", text(run->kernel.release));
	set(j, "image_sha256", text(run->kernel.image_sha256));
	return j;
}

static json_t *cases_json(const struct matrix *m)
{
	json_t *list = json_array();

	for (size_t c = 0; c < m->n_cases; c++) {
		json_t *j = json_object();

		set(j, "name", text(m->cases[c].name));
		set(j, "stock", text(matrix_cell_name(m->cases[c].stock)));
		set(j, "reason", text(m->cases[c].reason));
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

		set(j, "case", text(m->cases[c].name));
		set(j, "kind", text(matrix_cell_name(cell->kind)));
		set(j, "job", text(cell->job));
		set(j, "metric", text(cell->metric));
		set(j, "unit", text(cell->unit));
		set(j, "stock", number(cell->base));
		set(j, "mutant", number(cell->now));
		set(j, "change", number(cell->change));
		set(j, "reason", text(cell->reason));
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *mutant_json(const struct matrix *m, const struct matrix_row *row)
{
	json_t *j = json_object();

	set(j, "name", text(row->m->name));
	set(j, "title", text(row->m->title));
	set(j, "expect", text(row->m->passes ? "passes" : "caught"));
	set(j, "sees", texts(row->m->sees.v));
	set(j, "outcome", text(matrix_outcome_name(row->outcome)));
	set(j, "same_image", json_boolean(row->state == MATRIX_SAME_IMAGE));
	set(j, "reason", text(row->reason));
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
	set(j, "started", text(asked->started));
	set(j, "asked", asked_json(asked));
	set(j, "status", json_integer(matrix_exit_status(m)));
	set(j, "stock", m->stock ? run_json(m->stock) : json_null());
	set(j, "cases", cases_json(m));
	set(j, "mutants", mutants);
	return j;
}
