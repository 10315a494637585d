/* SPDX-License-Identifier: GPL-2.0-only */
/* A case's section of the page. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "case/metric.h"
#include "report/facts.h"
#include "report/files.h"
#include "report/html_private.h"
#include "report/html_text.h"
#include "report/plot.h"
#include "report/plot_boot.h"
#include "report/plot_case.h"
#include "report/plot_svg.h"
#include "report/requests.h"
#include "report/stalls.h"
#include "report/story.h"
#include "report/words.h"

#define WAITS 8			/* stacks of a job that are shown */
#define SMALL 20		/* other seeds */
#define EVIDENCE 20		/* console lines of a boot */
#define TEXT_BYTES 20000	/* of a case's or an expectation's text */

/* Does any of the case's verdicts pass short of its goal? */
static bool is_short(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->n_verdicts; i++)
		if (!strcmp(run->verdicts[i].case_name, name) && html_is_short(&run->verdicts[i]))
			return true;
	return false;
}

/* Was the case measured in that run, and nothing of it judged? */
static bool is_unjudged(const struct run *run, const char *name)
{
	bool any = false;

	for (size_t i = 0; i < run->n_verdicts; i++) {
		if (strcmp(run->verdicts[i].case_name, name) != 0)
			continue;
		if (run->verdicts[i].kind != VERDICT_NONE)
			return false;
		any = true;
	}
	return any;
}

static void add_summary(struct html_page *p, const char *name, const struct boot *b)
{
	char *title __free(ptr) = words_case(b, "title");

	strbuf_addstr(p->out, "<summary>");
	for (size_t i = 0; i < p->n; i++) {
		const struct verdict *v = html_worst(p->runs[i], name);

		if (v)
			html_badge(p->out, v->kind);
		if (v && is_short(p->runs[i], name))
			html_goal_badge(p->out);
		strbuf_addch(p->out, ' ');
	}
	html_addf(p->out, "%s <span class=\"soft\">%s</span></summary>\n", name,
		  title ? title : "");
}

/* Every figure of a distribution, and all of which something is expected. */
static void add_values(struct strbuf *out, const struct verdict *v)
{
	const char *before = ". ";

	for (size_t k = 0; k < v->n_values; k++) {
		struct strbuf text __release(strbuf) = STRBUF_INIT;

		if ((v->values[k].kind == VERDICT_NONE && !strchr("pm", *v->values[k].metric)) ||
		    !strcmp(v->values[k].metric, metric_name(METRIC_SLOWDOWN)))
			continue;
		story_value(&v->values[k], &text);
		html_addf(out, "%s%s", before, text.buf);
		before = "; ";
	}
}

static void add_amounts(struct html_page *p, const struct run *run, const struct boot *b,
			const char *name)
{
	struct strbuf *out = p->out;

	if (is_unjudged(run, name))
		html_addf(out, "<p><b>Measured, not judged:</b> this case has no limits%s.</p>\n",
			  b->expect_text && *b->expect_text
				  ? " for this scale, variant and kernel; those that it has are "
				    "for others"
				  : "");
	strbuf_addstr(out, "<ul>\n");
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];
		struct strbuf text __release(strbuf) = STRBUF_INIT;
		bool disk = !strncmp(v->job, "disk.", 5);

		if (strcmp(v->case_name, name))
			continue;
		if (disk)
			strbuf_addf(&text, "disk %s", v->job + 5);
		else
			story_amount(v, &text);
		html_addf(out, "<li>%s%s", disk ? "" : v->role == PLAN_LOAD ? "load " : "victim ",
			  text.buf);
		if (v->reason && *v->reason)
			html_addf(out, ". %s: %s", verdict_name(v->kind), v->reason);
		add_values(out, v);
		strbuf_addstr(out, "</li>\n");
	}
	strbuf_addstr(out, "</ul>\n");
}

/* Where its victims wait: only of victims with a limit the short part has told already. */
static void add_waits(struct html_page *p, const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (strcmp(v->case_name, name) || v->role != PLAN_VICTIM)
			continue;
		html_wait(p->out, run, v);
	}
}

static void add_profile(struct html_page *p, const struct job_result *job)
{
	struct strbuf *out = p->out;
	int64_t all = 0;

	for (size_t i = 0; i < job->n_waits; i++)
		all += job->waits[i].count > 0 && job->waits[i].count < INT64_MAX - all
			       ? job->waits[i].count : 0;
	if (!all)
		return;
	html_addf(out,
		  "<h3>Where %s was found</h3>\n<table class=\"wide\"><thead><tr><th "
		  "class=\"num\">looks</th>"
		  "<th>state</th><th>kernel functions, innermost first</th></tr></thead><tbody>\n",
		  job->name);
	for (size_t i = 0; i < job->n_waits && i < WAITS; i++) {
		const struct job_wait *w = &job->waits[i];
		double part = w->count > 0 ? (double)w->count / (double)all : 0;

		strbuf_addf(out, "<tr><td class=\"num\" data-h=\"looks\">%.0f&nbsp;%%</td>"
			    "<td data-h=\"state\">", part * 100);
		html_addf(out, "%s</td><td class=\"stack\">", w->state);
		strbuf_addf(out, "<i class=\"bar\" style=\"width:%.0fpx\"></i>", part * 80);
		html_addf(out, "%s</td></tr>\n", w->stack && *w->stack ? w->stack : "(unknown)");
	}
	strbuf_addstr(out, "</tbody></table>\n");
}

static int add_pictures(struct html_page *p, size_t run_index, const struct boot *b,
			struct err *err)
{
	struct requests r __release(requests) = REQUESTS_INIT;
	struct stalls s __release(stalls) = STALLS_INIT;
	struct plot_source from = { .b = b, .r = &r, .s = &s, .colors = &p->colors };
	int ret = files_requests(&r, p->dirs[run_index], b, err);

	if (ret)
		return ret;
	stalls_find(&s, b, &r);
	strbuf_addstr(p->out, "<div class=\"grid\">\n");
	for (int i = 0; i < PLOT_BOOT_N; i++) {
		struct plot plot;

		plot_boot_make(&plot, i, &from);
		if (plot_has_data(&plot))
			plot_svg(p->out, &plot, false);
		plot_release(&plot);
	}
	strbuf_addstr(p->out, "</div>\n");
	html_stalls(p, p->runs[run_index], b, &s);
	return 0;
}

/* The dirty pages of the other seeds, on one time axis. */
static void add_others(struct html_page *p, const struct run *run, const struct boot *shown)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_boots && n < SMALL; i++) {
		const struct boot *b = &run->boots[i];
		struct plot_source from = { .b = b, .colors = &p->colors };
		char *title __free(ptr) = NULL;
		struct plot plot;

		if (b == shown || strcmp(b->case_name, shown->case_name) || !b->n_samples)
			continue;
		if (!n++)
			strbuf_addstr(p->out,
				      "<details class=\"more\"><summary>The other seeds</summary>"
				      "\n<div class=\"minis\">\n");
		title = xstrfmt("seed %u%s", b->seed,
				b->outcome == OUTCOME_DONE ? "" : ", not done");
		plot_boot_dirty(&plot, &from, false);
		plot_set_title(&plot, title);
		plot_svg(p->out, &plot, true);
		plot_release(&plot);
	}
	if (n)
		strbuf_addstr(p->out, "</div></details>\n");
}

static void add_console(struct html_page *p, const struct run *run, const char *name)
{
	struct strbuf *out = p->out;

	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (strcmp(b->case_name, name))
			continue;
		if (b->outcome != OUTCOME_DONE)
			html_addf(out, "<p><b>Seed %u is %s</b> at stage %s: %s</p>\n", b->seed,
				  outcome_name(b->outcome), stage_name(b->stage), b->reason);
		if (b->evidence.n)
			strbuf_addstr(out, "<pre>");
		for (size_t k = 0; k < b->evidence.n && k < EVIDENCE; k++)
			html_addf(out, "%s\n", b->evidence.v[k]);
		if (b->evidence.n)
			strbuf_addstr(out, "</pre>\n");
		for (int f = CONSOLE_CLEAN + 1; f < CONSOLE_N; f++)
			if (b->console_seen[f])
				html_addf(out, "<p>Seed %u's console shows %s, %u line%s.</p>\n",
					  b->seed, console_fault_name((enum console_fault)f),
					  b->console_seen[f], b->console_seen[f] == 1 ? "" : "s");
	}
}

static void add_disks(struct html_page *p, const struct boot *b)
{
	struct strbuf *out = p->out;
	char size[32];

	if (!b->n_disks)
		return;
	strbuf_addstr(out,
		      "<table class=\"wide\"><thead><tr><th>disk</th><th>bus</th><th>profile</th>"
		      "<th>size</th><th>file system</th><th>scheduler</th><th>requests</th>"
		      "<th>queue</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < b->n_disks && i < MSG_DISKS; i++) {
		const struct msg_disk *d = &b->disks[i];
		char *bus __free(ptr) = words_of(b, "disk", d->name, "bus");
		char *profile __free(ptr) = words_of(b, "disk", d->name, "profile");
		char *fs __free(ptr) = words_of(b, "disk", d->name, "fs");

		html_addf(out, "<tr><td data-h=\"disk\">%s (%s)</td><td data-h=\"bus\">%s</td>"
			  "<td data-h=\"profile\">%s</td><td data-h=\"size\">%s</td>"
			  "<td data-h=\"file system\">%s</td><td data-h=\"scheduler\">%s</td>",
			  d->name, d->dev, bus ? bus : "", profile ? profile : "",
			  format_size(d->bytes, size), fs ? fs : "", d->scheduler);
		strbuf_addf(
			out,
			"<td data-h=\"requests\">%lld</td><td data-h=\"queue\">%lld</td></tr>\n",
			(long long)d->nr_requests, (long long)d->queue_depth);
	}
	strbuf_addstr(out, "</tbody></table>\n");
}

static void add_text(struct strbuf *out, const char *head, const char *text)
{
	if (!text || !*text)
		return;
	html_addf(out, "<h3>%s</h3>\n<pre>", head);
	html_add_lines(out, text, TEXT_BYTES);
	strbuf_addstr(out, "</pre>\n");
}

static void add_settings(struct html_page *p, const struct run *run, const struct boot *b)
{
	struct strbuf *out = p->out;

	strbuf_addstr(out,
		      "<details class=\"more\"><summary>Settings, case and expectation</summary>"
		      "\n");
	add_disks(p, b);
	html_addf(
		out,
		"<dl><dt>files</dt><dd>console.log, samples.jsonl, requests.log and qemu.sh in "
		"<code>%s/%s</code></dd><dt>guest's kernel</dt><dd>%s</dd><dt>its command line</dt>"
		"<dd><code>%s</code></dd>",
		run->id, b->dir, b->release, b->cmdline);
	strbuf_addf(out, "<dt>its memory</dt><dd>%lld KiB</dd>", (long long)b->mem_kb);
	if (b->digest && *b->digest)
		html_addf(out, "<dt>digest of seed %u</dt><dd><code>%s</code></dd>", b->seed,
			  b->digest);
	strbuf_addstr(out, "</dl>\n");
	html_expected(p, run, b);
	add_text(out, "The case", b->case_text);
	strbuf_addstr(out, "</details>\n");
}

static int add_run(struct html_page *p, size_t index, const char *name, struct err *err)
{
	const struct run *run = p->runs[index];
	const struct boot *b = story_boot(run, name);
	int ret;

	if (!b)
		return 0;
	if (p->n > 1)
		html_addf(p->out, "<h3>%s</h3>\n", run->kernel.name);
	add_amounts(p, run, b, name);
	add_waits(p, run, name);
	add_console(p, run, name);
	if (run->seeds > 1)
		strbuf_addf(p->out, "<p class=\"soft\">The pictures show seed %u.</p>\n", b->seed);
	ret = add_pictures(p, index, b, err);
	for (size_t i = 0; i < b->n_jobs && !ret; i++)
		add_profile(p, &b->jobs[i]);
	add_others(p, run, b);
	add_settings(p, run, b);
	html_command(p->out, run, name);
	return ret;
}

/* All seeds of all runs. */
static void add_strips(struct html_page *p, const char *name)
{
	struct plot plot;

	plot_case_seeds(&plot, p->runs, p->n, name);
	if (plot_has_data(&plot))
		plot_svg(p->out, &plot, false);
	plot_release(&plot);
	plot_case_judged(&plot, p->runs, p->n, name);
	if (plot_has_data(&plot))
		plot_svg(p->out, &plot, false);
	plot_release(&plot);
}

int html_case(struct html_page *p, size_t index, struct err *err)
{
	const char *name = p->cases.v[index];
	const struct boot *b = NULL, *last = NULL, *found;
	bool open = false;
	char *about __free(ptr) = NULL;
	int ret = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct verdict *v = html_worst(p->runs[i], name);

		found = story_boot(p->runs[i], name);
		b = b ? b : found;
		last = found ? found : last;
		open = open || (v && v->kind != VERDICT_NONE && story_rank(v) < 3);
	}
	open = open || !p->first || !strcmp(p->first, name);
	strbuf_addf(p->out, "<details class=\"case\"%s>\n", open ? " open" : "");
	add_summary(p, name, b);
	/* a link to what is inside unfolds it, one to the fold itself would not */
	strbuf_addf(p->out, "<div id=\"case-%zu\">\n", index);
	about = words_case(b, "about");
	if (about)
		html_addf(p->out, "<p>%s</p>\n", about);
	if (last)
		html_who(p, last);
	add_strips(p, name);
	for (size_t i = 0; i < p->n && !ret; i++)
		ret = add_run(p, i, name, err);
	strbuf_addstr(p->out, "</div></details>\n");
	return ret;
}
