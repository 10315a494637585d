/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of text cells whose columns are as wide as their widest cell. Cells and titles hold
 * printable text only (the caller has escaped it); width counts UTF-8 characters. A column into
 * which no row has put anything is left out, its heading too; a table without rows has all.
 *
 *	columns_init(&t, spec, ARRAY_SIZE(spec));
 *	columns_row(&t);
 *	columns_put(&t, 0, "%s", name);
 *	columns_print(&t, &out);
 *	columns_release(&t);
 */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;
struct columns_row;

struct columns_spec {
	const char *title;	/* its heading */
	bool right;		/* aligned to the right: numbers */
};

struct columns {
	const struct columns_spec *spec;
	size_t n_columns;
	struct columns_row *rows;
	size_t n_rows;
};

/* spec (of n columns) is borrowed for the table's life. */
void columns_init(struct columns *t, const struct columns_spec *spec, size_t n);
void columns_release(struct columns *t);
/* Begin a row of empty cells. */
void columns_row(struct columns *t);
/* A line of its own across the table, between rows. */
void columns_title(struct columns *t, const char *text);
/* Set a cell of the row that columns_row() began last; no title may have come in between. */
void columns_put(struct columns *t, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Show that cell in a colour (an SGR parameter such as "1;31"; "" = none), borrowed. */
void columns_color(struct columns *t, size_t column, const char *sgr);
/* Characters of the widest row; titles do not count. */
size_t columns_width(const struct columns *t);
/* Append headings, then rows; two spaces between columns, none at the end of a line. */
void columns_print(const struct columns *t, struct strbuf *out);

#endif
