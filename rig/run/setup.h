/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that one boot needs, made from a case: the plan for the guest's agent, the initramfs, the
 * disk images, the simulator's configuration and the machine that ties them together.
 */
#ifndef RUN_SETUP_H
#define RUN_SETUP_H

#include <stddef.h>
#include <stdint.h>

#include "base/strvec.h"
#include "image/bring.h"
#include "image/profile.h"
#include "kernel/modules.h"
#include "vm/machine.h"

struct err;
struct kase;
struct kernel;
struct plan;
struct run_options;
struct strbuf;

struct setup {
	struct machine machine;		/* points into what follows */
	struct machine_disk *disks;
	struct profile *profiles;
	size_t n_disks;
	struct module_set modules;
	struct bring bring;		/* the host's programs and their libraries */
	int64_t stop_ns;		/* where the simulator stops the guest; 0: nowhere */
	const char *lacks;		/* why this kernel cannot run this case, escaped, or NULL */
	struct strvec strings;		/* owns what the structs above point to */
};

#define SETUP_INIT                                                                                 \
	{ .disks = NULL, .modules = MODULE_SET_INIT, .bring = BRING_INIT, .strings = STRVEC_INIT }

/*
 * Make everything in folder dir (images in dir/images). seed is 1 or more; s->stop_ns may be set.
 * A kernel that lacks something, or that is too large for the case's machine, a host without a
 * program that the case brings, and disks whose faults need another timing are no errors:
 * setup->lacks says what, and nothing else is made then.
 */
int setup_make(struct setup *s, const struct run_options *o, const struct kernel *k,
	       const struct kase *c, uint32_t seed, const char *dir, struct err *err);
void setup_release(struct setup *s);

/*
 * The parts of it that are pure, for tests: the guest's plan, and the kernel's command line (a
 * fresh string). A repetition of a real measurement never starts two programs at quite the same
 * moment; that is what window_ns is: each job's start moves by 0 to window_ns, drawn from the seed.
 */
void setup_plan(struct plan *plan, const struct kase *c, const struct module_set *modules,
		uint32_t seed, int64_t window_ns);
char *setup_cmdline(const struct kernel *k, const struct kase *c, enum machine_clock clock);
/* What the simulator's library reads (rig/sim/model_config.h): clock, seed, the disks' timing,
 * images and faults, where its log of requests goes, and where it stops. */
void setup_sim_config(const struct setup *s, const struct kase *c, const char *log,
		      struct strbuf *out);

#define SETUP_REQUESTS "requests.log"	/* in the boot's folder: every disk request */
#define SETUP_SERIAL "io-"		/* and the disk's name: how the guest finds it */
#define SETUP_WINDOW_NS (250 * 1000000LL) /* of starts, on the simulated clock */

#endif
