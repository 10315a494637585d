/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a guest's console told about dirty pages (guest/dirtylines.h), beside what the samples of
 * the same boot say: BdiReclaimable + BdiWriteback of the disk, in pages of 4 KiB. A device of the
 * kernel, sda, is the boot's disk whose 'dev' it is.
 *
 * Lines and samples are taken at different moments. So each value is compared with the samples
 * at the line's own time, on the straight line between the sample before and the one after;
 * values outside of the samples, and those without a time, are not compared. A line's stamp is
 * taken for CLOCK_MONOTONIC, which it is to 2 ms in Linux 6.1. The shorter the samples' distance,
 * the less a straight line is wrong: pages come and go in chunks of MiB.
 */
#ifndef REPORT_DIRTY_H
#define REPORT_DIRTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest/dirtylines.h"

struct boot;
struct err;
struct run;
struct strbuf;

#define DIRTY_BYTES (64 << 20)	/* of a console that are read */

/* A disk's samples, in the order of time. */
struct dirty_track {
	struct dirty_point { int64_t ns; double pages; } *v;
	size_t n;
};

#define DIRTY_TRACK_INIT { .v = NULL }
/* The boot's disk that the guest's kernel calls so, by its index; -1. */
int dirty_disk(const struct boot *b, const char *device);
/* Nothing of a disk -1, or of one whose samples lack either counter. */
void dirty_track_make(struct dirty_track *t, const struct boot *b, int disk);
void dirty_track_release(struct dirty_track *t);
/* The pages at a time; -1 outside, and at -1. */
double dirty_track_at(const struct dirty_track *t, int64_t ns);

/* A device's lines and samples, at the moments that have both. */
struct dirty_compared {
	size_t n;		/* such moments; the others are -1 without one */
	double mean, max;			/* of the lines */
	double sampled_mean, sampled_max;	/* of the samples */
};
struct dirty_compared dirty_compare(const struct dirtylines *d, size_t device,
				    const struct dirty_track *t);

/*
 * The lines of a console. What stands behind DIRTY_BYTES is left out (d->cut). A file that is not
 * there is an error, but in the folder of a boot: a boot without lines.
 */
int dirty_read(struct dirtylines *d, const char *path, struct err *err);
int dirty_read_boot(struct dirtylines *d, const char *dir, const struct boot *b, struct err *err);

/*
 * For people: the series with a column for each device, then mean and maximum of each, then lines
 * beside samples with their differences in percent of the samples. title is printable; b is NULL
 * where there is only a console.
 */
void dirty_text(struct strbuf *out, const char *title, const struct dirtylines *d,
		const struct boot *b);
/* For programs: CSV (RFC 4180, with \n), a row for each value. What is not known is empty. */
void dirty_csv_head(struct strbuf *out);
void dirty_csv(struct strbuf *out, const struct run *run, const struct boot *b,
	       const struct dirtylines *d);

/* A run's boots, those without lines left out; dir is the run's folder. ERR_INPUT if none has. */
int dirty_run(struct strbuf *out, const struct run *run, const char *dir, bool csv,
	      struct err *err);
/* A console on its own. ERR_INPUT if it has no line. */
int dirty_file(struct strbuf *out, const char *path, bool csv, struct err *err);

#endif
