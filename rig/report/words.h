/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of the case file that a boot's record holds as text, for the scale and the variant that
 * it ran at. */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

struct boot;

/* "title", "about", "origin", "memory" of [case] in a fresh string; NULL if it has none, or if the
 * text is no case (a document may hold anything). */
char *words_case(const struct boot *b, const char *key);
/* A key of [job NAME] or [disk NAME]: kind "job" or "disk". */
char *words_of(const struct boot *b, const char *kind, const char *name, const char *key);

#endif
