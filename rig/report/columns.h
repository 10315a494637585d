/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of text cells whose columns are as wide as their widest cell. Cells hold printable
 * text only (the caller has escaped it); width counts UTF-8 characters.
 */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;
struct columns_row;

struct columns_spec {
	const char *title;
	bool right;		/* numbers */
};

struct columns {
	const struct columns_spec *spec;
	size_t n_columns;
	struct columns_row *rows;
	size_t n_rows;
};

void columns_init(struct columns *t, const struct columns_spec *spec, size_t n);
void columns_release(struct columns *t);
/* Begin a row of empty cells. */
void columns_row(struct columns *t);
/* A line of its own across the table; the first len bytes of text. */
void columns_title(struct columns *t, const char *text, size_t len);
/* Set a cell of the last row. */
void columns_put(struct columns *t, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Show that cell in a colour (an SGR parameter such as "1;31"; "" = none). */
void columns_color(struct columns *t, size_t column, const char *sgr);
/* Heading, then rows; two spaces between columns, no trailing ones. */
void columns_print(const struct columns *t, struct strbuf *out);

#endif
