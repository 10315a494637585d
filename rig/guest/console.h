/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a guest's console tells about its health. Feed every line in order; the first fault of
 * each kind is kept with the lines that show it (the line itself and up to CONSOLE_CONTEXT
 * following ones), escaped and bounded. A panic that follows an oops is one story: worst() is
 * what the verdict names.
 *
 * The forms are those of Linux 2.4 to 7.x on x86, with or without "<3>", "[    1.234567]" and
 * "[    T1]" in front. A form is looked for where the kernel puts it, mostly at a message's
 * beginning: the word "panic" in a command line, or "error" in a mount option, is no fault.
 * Only the first CONSOLE_LINE bytes of a line count.
 */
#ifndef GUEST_CONSOLE_H
#define GUEST_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strvec.h"

#define CONSOLE_CONTEXT 12	/* lines kept after a fault's own */
#define CONSOLE_LAST	20	/* lines kept of the end */
#define CONSOLE_LINE	1024	/* bytes of a line that are looked at and kept */

enum console_fault {	/* from harmless to worst */
	CONSOLE_CLEAN,
	CONSOLE_WARNING,	/* WARNING: ... at file:line, lockdep, UBSAN */
	CONSOLE_OOM,		/* the OOM killer took a process */
	CONSOLE_IO_ERROR,	/* I/O error, dev sda; ATA, SCSI, journal, filesystem errors */
	CONSOLE_HUNG_TASK,	/* blocked for more than N seconds */
	CONSOLE_SOFT_LOCKUP,	/* BUG: soft lockup, hard LOCKUP, RCU stalls */
	CONSOLE_BUG,		/* kernel BUG at, BUG: ..., and the invalid opcode it makes */
	CONSOLE_OOPS,		/* Oops:, general protection fault, unable to handle */
	CONSOLE_PANIC,		/* Kernel panic - not syncing */
	CONSOLE_N
};

struct console {
	unsigned int seen[CONSOLE_N];		/* lines that show this kind */
	struct strvec lines[CONSOLE_N];		/* evidence of the first of each kind */
	enum console_fault open;		/* whose context is being collected, or CLEAN */
	struct strvec last;			/* the last CONSOLE_LAST lines, oldest first */
	bool booted;				/* any kernel line at all */
};

void console_init(struct console *c);
void console_release(struct console *c);
/* One line without its newline; a CR at its end is dropped. */
void console_line(struct console *c, const char *line, size_t len);
enum console_fault console_worst(const struct console *c);
/* "kernel panic", "oops", ... for messages. */
const char *console_fault_name(enum console_fault fault);

#endif
