/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits of silence, and the time that counts for them. */
#include "run/silence.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/units.h"
#include "case/case.h"
#include "run/follow.h"

/* Emulated kernels of any kind have sent their first console line and frame long before these
 * pass: the slowest, a distribution's with its own configuration, takes 10 s. */
#define HELLO_NS  (120 * NS_PER_S)
#define SETUP_NS  (120 * NS_PER_S)
/* A guest's second is 500 million instructions: 3 to 6 s of a processor that emulates them. */
#define SILENT_NS (60 * NS_PER_S)
/* After "done" the guest only has to power off, after a panic only to finish its words. */
#define END_NS	  (15 * NS_PER_S)
/* A look at the CPU time costs nothing, but waking up for it does. */
#define LOOK_NS	  NS_PER_S

/* 0: nobody asked for another one. */
static int64_t from_environment(void)
{
	const char *s = getenv("IORIG_SILENCE");
	struct err ignored = ERR_INIT;
	int64_t seconds;

	return s && !parse_int(s, 1, 86400, &seconds, &ignored) ? seconds * NS_PER_S : 0;
}

static struct deadline limit(const struct follow *f, int64_t sample_ns, int64_t asked)
{
	/* Without samples a job may be quiet for as long as the whole guest may last. */
	int64_t jobs = sample_ns ? 2 * sample_ns : f->c->deadline_ns;

	if (f->done || f->failed || f->console.seen[CONSOLE_PANIC])
		return deadline_in("the guest's power-off", asked ? asked : END_NS);
	if (!f->hello)
		return deadline_in("the agent's first frame", asked ? asked : HELLO_NS);
	/* no samples are taken beside a prepare job */
	if (f->preparing)
		return deadline_in("the guest's preparing jobs",
				   (asked ? asked : SILENT_NS) + f->c->deadline_ns);
	if (!f->ready)
		return deadline_in("the guest's disks", asked ? asked : SETUP_NS);
	return deadline_in("the guest's next frame", (asked ? asked : SILENT_NS) + jobs);
}

void silence_heard(struct silence *s, const struct follow *f, int64_t sample_ns, int64_t cpu)
{
	int64_t asked = from_environment();

	if (asked)
		s->by_cpu = false;
	s->limit = limit(f, sample_ns, asked);
	s->began = clock_ns();
	s->cpu = cpu;
}

bool silence_goes_on(struct silence *s, int64_t cpu)
{
	int64_t length = s->limit.length, left = length - (cpu - s->cpu);

	if (!s->by_cpu || left <= 0 || silence_ns(s) >= SILENCE_WALL_TIMES * length)
		return false;
	s->limit.at = clock_ns() + (left < LOOK_NS ? LOOK_NS : left);
	return true;
}

int64_t silence_ns(const struct silence *s)
{
	return clock_ns() - s->began;
}
