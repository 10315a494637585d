/* SPDX-License-Identifier: GPL-2.0-only */
/* When the matrix will be done. */
#ifndef CMD_MUTANTS_PACE_H
#define CMD_MUTANTS_PACE_H

struct matrix;
struct mutants_pace;
struct strbuf;

/* Append "; 9 to go, about 21 min, until 01:32", going by what builds and runs have taken so far;
 * without a run that was timed only how many there are; nothing after the last one. */
void mutants_pace_say(const struct mutants_pace *pace, const struct matrix *m, struct strbuf *out);

#endif
