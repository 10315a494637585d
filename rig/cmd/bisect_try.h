/* SPDX-License-Identifier: GPL-2.0-only */
/* One step of a bisect: build a commit, see whether its kernel is a new one, boot it. */
#ifndef CMD_BISECT_TRY_H
#define CMD_BISECT_TRY_H

#include <stddef.h>

struct bisect_work;
struct err;
struct run_kernel;

/*
 * What w->step asks for. What the commit cannot be tested for is in w->b and no error, but for
 * ERR_INPUT at an end: then nothing else would build either.
 */
int bisect_try(struct bisect_work *w, struct err *err);
/* Find or build the commit's kernel; rk is as run_kernel_init() makes it. */
int bisect_try_build(const struct bisect_work *w, size_t commit, struct run_kernel *rk,
		     struct err *err);
/* Take the boots of the commit that are there, and boot what is missing up to that seed. */
int bisect_try_boot(const struct bisect_work *w, size_t seeds, struct run_kernel *rk,
		    struct err *err);

#endif
