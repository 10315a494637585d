/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the jobs waited, in lines. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "judge/waits.h"
#include "record/record.h"
#include "report/pauses.h"
#include "report/waits.h"

#define KINDS	5	/* of a job that are named */
#define STACKS	3	/* of a boot's job that are shown */
#define WIDTH	80
#define LEAST	0.005	/* less is not named */
#define WORDS	3	/* mechanisms in a sentence */
#define WORDS_LEAST 0.05

/* Take out the largest share that is at least 'least'; 0 without one. */
static double take_most(struct waits *w, double least, enum waits_kind *most)
{
	double share;

	*most = 0;
	for (int kind = 1; kind < WAITS_N; kind++)
		*most = w->share[kind] > w->share[*most] ? (enum waits_kind)kind : *most;
	share = w->share[*most];
	w->share[*most] = 0;
	return share < least ? 0 : share;
}

/* "throttled 62 %, device 30 %": the largest first. */
static void add_shares(struct strbuf *out, struct waits *w)
{
	enum waits_kind most;
	double share;

	for (int n = 0; n < KINDS && (share = take_most(w, LEAST, &most)) > 0; n++)
		strbuf_addf(out, "%s%s %.0f %%", n ? ", " : "", waits_name(most), share * 100);
	strbuf_addch(out, '\n');
}

void report_waits_words(struct strbuf *out, struct waits *w)
{
	static const char *const words[WAITS_N] = {
		[WAITS_RECLAIM] = "for memory",
		[WAITS_THROTTLED] = "throttled at the dirty limit (balance_dirty_pages)",
		[WAITS_WBT] = "in the block layer's writeback throttling (blk-wbt)",
		[WAITS_TAGS] = "for a free request of the disk's queue",
		[WAITS_JOURNAL] = "for the file system's journal",
		[WAITS_SYNC] = "for the flusher that works for a sync",
		[WAITS_LOCK] = "for a lock that somebody else holds",
		[WAITS_DEVICE] = "for a request that is on its way to the disk",
		[WAITS_RUNNING] = "computing, or for the processor",
		[WAITS_ASLEEP] = "asleep of its own will",
		[WAITS_OTHER] = "elsewhere",
	};
	enum waits_kind most;
	double share;

	for (int n = 0; n < WORDS && (share = take_most(w, WORDS_LEAST, &most)) > 0; n++)
		strbuf_addf(out, "%s%.0f %% %s", n ? ", " : "", share * 100, words[most]);
}

/* One line; what does not fit is the outer end. */
static void add_stack(struct strbuf *out, const struct job_wait *seen)
{
	struct strbuf line __release(strbuf) = STRBUF_INIT;
	const char *stack = seen->stack ? str_escape(seen->stack) : "";

	strbuf_addf(&line, "        %" PRId64 " %s: ", seen->count,
		    waits_name(waits_classify(seen->state ? seen->state : "",
					      seen->stack ? seen->stack : "")));
	strbuf_addf(out, "%s%.*s\n", line.buf, (int)(WIDTH - line.len),
		    *stack ? stack : "not known");
}

static void add_stacks(struct strbuf *out, const struct run *run, const struct verdict *v)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (strcmp(b->case_name, v->case_name) != 0)
			continue;
		for (size_t k = 0; k < b->n_jobs; k++) {
			const struct job_result *job = &b->jobs[k];

			if (strcmp(job->name, v->job) != 0)
				continue;
			for (size_t n = 0; n < job->n_waits && n < STACKS; n++)
				add_stack(out, &job->waits[n]);
		}
	}
}

static const char legend[] =
	"throttled: in balance_dirty_pages; wbt: in the block layer's writeback\n"
	"throttling; tags: no request is free; device: a request is on its way; sync: the\n"
	"flusher works for a sync; reclaim: for memory; asleep: of its own will.\n";

static void add_section(const struct run *run, struct strbuf *out, bool stacks)
{
	const char *before = NULL;

	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];
		struct waits w;

		if (!waits_collect(&w, run, v->case_name, v->job))
			continue;
		if (!before)
			strbuf_addstr(out, "\nWhere they waited, in parts of all looks at a job's "
					   "processes:\n");
		if (!before || strcmp(before, v->case_name) != 0)
			strbuf_addf(out, "  %s\n", str_escape(v->case_name));
		before = v->case_name;
		strbuf_addf(out, "    %s%-14s ", v->role == PLAN_LOAD ? "+" : " ",
			    str_escape(v->job));
		add_shares(out, &w);
		if (stacks)
			add_stacks(out, run, v);
	}
	if (before)
		strbuf_addstr(out, legend);
}

void report_waits(const struct run *run, struct strbuf *out)
{
	add_section(run, out, false);
	report_pauses(run, out);
}

void report_waits_stacks(const struct run *run, struct strbuf *out)
{
	add_section(run, out, true);
}
