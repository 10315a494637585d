/* SPDX-License-Identifier: GPL-2.0-only */
/* A run as Markdown. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "record/record.h"
#include "report/facts.h"
#include "report/markdown.h"
#include "report/story.h"

#define TEXT_MAX 1000
#define EVIDENCE 8		/* console lines of a boot */
#define CASE_COLUMNS 17		/* of the table; what is longer loses its beginning */
#define JOB_COLUMNS 7

void markdown_text(struct strbuf *out, const char *text)
{
	struct strbuf plain __release(strbuf) = STRBUF_INIT;

	strbuf_add_escaped(&plain, text, strlen(text), TEXT_MAX);
	for (const char *c = plain.buf; *c; c++) {
		bool inside = c > plain.buf && isalnum((unsigned char)c[-1]) &&
			      isalnum((unsigned char)c[1]);

		/* "some_name" is no emphasis */
		if (*c == '_' && inside) {
			strbuf_addch(out, *c);
			continue;
		}
		/* "://" and "www." would become links, "@name" a mention, "#1" an issue */
		if (strchr("\\`*_{}[]<>#|!~@&$", *c) || (*c == ':' && c[1] == '/') ||
		    (*c == '.' && c > plain.buf && (c[-1] == 'w' || c[-1] == 'W')))
			strbuf_addch(out, '\\');
		strbuf_addch(out, *c);
	}
}

/* Append a paragraph, broken at blanks, its lines behind a prefix; a word that is longer than a
 * line has one of its own, cut where the line ends. */
static void add_wrapped(struct strbuf *out, const char *first, const char *prefix, const char *text)
{
	size_t column = strlen(first), used = 0;

	strbuf_addstr(out, first);
	while (*text) {
		size_t len = strcspn(text, " "), width = 0;

		for (size_t i = 0; i < len; i++)
			width += (text[i] & 0xc0) != 0x80;
		if (used && column + 1 + width > MARKDOWN_COLUMNS) {
			strbuf_addf(out, "\n%s", prefix);
			column = strlen(prefix);
			used = 0;
		}
		if (used) {
			strbuf_addch(out, ' ');
			column++;
		}
		for (size_t i = 0; i < len; i++) {
			if (column >= MARKDOWN_COLUMNS && (text[i] & 0xc0) != 0x80) {
				strbuf_addf(out, "\n%s", prefix);
				column = strlen(prefix);
			}
			strbuf_addch(out, text[i]);
			column += (text[i] & 0xc0) != 0x80;
		}
		used += len;
		text += len;
		text += strspn(text, " ");
	}
	strbuf_addch(out, '\n');
}

/* One sentence of hostile text in a list. */
static void add_item(struct strbuf *out, const char *before, const char *text)
{
	struct strbuf line __release(strbuf) = STRBUF_INIT;

	strbuf_addstr(&line, before);
	markdown_text(&line, text);
	add_wrapped(out, "- ", "  ", line.buf);
}

/* A cell of so many columns; too long a text loses its head or its tail. Backslashes would make a
 * hole in the column: what needs one is shown as "?". */
static void add_cell(struct strbuf *out, const char *text, size_t columns, bool right, bool tail)
{
	struct strbuf safe __release(strbuf) = STRBUF_INIT;
	size_t len, fill;
	const char *s;

	for (const char *c = text; *c; c++)
		strbuf_addch(&safe, *c >= ' ' && *c < 0x7f && !strchr("\\`*_{}[]<>#|!~@&$", *c)
					    ? *c
					    : '?');
	len = safe.len > columns ? columns : safe.len;
	s = tail ? safe.buf + safe.len - len : safe.buf;
	fill = columns - len;
	strbuf_addstr(out, " ");
	for (size_t i = 0; right && i < fill; i++)
		strbuf_addch(out, ' ');
	strbuf_addf(out, "%.*s", (int)len, s);
	for (size_t i = 0; !right && i < fill; i++)
		strbuf_addch(out, ' ');
	strbuf_addstr(out, " |");
}

static void add_row(struct strbuf *out, const struct verdict *v)
{
	char job[64], buf[32];

	snprintf(job, sizeof(job), "%s%.50s", v->role == PLAN_LOAD ? "+" : "", v->job);
	strbuf_addch(out, '|');
	add_cell(out, v->case_name, CASE_COLUMNS, false, true);
	add_cell(out, job, JOB_COLUMNS, false, false);
	add_cell(out, v->time_ns < 0 ? "-" : story_time(v->time_ns, buf), 7, true, false);
	add_cell(out, v->slowdown < 0 ? "-" : story_ratio(v->slowdown, buf), 5, true, false);
	add_cell(out, v->limit < 0 ? "-" : story_ratio(v->limit, buf), 5, true, false);
	add_cell(out, v->kind == VERDICT_NONE ? "-" : verdict_name(v->kind), 12, false, false);
	strbuf_addch(out, '\n');
}

static void add_table(struct strbuf *out, const struct run *run)
{
	strbuf_addstr(out,
		      "| case              | job     |    time | ratio | limit | verdict      |\n"
		      "|:------------------|:--------|--------:|------:|------:|:-------------|\n");
	for (size_t i = 0; i < run->n_verdicts; i++)
		add_row(out, &run->verdicts[i]);
	add_wrapped(out, "\n", "",
		    "Times are medians over the seeds; ratio is time over the same job's "
		    "time alone. A + marks a load.");
}

static void add_verdict(struct strbuf *out, const struct run *run, const struct verdict *v)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT, figures __release(strbuf) = STRBUF_INIT;
	struct strbuf before __release(strbuf) = STRBUF_INIT, wait __release(strbuf) = STRBUF_INIT;
	const struct boot *b = story_boot(run, v->case_name);
	const struct job_result *job = b ? story_job(b, v->job) : NULL;
	struct facts f;

	strbuf_addf(&before, "**%s** ", verdict_name(v->kind));
	markdown_text(&before, v->case_name);
	strbuf_addstr(&before, ": ");
	story_amount(v, &text);
	if (v->reason && *v->reason)
		strbuf_addf(&text, ". %s", v->reason);
	if (job && story_facts(b, job, &f))
		story_wait(b, &f, &wait, &figures);
	if (wait.len)
		strbuf_addf(&text, ". It waits %s", wait.buf);
	if (figures.len)
		strbuf_addf(&text, " (%s)", figures.buf);
	add_item(out, before.buf, text.buf);
}

static void add_evidence(struct strbuf *out, const struct run *run)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];
		struct strbuf head __release(strbuf) = STRBUF_INIT;

		if (b->outcome != OUTCOME_BROKEN || !b->evidence.n)
			continue;
		markdown_text(&head, b->case_name);
		strbuf_addf(&head, " seed %u, its console:", b->seed);
		add_wrapped(out, "\n", "", head.buf);
		strbuf_addch(out, '\n');
		for (size_t k = 0; k < b->evidence.n && k < EVIDENCE; k++) {
			struct strbuf line __release(strbuf) = STRBUF_INIT;

			strbuf_add_escaped(&line, b->evidence.v[k], strlen(b->evidence.v[k]),
					   TEXT_MAX);
			add_wrapped(out, "    ", "    ", line.buf);
		}
	}
}

/* A goal is not judged, and so passing does not say that it was reached. */
static void add_goals(struct strbuf *out, const struct run *run)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	size_t n = story_count_misses(run);

	if (!n)
		return;
	strbuf_addf(&text, "%zu of those that pass %s short of the goal.", n,
		    n == 1 ? "is" : "are");
	add_wrapped(out, "", "", text.buf);
	strbuf_addch(out, '\n');
}

static void add_facts(struct strbuf *out, const struct run *run)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;

	story_kernel(run, &text);
	add_item(out, "kernel: ", text.buf);
	for (size_t i = 0; i < run->kernel.n_patches; i++)
		add_item(out, "patch: ", run->kernel.patches[i].subject);
	strbuf_reset(&text);
	strbuf_addf(&text, "%s (%s), %s clock, scale %s, %d seed%s", run->qemu.version, run->accel,
		    strcmp(run->clock, "sim") ? "real" : "simulated", run->scale, run->seeds,
		    run->seeds == 1 ? "" : "s");
	add_item(out, "QEMU: ", text.buf);
	strbuf_addstr(out, "\nTo repeat it:\n\n");
	strbuf_reset(&text);
	story_repeat(run, NULL, &text);
	strbuf_addstr(out, "    ");
	strbuf_add_escaped(out, text.buf, text.len, TEXT_MAX);
	strbuf_addch(out, '\n');
}

void markdown_run(struct strbuf *out, const struct run *run)
{
	struct strbuf head __release(strbuf) = STRBUF_INIT;
	bool any = false;

	strbuf_addstr(&head, "iorig: ");
	story_counts(run, &head);
	if (run->interrupted)
		strbuf_addstr(&head, " (stopped before its end)");
	add_wrapped(out, "## ", "", head.buf);
	strbuf_addch(out, '\n');
	add_goals(out, run);
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (v->kind == VERDICT_NONE || v->kind == VERDICT_PASS)
			continue;
		add_verdict(out, run, v);
		any = true;
	}
	if (any)
		strbuf_addch(out, '\n');
	add_table(out, run);
	add_evidence(out, run);
	strbuf_addch(out, '\n');
	add_facts(out, run);
}
