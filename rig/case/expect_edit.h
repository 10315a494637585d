/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changing an expectation file's text: comments, blank lines and the order of what is there stay.
 * Pure. After each function the text is again one that base/ini.h reads.
 */
#ifndef CASE_EXPECT_EDIT_H
#define CASE_EXPECT_EDIT_H

#include "case/metric.h"

struct err;
struct strbuf;

/*
 * Give the key of the section [name arg] (arg "": [name]) a value: in its line, with the comment
 * behind it, or in a new line at the place where that key usually stands. The section is there,
 * else BUG. path is for messages; errors are those of the INI reader.
 */
int expect_edit_set(struct strbuf *text, const char *path, const char *name, const char *arg,
		    const char *key, const char *value, struct err *err);
/* Add an empty section [name arg] behind the section [name after]. */
int expect_edit_add(struct strbuf *text, const char *path, const char *name, const char *after,
		    const char *arg, struct err *err);
/*
 * A value as the file has it, with three digits: "1.15s", "27.5MB/s", "23.5MB" (or "64M" if it
 * is a whole number of MiB), "9.8". round: -1
 * down, 0 to the nearest, 1 up, so that what is written does not exceed, or is not below, what it
 * was made from. v >= 0. buf has 32 bytes and is returned.
 */
const char *expect_edit_format(enum metric_unit unit, double v, int round, char *buf);

#endif
