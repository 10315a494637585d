/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs that an earlier, stopped matrix left in its folder. */
#ifndef CMD_MUTANTS_KEPT_H
#define CMD_MUTANTS_KEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"

struct err;
struct matrix_want;

struct mutants_kept {
	struct run *v;		/* in the order of their folders' names, which begin with a time */
	size_t n;
};

#define MUTANTS_KEPT_INIT { .v = NULL, .n = 0 }
void mutants_kept_release(struct mutants_kept *kept);

/* Read every run of the folder. A document that cannot be read is warned of and left out. */
int mutants_kept_read(struct mutants_kept *kept, const char *dir, struct err *err);
/* Move the newest that is what is wanted (judge/matrix_kept.h) into run; false if there is none. */
bool mutants_kept_take(struct mutants_kept *kept, const struct matrix_want *want, struct run *run);

#endif
