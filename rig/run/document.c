/* SPDX-License-Identifier: GPL-2.0-only */
/* Pieces of text become JSON, with bounds. */
#include "run/document.h"

#include <jansson.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "record/record.h"
#include "wire/document.h"

DEFINE_FREE(json, json_t *, json_decref(_T))

/* Its depth, counted no further than DOCUMENT_DEPTH + 1. */
static int depth_of(const json_t *j, int above)
{
	int most = above + 1;
	const char *key;
	json_t *value;
	size_t i;

	if (most > DOCUMENT_DEPTH)
		return most;
	json_object_foreach((json_t *)j, key, value) {
		int depth = depth_of(value, above + 1);

		most = depth > most ? depth : most;
	}
	json_array_foreach(j, i, value) {
		int depth = depth_of(value, above + 1);

		most = depth > most ? depth : most;
	}
	return most;
}

/* Programs such as fio write remarks of theirs above it. */
static const char *skip_remarks(const char *text)
{
	while (*text && *text != '{') {
		const char *newline = strchr(text, '\n');

		text = newline ? newline + 1 : "";
	}
	return text;
}

static char *note_of(const char *what)
{
	return xstrfmt("its document %s", what);
}

static void settle(struct document *d, struct job_result *job)
{
	const char *text = skip_remarks(d->text.buf);
	json_error_t why;
	json_t *j __free(json) = json_loads(text, JSON_REJECT_DUPLICATES, &why);

	if (!*text)
		job->document_note = note_of("holds no JSON object");
	else if (!j)
		job->document_note = xstrfmt("its document is no JSON: line %d: %s", why.line,
					     str_escape(why.text));
	else if (depth_of(j, 0) > DOCUMENT_DEPTH)
		job->document_note = note_of("is nested too deeply");
	else
		job->document = json_incref(j);
	strbuf_reset(&d->text);
}

bool document_take(struct document *d, struct job_result *job, const struct msg_document *piece)
{
	size_t len = strlen(piece->text);

	if (!job || job->ended || job->document || job->document_note)
		return false;
	/* a job's pieces come one after the other: the first one forgets what was another's */
	if (piece->at == 0)
		strbuf_reset(&d->text);
	if (piece->total > DOCUMENT_MAX) {
		job->document_note = note_of("is longer than 256 KiB");
		return true;
	}
	if (piece->at != (int64_t)d->text.len || (int64_t)len > piece->total - piece->at)
		return false;
	strbuf_add(&d->text, piece->text, len);
	if ((int64_t)d->text.len == piece->total)
		settle(d, job);
	return true;
}

void document_release(struct document *d)
{
	strbuf_release(&d->text);
}
