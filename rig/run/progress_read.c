/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading how far a run is. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "run/progress.h"

#define FILE_BYTES (4 << 20)
#define TEXT_MAX 4096

/* What was wrong first; the rest of the reading goes on with what is harmless. */
struct reading {
	const char *bad;
};

static int64_t whole(struct reading *r, const json_t *obj, const char *key, int64_t max)
{
	const json_t *v = json_object_get(obj, key);
	int64_t n = json_is_integer(v) ? json_integer_value(v) : -1;

	if (n >= 0 && n <= max)
		return n;
	r->bad = r->bad ? r->bad : key;
	return 0;
}

static const char *string(struct reading *r, const json_t *obj, const char *key)
{
	const json_t *v = json_object_get(obj, key);

	if (json_is_string(v) && json_string_length(v) <= TEXT_MAX)
		return json_string_value(v);
	r->bad = r->bad ? r->bad : key;
	return "";
}

static bool flag(struct reading *r, const json_t *obj, const char *key)
{
	const json_t *v = json_object_get(obj, key);

	if (!json_is_boolean(v))
		r->bad = r->bad ? r->bad : key;
	return json_is_true(v);
}

static const json_t *list(struct reading *r, const json_t *obj, const char *key, size_t max)
{
	const json_t *v = json_object_get(obj, key);

	if (json_is_array(v) && json_array_size(v) <= max)
		return v;
	r->bad = r->bad ? r->bad : key;
	return NULL;
}

static void read_slot(struct reading *r, struct progress_slot *s, const json_t *j)
{
	const json_t *full = list(r, j, "full", PROGRESS_FULL), *d;
	const char *name = string(r, j, "case_name");
	size_t i;

	s->case_name = *name ? xstrdup(name) : NULL;
	s->seed = (uint32_t)whole(r, j, "seed", UINT32_MAX);
	s->stage = (enum stage)whole(r, j, "stage", STAGE_END);
	s->guest_ns = whole(r, j, "guest_ns", INT64_MAX);
	s->wall_ns = whole(r, j, "wall_ns", INT64_MAX);
	for (i = 0; i < PROGRESS_FULL; i++)
		s->full[i].kib = -1;
	for (i = 0; (d = json_array_get(full, i)); i++) {
		snprintf(s->full[i].name, sizeof(s->full[i].name), "%s", string(r, d, "name"));
		s->full[i].kib = whole(r, d, "kib", INT64_MAX);
	}
}

static void read_ended(struct reading *r, struct progress_ended *e, const json_t *j)
{
	e->number = (size_t)whole(r, j, "number", INT32_MAX);
	e->case_name = xstrdup(string(r, j, "case_name"));
	e->reason = xstrdup(string(r, j, "reason"));
	e->seed = (uint32_t)whole(r, j, "seed", UINT32_MAX);
	e->outcome = (enum outcome)whole(r, j, "outcome", OUTCOME_BROKEN);
	e->wall_ns = whole(r, j, "wall_ns", INT64_MAX);
}

static void read_all(struct reading *r, struct run_progress *p, const json_t *doc)
{
	const json_t *slots = list(r, doc, "slots", PROGRESS_SLOTS);
	const json_t *last = list(r, doc, "last", PROGRESS_KEPT), *j;
	size_t i;

	whole(r, doc, "iorig", RECORD_VERSION);
	p->pid = whole(r, doc, "pid", INT32_MAX);
	p->written = whole(r, doc, "age_ns", INT64_MAX);
	p->simulated = flag(r, doc, "simulated");
	p->ended = flag(r, doc, "ended");
	p->done = (size_t)whole(r, doc, "done", INT32_MAX);
	p->total = (size_t)whole(r, doc, "total", INT32_MAX);
	for (i = 0; (j = json_array_get(slots, i)); i++)
		read_slot(r, array_grow(p->slots, p->n_slots), j);
	for (i = 0; (j = json_array_get(last, i)); i++)
		read_ended(r, array_grow(p->last, p->n_last), j);
	if (p->done > p->total)
		r->bad = r->bad ? r->bad : "done";
}

int run_progress_read(struct run_progress *p, const char *path, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct reading r = { .bad = NULL };
	json_error_t why;
	json_t *doc;
	int ret;

	*p = (struct run_progress){ .pid = 0 };
	ret = file_read(path, FILE_BYTES, &sb, err);
	if (ret)
		return ret;
	doc = json_loadb(sb.buf, sb.len, JSON_REJECT_DUPLICATES, &why);
	if (!doc)
		return err_set(err, -EBADMSG, "%s:%d: %s", str_escape(path), why.line,
			       str_escape(why.text));
	read_all(&r, p, doc);
	json_decref(doc);
	if (!r.bad)
		return 0;
	run_progress_release(p);
	return err_set(err, -EBADMSG, "%s: '%s' is missing or no good", str_escape(path), r.bad);
}
