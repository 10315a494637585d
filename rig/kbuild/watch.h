/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading what a kernel's build prints, line by line: which file it is at, how many are compiled,
 * and what to tell of a build that failed. Pure. Lines come from compilers over sources that may be
 * anything: what is kept is short and escaped.
 *
 * Errors count by how much they say: a compiler's, assembler's, linker's, objtool's, modpost's or
 * kconfig's own message, make's "No rule to make target"; then a program that is missing; then
 * make's "*** [...] Error 1"; then the last line. Of the best kind the first WATCH_ERRORS are kept,
 * each only once.
 */
#ifndef KBUILD_WATCH_H
#define KBUILD_WATCH_H

#include <stdbool.h>

#include "base/strvec.h"

struct strbuf;

#define WATCH_ERRORS 6

struct watch {
	int compiled;		/* "CC" and "AS" lines */
	char step[96];		/* "CC mm/page-writeback.o", escaped; "" before the first */
	struct strvec errors;
	int kind;		/* of errors; higher says more; 0: none */
	char *last;		/* line that is not empty */
	bool disk_full;		/* some program said so */
	bool no_memory;		/* a program was killed, or could not get memory */
};

#define WATCH_INIT { .errors = STRVEC_INIT }
void watch_release(struct watch *w);
/* One line without its newline. True if it is a step. */
bool watch_line(struct watch *w, const char *line);
/* What to say of a failure, in one line: the errors, or the last line, or "no message". */
void watch_errors(const struct watch *w, struct strbuf *sb);

#endif
