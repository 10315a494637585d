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

/* Can results go below out? Makes the folder if it is missing; a rig error that names it, before
 * anything was fetched or booted. */
int folder_check(const char *out, struct err *err);
/*
 * Fill in run's description (everything but boots, verdicts and end), make its folder and write
 * the document a first time; *dir is the caller's to free, also after an error. A second run of
 * the same kernel in the same second gets ".02" behind its name. A folder that cannot be made or
 * written is a rig error naming it.
 */
int folder_make(struct run *run, const struct run_options *o, const struct kernel *k, char **dir,
		struct err *err);
/* Write run.json. */
int folder_write(const struct run *run, const char *dir, struct err *err);
/* The kernel's name as a part of a folder's, in a fresh string: at most 64 bytes, and '_' for what
 * a shell or a terminal could take for more than a letter. */
char *folder_kernel_name(const struct kernel *k);
/* "writeback-hdd+dvd.1": the folder of a boot below the run's, in a fresh string. No two boots of
 * one suite share one: suite_load() sees to that. */
char *folder_boot_name(const struct kase *c, uint32_t seed);

#endif
