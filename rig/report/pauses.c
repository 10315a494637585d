/* SPDX-License-Identifier: GPL-2.0-only */
/* Pauses in lines. */
#include "report/pauses.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/strbuf.h"
#include "case/metric.h"
#include "record/record.h"

static bool has_any(const struct boot *b)
{
	return b->n_pauses || (b->pauses_note && *b->pauses_note);
}

/* Has a boot before this one the same case? */
static bool is_first(const struct run *run, size_t boot)
{
	for (size_t i = 0; i < boot; i++) {
		if (has_any(&run->boots[i]) &&
		    strcmp(run->boots[i].case_name, run->boots[boot].case_name) == 0)
			return false;
	}
	return true;
}

struct sum {
	double boots, count, ns, longest;
};

/* What the boots of the same case say about a disk. */
static struct sum sum_up(const struct run *run, const struct boot *like, const char *disk)
{
	struct sum sum = { .boots = 0 };

	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		for (size_t k = 0; strcmp(b->case_name, like->case_name) == 0 && k < b->n_pauses;
		     k++) {
			const struct msg_pauses *p = &b->pauses[k];

			if (strcmp(p->disk, disk) != 0)
				continue;
			sum.boots++;
			sum.count += (double)p->count;
			sum.ns += (double)p->sum_ns;
			sum.longest = (double)p->max_ns > sum.longest ? (double)p->max_ns :
									sum.longest;
		}
	}
	return sum;
}

static double events_lost(const struct run *run, const struct boot *like)
{
	double lost = 0;

	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (strcmp(b->case_name, like->case_name) == 0 && b->pauses_lost > 0)
			lost += (double)b->pauses_lost;
	}
	return lost;
}

static void add_disk(struct strbuf *out, const struct run *run, const struct boot *b,
		     const char *disk)
{
	struct sum sum = sum_up(run, b, disk);
	char all[32], longest[32];

	strbuf_addf(out, "    %-14s ", str_escape(disk));
	if (sum.count < 1)
		strbuf_addstr(out, "nobody paused\n");
	else
		strbuf_addf(out, "%s in %.0f pauses, the longest %s\n",
			    metric_format(UNIT_TIME, sum.ns / sum.boots, all),
			    sum.count / sum.boots,
			    metric_format(UNIT_TIME, sum.longest, longest));
}

static void add_case(struct strbuf *out, const struct run *run, const struct boot *b)
{
	strbuf_addf(out, "  %s\n", str_escape(b->case_name));
	if (b->pauses_note && *b->pauses_note)
		strbuf_addf(out, "    not measured: %s\n", str_escape(b->pauses_note));
	if (events_lost(run, b) > 0)
		strbuf_addf(out, "    too few: %.0f events were lost\n", events_lost(run, b));
	for (size_t i = 0; i < b->n_pauses; i++)
		add_disk(out, run, b, b->pauses[i].disk);
}

void report_pauses(const struct run *run, struct strbuf *out)
{
	bool any = false;

	for (size_t i = 0; i < run->n_boots; i++) {
		if (!has_any(&run->boots[i]) || !is_first(run, i))
			continue;
		if (!any)
			strbuf_addstr(out, "\nHow long balance_dirty_pages made the writers of a "
					   "disk pause, all together:\n");
		any = true;
		add_case(out, run, &run->boots[i]);
	}
}
