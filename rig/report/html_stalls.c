/* SPDX-License-Identifier: GPL-2.0-only */
/* A boot's stalls in the page. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "report/facts.h"
#include "report/html_private.h"
#include "report/html_text.h"
#include "report/stalls.h"

/* A name with a line's end in it would only begin another paragraph. */
static void add_unplaced(struct strbuf *out, const struct boot *b, const struct stalls *s)
{
	struct strbuf lines __release(strbuf) = STRBUF_INIT;

	stalls_unplaced(&lines, b, s);
	for (char *line = lines.buf, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		html_addf(out, "<p>%s.</p>\n", line);
	}
}

void html_stalls(struct html_page *p, const struct run *run, const struct boot *b,
		 const struct stalls *s)
{
	size_t victims = 0;

	add_unplaced(p->out, b, s);
	if (!s->n)
		return;
	for (size_t i = 0; i < s->n; i++)
		victims += s->v[i].victim != NULL;
	strbuf_addf(p->out, "<details class=\"more\"><summary>%zu stall%s", s->n,
		    s->n == 1 ? "" : "s");
	if (victims)
		strbuf_addf(p->out, ", %zu of them the victim's", victims);
	strbuf_addstr(p->out, "</summary>\n<ul>\n");
	for (size_t i = 0; i < s->n && i < STALLS_SHOWN; i++) {
		struct strbuf text __release(strbuf) = STRBUF_INIT;

		stalls_describe(&text, b, &s->v[i]);
		html_addf(p->out, "<li>%s", text.buf);
		html_debug(p->out, run, b, s->v[i].from, s->v[i].to);
		strbuf_addstr(p->out, "</li>\n");
	}
	if (s->n > STALLS_SHOWN)
		strbuf_addf(p->out, "<li>and %zu more</li>\n", s->n - STALLS_SHOWN);
	strbuf_addstr(p->out, "</ul></details>\n");
}
