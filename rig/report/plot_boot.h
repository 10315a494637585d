/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pictures of one boot, from its samples and requests. The time axis is the guest's clock from
 * the first job's start (or, if none started, the first sample) to the last sample, in seconds.
 * Long series are thinned to PLOT_BOOT_POINTS; of what is thinned the greatest value stays.
 */
#ifndef REPORT_PLOT_BOOT_H
#define REPORT_PLOT_BOOT_H

#include <stdbool.h>

struct boot;
struct palette;
struct plot;
struct requests;
struct stalls;

#define PLOT_BOOT_POINTS 240

/* What the pictures of a boot are made from, all borrowed. */
struct plot_source {
	const struct boot *b;
	const struct requests *r;
	const struct stalls *s;
	const struct palette *colors;
};

/*
 * "dirty": dirty and (paler) writeback pages, a device upon the other, in MiB, with the dirty and
 * the background limit; below it a bar for each job, its sync paler, and one for each victim and
 * each device that stalled (victim.h, facts.h). pages: in pages of 4 KiB instead, as the reports of
 * 2004 counted.
 */
void plot_boot_dirty(struct plot *p, const struct plot_source *from, bool pages);
/* "throughput": MiB/s that each device reads (paler) and writes, between samples. */
void plot_boot_throughput(struct plot *p, const struct plot_source *from);
/* "victim": what each of a victim's steps (victim.h) took it, ms, logarithmic: of requests the
 * slowest of each 240th part of the time, of dirtied pages the mean for each MiB between samples,
 * or the stretch before them in which there was nothing, if that is longer. */
void plot_boot_victim(struct plot *p, const struct plot_source *from);
/* "latency": ms from issue to completion of the requests, logarithmic: the slowest of each
 * 240th part of the time, by device. */
void plot_boot_latency(struct plot *p, const struct plot_source *from);
/* "offsets": where on each device, MiB, requests began when they were completed; dots: writes,
 * upright ticks: reads. Of marks that would cover each other one stays. */
void plot_boot_offsets(struct plot *p, const struct plot_source *from);

/* The above by number, for loops. */
#define PLOT_BOOT_N 5
void plot_boot_make(struct plot *p, int which, const struct plot_source *from);

#endif
