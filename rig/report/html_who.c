/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is who in a case, and what is expected of it: for who has only this page. */
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/ini.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "judge/judge.h"
#include "kernel/version.h"
#include "report/html_private.h"
#include "report/html_text.h"
#include "report/palette.h"
#include "report/who.h"
#include "report/words.h"

#define TEXT_BYTES 20000	/* of a file */

static void add_disks(struct html_page *p, const struct boot *b)
{
	struct strvec names __release(strvec) = STRVEC_INIT;

	who_disks(b, &names);
	strvec_each (name, &names) {
		struct strbuf text __release(strbuf) = STRBUF_INIT;

		who_disk(b, *name, &text);
		strbuf_addf(p->out, "<dt>disk <span class=\"key f c%d\"><i></i>",
			    palette_index(&p->colors, *name) % PALETTE_N);
		html_addf(p->out, "%s</span></dt><dd>%s", *name, text.buf);
		for (size_t i = 0; i < b->n_disks; i++)
			if (!strcmp(b->disks[i].name, *name) && *b->disks[i].dev)
				html_addf(p->out, "; /dev/%s in the guest", b->disks[i].dev);
		strbuf_addstr(p->out, "</dd>\n");
	}
}

static void add_job(struct strbuf *out, const struct boot *b, const struct job_result *job)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	char *run __free(ptr) = words_of(b, "job", job->name, "run");

	who_does(b, job, &text);
	who_when(b, job, &text);
	html_addf(out, "<dt>%s %s</dt><dd>%s",
		  job->role == PLAN_VICTIM ? "victim" : job->role == PLAN_LOAD ? "load" : "before",
		  job->name, text.buf);
	if (run)
		html_addf(out, ": <code>%s</code>", run);
	strbuf_addstr(out, "</dd>\n");
}

void html_who(struct html_page *p, const struct boot *b)
{
	char *memory __free(ptr) = words_case(b, "memory");

	strbuf_addstr(p->out, "<dl class=\"who\">\n");
	/* the victim first: it is what the case is about */
	for (int role = PLAN_VICTIM; role <= PLAN_PREPARE; role++)
		for (size_t i = 0; i < b->n_jobs; i++)
			if ((int)b->jobs[i].role == role)
				add_job(p->out, b, &b->jobs[i]);
	add_disks(p, b);
	if (memory)
		html_addf(p->out, "<dt>memory</dt><dd>%s</dd>\n", memory);
	strbuf_addstr(p->out, "</dl>\n");
}

/* What a section of an expectation is for. */
struct held {
	const char *scale, *variant;
	unsigned int family;
};

/* "full@bfq:6.1" of a section, as case/expect.h has it. False if it is for others. */
static bool is_for(const struct ini_section *s, const struct held *h, unsigned int *family)
{
	const char *arg = s->arg ? s->arg : "";
	size_t scale = strcspn(arg, "@:"), variant;
	const char *at = arg[scale] == '@' ? arg + scale + 1 : NULL;

	*family = 0;
	if (scale ? strncmp(arg, h->scale, scale) || h->scale[scale] : strcmp(h->scale, "quick"))
		return false;
	variant = at ? strcspn(at, ":") : 0;
	if (!at != !h->variant || (at && (strncmp(at, h->variant, variant) ||
					  h->variant[variant])))
		return false;
	arg = at ? at + variant : arg + scale;
	return *arg != ':' || (kernel_version_read(arg + 1, family) && *family == h->family);
}

static bool holds(const struct ini *ini, const struct ini_section *s, const struct held *h)
{
	unsigned int family, other;

	if (!is_for(s, h, &family))
		return false;
	/* one for the kernel's family stands in for the one for all */
	for (size_t i = 0; !family && i < ini->n; i++)
		if (&ini->sections[i] != s && !strcmp(ini->sections[i].name, s->name) &&
		    is_for(&ini->sections[i], h, &other) && other)
			return false;
	return true;
}

static void add_section(struct strbuf *out, const struct ini_section *s)
{
	const char *before = "";

	html_addf(out, "<dt>%s</dt><dd>", s->name);
	for (size_t i = 0; i < s->n; i++) {
		if (!strcmp(s->entries[i].key, "why"))
			continue;
		html_addf(out, "%s%s %s", before, s->entries[i].key, s->entries[i].value);
		before = ", ";
	}
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->entries[i].key, "why"))
			html_addf(out, " <span class=\"soft\">(%s)</span>", s->entries[i].value);
	strbuf_addstr(out, "</dd>\n");
}

static struct held held_of(const struct run *run, const struct boot *b)
{
	const char *at = strrchr(b->case_name, '@'), *release = judge_release(run);
	struct held h = { .scale = b->scale ? b->scale : "", .variant = at ? at + 1 : NULL };

	if (release)
		kernel_version_read(release, &h.family);
	return h;
}

void html_expected(struct html_page *p, const struct run *run, const struct boot *b)
{
	struct ini ini __release(ini) = INI_INIT;
	struct held h = held_of(run, b);
	struct err err = ERR_INIT;
	size_t n = 0;

	if (!b->expect_text || !*b->expect_text)
		return;
	strbuf_addstr(p->out, "<h3>What is expected of it</h3>\n");
	if (!ini_parse(&ini, "expect", b->expect_text, strlen(b->expect_text), &err)) {
		strbuf_addstr(p->out, "<dl>\n");
		for (size_t i = 0; i < ini.n; i++) {
			if (!holds(&ini, &ini.sections[i], &h))
				continue;
			add_section(p->out, &ini.sections[i]);
			n++;
		}
		strbuf_addstr(p->out, "</dl>\n");
	}
	if (!n)
		html_addf(p->out, "<p>Nothing at scale %s.</p>\n", h.scale);
	strbuf_addstr(p->out, "<details class=\"more\"><summary>The whole file, with what is for "
			      "other scales, variants and kernels</summary>\n<pre>");
	html_add_lines(p->out, b->expect_text, TEXT_BYTES);
	strbuf_addstr(p->out, "</pre></details>\n");
}
