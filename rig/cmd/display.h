/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Progress on standard error: on a terminal a live line for each VM, redrawn in place; elsewhere
 * plain lines at the start and the end of each boot and every half minute in between.
 */
#ifndef CMD_DISPLAY_H
#define CMD_DISPLAY_H

#include <stdbool.h>
#include <stddef.h>

struct schedule_news;

/* quiet: nothing but what display_line() is given. slots: VMs side by side. */
void display_begin(bool quiet, size_t slots);
void display_news(const struct schedule_news *n);
/* A line of progress from work before and between boots (base/progress.h). */
void display_line(const char *line);
/* Clear the live lines. */
void display_end(void);

#endif
