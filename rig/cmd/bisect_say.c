/* SPDX-License-Identifier: GPL-2.0-only */
/* What a bisect tells of its steps. */
#include "cmd/bisect_say.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/bisect_work.h"
#include "report/bisect.h"

static void add_place(const struct bisect_work *w, size_t commit, struct strbuf *out)
{
	char id[13];

	if (!commit)
		strbuf_addstr(out, "good ");
	else if (commit == w->b.h.n - 1)
		strbuf_addstr(out, "bad ");
	else
		strbuf_addf(out, "%zu of %zu, ", commit, w->b.h.n - 1);
	strbuf_addstr(out, bisect_work_short(w, commit, id));
}

void bisect_say_before(const struct bisect_work *w)
{
	struct commit_words words __release(commit_words) = COMMIT_WORDS_INIT;
	struct strbuf place __release(strbuf) = STRBUF_INIT;
	size_t n = w->step.boots;

	add_place(w, w->step.commit, &place);
	bisect_work_words(w, w->step.commit, &words);
	progress("step %zu: %s (%s): %zu boot%s, %s", w->trail.n_steps + 1, place.buf,
		 str_escape(words.subject), n, n == 1 ? "" : "s", w->step.why);
}

/* What the steps so far have taken, times those that halving what is left will take. */
static void add_rest(const struct bisect_work *w, size_t left, struct strbuf *out)
{
	double builds = left > 1 ? ceil(log2((double)left)) : 1, took = 0, steps = 0;
	char time[32];

	/* the first may have built from nothing */
	for (size_t i = 1; i < w->trail.n_steps; i++) {
		took += w->trail.s[i].build_s + w->trail.s[i].boot_s;
		steps++;
	}
	strbuf_addf(out, ", about %.0f more", builds);
	if (steps > 0)
		strbuf_addf(out, " in %s", format_time((int64_t)(took / steps * builds) * NS_PER_S,
						       time));
}

static void add_left(const struct bisect_work *w, const struct trail_step *s, struct strbuf *out)
{
	char id[13], percent[16];

	if (!w->b.ends_differ)
		return;
	strbuf_addf(out, "; %zu commit%s left, the likeliest %s (%s)", s->left,
		    s->left == 1 ? "" : "s", bisect_work_short(w, s->best, id),
		    report_bisect_percent(s->p, percent));
	if (s->left > 1)
		add_rest(w, s->left, out);
}

void bisect_say_after(const struct bisect_work *w)
{
	const struct trail_step *s = &w->trail.s[w->trail.n_steps - 1];
	struct strbuf line __release(strbuf) = STRBUF_INIT;
	char id[13];

	strbuf_addf(&line, "step %zu: ", w->trail.n_steps);
	switch (s->what) {
	case TRAIL_BOOTED:
		report_bisect_values(&w->b, &w->followed, w->b.boots + w->b.n_boots - s->boots,
				     s->boots, &line);
		break;
	case TRAIL_SKIPPED:
		strbuf_addf(&line, "skipped: %s", w->b.c[s->commit].skipped);
		break;
	case TRAIL_SAME:
		strbuf_addf(&line, "the same kernel as %s, byte for byte: not booted",
			    bisect_work_short(w, s->as, id));
		break;
	}
	add_left(w, s, &line);
	progress("%s", line.buf);
}

void bisect_say_ends(void)
{
	progress("booting the good commit and the bad one, to see in what they differ most");
}

void bisect_say_chosen(const char *metric, const char *all)
{
	progress("following %s; the ends differ in %s", metric, all);
}
