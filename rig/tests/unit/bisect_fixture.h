/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of bisect/ share: histories, and a world in which commits are built and booted. */
#ifndef UNIT_BISECT_FIXTURE_H
#define UNIT_BISECT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "bisect/bisect.h"
#include "stats/rng.h"

#define WORLD_MAX 512

struct world {
	size_t culprit;			/* HISTORY_MAX: none */
	double factor, cv;		/* of the change; of boots */
	double offset;			/* spread of what each build is off by */
	double flukes;			/* part of boots that are off by a factor of 3 */
	bool pass_fail;			/* factor is then the rate of failures from the culprit on, cv
					 * that before it */
	bool broken[WORLD_MAX];
	struct rng rng;
	size_t builds, boots;
	bool built[WORLD_MAX];
	double build_offset[WORLD_MAX];
};

static inline void id_of(char id[48], size_t i)
{
	snprintf(id, 48, "%040zx", i + 0xabc0000);
}

static inline void must(int ret, const struct err *err)
{
	if (ret)
		fail_msg("%s", err->msg);
}

/* Commits 0 ... n - 1 in a line. */
static inline void line_history(struct history *h, size_t n)
{
	struct err err = ERR_INIT;
	char id[48];

	*h = (struct history)HISTORY_INIT;
	for (size_t i = 0; i < n; i++) {
		size_t parent = i - 1;

		id_of(id, i);
		must(history_add(h, id, &parent, i ? 1 : 0, &err), &err);
	}
	must(history_finish(h, &err), &err);
}

static inline void begin(struct bisect *b, struct history *h, const struct bisect_options *o)
{
	static const struct bisect_options standard = BISECT_OPTIONS_INIT;
	struct err err = ERR_INIT;

	must(bisect_init(b, h, o ? o : &standard, &err), &err);
}

static inline double world_boot(struct world *w, const struct bisect *b, size_t commit)
{
	bool bad = w->culprit < b->h.n && history_has(&b->h, commit, w->culprit);
	double x;

	w->boots++;
	if (w->pass_fail)
		return rng_real(&w->rng) < (bad ? w->factor : w->cv) ? 1 : 0;
	x = 10 * exp(w->cv * rng_normal(&w->rng) + w->build_offset[commit]) * (bad ? w->factor : 1);
	return rng_real(&w->rng) < w->flukes ? x * 3 : x;
}

/* Do one step in the world; false at the end. */
static inline bool world_step(struct world *w, struct bisect *b, struct bisect_step *step)
{
	bisect_step_release(step);
	bisect_next(b, step);
	if (step->what != BISECT_TEST)
		return false;
	assert_in_range(step->boots, 1, b->o.all_boots);
	assert_null(b->c[step->commit].skipped);
	if (!w->built[step->commit]) {
		w->builds++;
		w->built[step->commit] = true;
		w->build_offset[step->commit] = w->offset * rng_normal(&w->rng);
	}
	if (w->broken[step->commit]) {
		bisect_skip(b, step->commit, "does not build");
		return true;
	}
	for (size_t i = 0; i < step->boots; i++)
		bisect_add(b, step->commit, world_boot(w, b, step->commit));
	return true;
}

static inline void world_run(struct world *w, struct bisect *b, struct bisect_step *step)
{
	*step = (struct bisect_step)BISECT_STEP_INIT;
	while (world_step(w, b, step))
		;
}

#endif
