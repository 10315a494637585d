/* SPDX-License-Identifier: GPL-2.0-only */
/* Live lines on a terminal, plain lines in a log. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "run/schedule.h"

#define SLOTS_MAX	64
#define PLAIN_EVERY_NS	(30 * NS_PER_S)

static struct {
	bool quiet, live;
	size_t slots, drawn;		/* lines on the screen below the cursor's start */
	char line[SLOTS_MAX][160];
	int64_t plain_at[SLOTS_MAX];
} display;

void display_begin(bool quiet, size_t slots)
{
	memset(&display, 0, sizeof(display));
	display.quiet = quiet;
	display.slots = slots < SLOTS_MAX ? slots : SLOTS_MAX;
	display.live = !quiet && cmd_fancy(STDERR_FILENO);
}

static void erase(void)
{
	for (; display.drawn; display.drawn--)
		fputs("\033[A\033[2K", stderr);
}

static void draw(void)
{
	for (size_t i = 0; i < display.slots; i++)
		if (*display.line[i]) {
			fprintf(stderr, "%s\n", display.line[i]);
			display.drawn++;
		}
	fflush(stderr);
}

void display_line(const char *line)
{
	if (display.quiet)
		return;
	if (display.live)
		erase();
	fprintf(stderr, "%s\n", line);
	if (display.live)
		draw();
}

static void say_running(const struct schedule_news *n, char *out, size_t cap)
{
	char guest[32], wall[32];

	snprintf(out, cap, "[%zu/%zu] %s seed %u: %s, guest %s, %s so far", n->done + 1, n->total,
		 n->case_name, n->seed, stage_name(n->stage), format_time(n->guest_ns, guest),
		 format_time(n->wall_ns, wall));
}

static void say_ended(const struct schedule_news *n, char *out, size_t cap)
{
	const struct boot *b = n->boot;
	char wall[32];
	int len = snprintf(out, cap, "[%zu/%zu] %s seed %u: %s in %s", n->done, n->total,
			   n->case_name, n->seed, outcome_name(b->outcome),
			   format_time(n->wall_ns, wall));

	if (len > 0 && (size_t)len < cap && b->reason && *b->reason)
		snprintf(out + len, cap - (size_t)len, ": %s", b->reason);
}

void display_news(const struct schedule_news *n)
{
	size_t slot = n->slot < SLOTS_MAX ? n->slot : SLOTS_MAX - 1;
	char line[600];

	if (display.quiet)
		return;
	switch (n->event) {
	case BOOT_STARTED:
	case BOOT_NEWS:
		say_running(n, line, sizeof(line));
		if (display.live) {
			/* Longer lines would wrap and could not be erased. */
			snprintf(display.line[slot], sizeof(display.line[slot]), "%.79s", line);
			erase();
			draw();
		} else if (n->event == BOOT_STARTED) {
			display.plain_at[slot] = clock_ns() + PLAIN_EVERY_NS;
		} else if (clock_ns() >= display.plain_at[slot]) {
			display.plain_at[slot] = clock_ns() + PLAIN_EVERY_NS;
			fprintf(stderr, "%s\n", line);
		}
		break;
	case BOOT_ENDED:
		*display.line[slot] = '\0';
		say_ended(n, line, sizeof(line));
		display_line(line);
		break;
	}
}

void display_end(void)
{
	if (display.live)
		erase();
	memset(display.line, 0, sizeof(display.line));
}
