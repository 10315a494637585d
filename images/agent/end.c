/* SPDX-License-Identifier: GPL-2.0-only */
/* The last frames, and turning the machine off. */
#include "agent/end.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <unistd.h>

#include "agent/jsonw.h"
#include "agent/port.h"

#define END_TEXT 400	/* the host takes texts below 512 bytes, */
#define END_NAME 47	/* and names below 48 */

/*
 * A kernel that cannot power off turns the request into a halt that never returns, so ask only
 * where ACPI is there to do it. A reset ends QEMU as well: the rig gives it -no-reboot.
 */
static _Noreturn void power_off(void)
{
	dprintf(STDOUT_FILENO, "iorig agent: power off\n");
	if (access("/sys/firmware/acpi", F_OK) == 0)
		reboot(RB_POWER_OFF);
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}

void end_silent(const char *why)
{
	dprintf(STDOUT_FILENO, "iorig agent: %s\n", why);
	power_off();
}

void end_done(void)
{
	port_begin("done");
	port_send();
	port_drain();
	power_off();
}

static _Noreturn void fail(const char *stage, int error, const char *text)
{
	struct jsonw *json = port_begin("fail");

	jsonw_string(json, "stage", stage);
	jsonw_string(json, "text", text);
	jsonw_number(json, "error", error);
	port_send();
	port_drain();
	power_off();
}

void end_fail(const char *stage, int error, const char *fmt, ...)
{
	char text[END_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fail(stage, error, text);
}

void end_lacks(const char *stage, const char *what, const char *name, int error,
	       const char *fmt, ...)
{
	struct jsonw *json = port_begin("lacks");
	char text[END_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	jsonw_string(json, "what", what);
	/* of a long path the end says more */
	jsonw_string(json, "name", strlen(name) > END_NAME ? name + strlen(name) - END_NAME : name);
	jsonw_string(json, "text", text);
	port_send();
	fail(stage, error, text);
}
