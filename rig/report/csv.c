/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs as CSV. */
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "record/record.h"
#include "report/csv.h"

#define TEXT_MAX 2000

void csv_head(struct strbuf *out)
{
	strbuf_addstr(
		out,
		"run,kernel,release,image_sha256,clock,scale,case,seed,outcome,job,role,time_s,"
		"sync_s,user_s,sys_s,exit,signal,ops,bytes,verdict,median_s,alone_s,slowdown,"
		"limit,goal,accepted,reason\n");
}

void csv_text(struct strbuf *out, const char *text)
{
	struct strbuf plain = STRBUF_INIT;

	if (text)
		strbuf_add_escaped(&plain, text, strlen(text), TEXT_MAX);
	strbuf_addch(out, '"');
	if (plain.len && strchr("=+-@", plain.buf[0]))
		strbuf_addch(out, '\'');
	for (size_t i = 0; i < plain.len; i++) {
		if (plain.buf[i] == '"')
			strbuf_addch(out, '"');
		strbuf_addch(out, plain.buf[i]);
	}
	strbuf_addstr(out, "\",");
	strbuf_release(&plain);
}

static void add_real(struct strbuf *out, double v)
{
	if (isfinite(v) && v >= 0)
		strbuf_addf(out, "%.9g", v);
	strbuf_addch(out, ',');
}

static void add_ns(struct strbuf *out, double ns)
{
	add_real(out, ns < 0 ? -1 : ns / 1e9);
}

static void add_int(struct strbuf *out, int64_t v)
{
	if (v >= 0)
		strbuf_addf(out, "%lld", (long long)v);
	strbuf_addch(out, ',');
}

static void add_job(struct strbuf *out, const struct job_result *job)
{
	static const char *const roles[] = {
		[PLAN_VICTIM] = "victim", [PLAN_LOAD] = "load", [PLAN_PREPARE] = "prepare",
	};
	const struct msg_end *e = &job->end;

	csv_text(out, job->name);
	csv_text(out, roles[job->role]);
	add_ns(out, job->ended ? (double)e->wall_ns : -1);
	add_ns(out, job->ended ? (double)e->sync_ns : -1);
	add_ns(out, job->ended ? (double)e->user_ns : -1);
	add_ns(out, job->ended ? (double)e->sys_ns : -1);
	add_int(out, job->ended ? e->exit : -1);
	add_int(out, job->ended ? e->signal : -1);
	add_int(out, job->measured ? job->result.ops : -1);
	add_int(out, job->measured ? job->result.bytes : -1);
}

static const struct verdict *verdict_of(const struct run *run, const struct boot *b,
					const struct job_result *job)
{
	for (size_t i = 0; job && i < run->n_verdicts; i++)
		if (!strcmp(run->verdicts[i].case_name, b->case_name) &&
		    !strcmp(run->verdicts[i].job, job->name))
			return &run->verdicts[i];
	return NULL;
}

static void add_verdict(struct strbuf *out, const struct verdict *v, const char *reason)
{
	csv_text(out, v ? verdict_name(v->kind) : "");
	add_ns(out, v ? v->time_ns : -1);
	add_ns(out, v ? v->alone_ns : -1);
	add_real(out, v ? v->slowdown : -1);
	add_real(out, v ? v->limit : -1);
	add_real(out, v ? v->goal : -1);
	add_real(out, v ? v->was : -1);
	csv_text(out, v && v->reason && *v->reason ? v->reason : reason);
	out->buf[out->len - 1] = '\n';	/* the last comma */
}

static void add_row(struct strbuf *out, const struct run *run, const struct boot *b,
		    const struct job_result *job)
{
	csv_text(out, run->id);
	csv_text(out, run->kernel.name);
	csv_text(out, run->kernel.release);
	csv_text(out, run->kernel.image_sha256);
	csv_text(out, run->clock);
	csv_text(out, b->scale);
	csv_text(out, b->case_name);
	add_int(out, b->seed);
	csv_text(out, outcome_name(b->outcome));
	if (job)
		add_job(out, job);
	else
		strbuf_addstr(out, ",,,,,,,,,,");
	add_verdict(out, verdict_of(run, b, job), b->reason);
}

void csv_run(struct strbuf *out, const struct run *run)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		for (size_t k = 0; k < b->n_jobs; k++)
			add_row(out, run, b, &b->jobs[k]);
		if (!b->n_jobs)
			add_row(out, run, b, NULL);
	}
}
