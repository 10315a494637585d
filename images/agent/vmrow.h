/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row as vmstat(8) prints it, from the texts of /proc/stat, /proc/meminfo and /proc/vmstat.
 * Pure. In this order:
 *
 *	r b		tasks that run or want to (the agent is one), tasks in uninterruptible sleep
 *	swpd free buff cache	KB: swap in use, MemFree, Buffers, Cached + SReclaimable
 *	si so bi bo	KB a second: pswpin and pswpout (pages), pgpgin and pgpgout (KB already)
 *	in cs		a second: interrupts, context switches
 *	us sy id wa	percent of all CPU time: user + nice, system + irq + softirq, idle, iowait;
 *			rounded, so the sum may be 99 or 101; stolen time is in none of them
 *
 * Rates and percents are over the time since the row before; the first row's are since boot.
 */
#ifndef AGENT_VMROW_H
#define AGENT_VMROW_H

#include <stdint.h>

#define VMROW_COLUMNS 16
#define VMROW_RATES   6		/* si so bi bo in cs, as counters */
#define VMROW_CPU     8		/* user nice system idle iowait irq softirq steal */

struct vmrow {			/* zeroed to begin with */
	int64_t ns;
	int64_t rates[VMROW_RATES];
	int64_t cpu[VMROW_CPU];
};

struct vmrow_texts {
	const char *stat, *meminfo, *vmstat;	/* "" where the kernel has none */
};

void vmrow_next(struct vmrow *row, const struct vmrow_texts *texts, int64_t page_bytes,
		int64_t ns, int64_t out[VMROW_COLUMNS]);

#endif
