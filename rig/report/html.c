/* SPDX-License-Identifier: GPL-2.0-only */
/* The page: verdicts first. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "report/facts.h"
#include "report/html.h"
#include "report/html_private.h"
#include "report/html_text.h"
#include "report/story.h"
#include "report/words.h"

#define SHORT_MAX 6	/* verdicts told in sentences; bad ones are told up to 5 times as many */

/* What a piece of text says, escaped, of a function that appends plain text. */
#define ADD_TEXT(out, call)                                                                        \
	do {                                                                                       \
		struct strbuf text_ __release(strbuf) = STRBUF_INIT;                               \
		struct strbuf *text = &text_;                                                      \
		call;                                                                              \
		html_add(out, text->buf);                                                          \
	} while (0)

void html_badge(struct strbuf *out, enum verdict_kind kind)
{
	const char *name = kind == VERDICT_NONE ? "measured" : verdict_name(kind);

	strbuf_addf(out, "<span class=\"badge %s\">%s</span>", name, name);
}

void html_command(struct strbuf *out, const struct run *run, const char *case_name)
{
	strbuf_addstr(out, "<pre class=\"cmd\">");
	ADD_TEXT(out, story_repeat(run, case_name, text));
	strbuf_addstr(out, "</pre>\n");
}

void html_debug(struct strbuf *out, const struct run *run, const struct boot *b, int64_t from_ns,
		int64_t to_ns)
{
	struct strbuf command __release(strbuf) = STRBUF_INIT;

	story_debug(run, b, from_ns, to_ns, &command);
	if (command.len)
		html_addf(out, "<pre class=\"cmd\">%s</pre>", command.buf);
}

void html_wait(struct strbuf *out, const struct run *run, const struct verdict *v)
{
	struct strbuf conclusion __release(strbuf) = STRBUF_INIT;
	struct strbuf figures __release(strbuf) = STRBUF_INIT;
	struct strbuf stack __release(strbuf) = STRBUF_INIT;
	const struct boot *b = story_boot(run, v->case_name);
	const struct job_result *job = b ? story_job(b, v->job) : NULL;
	struct facts f;

	if (!job)
		return;
	if (story_facts(b, job, &f))
		story_wait(b, &f, &conclusion, &figures);
	story_stack(job, &stack);
	if (!figures.len && !stack.len)
		return;
	strbuf_addstr(out, "<p><b>Where it waits:</b> ");
	html_add(out, conclusion.len ? conclusion.buf : "the figures do not tell one place");
	if (figures.len)
		html_addf(out, ". <span class=\"soft\">In seed %u, %s.</span>", b->seed,
			  figures.buf);
	strbuf_addstr(out, "</p>\n");
	if (stack.len)
		html_addf(out, "<p><code>%s</code></p>\n", stack.buf);
}

const struct verdict *html_worst(const struct run *run, const char *case_name)
{
	const struct verdict *worst = NULL;

	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (!strcmp(v->case_name, case_name) &&
		    (!worst || story_rank(v) < story_rank(worst)))
			worst = v;
	}
	return worst;
}

static size_t case_index(const struct html_page *p, const char *name)
{
	for (size_t i = 0; i < p->cases.n; i++)
		if (!strcmp(p->cases.v[i], name))
			return i;
	return 0;
}

static void card(struct html_page *p, const struct run *run, const struct verdict *v)
{
	const struct boot *b = story_boot(run, v->case_name);
	char *title __free(ptr) = b ? words_case(b, "title") : NULL;
	struct strbuf *out = p->out;

	strbuf_addf(out, "<div class=\"card %s\"><p>", verdict_name(v->kind));
	html_badge(out, v->kind);
	html_addf(out, " <b>%s</b>", v->case_name);
	if (title)
		html_addf(out, " <span class=\"soft\">%s</span>", title);
	strbuf_addstr(out, "</p>\n<p class=\"amount\">");
	ADD_TEXT(out, story_amount(v, text));
	strbuf_addf(out, ". <a href=\"#case-%zu\">See it</a></p>\n", case_index(p, v->case_name));
	if (v->reason && *v->reason)
		html_addf(out, "<p><b>Why:</b> %s</p>\n", v->reason);
	html_wait(out, run, v);
	strbuf_addstr(out, "<p><b>To repeat it:</b></p>");
	html_command(out, run, v->case_name);
	strbuf_addstr(out, "</div>\n");
}

/* Those that are judged, worst first, of the same kind the greatest slowdown first. */
static int by_need(const void *a, const void *b)
{
	const struct verdict *x = *(const struct verdict *const *)a;
	const struct verdict *y = *(const struct verdict *const *)b;

	if (story_rank(x) != story_rank(y))
		return story_rank(x) - story_rank(y);
	return (x->slowdown < y->slowdown) - (x->slowdown > y->slowdown);
}

static void in_short(struct html_page *p, const struct run *run)
{
	const struct verdict **v __free(ptr) = xcalloc(run->n_verdicts + 1, sizeof(const void *));
	size_t n = 0, told = 0;

	for (size_t i = 0; i < run->n_verdicts; i++)
		if (run->verdicts[i].kind != VERDICT_NONE)
			v[n++] = &run->verdicts[i];
	qsort(v, n, sizeof(const void *), by_need);
	if (n && !p->first)
		p->first = v[0]->case_name;
	for (size_t i = 0; i < n; i++) {
		bool bad = v[i]->kind == VERDICT_REGRESSED || v[i]->kind == VERDICT_BROKEN;

		if (told >= (bad ? SHORT_MAX * 5 : SHORT_MAX))
			break;
		card(p, run, v[i]);
		told++;
	}
	if (told < n)
		strbuf_addf(p->out, "<p class=\"soft\">%zu more below.</p>\n", n - told);
}

/* For who has only this page: what was done, what was patched, how far the figures go. */
static void intro(struct html_page *p, const struct run *run)
{
	struct strbuf *out = p->out;

	for (size_t i = 0; i < run->kernel.n_patches; i++)
		html_addf(out, "<p>With the patch <b>%s</b> (%s).</p>\n",
			  run->kernel.patches[i].subject, run->kernel.patches[i].name);
	strbuf_addstr(out,
		      "<p class=\"soft\">Each case boots this kernel in a machine with modelled "
		      "disks and times a job, the victim, beside others, its load, and, in the "
		      "same run, alone. A time is that of the command, without the sync that "
		      "follows it (the pale end of its bar). ");
	if (!strcmp(run->clock, "sim"))
		strbuf_addstr(out,
			      "The clock is simulated: the same seed gives the same figures to "
			      "the nanosecond, and other seeds show how far they move. ");
	if (run->seeds == 1)
		strbuf_addstr(out,
			      "There is one seed here, so how far they move is not known.");
	strbuf_addstr(out, "</p>\n");
}

static void header(struct html_page *p)
{
	struct strbuf *out = p->out;

	strbuf_addstr(out, "<header>\n");
	for (size_t i = p->n; i--;) {
		const struct run *run = p->runs[i];
		bool main =
			i == p->n - 1; /* what it is about; the first is what it is held against */

		strbuf_addstr(out, main ? "<h1>" : "<p><b>");
		ADD_TEXT(out, story_counts(run, text));
		strbuf_addstr(out,
			      main ? "</h1>\n<p class=\"sub\">" : "</b>\n<span class=\"sub\">");
		ADD_TEXT(out, story_kernel(run, text));
		html_addf(out, "%s · scale %s · %d seed%s · %s clock · %s%s",
			  p->n > 1 && !i ? " (the base)" : "", run->scale, run->seeds,
			  run->seeds == 1 ? "" : "s",
			  strcmp(run->clock, "sim") ? "real" : "simulated", run->started,
			  run->interrupted ? " · stopped before its end" : "");
		strbuf_addstr(out, main ? "</p>\n" : "</span></p>\n");
		if (main)
			intro(p, run);
	}
	strbuf_addstr(out, "</header>\n");
}

static void cell(struct strbuf *out, const char *head, const char *text)
{
	html_addf(out, "<td class=\"num\" data-h=\"%s\">%s</td>", head, text);
}

static void verdict_row(struct html_page *p, const struct run *run, const struct verdict *v)
{
	struct strbuf *out = p->out;
	char buf[32];

	html_addf(out, "<tr><td data-h=\"case\">%s</td><td data-h=\"job\">%s%s</td>", v->case_name,
		  v->role == PLAN_LOAD ? "+" : "", v->job);
	if (p->n > 1)
		html_addf(out, "<td data-h=\"kernel\">%s</td>", run->kernel.name);
	cell(out, "time", v->time_ns < 0 ? "" : story_time(v->time_ns, buf));
	cell(out, "alone", v->alone_ns < 0 ? "" : story_time(v->alone_ns, buf));
	cell(out, "ratio", v->slowdown < 0 ? "" : story_ratio(v->slowdown, buf));
	cell(out, "limit", v->limit < 0 ? "" : story_ratio(v->limit, buf));
	cell(out, "goal", v->goal < 0 ? "" : story_ratio(v->goal, buf));
	cell(out, "accepted", v->was < 0 ? "" : story_ratio(v->was, buf));
	strbuf_addstr(out, "<td data-h=\"verdict\">");
	html_badge(out, v->kind);
	strbuf_addstr(out, "</td></tr>\n");
}

/* The same job's verdict in another run; most often it has the same place. */
static const struct verdict *same_verdict(const struct run *run, const struct verdict *v,
					  size_t hint)
{
	for (size_t k = 0; k < run->n_verdicts; k++) {
		const struct verdict *w = &run->verdicts[(hint + k) % run->n_verdicts];

		if (!strcmp(v->case_name, w->case_name) && !strcmp(v->job, w->job))
			return w;
	}
	return NULL;
}

/* A job's rows of all runs stand together, where the first run has them. */
static void verdict_rows(struct html_page *p, size_t r, size_t i)
{
	const struct verdict *v = &p->runs[r]->verdicts[i], *w;

	for (size_t k = 0; k < r; k++)
		if (same_verdict(p->runs[k], v, i))
			return;
	for (size_t k = r; k < p->n; k++) {
		w = k == r ? v : same_verdict(p->runs[k], v, i);
		if (w)
			verdict_row(p, p->runs[k], w);
	}
}

static void verdict_table(struct html_page *p)
{
	struct strbuf *out = p->out;

	strbuf_addf(out, "<h2>All verdicts</h2>\n<table class=\"wide\"><thead><tr><th>case</th>"
		    "<th>job</th>%s<th class=\"num\">time</th><th class=\"num\">alone</th>"
		    "<th class=\"num\">ratio</th><th class=\"num\">limit</th><th class=\"num\">goal"
		    "</th><th class=\"num\">accepted</th><th>verdict</th></tr></thead><tbody>\n",
		    p->n > 1 ? "<th>kernel</th>" : "");
	for (size_t r = 0; r < p->n; r++)
		for (size_t i = 0; i < p->runs[r]->n_verdicts; i++)
			verdict_rows(p, r, i);
	strbuf_addstr(out,
		      "</tbody></table>\n<p class=\"soft\">A + marks a load, which runs to "
		      "disturb; the others are victims. Times are medians over the seeds; ratio "
		      "is time over the same job's time alone in the same run. Above its limit a "
		      "job has regressed; the goal is where it should get; accepted is the value "
		      "that was last taken as good.</p>\n");
}

static void changes(struct html_page *p)
{
	if (p->n > 1)
		strbuf_addstr(p->out, "<h2>What changed against the base</h2>\n");
	for (size_t i = 1; i < p->n; i++)
		html_change(p, i);
}

static void footer(struct html_page *p)
{
	struct strbuf *out = p->out;

	strbuf_addstr(out, "<footer>\n<h2>Measured on</h2>\n");
	for (size_t i = 0; i < p->n; i++) {
		const struct run *r = p->runs[i];

		html_addf(out, "<dl><dt>run</dt><dd>%s</dd><dt>QEMU</dt><dd>%s, %s: %s</dd>"
			  "<dt>kernel image</dt><dd><code>%s</code></dd><dt>its configuration</dt>"
			  "<dd><code>%s</code></dd><dt>host</dt><dd>%s, %d CPUs, %s, Linux %s</dd>"
			  "<dt>timing</dt><dd>by %s</dd><dt>iorig</dt><dd>%s</dd></dl>\n",
			  r->id, r->qemu.version, r->accel, r->accel_why, r->kernel.image_sha256,
			  r->kernel.config_sha256, r->host.cpu, r->host.cpus, r->host.os,
			  r->host.kernel, r->timing, r->rig_version);
		for (size_t k = 0; k < r->kernel.n_patches; k++)
			html_addf(out, "<p>patch %s: %s <code>%s</code></p>\n",
				  r->kernel.patches[k].name, r->kernel.patches[k].subject,
				  r->kernel.patches[k].sha256);
	}
	strbuf_addf(
		out,
		"<p>A device stalls when it has dirty pages, or pages under writeback, and "
		"completes no request for more than %lld s. The dirty limit is what /proc/vmstat "
		"says; it shrinks as memory fills, and the kernel lets the pages follow slowly, so "
		"they may stand above it. Pictures show the seed in which the "
		"victim took longest. The page is about %zu KB and asks for nothing from "
		"anywhere.</p>\n</footer>\n",
		FACTS_STALL_NS / 1000000000LL, out->len / 1000 + 1);
}

/* Every case once, in the order of the runs. */
static void find_cases(struct html_page *p)
{
	for (size_t r = 0; r < p->n; r++)
		for (size_t i = 0; i < p->runs[r]->n_boots; i++) {
			const char *name = p->runs[r]->boots[i].case_name;

			/* boots of a case stand together, so the last name is most often the same
			 */
			if ((!p->cases.n || strcmp(p->cases.v[p->cases.n - 1], name)) &&
			    !strvec_has(&p->cases, name))
				strvec_push(&p->cases, name);
		}
}

static int cases(struct html_page *p, struct err *err)
{
	int ret = 0;

	strbuf_addstr(p->out, "<h2>Case by case</h2>\n");
	for (size_t i = 0; i < p->cases.n && !ret; i++)
		ret = html_case(p, i, err);
	return ret;
}

int html_page(struct strbuf *out, const struct run *const *runs, const char *const *dirs, size_t n,
	      struct err *err)
{
	struct html_page p = { .runs = runs, .dirs = dirs, .n = n, .colors = PALETTE_INIT,
			       .cases = STRVEC_INIT, .out = out };
	int ret;

	for (size_t i = 0; i < n; i++)
		palette_add_run(&p.colors, runs[i]);
	find_cases(&p);
	strbuf_addstr(out,
		      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		      "style-src 'unsafe-inline'; img-src data:\">\n"
		      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		      "<link rel=\"icon\" href=\"data:,\">\n<title>");
	ADD_TEXT(out, story_counts(runs[n - 1], text));
	html_addf(out, " - iorig %s</title>\n", runs[n - 1]->kernel.name);
	html_style(out);
	strbuf_addstr(out, "</head>\n<body>\n");
	header(&p);
	strbuf_addstr(out, "<main>\n");
	changes(&p);
	if (n > 1)
		html_addf(out, "<h2>%s</h2>\n", runs[n - 1]->kernel.name);
	in_short(&p, runs[n - 1]);
	for (size_t i = n - 1; i--;) {
		html_addf(out, "<details class=\"more\"><summary>The same of %s</summary>\n",
			  runs[i]->kernel.name);
		in_short(&p, runs[i]);
		strbuf_addstr(out, "</details>\n");
	}
	verdict_table(&p);
	ret = cases(&p, err);
	strbuf_addstr(out, "</main>\n");
	footer(&p);
	strbuf_addstr(out, "</body>\n</html>\n");
	palette_release(&p.colors);
	strvec_release(&p.cases);
	return ret;
}
