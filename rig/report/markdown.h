/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run as Markdown for a pull request or a mail to a list: lines of at most MARKDOWN_COLUMNS (but
 * for the command, which stays in one piece), to be read and quoted as they are. Verdicts first,
 * then the jobs' table, why, and how to repeat it.
 *
 * Hostile text: control characters become \xNN, what Markdown would take for markup gets a
 * backslash, and links, mentions and issue numbers are broken up; console lines stand in blocks
 * of code.
 */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#define MARKDOWN_COLUMNS 72

struct run;
struct strbuf;

void markdown_run(struct strbuf *out, const struct run *run);
/* Escape one piece of text. */
void markdown_text(struct strbuf *out, const char *text);

#endif
