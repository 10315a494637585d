/* SPDX-License-Identifier: GPL-2.0-only */
/* One line, then the end. */
#include "sim/fatal.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "sim/log.h"

void fatal(const char *fmt, ...)
{
	char text[1024] = "iorig-sim: ";
	size_t n = sizeof("iorig-sim: ") - 1, end;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + n, sizeof(text) - n - 1, fmt, ap);
	va_end(ap);
	for (end = n; text[end]; end++)
		if (text[end] == '\n')
			text[end] = ' ';
	text[end++] = '\n';
	log_flush();
	/* no stdio: the process may be in any state */
	(void)!write(STDERR_FILENO, text, end);
	_exit(SIM_STATUS);
}
