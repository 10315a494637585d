/* SPDX-License-Identifier: GPL-2.0-only */
/* What the simulator's library is told about a machine. */
#include <inttypes.h>

#include "base/strbuf.h"
#include "case/case.h"
#include "run/setup.h"

static void add_faults(const struct case_disk *d, struct strbuf *out)
{
	static const char *const words[] = {
		[CASE_FAULT_STOP] = "stop", [CASE_FAULT_SLOW] = "slow",
		[CASE_FAULT_ERROR] = "error",
	};

	for (size_t i = 0; i < d->faults.n; i++) {
		const struct case_fault *f = &d->faults.f[i];

		strbuf_addf(out, "fault %s %s %" PRId64 " %" PRId64, d->name, words[f->kind],
			    f->at_ns, f->for_ns);
		if (f->kind == CASE_FAULT_SLOW)
			strbuf_addf(out, " %" PRId64, f->rate);
		strbuf_addch(out, '\n');
	}
}

void setup_sim_config(const struct setup *s, const struct kase *c, const char *log,
		      struct strbuf *out)
{
	strbuf_addf(out, "clock %s\nseed %u\nlog %s\n",
		    s->machine.clock == CLOCK_SIM ? "sim" : "real", s->machine.seed, log);
	if (s->stop_ns)
		strbuf_addf(out, "stop %" PRId64 "\n", s->stop_ns);
	for (size_t i = 0; i < s->n_disks; i++) {
		strbuf_addf(out, "disk %s ", s->disks[i].name);
		profile_sim_line(&s->profiles[i], out);
		strbuf_addf(out, "\nimage %s %s\n", s->disks[i].name, s->disks[i].image);
	}
	for (size_t i = 0; i < c->n_disks; i++)
		add_faults(&c->disks[i], out);
}
