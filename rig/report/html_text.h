/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hostile text in HTML. What is added is fit for an element's content and for an attribute in
 * double quotes, and changes nothing around it: markup and quotes become references, control
 * characters, broken UTF-8 and those that turn the direction of writing become \xNN.
 */
#ifndef REPORT_HTML_TEXT_H
#define REPORT_HTML_TEXT_H

#include <stddef.h>

struct strbuf;

#define HTML_TEXT_MAX 4096	/* bytes of one text; more are cut with "..." */

/* NULL adds nothing. */
void html_add(struct strbuf *out, const char *text);
/* The same of text with lines: newlines and tabs stay as they are. At most max bytes. */
void html_add_lines(struct strbuf *out, const char *text, size_t max);
/* printf with every %s escaped by html_add; knows %s, %d, %u, %zu and %% only, the rest of the
 * format is markup and added as it is. */
void html_addf(struct strbuf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
