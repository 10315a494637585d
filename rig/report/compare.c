/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of a comparison. */
#include "report/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "judge/compare.h"
#include "record/record.h"
#include "report/columns.h"
#include "report/compare_cells.h"

enum column { C_METRIC, C_BASE, C_NEW, C_CHANGE, C_RANGE, C_P, C_SEES, C_VERDICT, C_N };

static const struct columns_spec table_spec[C_N] = {
	[C_METRIC] = { "METRIC", false }, [C_BASE] = { "BASE", true }, [C_NEW] = { "NEW", true },
	[C_CHANGE] = { "CHANGE", true }, [C_RANGE] = { "RANGE", false }, [C_P] = { "P", true },
	[C_SEES] = { "SEES", true }, [C_VERDICT] = { "VERDICT", false },
};

static void add_row(struct columns *t, const struct change *c, bool color)
{
	char buf[CELL];

	columns_row(t);
	columns_put(t, C_METRIC, "  %s", c->metric < 0 ? "-" : metric_name((enum metric)c->metric));
	columns_put(t, C_BASE, "%s", cell_value(c, c->base, buf));
	columns_put(t, C_NEW, "%s", cell_value(c, c->now, buf));
	if (c->p >= 0) {
		columns_put(t, C_CHANGE, "%s", cell_change(c, c->change, buf));
		columns_put(t, C_RANGE, "%s", cell_range(c, buf));
		columns_put(t, C_P, "%s", cell_p(c->p_family, buf));
		columns_put(t, C_SEES, "%s", cell_visible(c, buf));
	}
	columns_put(t, C_VERDICT, "%s", change_name(c->kind));
	if (color)
		columns_color(t, C_VERDICT, cell_color(c->kind));
}

static void add_table(const struct compare *cmp, bool all, bool color, struct strbuf *out)
{
	const struct change *before = NULL;
	struct columns t;

	columns_init(&t, table_spec, C_N);
	for (size_t i = 0; i < cmp->n; i++) {
		const struct change *c = &cmp->c[i];
		char *title __free(ptr) = NULL;

		if (c->kind == CHANGE_SAME && !all)
			continue;
		title = cell_title(c, "");
		if (!before || !cell_same_job(before, c))
			columns_title(&t, title);
		before = c;
		add_row(&t, c, color);
	}
	if (before) {
		columns_print(&t, out);
		strbuf_addch(out, '\n');
	}
	columns_release(&t);
}

static void add_reasons(const struct compare *cmp, struct strbuf *out)
{
	bool any = false;

	for (size_t i = 0; i < cmp->n; i++) {
		const struct change *c = &cmp->c[i];

		if (!*c->reason)
			continue;
		any = true;
		cell_add_reason(c, out);
	}
	if (any)
		strbuf_addch(out, '\n');
}

static void add_legend(const struct compare *cmp, struct strbuf *out)
{
	strbuf_addf(out,
		    "BASE, NEW: medians over seeds. CHANGE: new to base (Hodges-Lehmann), RANGE:\n"
		    "its %.4g%% interval, or what so few seeds can give. P: the chance that noise\n"
		    "alone makes any of the %zu rows look as striking; at most %.3g counts. SEES:\n"
		    "the smallest change that would have been found with %.0f%% certainty. A +\n"
		    "marks a load. A change below %.3g%% does not matter, unless the case's\n"
		    "expectation has another 'within'.\n",
		    cmp->o.level * 100, cmp->tested, cmp->o.alpha, cmp->o.power * 100,
		    cmp->o.matters * 100);
}

static void add_kernel(const char *which, const struct run *r, struct strbuf *out)
{
	strbuf_addf(out, "%s: kernel %s", which, str_escape(r->kernel.name ? r->kernel.name : "-"));
	if (r->kernel.release && *r->kernel.release)
		strbuf_addf(out, " (%s)", str_escape(r->kernel.release));
	strbuf_addf(out, ", image %.12s, run %s\n", str_escape(r->kernel.image_sha256),
		    str_escape(r->id));
}

void report_compare(const struct compare *cmp, const struct run *base, const struct run *now,
		    bool all, bool color, struct strbuf *out)
{
	add_kernel("base", base, out);
	add_kernel("new ", now, out);
	if (cmp->same_kernel)
		strbuf_addstr(out, "both runs are of the same kernel image\n");
	strvec_each (note, &cmp->notes)
		strbuf_addf(out, "note: %s\n", *note);
	strbuf_addch(out, '\n');
	add_table(cmp, all, color, out);
	add_reasons(cmp, out);
	add_legend(cmp, out);
	strbuf_addch(out, '\n');
	cell_add_counts(cmp, out);
}
