/* SPDX-License-Identifier: GPL-2.0-only */
/* A boot that the host did not disturb, or the word that there was none. */
#ifndef RUN_STEADY_H
#define RUN_STEADY_H

#include <stdbool.h>
#include <stddef.h>

struct boot;
struct boot_task;
struct err;

#define STEADY_TRIES   3
#define STEADY_GIVE_UP 2

/*
 * boot_execute(), and on the real clock again, with nothing left of the one before, as long as the
 * host stalled for more than the options' share of what its jobs took (control.h): STEADY_TRIES
 * boots at most. If the last one is void, too, b is broken at its end, voided, with the reason.
 */
int steady_boot(struct boot *b, const struct boot_task *t, struct err *err);
/*
 * Why no more of these boots of one case, of which only those are there that have says, should be
 * tried, or NULL. Two are broken: its verdict is settled, and a guest that hangs costs minutes each
 * time. Two, and more than are good, are void, and then *voided is set: on a host that is busy all
 * the time each is made again and again.
 */
const char *steady_give_up(const struct boot *boots, const bool *have, size_t n, bool *voided);

#endif
