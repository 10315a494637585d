/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan's grammar as tables, private to the plan's writer (plan.c) and parser (plan_parse.c):
 * per verb the keys of its line, where their values live in the item, and what is allowed.
 */
#ifndef WIRE_PLAN_KEYS_H
#define WIRE_PLAN_KEYS_H

#include "wire/plan.h"

enum plan_kind {
	PLAN_KIND_TEXT, PLAN_KIND_NUMBER, PLAN_KIND_BOOL, PLAN_KIND_ROLE, PLAN_KIND_STOP,
	PLAN_KIND_VERSION
};

struct plan_key {
	const char *name;	/* NULL ends a table */
	enum plan_kind kind;
	size_t offset, size;	/* of the member; size for texts only */
	int64_t min;		/* of numbers */
	bool required;		/* an absent key that is not required leaves 0 or "" */
};

/* A verb whose lines fill an array of struct plan: offsets there, size and number of items. */
struct plan_verb {
	const char *name;
	const struct plan_key *keys;
	size_t count, array, item, max;
};

#define PLAN_N_VERBS 4
#define PLAN_MAX_KEYS 16	/* longest table, its end included */
extern const struct plan_verb plan_verbs[PLAN_N_VERBS];	/* in the order of writing */
extern const struct plan_key plan_header_keys[];	/* the first line, "plan" */
extern const char *const plan_role_words[], *const plan_stop_words[];	/* NULL at the end */

/* May the byte stand for itself in a value? */
bool plan_is_plain(char c);

#endif
