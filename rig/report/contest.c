/* SPDX-License-Identifier: GPL-2.0-only */
/* contest's tables. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "record/record.h"
#include "report/contest.h"
#include "stats/stats.h"

#define FOLDER	   "contest/"
#define REFERENCE  "no_load"
#define VICTIM	   "build"
#define NAME_WIDTH 14	/* of the column of 15 */
#define NS	   1e9

enum work { WORK_NONE, WORK_OPS, WORK_BYTES };

/* In the order of contest's own output. */
static const struct load {
	const char *name;
	enum work work;
	double divisor;		/* of one of "Loads" */
	const char *about;
} loads[] = {
	{ "no_load", WORK_NONE, 1, "nothing but the build, from a cold cache" },
	{ "cacherun", WORK_NONE, 1, "the build again straight after, from a warm cache" },
	{ "process_load", WORK_OPS, 1e4, "processes that hand a message round; 10000 rounds" },
	{ "ctar_load", WORK_OPS, 1, "makes a tar of a tree over and over; tars" },
	{ "xtar_load", WORK_OPS, 1, "unpacks such a tar over and over; tars" },
	{ "io_load", WORK_BYTES, 1e8,
	  "writes a file of the RAM's size, over and over, on the build's disk; 100 MB" },
	{ "io_other", WORK_BYTES, 1e8, "the same on another disk; 100 MB" },
	{ "read_load", WORK_BYTES, 128 << 20,
	  "reads a file of the RAM's size over and over on the build's disk; 128 MiB" },
	{ "list_load", WORK_OPS, 1, "ls -lR of a tree on the build's disk; rounds" },
	{ "mem_load", WORK_OPS, 1e3,
	  "touches 110 % of the RAM page by page; 1000 pages" },
};

enum { F_TIME, F_CPU, F_WORK, F_LOAD_CPU, F_N };	/* seconds, %, units, % */

/* Of one boot, or the medians of so many. */
struct figures {
	size_t n;
	double v[F_N];
};

static const struct job_result *find_build(const struct boot *b)
{
	for (size_t i = 0; i < b->n_jobs; i++) {
		if (strcmp(b->jobs[i].name, VICTIM) == 0)
			return &b->jobs[i];
	}
	return NULL;
}

static const struct job_result *find_load(const struct boot *b)
{
	for (size_t i = 0; i < b->n_jobs; i++) {
		if (b->jobs[i].role == PLAN_LOAD)
			return &b->jobs[i];
	}
	return NULL;
}

/* Did it run to its end, or to that of its victims? A document may hold anything. */
static bool did_work(const struct job_result *job)
{
	const struct msg_end *end = &job->end;

	return job->ended && end->wall_ns > 0 && end->user_ns >= 0 && end->sys_ns >= 0 &&
	       !end->timeout && (end->stopped || (!end->exit && !end->signal));
}

static double cpu_percent(const struct msg_end *end)
{
	return 100 * ((double)end->user_ns + (double)end->sys_ns) / (double)end->wall_ns;
}

static double work_of(const struct load *load, const struct job_result *job, double build_ns)
{
	double all = load->work == WORK_OPS ? (double)job->result.ops : (double)job->result.bytes;

	return job->measured && all > 0 ?
	       all / load->divisor * build_ns / (double)job->end.wall_ns : 0;
}

/* False if this boot tells nothing. */
static bool boot_figures(struct figures *f, const struct boot *b, const struct load *load)
{
	const struct job_result *build = find_build(b), *job = find_load(b);

	*f = (struct figures){ .n = 1 };
	if (b->outcome != OUTCOME_DONE || !build || !did_work(build))
		return false;
	f->v[F_TIME] = (double)build->end.wall_ns / NS;
	f->v[F_CPU] = cpu_percent(&build->end);
	if (load->work == WORK_NONE)
		return true;
	if (!job || !did_work(job))
		return false;
	f->v[F_WORK] = work_of(load, job, (double)build->end.wall_ns);
	f->v[F_LOAD_CPU] = cpu_percent(&job->end);
	return true;
}

static double median_of(const struct figures *all, size_t n, int figure)
{
	double *v __free(ptr) = xcalloc(n, sizeof(*v));

	for (size_t i = 0; i < n; i++)
		v[i] = all[i].v[figure];
	return stats_median(v, n);
}

/* "contest/io_load" or, with a variant, "contest/io_load@bfq". Fresh. */
static char *case_of(const char *load, const char *variant)
{
	return xstrfmt(FOLDER "%s%s%s", load, *variant ? "@" : "", variant);
}

static struct figures run_figures(const struct run *run, const struct load *load,
				  const char *variant)
{
	struct figures *all __free(ptr) = xcalloc(run->n_boots + 1, sizeof(*all));
	char *name __free(ptr) = case_of(load->name, variant);
	struct figures f = { .n = 0 };

	for (size_t i = 0; i < run->n_boots; i++) {
		if (strcmp(run->boots[i].case_name, name) == 0 &&
		    boot_figures(&all[f.n], &run->boots[i], load))
			f.n++;
	}
	for (int i = 0; i < F_N && f.n; i++)
		f.v[i] = median_of(all, f.n, i);
	return f;
}

/* The variants of a load's case that the run has, in its boots' order; "" is the case itself. */
static void find_variants(struct strvec *variants, const struct run *run, const char *load)
{
	size_t len = strlen(load);

	for (size_t i = 0; i < run->n_boots; i++) {
		const char *name = run->boots[i].case_name;

		if (strncmp(name, FOLDER, strlen(FOLDER)) != 0)
			continue;
		name += strlen(FOLDER);
		if (strncmp(name, load, len) != 0 || (name[len] && name[len] != '@'))
			continue;
		name += len + (name[len] == '@');
		if (!strvec_has(variants, name))
			strvec_push(variants, name);
	}
}

/* A run's kernel, with its variant; escaped. */
static void put_name(struct strbuf *out, const struct run *run, const char *variant)
{
	strbuf_addf(out, "%s%s%s", str_escape(run->kernel.name), *variant ? "@" : "",
		    str_escape(variant));
}

struct tables {
	const struct run *const *runs;
	size_t n;
	int width;		/* of the longest name */
	struct strbuf notes;	/* what is missing */
	struct strbuf absent;	/* loads that no run has */
};

static void widen(struct tables *t, const char *load)
{
	for (size_t i = 0; i < t->n; i++) {
		struct strvec variants __release(strvec) = STRVEC_INIT;

		find_variants(&variants, t->runs[i], load);
		strvec_each (variant, &variants) {
			struct strbuf name __release(strbuf) = STRBUF_INIT;

			put_name(&name, t->runs[i], *variant);
			t->width = (int)name.len > t->width ? (int)name.len : t->width;
		}
	}
}

/* Why a case of the run gave nothing: its first boot's reason. */
static void note_missing(struct tables *t, const struct run *run, const struct load *load,
			 const char *variant)
{
	char *name __free(ptr) = case_of(load->name, variant);

	strbuf_addf(&t->notes, "no %s of ", load->name);
	put_name(&t->notes, run, variant);
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (strcmp(b->case_name, name) != 0)
			continue;
		if (b->outcome == OUTCOME_DONE)
			strbuf_addstr(&t->notes, ": the build or its load did not do its work");
		else
			strbuf_addf(&t->notes, ": %s: %s", outcome_name(b->outcome),
				    b->reason ? str_escape(b->reason) : "");
		break;
	}
	strbuf_addch(&t->notes, '\n');
}

/* The same variant's reference or, if it has none, no ratio. */
static void add_ratio(struct strbuf *out, struct tables *t, const struct run *run,
		      const char *variant, double time)
{
	struct figures reference = run_figures(run, &loads[0], variant);

	if (reference.n) {
		strbuf_addf(out, "%.2f\n", time / reference.v[F_TIME]);
		return;
	}
	strbuf_addstr(out, "-\n");
	if (strstr(t->notes.buf, "(-)"))
		return;
	strbuf_addstr(&t->notes, "(-) without its " REFERENCE " a kernel has no Ratio\n");
}

static void add_row(struct strbuf *out, struct tables *t, const struct run *run,
		    const struct load *load, const char *variant)
{
	struct figures f = run_figures(run, load, variant);
	struct strbuf name __release(strbuf) = STRBUF_INIT;

	if (!f.n) {
		note_missing(t, run, load, variant);
		return;
	}
	put_name(&name, run, variant);
	/* contest's builds took minutes */
	strbuf_addf(out, "%-*s %6zu   %-8.*f", t->width, name.buf, f.n,
		    f.v[F_TIME] < 29.95 ? 1 : 0, f.v[F_TIME]);
	strbuf_addf(out, "%-8.1f%-8.1f%-8.1f", f.v[F_CPU], f.v[F_WORK], f.v[F_LOAD_CPU]);
	add_ratio(out, t, run, variant, f.v[F_TIME]);
}

static void add_block(struct strbuf *out, struct tables *t, const struct load *load)
{
	size_t rows = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct strvec variants __release(strvec) = STRVEC_INIT;

		find_variants(&variants, t->runs[i], load->name);
		if (!rows && variants.n)
			strbuf_addf(out, "%s:\n%-*s [runs]   Time    CPU%%    Loads   LCPU%%   "
				    "Ratio\n", load->name, t->width, "Kernel");
		rows += variants.n;
		strvec_each (variant, &variants)
			add_row(out, t, t->runs[i], load, *variant);
	}
	if (!rows)
		strbuf_addf(&t->absent, "%s%s", t->absent.len ? ", " : "", load->name);
}

static const char legend[] =
	"Time    seconds of the build, the median over so many [runs]\n"
	"CPU%    its processor time in parts of that\n"
	"Loads   what the load got done while the build ran, in the load's unit\n"
	"LCPU%   the load's processor time in parts of its own time\n"
	"Ratio   Time over that of the reference: the same kernel's " REFERENCE ", in its run\n";

static void add_legend(struct strbuf *out, const struct tables *t)
{
	strbuf_addf(out, "\n%s%s", t->notes.buf, t->notes.len ? "\n" : "");
	strbuf_addstr(out, legend);
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++)
		strbuf_addf(out, "%-13s %s\n", loads[i].name, loads[i].about);
	if (t->absent.len)
		strbuf_addf(out, "Left out, since no run has them: %s\n", t->absent.buf);
}

int contest_tables(struct strbuf *out, const struct run *const *runs, size_t n, struct err *err)
{
	struct tables t = {
		.runs = runs, .n = n, .width = NAME_WIDTH, .notes = STRBUF_INIT,
		.absent = STRBUF_INIT,
	};
	size_t before = out->len;
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(loads); i++)
		widen(&t, loads[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++)
		add_block(out, &t, &loads[i]);
	if (out->len == before)
		ret = err_input(err, "none of the runs has a case of " FOLDER);
	else
		add_legend(out, &t);
	strbuf_release(&t.notes);
	strbuf_release(&t.absent);
	return ret;
}

/* "14:59.79": minutes, seconds, and hundredths. */
static void put_minutes(char *buf, size_t size, double seconds)
{
	double hundredths = seconds * 100 + 0.5;
	long long v = hundredths < 9e15 ? (long long)hundredths : 0;

	snprintf(buf, size, "%lld:%02lld.%02lld", v / 6000, v / 100 % 60, v % 100);
}

int contest_table_2002(struct strbuf *out, const struct run *const *runs, size_t n,
		       struct err *err)
{
	static const struct load io_full = { "io_load", WORK_NONE, 1, "" };
	bool any = false;
	char time[48];

	for (size_t i = 0; i < n; i++) {
		struct strvec variants __release(strvec) = STRVEC_INIT;

		find_variants(&variants, runs[i], io_full.name);
		strvec_each (variant, &variants) {
			struct figures f = run_figures(runs[i], &io_full, *variant);
			struct strbuf name __release(strbuf) = STRBUF_INIT;

			if (!f.n)
				continue;
			if (!any)
				strbuf_addf(out, "IO Load Full:\n%-24s%-16sCPU\n", "Kernel",
					    "Time");
			any = true;
			put_name(&name, runs[i], *variant);
			put_minutes(time, sizeof(time), f.v[F_TIME]);
			strbuf_addf(out, "%-23s %-15s %.0f%%\n", name.buf, time, f.v[F_CPU]);
		}
	}
	return any ? 0 : err_input(err, "none of the runs has a build of " FOLDER "%s",
				   io_full.name);
}
