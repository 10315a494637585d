/* SPDX-License-Identifier: GPL-2.0-only */
/* A guest's console: which lines show a fault, and the lines around it. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "guest/console.h"

#define DIGITS "0123456789"

/*
 * A message shows a fault if it begins with 'start' and holds 'part' after that; either may be
 * NULL. The first match counts, so a special form stands above the general one.
 */
static const struct rule {
	enum console_fault fault;
	const char *start, *part;
} rules[] = {
	{ CONSOLE_PANIC, "Kernel panic - not syncing", NULL },
	{ CONSOLE_PANIC, "Kernel panic: ", NULL },			/* up to 2.6.9 */
	{ CONSOLE_PANIC, "PANIC: early exception", NULL },
	{ CONSOLE_PANIC, "PANIC: double fault", NULL },
	{ CONSOLE_PANIC, "traps: PANIC: double fault", NULL },

	{ CONSOLE_SOFT_LOCKUP, "BUG: soft lockup", NULL },
	{ CONSOLE_SOFT_LOCKUP, "watchdog: BUG: soft lockup", NULL },	/* 4.14 on */
	{ CONSOLE_SOFT_LOCKUP, "NMI watchdog: BUG: soft lockup", NULL },
	{ CONSOLE_SOFT_LOCKUP, NULL, "Watchdog detected hard LOCKUP" },
	{ CONSOLE_SOFT_LOCKUP, "NMI Watchdog detected LOCKUP", NULL },	/* 2.4, 2.6 */
	{ CONSOLE_SOFT_LOCKUP, "BUG: workqueue lockup", NULL },
	{ CONSOLE_SOFT_LOCKUP, "INFO: rcu", "detected" },
	{ CONSOLE_SOFT_LOCKUP, "rcu: INFO: rcu", "detected" },		/* 4.19 on */
	{ CONSOLE_SOFT_LOCKUP, "rcu: rcu_", "kthread starved for" },

	/* What BUG() leaves behind by its trap belongs to it. */
	{ CONSOLE_BUG, "invalid opcode: ", "[#" },
	{ CONSOLE_BUG, "Oops: invalid opcode: ", "[#" },		/* 6.10 on */
	{ CONSOLE_BUG, "kernel BUG at ", NULL },
	{ CONSOLE_BUG, "Kernel BUG at ", NULL },

	{ CONSOLE_OOPS, "BUG: unable to handle ", NULL },		/* 2.6.19 on */
	{ CONSOLE_OOPS, "BUG: kernel NULL pointer dereference", NULL },	/* 5.1 on */
	{ CONSOLE_OOPS, "BUG: ", "stack guard page was hit at" },
	{ CONSOLE_OOPS, "Unable to handle kernel ", NULL },		/* up to 2.6.18 */
	{ CONSOLE_OOPS, "Oops: ", NULL },
	{ CONSOLE_OOPS, "general protection fault", NULL },
	{ CONSOLE_OOPS, "traps: general protection fault", "[#" },
	{ CONSOLE_OOPS, "double fault: ", NULL },
	{ CONSOLE_OOPS, "divide error: ", "[#" },
	{ CONSOLE_OOPS, "stack segment: ", "[#" },
	{ CONSOLE_OOPS, "page fault: ", "[#" },
	{ CONSOLE_OOPS, "kernel stack overflow ", NULL },

	{ CONSOLE_BUG, "BUG: ", NULL },
	{ CONSOLE_BUG, "bad: scheduling while atomic", NULL },		/* 2.6.0 on */
	{ CONSOLE_BUG, "scheduling while atomic", NULL },
	{ CONSOLE_BUG, "Debug: sleeping function called", NULL },
	{ CONSOLE_BUG, "Bad page state ", NULL },

	{ CONSOLE_HUNG_TASK, "INFO: task ", " for more than " },

	{ CONSOLE_OOM, "Out of memory: Kill", NULL },
	{ CONSOLE_OOM, "Out of Memory: Kill", NULL },			/* 2.4, early 2.6 */
	{ CONSOLE_OOM, "Memory cgroup out of memory: Kill", NULL },
	{ CONSOLE_OOM, "VM: killing process ", NULL },			/* 2.4 */

	{ CONSOLE_IO_ERROR, NULL, "I/O error, dev " },
	{ CONSOLE_IO_ERROR, NULL, "Buffer I/O error on dev" },
	{ CONSOLE_IO_ERROR, NULL, "critical medium error, dev " },
	{ CONSOLE_IO_ERROR, NULL, "critical target error, dev " },
	{ CONSOLE_IO_ERROR, NULL, "critical space allocation error, dev " },
	{ CONSOLE_IO_ERROR, NULL, "timeout error, dev " },
	{ CONSOLE_IO_ERROR, NULL, "recoverable transport error, dev " },
	{ CONSOLE_IO_ERROR, NULL, "lost page write due to I/O error on " },
	{ CONSOLE_IO_ERROR, NULL, "lost async page write" },
	{ CONSOLE_IO_ERROR, NULL, "journal commit I/O error" },
	{ CONSOLE_IO_ERROR, NULL, "Detected IO errors while flushing file data" },
	{ CONSOLE_IO_ERROR, "Aborting journal on device", NULL },
	{ CONSOLE_IO_ERROR, "EXT2-fs error", NULL },
	{ CONSOLE_IO_ERROR, "EXT3-fs error", NULL },
	{ CONSOLE_IO_ERROR, "EXT4-fs error", NULL },
	{ CONSOLE_IO_ERROR, "EXT2-fs (", "): error: " },
	{ CONSOLE_IO_ERROR, "EXT4-fs (", "): Remounting filesystem read-only" },
	{ CONSOLE_IO_ERROR, "XFS (", "metadata I/O error" },
	{ CONSOLE_IO_ERROR, "XFS (", "log I/O error" },
	{ CONSOLE_IO_ERROR, "FAT-fs (", "): error, " },
	{ CONSOLE_IO_ERROR, "UDF-fs: error ", NULL },
	{ CONSOLE_IO_ERROR, "ata", ": exception Emask " },
	{ CONSOLE_IO_ERROR, "ata", ": failed command: " },
	{ CONSOLE_IO_ERROR, "hd", "_intr: error=0x" },			/* drivers/ide */
	{ CONSOLE_IO_ERROR, "hd", "_intr: status=0x" },
	{ CONSOLE_IO_ERROR, "hd", ": lost interrupt" },
	{ CONSOLE_IO_ERROR, "hd", "dma_timer_expiry: " },
	{ CONSOLE_IO_ERROR, "sd ", "FAILED Result: " },
	{ CONSOLE_IO_ERROR, "sr ", "FAILED Result: " },
	{ CONSOLE_IO_ERROR, "sd ", "timing out command, waited " },
	{ CONSOLE_IO_ERROR, NULL, "Device offlined - not ready after error recovery" },
	{ CONSOLE_IO_ERROR, NULL, "rejecting I/O to offline device" },
	{ CONSOLE_IO_ERROR, "SCSI error : <", "return code = " },	/* 2.6 */
	{ CONSOLE_IO_ERROR, "scsi : aborting command due to timeout", NULL }, /* 2.4 */
	{ CONSOLE_IO_ERROR, "sym", "ABORT operation started" },

	{ CONSOLE_WARNING, "WARNING: at ", NULL },			/* up to 3.10 */
	{ CONSOLE_WARNING, "WARNING: CPU: ", " at " },		/* up to 6.x */
	{ CONSOLE_WARNING, "WARNING: ", ".c:" },			/* 7.x */
	{ CONSOLE_WARNING, "WARNING: ", ".h:" },
	{ CONSOLE_WARNING, "WARNING: possible ", NULL },		/* lockdep from here */
	{ CONSOLE_WARNING, "WARNING: suspicious RCU usage", NULL },
	{ CONSOLE_WARNING, "WARNING: inconsistent lock state", NULL },
	{ CONSOLE_WARNING, "WARNING: bad unlock balance", NULL },
	{ CONSOLE_WARNING, "WARNING: held lock freed", NULL },
	{ CONSOLE_WARNING, "INFO: possible ", " detected" },
	{ CONSOLE_WARNING, "[ INFO: possible ", " detected" },
	{ CONSOLE_WARNING, "Badness in ", " at " },			/* 2.6 */
	{ CONSOLE_WARNING, "UBSAN: ", " in " },
};

static const char *const fault_names[] = {
	[CONSOLE_CLEAN] = "no fault",
	[CONSOLE_WARNING] = "kernel warning",
	[CONSOLE_OOM] = "out of memory",
	[CONSOLE_IO_ERROR] = "I/O error",
	[CONSOLE_HUNG_TASK] = "hung task",
	[CONSOLE_SOFT_LOCKUP] = "lockup or stall",
	[CONSOLE_BUG] = "kernel BUG",
	[CONSOLE_OOPS] = "oops",
	[CONSOLE_PANIC] = "kernel panic",
};

void console_init(struct console *c)
{
	*c = (struct console){ .open = CONSOLE_CLEAN };
	for (int i = 0; i < CONSOLE_N; i++)
		strvec_init(&c->lines[i]);
	strvec_init(&c->last);
}

void console_release(struct console *c)
{
	for (int i = 0; i < CONSOLE_N; i++)
		strvec_release(&c->lines[i]);
	strvec_release(&c->last);
	console_init(c);
}

/* What printk puts before a message; *stamped is set for a sure sign of a kernel. */
static const char *skip_prefix(const char *s, bool *stamped)
{
	for (;;) {
		const char *number, *end;

		s += strspn(s, " \t");
		if (s[0] == '<' && s[1] >= '0' && s[1] <= '7' && s[2] == '>') {
			s += 3;
			continue;
		}
		/* "[   12.345678]", and with CONFIG_PRINTK_CALLER "[    T1]" or "[    C0]" */
		if (s[0] != '[')
			return s;
		number = s + 1 + strspn(s + 1, " CT");
		end = number + strspn(number, DIGITS ".");
		if (end == number || *end != ']')
			return s;
		*stamped = true;
		s = end + 1;
	}
}

static bool rule_matches(const struct rule *r, const char *message)
{
	size_t len = r->start ? strlen(r->start) : 0;

	if (len && strncmp(message, r->start, len) != 0)
		return false;
	return !r->part || strstr(message + len, r->part);
}

static enum console_fault fault_of(const char *message)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (rule_matches(&rules[i], message))
			return rules[i].fault;
	}
	return CONSOLE_CLEAN;
}

/*
 * The worst of a line's messages: where a message began without a newline before it, its
 * "<0>" stands in the middle of a line (2.4: " hda:<0>Kernel panic: ...").
 */
static enum console_fault classify(const char *line, bool *kernel)
{
	const char *message = skip_prefix(line, kernel);
	enum console_fault worst = CONSOLE_CLEAN;

	if (!strncmp(message, "Linux version ", 14))
		*kernel = true;
	/* The guest's own arguments come back as a message, and may hold any word. */
	if (!strncmp(message, "Kernel command line: ", 21) ||
	    !strncmp(message, "Command line: ", 14))
		return CONSOLE_CLEAN;
	for (;;) {
		enum console_fault fault = fault_of(message);

		if (fault > worst)
			worst = fault;
		do {
			message = strchr(message, '<');
			if (!message)
				return worst;
			message++;
		} while (message[0] < '0' || message[0] > '7' || message[1] != '>');
		message = skip_prefix(message + 2, kernel);
	}
}

/* The line as text to look at: control characters and NULs would hide what follows them. */
static char *plain(const char *line, size_t len)
{
	char *s = xmalloc(len + 1);

	for (size_t i = 0; i < len; i++)
		s[i] = (unsigned char)line[i] < ' ' ? ' ' : line[i];
	s[len] = '\0';
	return s;
}

static void keep_last(struct console *c, const char *text)
{
	struct strvec *last = &c->last;

	if (last->n == CONSOLE_LAST) {
		free(last->v[0]);
		/* with the NULL at the end */
		memmove(last->v, last->v + 1, last->n * sizeof(last->v[0]));
		last->n--;
	}
	strvec_push(last, text);
}

static void keep_evidence(struct console *c, enum console_fault fault, const char *text)
{
	if (fault != CONSOLE_CLEAN && c->seen[fault]++ == 0)
		c->open = fault;
	if (c->open == CONSOLE_CLEAN)
		return;
	strvec_push(&c->lines[c->open], text);
	if (c->lines[c->open].n > CONSOLE_CONTEXT)
		c->open = CONSOLE_CLEAN;
}

void console_line(struct console *c, const char *line, size_t len)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	char *looked_at __free(ptr) = NULL;
	enum console_fault fault;

	while (len && line[len - 1] == '\r')
		len--;
	strbuf_add_escaped(&text, line, len, CONSOLE_LINE);
	looked_at = plain(line, len < CONSOLE_LINE ? len : CONSOLE_LINE);
	fault = classify(looked_at, &c->booted);
	keep_last(c, text.buf);
	keep_evidence(c, fault, text.buf);
}

enum console_fault console_worst(const struct console *c)
{
	for (int i = CONSOLE_N - 1; i > CONSOLE_CLEAN; i--) {
		if (c->seen[i])
			return (enum console_fault)i;
	}
	return CONSOLE_CLEAN;
}

const char *console_fault_name(enum console_fault fault)
{
	return fault_names[fault];
}
