/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a bisect ended, as text, JSON and a picture. Pure: appends to a strbuf. What commits and
 * compilers say is escaped.
 */
#ifndef REPORT_BISECT_H
#define REPORT_BISECT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/strvec.h"

struct bisect;
struct bisect_boot;
struct bisect_step;
struct commit_words;
struct followed;
struct plot;
struct strbuf;
struct trail;

/* All borrowed. */
struct bisect_report {
	const struct bisect *b;
	const struct trail *trail;
	const struct bisect_step *end;
	const struct followed *followed;
	const struct commit_words *words;	/* of end->set and end->commit: one for each commit,
						 * subject NULL = not asked for */
	const char *case_name;
	const char *dir;		/* the bisect's folder */
	const char *differing;		/* of ends alike: what they do differ in; "" or NULL */
	const char *picture;		/* its file, or NULL */
	/* Words behind "iorig run git:COMMIT" that repeat a commit's runs, without --seeds. */
	const struct strvec *run_words;
};

/*
 * The answer with its probability and evidence, a row for each step, what could not be tested, and
 * the commands that repeat the runs of the commit that was found and of the one before it.
 */
void report_bisect(const struct bisect_report *r, struct strbuf *out);
/* The same as a document, "iorig": 1, "kind": "bisect"; a new reference, never NULL. */
json_t *report_bisect_json(const struct bisect_report *r);
/* "median 12.3 s of 5, 11.9 s to 13.1 s", "2 of 5 fail", "no value". */
void report_bisect_values(const struct bisect *b, const struct followed *f,
			  const struct bisect_boot *boots, size_t n, struct strbuf *out);
/*
 * "bisect": the values over the commits' places in the history, a dot for each boot; ticks at the
 * bottom where a commit could not be tested; a line at the limit, and one at the commit that was
 * found.
 */
void report_bisect_plot(const struct bisect_report *r, struct plot *p);

/* "97.3 %", never 0 or 100 of what is not; 16 bytes, returned. */
const char *report_bisect_percent(double p, char *buf);
/* What the forms share. The exit status: 0 for BISECT_FOUND, else 125. */
int report_bisect_status(const struct bisect_step *end);
/* The newest commit before the one that was found that was booted: boots of the last step's other
 * side; the history's size if there is none. */
size_t report_bisect_before(const struct bisect_report *r);

#endif
