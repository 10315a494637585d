/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was done, step by step, and what is known of the kernels of its commits: for the report, and
 * to go on with. Pure, but for its JSON, which the journal carries (bisect.h, about).
 */
#ifndef BISECT_TRAIL_H
#define BISECT_TRAIL_H

#include <jansson.h>
#include <stddef.h>

#include "base/hash.h"

struct bisect;
struct err;

enum trail_what {
	TRAIL_BOOTED,
	TRAIL_SKIPPED,		/* bisect_skip() has the reason */
	TRAIL_SAME		/* the kernel of another commit */
};

struct trail_step {
	enum trail_what what;
	size_t commit;
	size_t as;			/* that other commit */
	size_t boots;			/* that gave a value: the next ones of bisect->boots */
	double build_s, boot_s;		/* passing time; 0 = nothing was built or booted */
	/* what was believed after it */
	size_t best, left;		/* the likeliest commit; how many may be it (candidates) */
	double p;			/* of the likeliest */
};

struct trail_commit {
	char image[HASH_HEX];	/* of its kernel; "" = not built, or not to be told from others */
	size_t tried;		/* boots: seeds 1 to so many are used up, with a value or without */
};

struct trail {
	struct trail_commit *c;		/* as many as the history has */
	size_t n;
	struct trail_step *s;
	size_t n_steps;
};

#define TRAIL_INIT { .c = NULL, .s = NULL }

void trail_init(struct trail *t, size_t n_commits);
void trail_release(struct trail *t);
/* Append a step with what b believes now (bisect_think() is called). */
void trail_add(struct trail *t, struct bisect *b, const struct trail_step *step);
/* The first commit of this image, or t->n; "" is nobody's. */
size_t trail_find(const struct trail *t, const char *image);

/* A new reference, never NULL. */
json_t *trail_to_json(const struct trail *t);
/* For a history of so many commits, and so many boots in the journal. ERR_INPUT with the place of
 * what is wrong; t is empty then. */
int trail_from_json(struct trail *t, const json_t *j, size_t n_commits, size_t n_boots,
		    struct err *err);

#endif
