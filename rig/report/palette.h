/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which disk has which colour: by the order in which a run's cases name their disks, so that a
 * disk is the same colour in every picture of a page. The first six differ in lightness by at
 * least 7 of CIE L*'s 100 steps (a grey print, a colour-blind reader); a seventh disk begins
 * again, and who draws lines dashes them then.
 */
#ifndef REPORT_PALETTE_H
#define REPORT_PALETTE_H

#include "base/strvec.h"

struct boot;
struct run;

#define PALETTE_N 6

struct palette_color {
	const char *light, *dark;	/* "#rrggbb", on a white and on a black page */
};

extern const struct palette_color palette_colors[PALETTE_N];

struct palette {
	struct strvec names;
};

#define PALETTE_INIT { .names = STRVEC_INIT }

void palette_release(struct palette *p);
/* Add the disks that p does not know yet; beyond PALETTE_DISKS they all are the first's. */
void palette_add(struct palette *p, const struct boot *b);
void palette_add_run(struct palette *p, const struct run *run);
/* 0.. in the order of adding, not wrapped; 0 for a name that was never added. */
int palette_index(const struct palette *p, const char *name);

#define PALETTE_DISKS 64

#endif
