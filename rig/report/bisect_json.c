/* SPDX-License-Identifier: GPL-2.0-only */
/* How a bisect ended, as a document. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "bisect/bisect.h"
#include "bisect/trail.h"
#include "judge/followed.h"
#include "source/commits.h"
#include "record/record.h"
#include "report/bisect.h"
#include "report/json_text.h"

static const char *const results[] = {
	[BISECT_FOUND] = "found", [BISECT_RANGE] = "range", [BISECT_UNSURE] = "unsure",
	[BISECT_ALIKE] = "alike",
};

static void set(json_t *obj, const char *key, json_t *value)
{
	BUG_ON(json_object_set_new(obj, key, value) < 0);
}

static json_t *commit_json(const struct bisect_report *r, size_t commit)
{
	const struct commit_words *w = &r->words[commit];
	json_t *j = json_object();

	set(j, "id", json_string(r->b->h.c[commit].id));
	set(j, "place", json_integer((json_int_t)commit));
	set(j, "probability", json_real(r->b->p[commit]));
	if (w->subject) {
		set(j, "subject", json_text(w->subject));
		set(j, "author", json_text(w->author));
		set(j, "date", json_text(w->date));
	}
	return j;
}

static json_t *candidates_json(const struct bisect_report *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->end->n_set; i++)
		json_array_append_new(list, commit_json(r, r->end->set[i]));
	return list;
}

static json_t *values_json(const struct bisect_commit *c)
{
	json_t *list = json_array();

	for (size_t i = 0; i < c->n; i++)
		json_array_append_new(list, json_real(c->v[i]));
	return list;
}

/* Those that were looked at. */
static json_t *tested_json(const struct bisect_report *r)
{
	const struct bisect *b = r->b;
	json_t *list = json_array();

	for (size_t i = 0; i < b->h.n; i++) {
		const struct bisect_commit *c = &b->c[i];
		json_t *j;

		if (!c->n && !c->skipped && c->same_as == i)
			continue;
		j = commit_json(r, i);
		set(j, "values", values_json(c));
		set(j, "seeds", json_integer((json_int_t)r->trail->c[i].tried));
		set(j, "image_sha256", json_string(r->trail->c[i].image));
		set(j, "skipped", json_text(c->skipped));
		set(j, "same_as", c->same_as == i ? json_null() :
						    json_string(b->h.c[c->same_as].id));
		json_array_append_new(list, j);
	}
	return list;
}

json_t *report_bisect_json(const struct bisect_report *r)
{
	const struct followed *f = r->followed;
	const struct bisect_step *end = r->end;
	bool named = end->what == BISECT_FOUND;
	json_t *j = json_object(), *trail = trail_to_json(r->trail);

	set(j, "iorig", json_integer(RECORD_VERSION));
	set(j, "kind", json_string("bisect"));
	set(j, "status", json_integer(report_bisect_status(end)));
	set(j, "result", json_string(results[end->what]));
	set(j, "why", json_string(end->why));
	set(j, "commit", named ? commit_json(r, end->commit) : json_null());
	set(j, "probability", json_real(end->p));
	set(j, "candidates", candidates_json(r));
	set(j, "case", json_text(r->case_name));
	set(j, "metric", json_string(f->name));
	set(j, "unit", f->verdict ? json_null() : json_string(metric_unit_word(f->unit)));
	set(j, "higher", json_boolean(f->higher));
	set(j, "commits", json_integer((json_int_t)r->b->h.n - 1));
	set(j, "boots", json_integer((json_int_t)r->b->n_boots));
	set(j, "tested", tested_json(r));
	set(j, "steps", json_incref(json_object_get(trail, "steps")));
	set(j, "folder", json_text(r->dir));
	json_decref(trail);
	return j;
}
