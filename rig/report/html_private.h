/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a page. Private to html*.c. */
#ifndef REPORT_HTML_PRIVATE_H
#define REPORT_HTML_PRIVATE_H

#include <stddef.h>

#include "record/record.h"
#include "report/palette.h"

struct err;
struct strbuf;

struct html_page {
	const struct run *const *runs;
	const char *const *dirs;
	size_t n;
	struct palette colors;
	struct strvec cases;	/* names, each once */
	const char *first;	/* the case that a reader needs most, borrowed; NULL = none */
	struct strbuf *out;
};

void html_style(struct strbuf *out);
/* "<span class="badge regressed">regressed</span>" */
void html_badge(struct strbuf *out, enum verdict_kind kind);
/* The section of case number index. */
int html_case(struct html_page *p, size_t index, struct err *err);
/* What changed from the first run to that of the index: picture and table. */
void html_change(struct html_page *p, size_t index);
/* "Where it waits", from the boot that the pictures show; nothing when nothing is known. */
void html_wait(struct strbuf *out, const struct run *run, const struct verdict *v);
void html_command(struct strbuf *out, const struct run *run, const char *case_name);
/* The command that looks inside between two moments; nothing on the real clock. */
void html_debug(struct strbuf *out, const struct run *run, const struct boot *b, int64_t from_ns,
		int64_t to_ns);
/* The case's verdict that is worst, NULL without one. */
const struct verdict *html_worst(const struct run *run, const char *case_name);

#endif
