/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The detection matrix (judge/matrix.h) as text, Markdown and JSON. Pure: appends to a strbuf.
 * Everything that came from a file or a guest is escaped.
 */
#ifndef REPORT_MATRIX_H
#define REPORT_MATRIX_H

#include <jansson.h>
#include <stdbool.h>

struct matrix;
struct matrix_cell;
struct strbuf;

/* What the matrix was asked for, so that it can be gone on with. All borrowed. */
struct matrix_asked {
	const char *kernel;		/* as on the command line */
	const char *tree;		/* of --tree, or NULL */
	char *const *cases;		/* globs, NULL at the end */
	char *const *only;		/* globs of mutants; may be empty: all */
	int seeds;
	const char *clock, *timing, *accel;	/* the words of --clock, --timing, --accel */
	const char *started;		/* UTC */
};

/*
 * A row per mutant, a numbered column per case, in blocks of as many columns as fit 80; below it
 * the cases' names, why each mutant is what it is, and the counts.
 */
void report_matrix(const struct matrix *m, bool color, struct strbuf *out);
void report_matrix_markdown(const struct matrix *m, struct strbuf *out);
/* The document matrix.json: "iorig": 1, "kind": "matrix"; a new reference, never NULL. Numbers that
 * JSON cannot hold, or that there are none of, are null. */
json_t *report_matrix_json(const struct matrix *m, const struct matrix_asked *asked);

/* The parts that the forms share. report_matrix_change: "29x", "+12%", "-97%", "." for less than
 * 5 % either way, "-" for none. */
#define MATRIX_CELL 32
const char *report_matrix_change(const struct matrix_cell *cell, char *buf);
/* "10 of 10 regressions caught, 3 of 3 no-ops pass", and what else there is, "; 2 no form". */
void report_matrix_counts(const struct matrix *m, struct strbuf *out);

#endif
