/* SPDX-License-Identifier: GPL-2.0-only */
/* Stalls as text. */
#include "report/stalls.h"

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

static void add_stall(struct strbuf *out, const struct run *run, const struct boot *b,
		      const struct stall *s)
{
	struct strbuf command __release(strbuf) = STRBUF_INIT;
	char at[32], length[32];

	strbuf_addf(out, "  %s for %s, from guest time %s on\n",
		    str_escape(b->disks[s->disk].name), format_time(s->to - s->from, length),
		    format_time(s->from, at));
	story_debug(run, b, s->from, s->to, &command);
	if (command.len) {
		strbuf_addstr(out, "    ");
		strbuf_add_escaped(out, command.buf, command.len, command.len);
		strbuf_addch(out, '\n');
	}
}

static int add_boot(struct strbuf *out, const struct run *run, const struct boot *b,
		    const char *dir, struct err *err)
{
	struct requests r __release(requests) = REQUESTS_INIT;
	struct stalls s __release(stalls) = STALLS_INIT;
	int ret = files_requests(&r, dir, b, err);

	if (ret)
		return ret;
	facts_stalls(&s, b, &r);
	if (s.n)
		strbuf_addf(out, "\n%s, seed %u: %zu stall%s\n", str_escape(b->case_name), b->seed,
			    s.n, s.n == 1 ? "" : "s");
	for (size_t i = 0; i < s.n && i < STALLS_SHOWN; i++)
		add_stall(out, run, b, &s.v[i]);
	if (s.n > STALLS_SHOWN)
		strbuf_addf(out, "  and %zu more\n", s.n - STALLS_SHOWN);
	return 0;
}

int stalls_run(struct strbuf *out, const struct run *run, const char *dir, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < run->n_boots && !ret; i++)
		ret = add_boot(out, run, &run->boots[i], dir, err);
	return ret;
}
