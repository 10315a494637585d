/* SPDX-License-Identifier: GPL-2.0-only */
/* A comparison as a Markdown document. */
#include "base/strbuf.h"
#include "judge/compare.h"
#include "record/record.h"
#include "report/compare.h"
#include "report/compare_cells.h"
#include "report/markdown.h"

static void add_row(const struct change *c, struct strbuf *out)
{
	char buf[CELL];

	strbuf_addstr(out, "| ");
	markdown_text(out, c->case_name);
	strbuf_addf(out, " | %s", c->role == PLAN_LOAD ? "\\+" : "");
	markdown_text(out, c->job);
	strbuf_addf(out, " | %s", c->metric < 0 ? "" : metric_name((enum metric)c->metric));
	strbuf_addf(out, " | %s", cell_value(c, c->base, buf));
	strbuf_addf(out, " | %s", cell_value(c, c->now, buf));
	if (c->p >= 0) {
		strbuf_addf(out, " | %s", cell_change(c, c->change, buf));
		strbuf_addf(out, " | %s (%.3g%%)", cell_range(c, buf), c->level * 100);
		strbuf_addf(out, " | %s", cell_p(c->p, buf));
		strbuf_addf(out, " | %s", cell_p(c->p_family, buf));
		strbuf_addf(out, " | %.2f", c->effect);
		strbuf_addf(out, " | %s", cell_visible(c, buf));
	} else {
		strbuf_addstr(out, " | | | | | |");
	}
	strbuf_addf(out, " | %s%s%s |\n", c->kind == CHANGE_SAME ? "" : "**", change_name(c->kind),
		    c->kind == CHANGE_SAME ? "" : "**");
}

static void add_kernel(const char *which, const struct run *r, struct strbuf *out)
{
	strbuf_addf(out, "- %s: kernel ", which);
	markdown_text(out, r->kernel.name ? r->kernel.name : "-");
	strbuf_addstr(out, ", ");
	markdown_text(out, r->kernel.release ? r->kernel.release : "-");
	strbuf_addf(out, ", image %.12s, run ", str_escape(r->kernel.image_sha256));
	markdown_text(out, r->id ? r->id : "-");
	strbuf_addch(out, '\n');
}

static void add_reasons(const struct compare *cmp, struct strbuf *out)
{
	for (size_t i = 0; i < cmp->n; i++) {
		const struct change *c = &cmp->c[i];

		if (!*c->reason)
			continue;
		strbuf_addstr(out, "- ");
		markdown_text(out, c->case_name);
		strbuf_addch(out, ' ');
		markdown_text(out, c->job);
		strbuf_addf(out, " %s: ", c->metric < 0 ? "" : metric_name((enum metric)c->metric));
		markdown_text(out, c->reason);
		cell_add_seeds(c, out);
		strbuf_addch(out, '\n');
	}
	strbuf_addch(out, '\n');
}

void report_compare_markdown(const struct compare *cmp, const struct run *base,
			     const struct run *now, struct strbuf *out)
{
	strbuf_addstr(out, "# Comparison of two runs\n\n");
	cell_add_counts(cmp, out);
	strbuf_addch(out, '\n');
	add_kernel("base", base, out);
	add_kernel("new", now, out);
	strvec_each (note, &cmp->notes) {
		strbuf_addstr(out, "- note: ");
		markdown_text(out, *note);
		strbuf_addch(out, '\n');
	}
	strbuf_addstr(out, "\n| case | job | metric | base | new | change | interval | p | "
			   "p, all rows | effect | sees | verdict |\n"
			   "|---|---|---|--:|--:|--:|---|--:|--:|--:|--:|---|\n");
	for (size_t i = 0; i < cmp->n; i++)
		add_row(&cmp->c[i], out);
	strbuf_addch(out, '\n');
	add_reasons(cmp, out);
	strbuf_addf(out,
		    "Base and new are medians over seeds; the change is Hodges and Lehmann's "
		    "estimate with the interval of the exact rank-sum test, whose p is of the row "
		    "alone. p over all rows is the chance that noise alone makes any of the %zu "
		    "rows look as striking (Westfall and Young); at most %.3g counts. Effect: the "
		    "probability that a boot of the new kernel has the larger value. Sees: the "
		    "smallest change that would have been found with %.0f%% certainty.\n",
		    cmp->tested, cmp->o.alpha, cmp->o.power * 100);
}
