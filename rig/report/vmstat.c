/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of vmstat. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"
#include "record/record.h"
#include "report/vmstat.h"

static const int widths[MSG_VMSTAT] = { 2, 2, 6, 6, 6, 6, 4, 4, 5, 5, 4, 5, 2, 2, 2, 2 };

static void add_row(struct strbuf *out, const int64_t *columns)
{
	for (int i = 0; i < MSG_VMSTAT; i++) {
		if (columns[i] < 0)
			strbuf_addf(out, "%s%*s", i ? " " : "", widths[i], "-");
		else
			strbuf_addf(out, "%s%*" PRId64, i ? " " : "", widths[i], columns[i]);
	}
	strbuf_addch(out, '\n');
}

static const struct boot *find_boot(const struct run *run, const char *case_name)
{
	const struct boot *best = NULL;

	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (strcmp(b->case_name, case_name) == 0 && (!best || b->seed < best->seed))
			best = b;
	}
	return best;
}

bool report_vmstat(const struct run *run, const char *case_name, struct strbuf *out)
{
	const struct boot *b = find_boot(run, case_name);

	if (!b)
		return false;
	strbuf_addf(out, "%s, seed %u\n", str_escape(case_name), b->seed);
	strbuf_addstr(out, "procs                      memory      swap          io     system"
			   "         cpu\n");
	strbuf_addstr(out, " r  b   swpd   free   buff  cache   si   so    bi    bo   in    cs"
			   " us sy id wa\n");
	for (size_t i = 0; i < b->n_samples; i++)
		add_row(out, b->samples[i].vmstat);
	return true;
}
