/* SPDX-License-Identifier: GPL-2.0-only */
/* Watches lockstep from outside. */
#include "sim/watchdog.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/fatal.h"
#include "sim/lockstep.h"
#include "sim/symbols.h"

static int64_t limit;

static void report(const char *state)
{
	char line[640];
	int n = snprintf(line, sizeof(line), "iorig-sim: no progress for %lld s: %s\n",
			 (long long)limit, state);

	(void)!write(STDERR_FILENO, line, (size_t)n);
	abort();
}

static void *watch(void *unused)
{
	int64_t ticks = 0;
	unsigned last = 0;

	for (;;) {
		const struct timespec second = { 1, 0 };
		unsigned beat = lockstep_beat();
		char state[512];

		if (!lockstep_describe(state, sizeof(state)) || beat != last)
			ticks = 0;
		else if (++ticks >= limit)
			report(state);
		last = beat;
		nanosleep(&second, NULL);
	}
	return unused;
}

void watchdog_start(int64_t seconds)
{
	pthread_t thread;
	sigset_t all, old;
	int ret;

	limit = seconds;
	/* QEMU's signals belong to its own threads */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = sim_libc()->pthread_create(&thread, NULL, watch, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ret)
		fatal("cannot start the watchdog: %s", strerror(ret));
	pthread_detach(thread);
}
