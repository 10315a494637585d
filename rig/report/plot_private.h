/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files that make a boot's pictures share. Private to plot_boot*.c and classic.c. */
#ifndef REPORT_PLOT_PRIVATE_H
#define REPORT_PLOT_PRIVATE_H

#include <stdint.h>

#include "guest/msg.h"
#include "report/plot.h"
#include "report/plot_boot.h"

/* The guest's time that is 0 on the axis. */
int64_t plot_boot_zero(const struct boot *b);
double plot_boot_seconds(int64_t ns, int64_t zero);
/* Set the time axis to the boot's samples and fit the other. */
void plot_boot_axis(struct plot *p, const struct boot *b);
/* The disk's counters in a sample, or NULL. */
const struct msg_sample_disk *plot_boot_disk(const struct msg_sample *s, const char *name);

#endif
