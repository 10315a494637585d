/* SPDX-License-Identifier: GPL-2.0-only */
/* What each patch of a series changes, as text. Pure; all that came from a patch is escaped. */
#ifndef REPORT_STEPS_H
#define REPORT_STEPS_H

#include <stdbool.h>

struct steps;
struct strbuf;

/*
 * The base (which without any step that ran need not have run), a line for each patch with what
 * became of it and a row for each figure that it changes; of a rise that a later patch takes back,
 * which one that is; the reasons of what is inconclusive or could not be compared; a legend and the
 * counts.
 */
void report_steps(const struct steps *s, bool color, struct strbuf *out);

#endif
