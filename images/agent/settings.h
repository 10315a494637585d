/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the plan sets before the jobs start: queue and device attributes of its disks, and files.
 * Each is written, read back where it can be read, and told in a "set" frame with the value that
 * the kernel shows. A setting that the kernel does not have or does not take ends the guest: a
 * result under other settings than the case's would be a lie.
 */
#ifndef AGENT_SETTINGS_H
#define AGENT_SETTINGS_H

struct disks;
struct plan;

void settings_apply_disks(const struct disks *disks);
void settings_apply_files(const struct plan *plan);
/* Write back and drop all that is cached, so that every run starts alike. */
void settings_flush_caches(void);

#endif
