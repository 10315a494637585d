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
struct vm;

struct boot_task {
	const struct run_options *o;
	const struct kernel *k;
	const struct kase *c;
	const char *expect_text;	/* what is expected of the case, NULL = nothing */
	uint32_t seed;
	const char *run_dir;	/* the run's folder; exists */
	const char *dir;	/* this boot's folder below it */
	int cpu;		/* of the host's, to stay on (run/affinity.h); -1 = any */
	/* On the simulated clock: stop the guest at this moment of it, call stopped() with the
	 * machine, and end the boot there, not done. What comes before is as without. 0: it runs to
	 * its end. */
	int64_t stop_ns;
	int (*stopped)(struct vm *vm, void *arg, struct err *err);
	void *stopped_arg;
	int news_fd;		/* gets lines "STAGE GUEST_NS NAME KIB NAME KIB", of the disks with
				 * most dirty and writeback pages; -1 = nobody watches */
};

/* Fill b, which is as boot_init() makes it, with what is known before the boot: its case, seed,
 * folder and jobs, and that it has not ended. */
void boot_describe(struct boot *b, const struct boot_task *t);
/*
 * Boot and measure b, which is as boot_init() makes it. Whatever the guest does is data: 0 with b
 * filled in, its outcome, stage, reason and evidence saying what happened. Negative only when the
 * rig or the host failed (no room for images, no QEMU), this QEMU cannot be simulated
 * (ERR_UNABLE), or a stop was asked for; b then holds what there was. In the boot's folder stay
 * console.log, frames.log, samples.jsonl, qemu.sh and qemu.stderr; with the simulator its
 * requests.log and sim.conf, too.
 */
int boot_execute(struct boot *b, const struct boot_task *t, struct err *err);

#endif
