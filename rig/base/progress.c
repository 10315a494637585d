/* SPDX-License-Identifier: GPL-2.0-only */
/* News about long work: one sink, set by the command. */
#include <stdarg.h>
#include <stdio.h>

#include "base/progress.h"

static void (*progress_sink)(const char *line);

void progress_set_sink(void (*sink)(const char *line))
{
	progress_sink = sink;
}

void progress(const char *fmt, ...)
{
	char line[512];
	va_list ap;

	if (!progress_sink)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	progress_sink(line);
}
