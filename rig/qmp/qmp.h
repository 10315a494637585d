/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * QEMU's machine protocol over a connected Unix socket (one end of a socketpair that QEMU
 * inherited, so there is no path to be too long or stale): one JSON object a line, in both
 * directions (QEMU's docs/interop/qmp-spec). Events that arrive while a reply is awaited are
 * queued. Everything received is bounded (a message of QMP_MESSAGE_MAX bytes, QMP_EVENTS_MAX
 * queued events); what breaks that or the protocol is -EBADMSG, and nothing more is read from
 * such a peer. Commands carry an id, so the late reply to one that timed out is told apart from
 * the next one's and dropped.
 */
#ifndef QMP_QMP_H
#define QMP_QMP_H

#include <jansson.h>

struct err;
struct deadline;
struct qmp;

#define QMP_MESSAGE_MAX (1 << 20)
#define QMP_EVENTS_MAX	1000
#define QMP_NAME	64	/* an event's name with its NUL; longer ones break the protocol */

/* Takes the descriptor over. */
struct qmp *qmp_new(int fd);
void qmp_free(struct qmp *qmp);
/* For poll(); -1 once the other side closed. */
int qmp_fd(const struct qmp *qmp);
/* Await the greeting and leave negotiation mode. -EPIPE when the other side closed, -ETIMEDOUT
 * with the deadline's name, -EINTR when a stop was asked for, -EBADMSG: all that waits. */
int qmp_handshake(struct qmp *qmp, const struct deadline *d, struct err *err);
/* Execute a command; args may be NULL and is taken over. *ret (may be NULL) is a new reference.
 * A QMP error is -EREMOTEIO with QEMU's description. */
int qmp_execute(struct qmp *qmp, const char *command, json_t *args, json_t **ret,
		const struct deadline *d, struct err *err);
/* Read what is there without blocking: 0 also if that is nothing. -EPIPE when the other side
 * closed; the events that came before are still there for qmp_next_event(). */
int qmp_pump(struct qmp *qmp, struct err *err);
/* The next queued event as a new reference {"event":..., "data":...}, or NULL. "event" is a
 * string shorter than QMP_NAME; "data" is an object, or not there. */
json_t *qmp_next_event(struct qmp *qmp);

#endif
