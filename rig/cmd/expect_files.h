/* SPDX-License-Identifier: GPL-2.0-only */
/* Expectation files with what a run would change in them. */
#ifndef CMD_EXPECT_FILES_H
#define CMD_EXPECT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "judge/accept.h"

struct err;
struct run;
struct suite;

struct expect_file {
	char *path, *before;
	struct strbuf text;
};

struct expect_files {
	struct expect_file *v;	/* those that change */
	size_t n;
};

#define EXPECT_FILES_INIT { .v = NULL, .n = 0 }
void expect_files_release(struct expect_files *files);

/*
 * Make the new texts for the suite's cases from the run, which has been judged with them, and
 * append a line of evidence for each change ("# CASE JOB.METRIC: ..."). family: sections for the
 * family of the run's kernel instead of those for all; a new one begins as a copy of the one for
 * all. Cases that are not what they were in the run are told and left alone. ERR_UNABLE: the
 * run can change nothing, as no job was judged or there are too few seeds, or its kernel's version
 * is not known and family is set.
 */
int expect_files_propose(struct expect_files *files, const struct run *run,
			 const struct suite *suite, const struct accept_options *o, bool family,
			 struct strbuf *out, struct err *err);
/* Append the unified diff of all, with paths below data_dir. */
void expect_files_diff(const struct expect_files *files, const char *data_dir, struct strbuf *out);
/* Each is complete or as it was. */
int expect_files_write(const struct expect_files *files, struct err *err);

#endif
