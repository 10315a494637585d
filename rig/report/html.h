/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs as one page: self-contained HTML without scripts that asks for nothing from anywhere (its
 * Content-Security-Policy forbids it), light or dark as the reader's system is, for a phone, a
 * screen and paper. Verdicts and what they rest on first, then each case with its pictures, where
 * its victims wait, settings, console lines and the command that repeats it.
 *
 * Pictures show one boot of a case and run (story_boot()), with those of the other seeds small
 * behind a fold. All that came from documents, guests or files is escaped.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stddef.h>

struct err;
struct run;
struct strbuf;

/*
 * Append the page. dirs[i] is the folder of runs[i], for the logs of requests (NULL: there is
 * none); of several runs the first is the base that the others are compared
 * with, and the last is what the page is about first of all. Fails only
 * when a log that is there cannot be read.
 */
int html_page(struct strbuf *out, const struct run *const *runs, const char *const *dirs, size_t n,
	      struct err *err);

#endif
