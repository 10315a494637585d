/* SPDX-License-Identifier: GPL-2.0-only */
/* Interposed functions that no header of libc declares. */
#ifndef SIM_HOOKS_EVENTS_H
#define SIM_HOOKS_EVENTS_H

/* liburing's; the ring is its own business. */
int io_uring_submit_and_wait(void *ring, unsigned wait_nr);

#endif
