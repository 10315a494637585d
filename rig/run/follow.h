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

struct boot;
struct kase;

struct follow {
	struct boot *b;			/* filled in as frames arrive */
	const struct kase *c;
	struct console console;
	int64_t started;		/* host time of QEMU's start */
	uint32_t next_seq;
	bool hello, ready, done, failed;
	bool lacks;			/* the guest says that its kernel lacks something */
	char why[MSG_TEXT + 128];	/* of lacks, failed or host_failed */
	bool reset;			/* QEMU ended because the guest rebooted */
	bool host_failed;		/* QEMU stopped the guest: the host's disk is full or bad */
};

void follow_init(struct follow *f, struct boot *b, const struct kase *c, int64_t now);
void follow_release(struct follow *f);
void follow_frame(struct follow *f, const char *line, size_t len, int64_t now);
void follow_console(struct follow *f, const char *line, size_t len);
void follow_qmp(struct follow *f, const char *name, const char *data);
/*
 * The guest is gone, or was stopped because it said nothing for silent_ns (0: it ended by itself
 * with this waitpid status): settle outcome, stage, reason and evidence. qemu_said is QEMU's last
 * words on stderr ("" = none).
 */
void follow_settle(struct follow *f, int status, int64_t silent_ns, const char *qemu_said);

#endif
