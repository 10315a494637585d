/* SPDX-License-Identifier: GPL-2.0-only */
/* The run of the kernel without its patches: 'iorig run --patch' leaves it beside the other. */
#ifndef REPORT_UNPATCHED_H
#define REPORT_UNPATCHED_H

#include <stdbool.h>

struct run;

/*
 * Look among the folders beside a run's folder, dir, for one that ran the same source without any
 * patch, on the same clock, timing, scale, QEMU and rig, and has all of the run's cases, unchanged:
 * the newest by its name, of the few whose names fit. True with base filled in and its folder in
 * *base_dir (both the caller's to release); false, with base as run_init() makes it, if there is
 * none or the run has no patches. Folders that cannot be read are none.
 */
bool unpatched_find(const struct run *run, const char *dir, struct run *base, char **base_dir);
/* NULL if 'base' can stand beside the patched run so; else what is different, in a few words. */
const char *unpatched_differs(const struct run *run, const struct run *base);

#endif
