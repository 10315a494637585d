/* SPDX-License-Identifier: GPL-2.0-only */
/* The page: verdicts first. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "judge/waits.h"
#include "report/facts.h"
#include "report/html.h"
#include "report/html_private.h"
#include "report/html_text.h"
#include "report/story.h"
#include "report/waits.h"

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

bool html_is_short(const struct verdict *v)
{
	return v->kind == VERDICT_PASS && story_misses(v);
}

void html_goal_badge(struct strbuf *out)
{
	strbuf_addstr(out, " <span class=\"badge goal\">goal missed</span>");
}

void html_verdict_badge(struct strbuf *out, const struct verdict *v)
{
	html_badge(out, v->kind);
	if (html_is_short(v))
		html_goal_badge(out);
}

bool html_is_unpatched(const struct run *base, const struct run *run)
{
	return base->kernel.n_patches < run->kernel.n_patches && *run->kernel.source_id &&
	       !strcmp(base->kernel.source_id, run->kernel.source_id);
}

void html_shell(struct strbuf *out, const char *command)
{
	strbuf_addstr(out, "<pre class=\"cmd\">");
	for (const char *c = command; *c;) {
		size_t len = strcspn(c, " "), blanks = strspn(c + len, " ");
		size_t option = *c == '-' ? strcspn(c, "= ") : 0;
		char *head __free(ptr) = NULL, *tail __free(ptr) = NULL;

		option += c[option] == '=' && option;
		head = xstrndup(c, option);
		tail = xstrndup(c + option, len - option);
		strbuf_addstr(out, "<span class=\"w\">");
		if (option)
			html_addf(out, "<span class=\"o\">%s</span>", head);
		html_addf(out, "%s</span>", tail);
		strbuf_addf(out, "%.*s", (int)blanks, c + len);
		c += len + blanks;
	}
	strbuf_addstr(out, "</pre>\n");
}

void html_command(struct strbuf *out, const struct run *run, const char *case_name)
{
	struct strbuf command __release(strbuf) = STRBUF_INIT;

	story_repeat(run, case_name, &command);
	html_shell(out, command.buf);
}

void html_debug(struct strbuf *out, const struct run *run, const struct boot *b, int64_t from_ns,
		int64_t to_ns)
{
	struct strbuf command __release(strbuf) = STRBUF_INIT;

	story_debug(run, b, from_ns, to_ns, &command);
	if (command.len)
		html_shell(out, command.buf);
}

void html_wait(struct strbuf *out, const struct run *run, const struct verdict *v)
{
	struct strbuf conclusion __release(strbuf) = STRBUF_INIT;
	struct strbuf figures __release(strbuf) = STRBUF_INIT;
	struct strbuf stack __release(strbuf) = STRBUF_INIT, looks __release(strbuf) = STRBUF_INIT;
	const struct boot *b = story_boot(run, v->case_name);
	const struct job_result *job = b ? story_job(b, v->job) : NULL;
	struct waits w;
	struct facts f;

	if (!job)
		return;
	if (story_facts(b, job, &f))
		story_wait(b, &f, &conclusion, &figures);
	story_stack(job, &stack);
	if (waits_collect(&w, run, v->case_name, v->job))
		report_waits_words(&looks, &w);
	if (!figures.len && !stack.len && !looks.len)
		return;
	html_addf(out, "<p><b>Where %s waits:</b> ", v->job);
	html_add(out, conclusion.len ? conclusion.buf : "the figures do not tell one place");
	if (figures.len)
		html_addf(out, ". <span class=\"soft\">In seed %u, %s.</span>", b->seed,
			  figures.buf);
	strbuf_addstr(out, "</p>\n");
	if (looks.len)
		html_addf(out, "<p>Looks at its processes found them %s.</p>\n", looks.buf);
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

/* What was patched, and where the same without it is or comes from. */
static void patches(struct html_page *p, const struct run *run)
{
	struct strbuf command __release(strbuf) = STRBUF_INIT;
	struct strbuf *out = p->out;

	for (size_t i = 0; i < run->kernel.n_patches; i++)
		html_addf(out, "<p>With the patch <b>%s</b> (%s).</p>\n",
			  run->kernel.patches[i].subject, run->kernel.patches[i].name);
	if (!run->kernel.n_patches)
		return;
	for (size_t i = 0; i + 1 < p->n; i++)
		if (html_is_unpatched(p->runs[i], run)) {
			html_addf(out, "<p>Beside its figures stand those of the same kernel "
				  "without it, <b>%s</b>, run %s.</p>\n",
				  p->runs[i]->kernel.name, p->runs[i]->id);
			return;
		}
	strbuf_addstr(out,
		      "<p>The same kernel without it is not on this page. This runs it; a page of "
		      "this run that is made afterwards (<code>iorig report</code> with this run's "
		      "name) has both:</p>\n");
	story_repeat_base(run, NULL, &command);
	html_shell(out, command.buf);
}

/* At another scale than quick other limits hold, and mostly none. */
static void scale(struct strbuf *out, const struct run *run)
{
	if (strcmp(run->scale, "quick") != 0)
		html_addf(out, "All sizes are those of the scale %s. Limits, goals and accepted "
			  "values count for one scale only: those on this page were set at this "
			  "one, and where there are none, figures are measured and not judged. ",
			  run->scale);
}

/* What passes and is not where it should be: a goal is never judged. */
static void short_of_goal(struct strbuf *out, const struct run *run)
{
	size_t n = story_count_misses(run);

	if (n)
		strbuf_addf(out,
			    "<p><span class=\"badge goal\">goal missed</span> %zu of those "
			    "that pass %s within the limit, but short of the goal.</p>\n",
			    n, n == 1 ? "is" : "are");
}

/* For who has only this page: what was done, what was patched, how far the figures go. */
static void intro(struct html_page *p, const struct run *run)
{
	struct strbuf *out = p->out;

	short_of_goal(out, run);
	patches(p, run);
	strbuf_addstr(out,
		      "<p class=\"soft\">Each case boots this kernel in a machine with modelled "
		      "disks and times a job, the victim, beside others, its load, and, in the "
		      "same run, alone. A time is that of the command, without the sync that "
		      "follows it (the pale end of its bar). ");
	if (!strcmp(run->clock, "sim"))
		strbuf_addstr(out,
			      "The clock is simulated: the same seed gives the same figures to "
			      "the nanosecond, and other seeds show how far they move. ");
	scale(out, run);
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
		"completes no request for more than %lld s; a victim, when it gets nothing done "
		"for as long while the processor has time: no request of its own is completed, or "
		"it dirties no page. The dirty limit is what /proc/vmstat "
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
	html_in_short(&p, runs[n - 1]);
	for (size_t i = n - 1; i--;) {
		html_addf(out, "<details class=\"more\"><summary>The same of %s</summary>\n",
			  runs[i]->kernel.name);
		html_in_short(&p, runs[i]);
		strbuf_addstr(out, "</details>\n");
	}
	html_table(&p);
	ret = cases(&p, err);
	strbuf_addstr(out, "</main>\n");
	footer(&p);
	strbuf_addstr(out, "</body>\n</html>\n");
	palette_release(&p.colors);
	strvec_release(&p.cases);
	return ret;
}
