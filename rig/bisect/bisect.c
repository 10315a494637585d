/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of each commit. */
#include "bisect/bisect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"

static int check_options(const struct bisect_options *o, struct err *err)
{
	if (!(o->sure > 0.5 && o->sure < 1))
		return err_input(err, "a certainty of %g is not between 0.5 and 1", o->sure);
	if (!(o->cost_boot > 0 && o->cost_boot < 1e12) ||
	    !(o->cost_build >= 0 && o->cost_build < 1e12))
		return err_input(err, "costs of %g for a boot and %g for a build make no sense",
				 o->cost_boot, o->cost_build);
	if (!(o->correlation >= 0 && o->correlation < 1))
		return err_input(err, "a correlation of %g is not between 0 and 1", o->correlation);
	if (o->proof_boots < 4 || o->commit_boots < o->proof_boots || o->commit_boots > 1000 ||
	    o->all_boots > 1000000)
		return err_input(err, "%zu boots for a proof, %zu for a commit, %zu in all make no "
				      "sense", o->proof_boots, o->commit_boots, o->all_boots);
	return 0;
}

int bisect_init(struct bisect *b, struct history *h, const struct bisect_options *o,
		struct err *err)
{
	int ret = check_options(o, err);

	*b = (struct bisect)BISECT_INIT;
	if (ret)
		return ret;
	b->h = *h;
	*h = (struct history)HISTORY_INIT;
	b->o = *o;
	b->correlation = o->correlation;
	b->c = xcalloc(b->h.n, sizeof(*b->c));
	b->p = xcalloc(b->h.n, sizeof(*b->p));
	for (size_t i = 0; i < b->h.n; i++)
		b->c[i].same_as = i;
	return 0;
}

void bisect_release(struct bisect *b)
{
	for (size_t i = 0; i < b->h.n; i++) {
		free(b->c[i].skipped);
		free(b->c[i].v);
	}
	free(b->c);
	free(b->boots);
	free(b->p);
	history_release(&b->h);
	*b = (struct bisect)BISECT_INIT;
}

size_t bisect_root(const struct bisect *b, size_t commit)
{
	while (b->c[commit].same_as != commit)
		commit = b->c[commit].same_as;
	return commit;
}

static void add_value(struct bisect_commit *c, double value)
{
	*array_grow(c->v, c->n) = value;
}

void bisect_add(struct bisect *b, size_t commit, double value)
{
	BUG_ON(commit >= b->h.n || !isfinite(value));
	/* 0 or 1, without comparing doubles for equality */
	BUG_ON(b->o.values == BISECT_PASS_FAIL && !(fabs(fabs(value - 0.5) - 0.5) <= 0));
	*array_grow(b->boots, b->n_boots) = (struct bisect_boot){ commit, value };
	add_value(&b->c[bisect_root(b, commit)], value);
}

void bisect_skip(struct bisect *b, size_t commit, const char *why)
{
	BUG_ON(commit >= b->h.n);
	free(b->c[commit].skipped);
	b->c[commit].skipped = xstrdup(why);
}

void bisect_same(struct bisect *b, size_t commit, size_t as)
{
	struct bisect_commit *from, *to;

	BUG_ON(commit >= b->h.n || as >= b->h.n);
	commit = bisect_root(b, commit);
	as = bisect_root(b, as);
	if (commit == as)
		return;
	from = &b->c[commit];
	to = &b->c[as];
	from->same_as = as;
	b->ends_differ = false;
	free(from->v);
	from->v = NULL;
	from->n = to->n = 0;
	/* in the order in which they came, as a journal that is read again gives them */
	for (size_t i = 0; i < b->n_boots; i++) {
		if (bisect_root(b, b->boots[i].commit) == as)
			add_value(to, b->boots[i].value);
	}
}

void bisect_step_release(struct bisect_step *step)
{
	free(step->set);
	*step = (struct bisect_step)BISECT_STEP_INIT;
}
