/* SPDX-License-Identifier: GPL-2.0-only */
/* What a report reads from a run's folder and draws into it. */
#ifndef REPORT_FILES_H
#define REPORT_FILES_H

#include <stddef.h>

struct boot;
struct err;
struct requests;
struct run;

/* A boot's folder below the run's, in a fresh string; NULL if the document names none that is a
 * plain name (it may have been written by anybody), or if dir has no such folder of its own. */
char *files_boot_folder(const char *dir, const struct boot *b);
/* The boot's log of requests; nothing of a boot without one. */
int files_requests(struct requests *r, const char *dir, const struct boot *b, struct err *err);

/* Draw every picture of every boot into its folder ("plot-dirty" ...), and of every case that over
 * its seeds into dir ("plot-seeds-CASE"): see plot_gnuplot.h. *n counts them. */
int files_plots(const struct run *run, const char *dir, size_t *n, struct err *err);
/* Draw what changed from a base run into dir as "plot-change-ID" with the base's; runs that cannot
 * be compared give none. *n counts it. */
int files_change(const struct run *base, const struct run *run, const char *dir, size_t *n,
		 struct err *err);
/*
 * The five graphs of the report of 2004 under their old names (dvdalone, dvdhdd, hddalone, hda15,
 * hda5) in dir/classic: dirty pages per device, device upon device, of the first seed of the case
 * that repeats each. ERR_INPUT if the run has none of those cases; *n counts what was drawn.
 */
int files_classic(const struct run *run, const char *dir, size_t *n, struct err *err);

#endif
