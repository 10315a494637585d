/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of the kernel's counters, one "sample" frame each. All files stay open and all buffers
 * are static: a sample allocates nothing, so it works when memory is short.
 *
 * Per disk: /sys/kernel/debug/bdi/MAJ:MIN/stats by name (KB), and "io", the fields of
 * /sys/block/X/stat, which are those of /proc/diskstats from the fourth on. "vm" is in pages.
 * A file or field that the kernel lacks is left out.
 */
#ifndef AGENT_SAMPLE_H
#define AGENT_SAMPLE_H

struct disks;

/* Open the files; disks must stay where it is. */
void sample_open(const struct disks *disks);
/* Take and send one. */
void sample_take(void);

#endif
