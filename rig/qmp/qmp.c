/* SPDX-License-Identifier: GPL-2.0-only */
/* QMP: lines of JSON in, events queued, replies matched with their commands by id. */
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/sig.h"
#include "base/strbuf.h"
#include "qmp/qmp.h"

struct qmp {
	int fd;
	bool greeted;
	struct strbuf in;	/* received, not yet a whole line */
	size_t searched;	/* bytes of it known to hold no newline */
	json_t *events;		/* array */
	json_int_t last_id;	/* of the latest command */
	json_t *reply;		/* to the latest command, once it is there */
};

DEFINE_FREE(json, json_t *, json_decref(_T))

struct qmp *qmp_new(int fd)
{
	struct qmp *qmp = xcalloc(1, sizeof(*qmp));

	qmp->fd = fd;
	strbuf_init(&qmp->in);
	qmp->events = json_array();
	if (!qmp->events)
		BUG("out of memory");
	return qmp;
}

static void qmp_close(struct qmp *qmp)
{
	if (qmp->fd >= 0)
		close(qmp->fd);
	qmp->fd = -1;
}

void qmp_free(struct qmp *qmp)
{
	if (!qmp)
		return;
	qmp_close(qmp);
	strbuf_release(&qmp->in);
	json_decref(qmp->events);
	json_decref(qmp->reply);
	free(qmp);
}

int qmp_fd(const struct qmp *qmp)
{
	return qmp->fd;
}

static int take_event(struct qmp *qmp, json_t *message, struct err *err)
{
	const char *name = json_string_value(json_object_get(message, "event"));
	const json_t *data = json_object_get(message, "data");

	if (!name || strlen(name) >= QMP_NAME || (data && !json_is_object(data)))
		return err_set(err, -EBADMSG, "QMP event without a proper name and data");
	if (json_array_size(qmp->events) >= QMP_EVENTS_MAX)
		return err_set(err, -EBADMSG, "more than %d QMP events waiting", QMP_EVENTS_MAX);
	json_array_append(qmp->events, message);
	return 0;
}

static int take_message(struct qmp *qmp, json_t *message, struct err *err)
{
	const json_t *id = json_object_get(message, "id");

	if (!json_is_object(message))
		return err_set(err, -EBADMSG, "QMP message is not an object");
	if (!qmp->greeted) {
		if (!json_is_object(json_object_get(message, "QMP")))
			return err_set(err, -EBADMSG, "QMP does not begin with a greeting");
		qmp->greeted = true;
		return 0;
	}
	if (json_object_get(message, "event"))
		return take_event(qmp, message, err);
	if (!json_object_get(message, "return") && !json_object_get(message, "error"))
		return err_set(err, -EBADMSG, "QMP message is neither event nor reply");
	/* QEMU leaves the id out only if it could not parse the command: ours it can. */
	if (!json_is_integer(id))
		return err_set(err, -EBADMSG, "QMP reply to no command of ours");
	if (json_integer_value(id) == qmp->last_id && !qmp->reply)
		qmp->reply = json_incref(message);
	return 0;
}

static int take_line(struct qmp *qmp, const char *line, size_t len, struct err *err)
{
	json_error_t why;
	json_t *message __free(json) = json_loadb(line, len, JSON_REJECT_DUPLICATES, &why);

	if (!message)
		return err_set(err, -EBADMSG, "QMP message is not JSON: %s", str_escape(why.text));
	return take_message(qmp, message, err);
}

/* Act on every whole line that was received. */
static int take_lines(struct qmp *qmp, struct err *err)
{
	size_t done = 0;
	int ret = 0;

	while (!ret) {
		size_t from = done > qmp->searched ? done : qmp->searched;
		const char *end = memchr(qmp->in.buf + from, '\n', qmp->in.len - from);

		if (!end)
			break;
		ret = take_line(qmp, qmp->in.buf + done, (size_t)(end - qmp->in.buf) - done, err);
		done = (size_t)(end - qmp->in.buf) + 1;
	}
	strbuf_consume(&qmp->in, done);
	qmp->searched = qmp->in.len;
	if (!ret && qmp->in.len > QMP_MESSAGE_MAX)
		ret = err_set(err, -EBADMSG, "QMP message of more than %d bytes", QMP_MESSAGE_MAX);
	return ret;
}

int qmp_pump(struct qmp *qmp, struct err *err)
{
	const size_t chunk = 64 * 1024;
	int ret;

	/* Bounded, so that a peer that sends without end cannot keep us here. */
	for (int i = 0; i < 32 && qmp->fd >= 0; i++) {
		ssize_t n;

		strbuf_reserve(&qmp->in, chunk);
		n = recv(qmp->fd, qmp->in.buf + qmp->in.len, chunk, MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n <= 0) {
			qmp_close(qmp);
			break;
		}
		strbuf_grown(&qmp->in, (size_t)n);
		ret = take_lines(qmp, err);
		if (ret) {
			qmp_close(qmp);
			return ret;
		}
	}
	return qmp->fd >= 0 ? 0 : err_set(err, -EPIPE, "QMP connection closed");
}

/* Until the socket is ready for what is asked (POLLIN, POLLOUT) or broken; or an error. */
static int wait_for(struct qmp *qmp, short what, const struct deadline *d, struct err *err)
{
	struct pollfd fds[] = {
		{ .fd = qmp->fd, .events = what },
		{ .fd = sig_fd(), .events = POLLIN },
	};

	if (sig_stop_asked())
		return err_interrupted(err);
	/* Before the poll: a peer that never falls silent must not outlast the deadline. */
	if (deadline_passed(d))
		return deadline_error(d, err);
	if (poll(fds, ARRAY_SIZE(fds), deadline_ms(d)) < 0 && errno != EINTR)
		return err_sys(err, -errno, "cannot wait for QMP");
	return 0;
}

static int send_text(struct qmp *qmp, const char *text, const struct deadline *d, struct err *err)
{
	size_t left = strlen(text);
	int ret;

	while (left) {
		ssize_t n;

		if (qmp->fd < 0)
			return err_set(err, -EPIPE, "QMP connection closed");
		n = send(qmp->fd, text, left, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n >= 0) {
			text += n;
			left -= (size_t)n;
			continue;
		}
		if (errno == EPIPE || errno == ECONNRESET)
			return err_set(err, -EPIPE, "QMP connection closed");
		if (errno != EAGAIN && errno != EINTR)
			return err_sys(err, -errno, "cannot send to QMP");
		ret = wait_for(qmp, POLLOUT, d, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int send_command(struct qmp *qmp, const char *command, json_t *args,
			const struct deadline *d, struct err *err)
{
	json_t *message __free(json) = json_pack("{s:s, s:I, s:o*}", "execute", command, "id",
						 ++qmp->last_id, "arguments", args);
	char *text __free(ptr) = message ? json_dumps(message, JSON_COMPACT) : NULL;
	char *line __free(ptr) = NULL;

	if (!text)
		return err_set(err, -EINVAL, "QMP command '%s' cannot be written as JSON",
			       str_escape(command));
	json_decref(qmp->reply);
	qmp->reply = NULL;
	line = xstrfmt("%s\n", text);
	return send_text(qmp, line, d, err);
}

static int take_reply(struct qmp *qmp, const char *command, json_t **ret, struct err *err)
{
	const json_t *failure = json_object_get(qmp->reply, "error");

	if (failure) {
		const char *text = json_string_value(json_object_get(failure, "desc"));

		return err_set(err, -EREMOTEIO, "QEMU refused '%s': %s", str_escape(command),
			       text ? str_escape(text) : "no reason given");
	}
	if (ret)
		*ret = json_incref(json_object_get(qmp->reply, "return"));
	return 0;
}

int qmp_execute(struct qmp *qmp, const char *command, json_t *args, json_t **ret,
		const struct deadline *d, struct err *err)
{
	struct err why = ERR_INIT;
	int fault = send_command(qmp, command, args, d, &why);

	while (!fault && !qmp->reply) {
		fault = qmp_pump(qmp, &why);
		if (!fault && !qmp->reply)
			fault = wait_for(qmp, POLLIN, d, &why);
	}
	/* A reply counts even if the peer is gone since: quit is answered like that. */
	if (qmp->reply && (!fault || fault == -EPIPE))
		return take_reply(qmp, command, ret, err);
	*err = why;
	return fault;
}

int qmp_handshake(struct qmp *qmp, const struct deadline *d, struct err *err)
{
	int ret = 0;

	while (!ret && !qmp->greeted) {
		ret = qmp_pump(qmp, err);
		if (!ret && !qmp->greeted)
			ret = wait_for(qmp, POLLIN, d, err);
	}
	if (ret)
		return ret;
	return qmp_execute(qmp, "qmp_capabilities", NULL, NULL, d, err);
}

json_t *qmp_next_event(struct qmp *qmp)
{
	json_t *event = json_incref(json_array_get(qmp->events, 0));

	if (event)
		json_array_remove(qmp->events, 0);
	return event;
}
