/* SPDX-License-Identifier: GPL-2.0-only */
/* Live lines on a terminal, plain lines in a log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "run/progress.h"
#include "run/schedule.h"

#define PLAIN_EVERY_NS (30 * NS_PER_S)
#define COLUMNS_DEFAULT 80
#define ROWS_DEFAULT 24
#define TEXT_MAX 600		/* bytes of a case's name or a boot's reason that are shown */

/* One VM's line. */
struct view {
	struct strbuf line;	/* "" = nothing runs in this place */
	int64_t plain_at;	/* when a log gets its next line */
	int64_t guest_from, wall_from;	/* when the guest was first heard of; its speed's base */
};

static struct {
	bool quiet, live;
	size_t n_views, drawn;	/* drawn: live lines that stand above the cursor */
	struct view *views;
} display;

void display_begin(bool quiet, size_t slots)
{
	display_end();
	display.quiet = quiet;
	display.live = !quiet && cmd_fancy(STDERR_FILENO);
	display.n_views = slots;
	display.views = xcalloc(slots ? slots : 1, sizeof(*display.views));
	for (size_t i = 0; i < slots; i++)
		strbuf_init(&display.views[i].line);
}

/*
 * Columns that a character takes, given the first byte of its valid UTF-8. From U+0800 on two are
 * assumed: some of those characters take as many, and a line must not come out too long.
 */
static size_t columns_of(char byte)
{
	unsigned char c = (unsigned char)byte;

	return (c & 0xc0) == 0x80 ? 0 : c < 0xe0 ? 1 : 2;
}

static size_t columns(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += columns_of(*s);
	return n;
}

/* The end of a text that does not fit. */
static void add_tail(struct strbuf *out, const char *s, size_t room)
{
	size_t n = columns(s);

	if (n > room && room >= 3) {
		strbuf_addstr(out, "...");
		room -= 3;
	}
	while (n > room)
		n -= columns_of(*s++);
	/* not in the middle of a character */
	while ((*s & 0xc0) == 0x80)
		s++;
	strbuf_addstr(out, s);
}

static void add_head(struct strbuf *out, const char *s, size_t room)
{
	for (size_t n = 0; *s && (n += columns_of(*s)) <= room; s++)
		strbuf_addch(out, *s);
}

static struct winsize terminal(void)
{
	struct winsize size = { 0 };

	ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
	if (!size.ws_col)
		size.ws_col = COLUMNS_DEFAULT;
	if (!size.ws_row)
		size.ws_row = ROWS_DEFAULT;
	return size;
}

static void add_erase(struct strbuf *out)
{
	for (; display.drawn; display.drawn--)
		strbuf_addstr(out, "\033[A\033[2K");
}

/*
 * A line that wraps, or more lines than the terminal has, could not be erased again. The last
 * column stays empty: some terminals go on to the next line when it is written to.
 */
static void add_lines(struct strbuf *out)
{
	struct winsize size = terminal();

	for (size_t i = 0; i < display.n_views && display.drawn + 1 < size.ws_row; i++) {
		if (!display.views[i].line.len)
			continue;
		add_head(out, display.views[i].line.buf, size.ws_col - 1u);
		strbuf_addch(out, '\n');
		display.drawn++;
	}
}

/* Replace the live lines, with a line above them that stays (NULL: none). In one write, so that
 * nothing flickers. */
static void redraw(const char *above)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;

	add_erase(&out);
	if (above)
		strbuf_addf(&out, "%s\n", above);
	if (display.live)
		add_lines(&out);
	fwrite(out.buf, 1, out.len, stderr);
	fflush(stderr);
}

void display_line(const char *line)
{
	if (!display.quiet)
		redraw(line);
}

/* ", guest 34.5 s at 31x": guest seconds in a wall second say how long the rest may take, but
 * only of a simulated clock is that more than 1. */
static void say_time(const struct schedule_news *n, const struct view *v, struct strbuf *out)
{
	int64_t wall = n->wall_ns - v->wall_from;
	double speed = wall > 0 ? (double)(n->guest_ns - v->guest_from) / (double)wall : 0;
	char guest[32], so_far[32];

	if (n->guest_ns > 0)
		strbuf_addf(out, ", guest %s", format_time(n->guest_ns, guest));
	if (n->guest_ns > 0 && n->simulated && speed > 0)
		strbuf_addf(out, " at %.*fx", speed < 9.95 ? 1 : 0, speed);
	else if (n->wall_ns >= NS_PER_S)
		strbuf_addf(out, ", %s so far", format_time(n->wall_ns, so_far));
}

/* ", dirty dvd 8.1 hda 0.0 MiB": the two fullest disks. */
static void say_dirty(const struct schedule_news *n, struct strbuf *out)
{
	bool any = false;

	for (int i = 0; n->full && i < PROGRESS_FULL && n->full[i].kib >= 0; i++) {
		strbuf_addf(out, "%s %s %.1f", any ? "" : ", dirty", str_escape(n->full[i].name),
			    (double)n->full[i].kib / 1024);
		any = true;
	}
	if (any)
		strbuf_addstr(out, " MiB");
}

/* The case's name is what is cut when the rest would not fit. */
static void say_running(const struct schedule_news *n, const struct view *v, size_t room,
			struct strbuf *out)
{
	struct strbuf name __release(strbuf) = STRBUF_INIT, rest __release(strbuf) = STRBUF_INIT;

	strbuf_add_escaped(&name, n->case_name, strlen(n->case_name), TEXT_MAX);
	strbuf_addf(&rest, " seed %u: %s", n->seed, stage_name(n->stage));
	say_time(n, v, &rest);
	say_dirty(n, &rest);
	strbuf_addf(&rest, ", %zu of %zu left", n->total - n->done, n->total);
	add_tail(out, name.buf, room > columns(rest.buf) ? room - columns(rest.buf) : 0);
	strbuf_addstr(out, rest.buf);
}

static void say_ended(const struct schedule_news *n, struct strbuf *out)
{
	const struct boot *b = n->boot;
	char wall[32];

	strbuf_addf(out, "[%zu/%zu] ", n->done, n->total);
	strbuf_add_escaped(out, n->case_name, strlen(n->case_name), TEXT_MAX);
	strbuf_addf(out, " seed %u: %s in %s", n->seed, outcome_name(b->outcome),
		    format_time(n->wall_ns, wall));
	if (!b->reason || !*b->reason)
		return;
	strbuf_addstr(out, ": ");
	strbuf_add_escaped(out, b->reason, strlen(b->reason), TEXT_MAX);
}

static void show_running(const struct schedule_news *n, struct view *v)
{
	if (n->guest_ns > 0 && !v->guest_from) {
		v->guest_from = n->guest_ns;
		v->wall_from = n->wall_ns;
	}
	if (display.live) {
		strbuf_reset(&v->line);
		say_running(n, v, terminal().ws_col - 1u, &v->line);
		redraw(NULL);
	} else if (clock_ns() >= v->plain_at) {
		struct strbuf line __release(strbuf) = STRBUF_INIT;

		v->plain_at = clock_ns() + PLAIN_EVERY_NS;
		say_running(n, v, TEXT_MAX, &line);
		redraw(line.buf);
	}
}

void display_news(const struct schedule_news *n)
{
	struct strbuf line __release(strbuf) = STRBUF_INIT;
	struct view *v;

	BUG_ON(n->slot >= display.n_views);
	if (display.quiet)
		return;
	v = &display.views[n->slot];
	switch (n->event) {
	case BOOT_STARTED:
		v->guest_from = v->wall_from = 0;
		v->plain_at = clock_ns() + PLAIN_EVERY_NS;
		show_running(n, v);
		break;
	case BOOT_NEWS:
		show_running(n, v);
		break;
	case BOOT_ENDED:
		strbuf_reset(&v->line);
		say_ended(n, &line);
		redraw(line.buf);
		break;
	}
}

void display_end(void)
{
	for (size_t i = 0; i < display.n_views; i++)
		strbuf_release(&display.views[i].line);
	free(display.views);
	display.views = NULL;
	display.n_views = 0;
	if (display.drawn)
		redraw(NULL);
}
