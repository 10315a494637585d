/* SPDX-License-Identifier: GPL-2.0-only */
/* Text tables that fit their content. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "report/columns.h"

struct columns_cell {
	char *text;		/* NULL = empty */
	const char *sgr;
};

struct columns_row {
	struct columns_cell *cells;	/* NULL in a title */
	char *title;
};

void columns_init(struct columns *t, const struct columns_spec *spec, size_t n)
{
	*t = (struct columns){ .spec = spec, .n_columns = n };
}

void columns_release(struct columns *t)
{
	for (size_t r = 0; r < t->n_rows; r++) {
		for (size_t c = 0; t->rows[r].cells && c < t->n_columns; c++)
			free(t->rows[r].cells[c].text);
		free(t->rows[r].cells);
		free(t->rows[r].title);
	}
	free(t->rows);
	*t = (struct columns){ .spec = t->spec, .n_columns = t->n_columns };
}

void columns_row(struct columns *t)
{
	array_grow(t->rows, t->n_rows)->cells = xcalloc(t->n_columns, sizeof(struct columns_cell));
}

void columns_title(struct columns *t, const char *text, size_t len)
{
	array_grow(t->rows, t->n_rows)->title = xstrndup(text, len);
}

static struct columns_cell *last_cell(struct columns *t, size_t column)
{
	return &t->rows[t->n_rows - 1].cells[column];
}

void columns_put(struct columns *t, size_t column, const char *fmt, ...)
{
	struct columns_cell *cell = last_cell(t, column);
	struct strbuf sb = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&sb, fmt, ap);
	va_end(ap);
	free(cell->text);
	cell->text = strbuf_detach(&sb, NULL);
}

void columns_color(struct columns *t, size_t column, const char *sgr)
{
	last_cell(t, column)->sgr = sgr;
}

/* Characters, not bytes: continuation bytes of UTF-8 take no place. */
static size_t width(const char *s)
{
	size_t n = 0;

	for (; s && *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

static size_t column_width(const struct columns *t, size_t c)
{
	size_t w = width(t->spec[c].title);

	for (size_t r = 0; r < t->n_rows; r++)
		if (t->rows[r].cells && width(t->rows[r].cells[c].text) > w)
			w = width(t->rows[r].cells[c].text);
	return w;
}

static void pad(struct strbuf *out, size_t n)
{
	while (n--)
		strbuf_addch(out, ' ');
}

static void print_cell(const struct columns *t, size_t c, const struct columns_cell *cell,
		       struct strbuf *out)
{
	const char *text = cell->text ? cell->text : "";
	size_t fill = column_width(t, c) - width(text);
	bool color = cell->sgr && *cell->sgr;

	if (t->spec[c].right)
		pad(out, fill);
	if (color)
		strbuf_addf(out, "\033[%sm", cell->sgr);
	strbuf_addstr(out, text);
	if (color)
		strbuf_addstr(out, "\033[0m");
	if (!t->spec[c].right && c + 1 < t->n_columns)
		pad(out, fill);
}

void columns_print(const struct columns *t, struct strbuf *out)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		struct columns_cell head = { .text = (char *)t->spec[c].title };

		strbuf_addstr(out, c ? "  " : "");
		print_cell(t, c, &head, out);
	}
	strbuf_addch(out, '\n');
	for (size_t r = 0; r < t->n_rows; r++) {
		if (t->rows[r].title)
			strbuf_addstr(out, t->rows[r].title);
		for (size_t c = 0; t->rows[r].cells && c < t->n_columns; c++) {
			strbuf_addstr(out, c ? "  " : "");
			print_cell(t, c, &t->rows[r].cells[c], out);
		}
		if (!t->rows[r].title || *t->rows[r].title)
			strbuf_addch(out, '\n');
	}
}
