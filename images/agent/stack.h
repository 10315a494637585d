/* SPDX-License-Identifier: GPL-2.0-only */
/* The text of /proc/PID/stack as names of functions. Pure. */
#ifndef AGENT_STACK_H
#define AGENT_STACK_H

#include <stddef.h>

#define STACK_DEEP 24	/* innermost functions that are kept */

/*
 * From "[<0>] io_schedule+0x46/0x80\n[<0>] ...": the names alone, innermost first, one blank
 * between them. Addresses, offsets and modules are left out, as is a line without a name. What
 * does not fit into cap is left out from the outer end, by whole names.
 */
void stack_names(const char *text, char *out, size_t cap);

/* Is this (names, or a wchan) a parent that only waits for its children? */
int stack_is_parent(const char *names);

#endif
