/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison as a document. */
#include "report/compare_json.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "case/metric.h"
#include "judge/compare.h"
#include "record/record.h"
#include "report/json_text.h"
#include "stats/looks.h"

/* The rows' p is adjusted by this (stats/family.h). */
#define CORRECTION "Westfall-Young step-down maxT"

static void set(json_t *obj, const char *key, json_t *value)
{
	BUG_ON(json_object_set_new(obj, key, value) < 0);
}

/* null where there is none. */
static json_t *real(double v, bool there)
{
	return there && isfinite(v) ? json_real(v) : json_null();
}

static json_t *run_json(const struct run *r)
{
	json_t *j = json_object();

	set(j, "id", json_text(r->id));
	set(j, "kernel", json_text(r->kernel.name));
	set(j, "release", json_text(r->kernel.release));
	set(j, "image_sha256", json_text(r->kernel.image_sha256));
	set(j, "seeds", json_integer(r->seeds));
	set(j, "interrupted", json_boolean(r->interrupted));
	return j;
}

static json_t *options_json(const struct compare *cmp, size_t looks)
{
	const struct compare_options *o = &cmp->o;
	json_t *j = json_object(), *seeds = json_array();

	for (size_t i = 0; i < looks; i++)
		json_array_append_new(seeds, json_integer((json_int_t)look_values(i)));
	set(j, "alpha", json_real(o->alpha));
	set(j, "level", json_real(o->level));
	set(j, "matters", json_real(o->matters));
	set(j, "noise", json_real(o->noise));
	set(j, "doubt", json_real(o->doubt));
	set(j, "blind", json_real(o->blind));
	set(j, "power", json_real(o->power));
	set(j, "correction", json_string(CORRECTION));
	set(j, "looks", seeds);
	return j;
}

static json_t *counts_json(const struct compare *cmp)
{
	json_t *j = json_object();

	for (int k = 0; k <= CHANGE_NOT_COMPARED; k++)
		set(j, change_name((enum change_kind)k),
		    json_integer((json_int_t)compare_count(cmp, (enum change_kind)k)));
	return j;
}

static void set_change(json_t *j, const struct change *c)
{
	bool measured = c->p >= 0;
	json_t *interval = measured ? json_object() : json_null();

	set(j, "change_is", json_string(c->ratio ? "ratio" : "difference"));
	set(j, "change", real(c->change, measured));
	if (measured) {
		set(interval, "low", real(c->low, true));
		set(interval, "high", real(c->high, true));
		set(interval, "level", real(c->level, true));
	}
	set(j, "interval", interval);
	set(j, "p", real(c->p, measured));
	set(j, "p_adjusted", real(c->p_family, c->p_family >= 0));
	set(j, "effect", real(c->effect, measured));
	set(j, "matters", real(c->matters, c->ratio));
	set(j, "noise_floor", real(c->floor, c->floor >= 0));
	set(j, "visible", real(c->visible, measured && c->visible >= 0));
	set(j, "seeds_more", c->seeds_more < 0 ? json_null() : json_integer(c->seeds_more));
}

static json_t *row_json(const struct change *c)
{
	bool of_metric = c->metric >= 0;
	const struct metric_info *info = of_metric ? metric_info((enum metric)c->metric) : NULL;
	json_t *j = json_object();

	set(j, "case", json_text(c->case_name));
	set(j, "job", json_text(c->job));
	set(j, "role", json_string(c->role == PLAN_LOAD ? "load" : "victim"));
	set(j, "metric", info ? json_string(info->name) : json_null());
	set(j, "unit", info ? json_string(metric_unit_word(info->unit)) : json_null());
	set(j, "higher", info ? json_boolean(info->higher) : json_null());
	set(j, "verdict", json_string(change_name(c->kind)));
	set(j, "reason", json_text(c->reason));
	set(j, "base_seeds", json_integer((json_int_t)c->n_base));
	set(j, "new_seeds", json_integer((json_int_t)c->n_now));
	set(j, "base", real(c->base, c->base >= 0));
	set(j, "new", real(c->now, c->now >= 0));
	set_change(j, c);
	return j;
}

static json_t *notes_json(const struct compare *cmp)
{
	json_t *list = json_array();

	strvec_each (note, &cmp->notes)
		json_array_append_new(list, json_text(*note));
	return list;
}

static json_t *rows_json(const struct compare *cmp)
{
	json_t *list = json_array();

	for (size_t i = 0; i < cmp->n; i++)
		json_array_append_new(list, row_json(&cmp->c[i]));
	return list;
}

void report_compare_json(const struct compare *cmp, const struct run *base, const struct run *now,
			 size_t looks, struct strbuf *out)
{
	int more = compare_seeds_more(cmp);
	json_t *j = json_object();
	char *text;

	set(j, "iorig", json_integer(RECORD_VERSION));
	set(j, "kind", json_string("compare"));
	set(j, "status", json_integer(compare_exit_status(cmp)));
	set(j, "clock", json_text(base->clock));
	set(j, "timing", json_text(base->timing));
	set(j, "scale", json_text(base->scale));
	set(j, "base", run_json(base));
	set(j, "new", run_json(now));
	set(j, "same_kernel", json_boolean(cmp->same_kernel));
	set(j, "notes", notes_json(cmp));
	set(j, "options", options_json(cmp, looks));
	set(j, "tested", json_integer((json_int_t)cmp->tested));
	set(j, "counts", counts_json(cmp));
	set(j, "seeds_more", more < 0 ? json_null() : json_integer(more));
	set(j, "rows", rows_json(cmp));
	text = json_dumps(j, JSON_INDENT(1) | JSON_ENSURE_ASCII);
	BUG_ON(!text);
	strbuf_addf(out, "%s\n", text);
	free(text);
	json_decref(j);
}
