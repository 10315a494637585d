/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting for a 32-bit word to change. */
#ifndef SIM_FUTEX_H
#define SIM_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sleep while *word is value. Returns early now and then: callers look again. */
static inline void futex_wait(atomic_uint *word, unsigned value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static inline void futex_wake(atomic_uint *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#endif
