/* SPDX-License-Identifier: GPL-2.0-only */
/* Being asked to stop, through blocked signals and a signalfd. */
#include "base/sig.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>

#include "base/alloc.h"
#include "base/err.h"

static const int stop_signals[] = { SIGINT, SIGTERM, SIGHUP };
static int stop_fd = -1;

void sig_init(void)
{
	sigset_t set;

	if (stop_fd >= 0)
		return;
	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(stop_signals); i++) {
		struct sigaction old;

		/* ignored when we were started, as nohup does: blocked, it would count */
		if (sigaction(stop_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaddset(&set, stop_signals[i]);
	}
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0 || signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		BUG("cannot set up signals");
	stop_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (stop_fd < 0)
		BUG("cannot open a signalfd");
}

int sig_fd(void)
{
	return stop_fd;
}

bool sig_stop_asked(void)
{
	return sig_which() != 0;
}

/*
 * The signal is looked at, never taken: it stays pending, and with it the signalfd stays
 * readable for every later wait.
 */
int sig_which(void)
{
	sigset_t pending;

	if (stop_fd < 0 || sigpending(&pending) < 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(stop_signals); i++) {
		if (sigismember(&pending, stop_signals[i]))
			return stop_signals[i];
	}
	return 0;
}
