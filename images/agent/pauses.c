/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading the trace of balance_dirty_pages. */
#include "agent/pauses.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "agent/disks.h"
#include "agent/jsonw.h"
#include "agent/now.h"
#include "agent/port.h"
#include "agent/text.h"
#include "wire/plan.h"

#define TRACEFS	  "/sys/kernel/tracing"		/* made by the kernel, since 4.1 */
#define EVENT	  TRACEFS "/events/writeback/balance_dirty_pages"
#define BUFFER_KB "512"		/* some thousand events between two samples */

static const struct disks *traced;
static struct {
	int64_t count, sum_ms, max_ms;
} sums[PLAN_MAX_DISKS];
static char note[160];
static int64_t lost;
static int pipe_fd = -1;
/* What has been read and is no whole line yet. */
static char text[16384];
static size_t held;

bool pauses_format_ok(const char *format)
{
	const char *print = strstr(format, "print fmt:");

	return print && strstr(print, "bdi %s:") && strstr(print, " pause=%");
}

bool pauses_parse(const char *line, struct pauses_line *out)
{
	const char *event = strstr(line, "balance_dirty_pages: bdi ");
	const char *gap = strstr(line, " [LOST ");
	const char *pause = event ? strstr(event, " pause=") : NULL;
	char *end;

	*out = (struct pauses_line){ .lost = 0 };
	if (!event) {
		out->lost = gap ? strtoll(gap + strlen(" [LOST "), NULL, 10) : 0;
		return out->lost > 0;
	}
	if (!pause ||
	    sscanf(event, "balance_dirty_pages: bdi %u:%u:", &out->major, &out->minor) != 2)
		return false;
	out->ms = strtoll(pause + strlen(" pause="), &end, 10);
	return end != pause + strlen(" pause=") && out->ms >= 0;
}

static void count_line(const char *line)
{
	struct pauses_line got;
	size_t i;

	if (!pauses_parse(line, &got))
		return;
	lost += got.lost;
	for (i = 0; !got.lost && i < traced->n; i++) {
		if (traced->disks[i].major != got.major || traced->disks[i].minor != got.minor)
			continue;
		sums[i].count++;
		sums[i].sum_ms += got.ms;
		if (got.ms > sums[i].max_ms)
			sums[i].max_ms = got.ms;
	}
}

/* Count the whole lines of what is held, and keep the rest. */
static void count_lines(void)
{
	char *at = text, *newline;

	text[held] = '\0';
	while ((newline = strchr(at, '\n'))) {
		*newline = '\0';
		count_line(at);
		at = newline + 1;
	}
	held -= at - text;
	memmove(text, at, held);
	if (held == sizeof(text) - 1)
		held = 0;	/* no line of ours is as long */
}

/* One step of switching it on; what fails first is the note. */
static bool try_write(const char *path, const char *value)
{
	int error = text_write(path, value);

	if (error)
		snprintf(note, sizeof(note), "'%.100s': %s", path, strerror(-error));
	return !error;
}

static bool switch_on(void)
{
	static char format[8192];
	ssize_t n;

	mount("tracefs", TRACEFS, "tracefs", MS_NOSUID, NULL);
	n = text_read(EVENT "/format", format, sizeof(format));
	if (n < 0) {
		snprintf(note, sizeof(note), "this kernel's tracepoint "
			 "writeback:balance_dirty_pages: %s",
			 n == -ENOENT ? "it has none" : strerror(-n));
		return false;
	}
	if (!pauses_format_ok(format)) {
		snprintf(note, sizeof(note), "this kernel's writeback:balance_dirty_pages names no "
			 "bdi or no pause");
		return false;
	}
	/* the task's name and the time before each line are of no use; old kernels keep them */
	text_write(TRACEFS "/options/context-info", "0");
	if (!try_write(TRACEFS "/buffer_size_kb", BUFFER_KB) ||
	    !try_write(EVENT "/filter", "pause > 0") || !try_write(EVENT "/enable", "1"))
		return false;
	pipe_fd = open(TRACEFS "/trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (pipe_fd < 0)
		snprintf(note, sizeof(note), TRACEFS "/trace_pipe: %s", strerror(errno));
	return pipe_fd >= 0;
}

void pauses_open(const struct plan *plan, const struct disks *disks)
{
	if (!plan->pauses)
		return;
	traced = disks;
	switch_on();
}

void pauses_take(void)
{
	ssize_t n;

	while (pipe_fd >= 0 &&
	       (n = read(pipe_fd, text + held, sizeof(text) - 1 - held)) > 0) {
		held += n;
		count_lines();
	}
}

void pauses_send(void)
{
	struct jsonw *json;
	size_t i;

	if (!traced)
		return;
	/* whatever still writes is not waited for */
	if (pipe_fd >= 0)
		text_write(EVENT "/enable", "0");
	pauses_take();
	json = port_begin("tracing");
	jsonw_string(json, "note", note);
	jsonw_number(json, "lost", lost);
	port_send();
	for (i = 0; pipe_fd >= 0 && i < traced->n; i++) {
		json = port_begin("pauses");
		jsonw_string(json, "disk", traced->disks[i].plan->name);
		jsonw_number(json, "count", sums[i].count);
		jsonw_number(json, "sum_ns", sums[i].sum_ms * MS);
		jsonw_number(json, "max_ns", sums[i].max_ms * MS);
		port_send();
	}
}
