/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One boot, from a case to what came of it. A plain sequence with deadlines:
 * set up, start, follow frames and console to the end, judge how far it came.
 */
#ifndef RUN_BOOT_H
#define RUN_BOOT_H

#include <stdint.h>

struct boot;
struct err;
struct kase;
struct kernel;
struct run_options;

/* News of a running boot for the live display, by the worker's pipe. */
struct boot_news {
	int fd;			/* written to, never blocks for long; -1 = nobody watches */
};

struct boot_task {
	const struct run_options *o;
	const struct kernel *k;
	const struct kase *c;
	uint32_t seed;
	const char *run_dir;	/* the run's folder; exists */
	const char *dir;	/* this boot's folder below it */
	struct boot_news news;
};

/*
 * Boot and measure. Whatever the guest does is data: 0 with *b filled in, its outcome, stage,
 * reason and evidence saying what happened. Negative only when the rig or the host failed (no
 * room for images, no QEMU) or a stop was asked for; *b then holds what there was. In the boot's
 * folder stay console.log, frames.log, samples.jsonl, qemu.sh and qemu.stderr.
 */
int boot_execute(struct boot *b, const struct boot_task *t, struct err *err);

#endif
