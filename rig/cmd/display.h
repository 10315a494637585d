/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Progress on standard error. On a terminal each VM has a live line, redrawn in place and never
 * longer than the terminal is wide: case, seed, stage, guest time, its speed (guest seconds in a
 * wall second, on the simulated clock), the two disks with most dirty pages, and how many boots are
 * left. Elsewhere: a plain line at
 * the end of each boot, and every half minute for those that run.
 */
#ifndef CMD_DISPLAY_H
#define CMD_DISPLAY_H

#include <stdbool.h>
#include <stddef.h>

struct schedule_news;

/* Begin, after what was begun before has ended. quiet: nothing is shown until the next begin.
 * slots: VMs side by side, 0 while there are none. */
void display_begin(bool quiet, size_t slots);
/* A boot began, went on or ended; n->slot is below slots. */
void display_news(const struct schedule_news *n);
/* A line of progress from work before and between boots (base/progress.h). */
void display_line(const char *line);
/* Clear the live lines and forget them; plain lines may go on. */
void display_end(void);

#endif
