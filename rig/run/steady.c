/* SPDX-License-Identifier: GPL-2.0-only */
/* Boots until one is not void. */
#include "run/steady.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "record/record.h"
#include "run/boot.h"
#include "run/control.h"
#include "run/options.h"

/* What is broken or skipped is so whatever the host did. */
static bool has_stalled(const struct boot *b, double most)
{
	return b->outcome == OUTCOME_DONE && b->controlled && control_share(&b->control) > most;
}

static void make_void(struct boot *b, double most)
{
	char *text __free(ptr) = control_text(&b->control);

	b->outcome = OUTCOME_BROKEN;
	b->control.voided = true;
	free(b->reason);
	b->reason = xstrfmt("void in each of %d tries, as the host stalled: %s; together at most "
			    "%.3g%% may be", STEADY_TRIES, text, most * 100);
}

static int forget(struct boot *b, const struct boot_task *t, struct err *err)
{
	char *dir __free(ptr) = path_join(t->run_dir, t->dir);

	boot_release(b);
	return dir_remove(dir, err);
}

int steady_boot(struct boot *b, const struct boot_task *t, struct err *err)
{
	int ret = boot_execute(b, t, err), tries = 1;

	for (; !ret && has_stalled(b, t->o->stall) && tries < STEADY_TRIES; tries++) {
		ret = forget(b, t, err);
		if (!ret)
			ret = boot_execute(b, t, err);
	}
	b->control.tries = tries;
	if (!ret && has_stalled(b, t->o->stall))
		make_void(b, t->o->stall);
	return ret;
}

const char *steady_give_up(const struct boot *boots, const bool *have, size_t n, bool *voided)
{
	size_t bad = 0, voids = 0, good = 0;

	for (size_t i = 0; i < n; i++) {
		if (!have[i])
			continue;
		if (boot_is_void(&boots[i]))
			voids++;
		else if (boots[i].outcome == OUTCOME_BROKEN)
			bad++;
		else
			good++;
	}
	*voided = bad < STEADY_GIVE_UP;
	if (!*voided)
		return "not run: other seeds of this case are broken already";
	return voids >= STEADY_GIVE_UP && voids > good ?
	       "not run: the host stalled in other seeds of this case" : NULL;
}
