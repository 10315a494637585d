/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of a series. */
#include "report/steps.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "judge/steps.h"
#include "record/record.h"
#include "report/columns.h"
#include "report/compare_cells.h"

enum column { C_METRIC, C_BASE, C_NEW, C_CHANGE, C_RANGE, C_P, C_VERDICT, C_N };

static const struct columns_spec table_spec[C_N] = {
	[C_METRIC] = { "METRIC", false }, [C_BASE] = { "BEFORE", true }, [C_NEW] = { "NOW", true },
	[C_CHANGE] = { "CHANGE", true }, [C_RANGE] = { "RANGE", false }, [C_P] = { "P", true },
	[C_VERDICT] = { "VERDICT", false },
};

/* "3 0003-mm-fix.patch" */
static void add_name(const struct steps *s, size_t step, struct strbuf *out)
{
	strbuf_addf(out, "%zu %s", step + 1, str_escape(s->step[step].name));
}

static size_t count_changes(const struct steps *s, size_t step, enum change_kind kind)
{
	return s->step[step].state == STEP_RAN ? compare_count(&s->step[step].cmp, kind) : 0;
}

/* What became of a patch, in a few words. */
static void add_outcome(const struct steps *s, size_t i, struct strbuf *out)
{
	static const enum change_kind kinds[] = { CHANGE_REGRESSED, CHANGE_IMPROVED,
						  CHANGE_INCONCLUSIVE, CHANGE_NOT_COMPARED };
	const struct step *step = &s->step[i];
	const char *between = "";

	switch (step->state) {
	case STEP_WAITING:
		strbuf_addf(out, "not tried%s%s", step->why ? ": " : "",
			    step->why ? step->why : "");
		return;
	case STEP_NO_BUILD:
		strbuf_addf(out, "no build: %s", step->why);
		return;
	case STEP_SAME_IMAGE:
		strbuf_addstr(out, "the same kernel as before it, byte for byte");
		return;
	case STEP_RAN:
		break;
	}
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		size_t n = count_changes(s, i, kinds[k]);

		if (!n)
			continue;
		strbuf_addf(out, "%s%zu %s", between, n, change_name(kinds[k]));
		between = ", ";
	}
	if (!*between)
		strbuf_addf(out, "no change found in %zu figures", step->cmp.n);
	if (step->before != STEPS_BASE && step->before + 1 != i)
		strbuf_addf(out, " (against patch %zu)", step->before + 1);
}

static void add_change(struct columns *t, const struct change *c, bool color)
{
	char buf[CELL];

	columns_row(t);
	columns_put(t, C_METRIC, "    %s", metric_name((enum metric)c->metric));
	columns_put(t, C_BASE, "%s", cell_value(c, c->base, buf));
	columns_put(t, C_NEW, "%s", cell_value(c, c->now, buf));
	columns_put(t, C_CHANGE, "%s", cell_change(c, c->change, buf));
	columns_put(t, C_RANGE, "%s", cell_range(c, buf));
	columns_put(t, C_P, "%s", cell_p(c->p_family, buf));
	columns_put(t, C_VERDICT, "%s", change_name(c->kind));
	if (color)
		columns_color(t, C_VERDICT, cell_color(c->kind));
}

/* The patch's line, and below it what it changes, with a title for each case and job. */
static void add_step(const struct steps *s, size_t i, struct columns *t, bool color)
{
	struct strbuf line __release(strbuf) = STRBUF_INIT;
	const struct change *before = NULL;

	add_name(s, i, &line);
	strbuf_addstr(&line, ": ");
	add_outcome(s, i, &line);
	columns_title(t, line.buf);
	for (size_t k = 0; k < s->n_changes; k++) {
		const struct step_change *sc = &s->changes[k];
		char *title __free(ptr) = NULL;

		if (sc->step != i)
			continue;
		title = cell_title(sc->c, "  ");
		if (!before || !cell_same_job(before, sc->c))
			columns_title(t, title);
		before = sc->c;
		add_change(t, sc->c, color);
	}
}

/* "2 a.patch: writeback/x hdd time: regressed by +40%, taken back by 3 b.patch" */
static void add_taken_back(const struct steps *s, struct strbuf *out)
{
	for (size_t k = 0; k < s->n_changes; k++) {
		const struct step_change *sc = &s->changes[k];
		char buf[CELL];

		if (sc->taken_back == STEPS_NONE)
			continue;
		add_name(s, sc->step, out);
		strbuf_addf(out, ": %s %s %s: ", str_escape(sc->c->case_name),
			    str_escape(sc->c->job), metric_name((enum metric)sc->c->metric));
		strbuf_addf(out, "%s, taken back by ", cell_change(sc->c, sc->c->change, buf));
		add_name(s, sc->taken_back, out);
		strbuf_addch(out, '\n');
	}
}

static void add_reasons(const struct steps *s, struct strbuf *out)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct compare *cmp = &s->step[i].cmp;

		for (size_t k = 0; s->step[i].state == STEP_RAN && k < cmp->n; k++) {
			const struct change *c = &cmp->c[k];

			if (c->kind != CHANGE_INCONCLUSIVE && c->kind != CHANGE_NOT_COMPARED)
				continue;
			add_name(s, i, out);
			strbuf_addstr(out, ": ");
			cell_add_reason(c, out);
		}
	}
}

/* "series: 4 patches: 1 changes for the worse, 1 of them taken back, 1 not built" */
static void add_counts(const struct steps *s, struct strbuf *out)
{
	size_t worse = 0, better = 0, back = 0, state[STEP_RAN + 1] = { 0 };

	for (size_t i = 0; i < s->n; i++) {
		state[s->step[i].state]++;
		worse += count_changes(s, i, CHANGE_REGRESSED) > 0;
		better += count_changes(s, i, CHANGE_IMPROVED) > 0;
	}
	for (size_t k = 0; k < s->n_changes; k++)
		back += s->changes[k].taken_back != STEPS_NONE;
	strbuf_addf(out, "series: %zu patch%s: %zu make%s something worse, %zu better", s->n,
		    s->n == 1 ? "" : "es", worse, worse == 1 ? "s" : "", better);
	if (back)
		strbuf_addf(out, "; %zu figure%s taken back", back, back == 1 ? "" : "s");
	if (state[STEP_SAME_IMAGE])
		strbuf_addf(out, "; %zu change%s no byte of the kernel", state[STEP_SAME_IMAGE],
			    state[STEP_SAME_IMAGE] == 1 ? "s" : "");
	if (state[STEP_NO_BUILD] + state[STEP_WAITING])
		strbuf_addf(out, "; %zu not built or not tried",
			    state[STEP_NO_BUILD] + state[STEP_WAITING]);
	strbuf_addch(out, '\n');
}

static void add_legend(const struct steps *s, struct strbuf *out)
{
	double alpha = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->step[i].state == STEP_RAN)
			alpha = s->step[i].cmp.o.alpha;
	}
	if (!s->compared)
		return;
	strbuf_addf(out,
		    "\nBEFORE, NOW: medians over seeds, without and with the patch. P: the chance\n"
		    "that noise alone makes any figure of that patch look as striking; at most\n"
		    "%.3g counts: each of the %zu patches that were compared has its share.\n",
		    alpha, s->compared);
}

void report_steps(const struct steps *s, bool color, struct strbuf *out)
{
	struct columns t;

	if (s->base->id)
		strbuf_addf(out, "base: kernel %s (%s), run %s\n\n",
			    str_escape(s->base->kernel.name),
			    str_escape(s->base->kernel.release), str_escape(s->base->id));
	else
		strbuf_addstr(out, "base: not run, as there is nothing to compare it with\n\n");
	columns_init(&t, table_spec, C_N);
	for (size_t i = 0; i < s->n; i++)
		add_step(s, i, &t, color);
	columns_print(&t, out);
	columns_release(&t);
	strbuf_addch(out, '\n');
	add_taken_back(s, out);
	add_reasons(s, out);
	add_legend(s, out);
	strbuf_addch(out, '\n');
	add_counts(s, out);
}
