/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commits among which a change is looked for: a graph, as merges make it one. Commit 0 is the
 * good end; the others are what 'git rev-list --topo-order --reverse --parents GOOD..BAD' lists
 * (with --first-parent for a straight line), the last is the bad end. A parent that is not in the
 * list is an ancestor of GOOD or was left out on purpose, and counts as good.
 *
 * A change that commit c makes is in c and all its descendants.
 */
#ifndef BISECT_HISTORY_H
#define BISECT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

#define HISTORY_MAX 20000	/* commits; the graph takes n^2 / 8 bytes */
#define HISTORY_PARENTS 64	/* of one commit; git's octopus merges have fewer */

struct history_commit {
	char *id;		/* 7 to 64 lower-case hex digits */
	size_t *parents;	/* those in the list, all before it; none: its parents are good */
	size_t n_parents;
};

struct history {
	struct history_commit *c;
	size_t n;
	uint64_t *ancestors;	/* n rows of bits */
	size_t words;		/* of 64 bits in a row */
};

#define HISTORY_INIT { .c = NULL, .n = 0 }

/*
 * From rev-list's text: lines "ID PARENT...". ERR_INPUT for what is no such text: a broken or
 * doubled id, a parent after its child, more than HISTORY_MAX, a commit that the last does not
 * contain, nothing between the ends. After an error h is empty.
 */
int history_parse(struct history *h, const char *good, const char *list, struct err *err);
/* Build one by hand: add commits in order (ids are copied, parents are indices), then finish. The
 * same errors. */
int history_add(struct history *h, const char *id, const size_t *parents, size_t n,
		struct err *err);
int history_finish(struct history *h, struct err *err);
void history_release(struct history *h);
/* Is what commit c changed in commit x, that is: is c x itself or its ancestor? */
bool history_has(const struct history *h, size_t x, size_t c);
/* The index of that id, or h->n. */
size_t history_find(const struct history *h, const char *id);

#endif
