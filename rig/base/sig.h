/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Being asked to stop. sig_init() blocks SIGINT, SIGTERM and SIGHUP and reads them through a
 * signalfd, so no code runs in a handler: every poll() that may last adds sig_fd() to its set,
 * and a wait that sees it returns err_interrupted(). The request stays pending for later waits.
 * A signal that was ignored when the program started (nohup) stays ignored. SIGPIPE is ignored.
 * A child gets an unblocked mask (proc.h restores it).
 */
#ifndef BASE_SIG_H
#define BASE_SIG_H

#include <stdbool.h>

void sig_init(void);
/* Readable as soon as a stop was asked for; -1 if sig_init was not called. */
int sig_fd(void);
/* True once a stop was asked for. Never blocks. */
bool sig_stop_asked(void);
/* The signal that asked, 0 if none: for the exit status 128 + n. */
int sig_which(void);

#endif
