/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a page. Private to html*.c. */
#ifndef REPORT_HTML_PRIVATE_H
#define REPORT_HTML_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"
#include "report/palette.h"

struct err;
struct stalls;
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
/* A card for each verdict that is needed first; sets p->first. */
void html_in_short(struct html_page *p, const struct run *run);
/* All verdicts of all runs. */
void html_table(struct html_page *p);
/* Who is who in a case: what its jobs do, what its disks are. */
void html_who(struct html_page *p, const struct boot *b);
/* The stalls of a boot, each with the command that looks inside. */
void html_stalls(struct html_page *p, const struct run *run, const struct boot *b,
		 const struct stalls *s);
/* What is expected of the case in that run, and the file that says so. */
void html_expected(struct html_page *p, const struct run *run, const struct boot *b);
/* "<span class="badge regressed">regressed</span>" */
void html_badge(struct strbuf *out, enum verdict_kind kind);
/* That of a verdict; of one that passes short of its goal with a second one behind it. */
void html_verdict_badge(struct strbuf *out, const struct verdict *v);
void html_goal_badge(struct strbuf *out);
/* Does it pass, short of its goal? */
bool html_is_short(const struct verdict *v);
/* The same job's verdict in another run, or NULL; most often it has the same place, hint. */
const struct verdict *html_same_verdict(const struct run *run, const struct verdict *v,
					size_t hint);
/* Is the base the kernel of the other run without (some of) its patches? */
bool html_is_unpatched(const struct run *base, const struct run *run);
/* The section of case number index. */
int html_case(struct html_page *p, size_t index, struct err *err);
/* What changed from the first run to that of the index: picture and table. */
void html_change(struct html_page *p, size_t index);
/* "Where hdd waits", from the boot that the pictures show; nothing when nothing is known. */
void html_wait(struct strbuf *out, const struct run *run, const struct verdict *v);
void html_command(struct strbuf *out, const struct run *run, const char *case_name);
/* A command: its words are broken at their ends only, as long as they fit into a line. */
void html_shell(struct strbuf *out, const char *command);
/* The command that looks inside between two moments; nothing on the real clock. */
void html_debug(struct strbuf *out, const struct run *run, const struct boot *b, int64_t from_ns,
		int64_t to_ns);
/* The case's verdict that is worst, NULL without one. */
const struct verdict *html_worst(const struct run *run, const char *case_name);

#endif
