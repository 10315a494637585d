/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The document that a job's command has left (wire/document.h), put together from frames. It is the
 * guest's, so it is taken only if it is one JSON object of at most DOCUMENT_MAX bytes and not
 * nested deeper than DOCUMENT_DEPTH; else a note says what is wrong with it.
 */
#ifndef RUN_DOCUMENT_H
#define RUN_DOCUMENT_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "guest/msg.h"

struct job_result;

#define DOCUMENT_DEPTH 32

struct document {		/* the one whose pieces are coming */
	struct strbuf text;
};

#define DOCUMENT_INIT { .text = STRBUF_INIT }

/*
 * One piece of the job's document; with the last one job->document or job->document_note is set.
 * False, and nothing has changed, for a piece that is of no job (NULL), or not the next one.
 */
bool document_take(struct document *d, struct job_result *job, const struct msg_document *piece);
void document_release(struct document *d);

#endif
