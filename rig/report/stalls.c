/* SPDX-License-Identifier: GPL-2.0-only */
/* Stalls as text. */
#include "report/stalls.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "record/record.h"
#include "report/facts.h"
#include "report/files.h"
#include "report/requests.h"
#include "report/story.h"
#include "report/victim.h"

static int by_need(const void *a, const void *b)
{
	const struct stall *x = a, *y = b;
	int64_t x_for = x->to - x->from, y_for = y->to - y->from;

	if (!x->victim != !y->victim)
		return !x->victim - !y->victim;
	if (x_for != y_for)
		return (x_for < y_for) - (x_for > y_for);
	return (x->from > y->from) - (x->from < y->from);
}

void stalls_find(struct stalls *s, const struct boot *b, const struct requests *r)
{
	victim_stalls(s, b, r);
	facts_stalls(s, b, r);
	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), by_need);
}

void stalls_describe(struct strbuf *out, const struct boot *b, const struct stall *s)
{
	char at[32], length[32];

	format_time(s->to - s->from, length);
	format_time(s->from, at);
	if (s->victim)
		strbuf_addf(out, "victim %s gets nothing done", s->victim->name);
	else
		strbuf_addf(out, "disk %s completes nothing", b->disks[s->disk].name);
	strbuf_addf(out, " for %s, from guest time %s on", length, at);
}

static bool has_stall(const struct stalls *s, const struct job_result *job)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].victim == job)
			return true;
	return false;
}

void stalls_unplaced(struct strbuf *out, const struct boot *b, const struct stalls *s)
{
	char length[32];

	for (size_t i = 0; i < b->n_jobs; i++) {
		const struct job_result *job = &b->jobs[i];
		const struct hist *h = &job->result.hist;

		if (job->role != PLAN_VICTIM || !job->measured || !h->count ||
		    h->max <= FACTS_STALL_NS || has_stall(s, job))
			continue;
		strbuf_addf(out, "victim %s's slowest call took %s; when that was cannot be told: "
			    "calls are counted, and its disk shows no gap of its own\n", job->name,
			    format_time(h->max, length));
	}
}

static void add_stall(struct strbuf *out, const struct run *run, const struct boot *b,
		      const struct stall *s)
{
	struct strbuf command __release(strbuf) = STRBUF_INIT;
	struct strbuf what __release(strbuf) = STRBUF_INIT;

	stalls_describe(&what, b, s);
	strbuf_addstr(out, "  ");
	strbuf_add_escaped(out, what.buf, what.len, what.len);
	strbuf_addch(out, '\n');
	story_debug(run, b, s->from, s->to, &command);
	if (command.len) {
		strbuf_addstr(out, "    ");
		strbuf_add_escaped(out, command.buf, command.len, command.len);
		strbuf_addch(out, '\n');
	}
}

static void add_lines(struct strbuf *out, const char *lines)
{
	while (*lines) {
		size_t len = strcspn(lines, "\n");

		strbuf_addstr(out, "  ");
		strbuf_add_escaped(out, lines, len, len);
		strbuf_addch(out, '\n');
		lines += len + (lines[len] == '\n');
	}
}

static int add_boot(struct strbuf *out, const struct run *run, const struct boot *b,
		    const char *dir, struct err *err)
{
	struct requests r __release(requests) = REQUESTS_INIT;
	struct stalls s __release(stalls) = STALLS_INIT;
	struct strbuf calls __release(strbuf) = STRBUF_INIT;
	int ret = files_requests(&r, dir, b, err);

	if (ret)
		return ret;
	stalls_find(&s, b, &r);
	if (s.n)
		strbuf_addf(out, "\n%s, seed %u: %zu stall%s\n", str_escape(b->case_name), b->seed,
			    s.n, s.n == 1 ? "" : "s");
	for (size_t i = 0; i < s.n && i < STALLS_SHOWN; i++)
		add_stall(out, run, b, &s.v[i]);
	if (s.n > STALLS_SHOWN)
		strbuf_addf(out, "  and %zu more\n", s.n - STALLS_SHOWN);
	stalls_unplaced(&calls, b, &s);
	if (calls.len && !s.n)
		strbuf_addf(out, "\n%s, seed %u: no stall that can be placed\n",
			    str_escape(b->case_name), b->seed);
	add_lines(out, calls.buf);
	return 0;
}

int stalls_run(struct strbuf *out, const struct run *run, const char *dir, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < run->n_boots && !ret; i++)
		ret = add_boot(out, run, &run->boots[i], dir, err);
	return ret;
}
