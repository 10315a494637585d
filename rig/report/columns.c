/* SPDX-License-Identifier: GPL-2.0-only */
/* Text tables that fit their content. */
#include <stdarg.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "report/columns.h"

#define COLUMN_GAP 2

struct columns_cell {
	char *text;		/* NULL = never put */
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

void columns_title(struct columns *t, const char *text)
{
	array_grow(t->rows, t->n_rows)->title = xstrdup(text);
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

/* How wide each column has to be; 0 for one that is left out. */
static void measure(const struct columns *t, size_t *widths)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		bool used = !t->n_rows;

		widths[c] = width(t->spec[c].title);
		for (size_t r = 0; r < t->n_rows; r++) {
			const char *text = t->rows[r].cells ? t->rows[r].cells[c].text : NULL;

			used = used || text;
			if (width(text) > widths[c])
				widths[c] = width(text);
		}
		if (!used)
			widths[c] = 0;
	}
}

static void pad(struct strbuf *out, size_t n)
{
	while (n--)
		strbuf_addch(out, ' ');
}

static void print_text(const char *text, const char *sgr, struct strbuf *out)
{
	bool color = sgr && *sgr && *text;

	if (color)
		strbuf_addf(out, "\033[%sm", sgr);
	strbuf_addstr(out, text);
	if (color)
		strbuf_addstr(out, "\033[0m");
}

/* A line of cells; blanks are put off until something follows them, so that none is left over. */
static void print_line(const struct columns *t, const struct columns_cell *cells,
		       const size_t *widths, struct strbuf *out)
{
	size_t blanks = 0;

	for (size_t c = 0; c < t->n_columns; c++) {
		const char *text = cells ? cells[c].text : t->spec[c].title;
		size_t fill = widths[c] - (widths[c] ? width(text) : 0);

		if (!widths[c])
			continue;
		if (text && *text) {
			pad(out, blanks + (t->spec[c].right ? fill : 0));
			print_text(text, cells ? cells[c].sgr : NULL, out);
			blanks = t->spec[c].right ? 0 : fill;
		} else {
			blanks += fill;
		}
		blanks += COLUMN_GAP;
	}
	strbuf_addch(out, '\n');
}

size_t columns_width(const struct columns *t)
{
	size_t *widths __free(ptr) = xcalloc(t->n_columns, sizeof(*widths));
	size_t sum = 0;

	measure(t, widths);
	for (size_t c = 0; c < t->n_columns; c++)
		sum += widths[c] ? widths[c] + COLUMN_GAP : 0;
	return sum ? sum - COLUMN_GAP : 0;
}

void columns_print(const struct columns *t, struct strbuf *out)
{
	size_t *widths __free(ptr) = xcalloc(t->n_columns, sizeof(*widths));

	measure(t, widths);
	print_line(t, NULL, widths, out);
	for (size_t r = 0; r < t->n_rows; r++) {
		if (t->rows[r].cells)
			print_line(t, t->rows[r].cells, widths, out);
		else
			strbuf_addf(out, "%s\n", t->rows[r].title);
	}
}
