/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Following one running guest: what its frames and its console have said so far, and whether it
 * still says anything. Holds no process: boot.c feeds it events, so that every path can be tested
 * without a machine.
 */
#ifndef RUN_FOLLOW_H
#define RUN_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest/console.h"
#include "guest/msg.h"
#include "run/document.h"

struct boot;
struct kase;

struct follow {
	struct boot *b;			/* filled in as frames arrive */
	const struct kase *c;
	struct console console;
	struct document document;	/* that is coming in */
	int64_t started;		/* host time of QEMU's start */
	uint32_t next_seq;
	bool hello, ready, done, failed;
	bool preparing;			/* a job runs before time zero */
	bool lacks;			/* the guest says that its kernel lacks something */
	char why[MSG_TEXT + 128];	/* of lacks or failed (hostile), or of host_failed */
	const char *ended;		/* how QEMU says that it ended, static */
	bool host_failed;		/* QEMU stopped the guest: the host's disk is full or bad */
};

/* b has the case's jobs (boot_describe) and gets all that the guest says; b and c are borrowed.
 * now is clock_ns() at QEMU's start. */
void follow_init(struct follow *f, struct boot *b, const struct kase *c, int64_t now);
void follow_release(struct follow *f);
/*
 * A line of the agent's port, any bytes, at host time now. What is no good frame, names a job or
 * disk that the case does not have, or says again what can be said once, counts in b->frames_bad
 * and changes nothing; sequence numbers that are missing or out of order count in b->frames_lost.
 */
void follow_frame(struct follow *f, const char *line, size_t len, int64_t now);
/* A line of the console, any bytes. */
void follow_console(struct follow *f, const char *line, size_t len);
/* A QMP event and its data as JSON text; other events than SHUTDOWN and BLOCK_IO_ERROR are
 * ignored, and so is data without sense. */
void follow_qmp(struct follow *f, const char *name, const char *data);
/*
 * The guest is gone, or was stopped because it said nothing for silent_ns (0: it ended by itself
 * with this waitpid status): settle b's outcome, reason (one line, escaped) and evidence. The
 * first of these that holds decides: the console shows a fault that is worse than a warning
 * (broken); the guest says that its kernel lacks something (skipped); it gave up (broken); it is
 * gone without having said that it is done (broken); frames were lost (broken); all is well.
 * qemu_said: QEMU's last lines on stderr, escaped ("" = none).
 */
void follow_settle(struct follow *f, int status, int64_t silent_ns, const char *qemu_said);

#endif
