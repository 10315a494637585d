/* SPDX-License-Identifier: GPL-2.0-only */
/* What the simulator's library is told about a machine. */
#include "base/strbuf.h"
#include "run/setup.h"

void setup_sim_config(const struct setup *s, const char *log, struct strbuf *out)
{
	strbuf_addf(out, "clock %s\nseed %u\nlog %s\n",
		    s->machine.clock == CLOCK_SIM ? "sim" : "real", s->machine.seed, log);
	for (size_t i = 0; i < s->n_disks; i++) {
		strbuf_addf(out, "disk %s ", s->disks[i].name);
		profile_sim_line(&s->profiles[i], out);
		strbuf_addf(out, "\nimage %s %s\n", s->disks[i].name, s->disks[i].image);
	}
}
