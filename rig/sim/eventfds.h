/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The eventfds that this process made, and the vCPU's writes to them that are not sent yet.
 *
 * A write wakes the thread that polls, and that thread wants the BQL, which the vCPU still has:
 * two changes of threads for nothing. So what the vCPU writes while it holds the BQL is held back
 * until it gives the lock away, or blocks. Nobody can tell: those who are woken could not have
 * done anything before.
 *
 * Held writes belong to the vCPU thread, which alone may call the functions on them. Several to one
 * descriptor are sent as one: an eventfd only counts, and its readers take all at once.
 */
#ifndef SIM_EVENTFDS_H
#define SIM_EVENTFDS_H

#include <stdbool.h>

#define EVENTFDS_HELD_MAX 16

/* An eventfd was made, or some descriptor is about to be closed. By any thread. */
void eventfds_made(int fd);
void eventfds_closed(int fd);
bool eventfds_has(int fd);

struct held {
	int n;
	int fds[EVENTFDS_HELD_MAX];
	unsigned writes[EVENTFDS_HELD_MAX];	/* how many were asked for */
	int last;				/* the descriptor of the latest */
};

/* False: there is no room, write it yourself. */
bool eventfds_hold(int fd);
/* Whether what is held is each write of a and, unless it is negative, one to fd; nothing else. */
bool eventfds_hold_just(const struct held *a, int fd);
/* What is held; to be looked at. A variable, since each unlock of the BQL asks. */
extern struct held eventfds_held;
/* What is held, which then is held no more; and back again, beside what is held by then. */
struct held eventfds_take(void);
void eventfds_put_back(const struct held *taken);
/* One write to fd, now. By any thread. */
void eventfds_write(int fd);

#endif
