/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run's folder: OUT/<UTC time>-<kernel>/, made once, never one that exists already. run.json in
 * it is rewritten whole after every boot, so that a run that dies has kept what it had and, since
 * "interrupted" is true until the end, says so.
 */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include <stdint.h>

struct err;
struct kase;
struct kernel;
struct run;
struct run_options;

/* Fill in run's description (everything but boots and verdicts) and make its folder; *dir is the
 * caller's to free. A folder that cannot be made or written is a rig error naming it. */
int folder_make(struct run *run, const struct run_options *o, const struct kernel *k, char **dir,
		struct err *err);
/* Write run.json. */
int folder_write(const struct run *run, const char *dir, struct err *err);
/* "writeback-hdd+dvd.1": the folder of a boot below the run's, in a fresh string. */
char *folder_boot_name(const struct kase *c, uint32_t seed);

#endif
