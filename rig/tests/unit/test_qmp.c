/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of qmp/qmp over a socket pair, with peers that do what they should not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "qmp/qmp.h"

#define GREETING "{\"QMP\": {\"version\": {}, \"capabilities\": []}}\r\n"
#define EVENT	 "{\"timestamp\": {\"seconds\": 1}, \"event\": \"STOP\"}\r\n"
/* In what a peer says: now wait for a line from us. */
#define HEAR	 "\1"
#define AGREED	 HEAR "{\"return\": {}, \"id\": 1}\r\n"

struct peer {
	struct qmp *qmp;
	pid_t pid;
	int heard;	/* what the peer heard can be read here */
};

enum then { CLOSE, WAIT, FLOOD };

/* Read a line and pass it on; exit if there is none. */
static void hear(int fd, int heard)
{
	char c = 0;

	while (c != '\n') {
		if (read(fd, &c, 1) != 1 || write(heard, &c, 1) != 1)
			_exit(0);
	}
}

static _Noreturn void be_peer(int fd, int heard, const char *says, enum then then)
{
	static const char late[] = "{\"return\": {}, \"id\": 1}\n";

	for (;;) {
		size_t len = strcspn(says, HEAR);

		if (fd_write_all(fd, says, len))
			_exit(0);
		if (!says[len])
			break;
		hear(fd, heard);
		says += len + 1;
	}
	if (then == CLOSE)
		_exit(0);
	/* Not reading: nothing that we send gets through for ever. */
	while (then == FLOOD && fd_write_all(fd, late, strlen(late)) == 0)
		;
	while (then == WAIT)
		pause();
	_exit(0);
}

static void peer_start(struct peer *p, const char *says, enum then then)
{
	int ends[2], heard[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	assert_int_equal(pipe(heard), 0);
	p->pid = fork();
	assert_true(p->pid >= 0);
	if (p->pid == 0) {
		signal(SIGPIPE, SIG_IGN);
		close(ends[0]);
		be_peer(ends[1], heard[1], says, then);
	}
	close(ends[1]);
	close(heard[1]);
	p->qmp = qmp_new(ends[0]);
	p->heard = heard[0];
}

static void peer_end(struct peer *p)
{
	qmp_free(p->qmp);
	close(p->heard);
	kill(p->pid, SIGKILL);
	assert_int_equal(waitpid(p->pid, NULL, 0), p->pid);
}

/* The peer's fork may take its time: only the rows that mean to time out wait that long. */
static int shake(struct qmp *qmp, int64_t ns, struct err *err)
{
	struct deadline d = deadline_in("the greeting", ns);

	return qmp_handshake(qmp, &d, err);
}

#define SHORT (200 * NS_PER_MS)
#define LONG  (20 * NS_PER_S)

static void must_shake(struct qmp *qmp)
{
	struct err err = ERR_INIT;

	if (shake(qmp, LONG, &err))
		fail_msg("no handshake: %s", err.msg);
}

static void test_handshake(void **state)
{
	char sent[200] = "";
	struct peer p;

	(void)state;
	peer_start(&p, GREETING AGREED, WAIT);
	must_shake(p.qmp);
	assert_true(read(p.heard, sent, sizeof(sent) - 1) > 0);
	assert_string_equal(sent, "{\"execute\":\"qmp_capabilities\",\"id\":1}\n");
	assert_null(qmp_next_event(p.qmp));
	peer_end(&p);
	qmp_free(NULL);
}

/* Everything that must end a handshake, with its error. */
static void test_bad_peers(void **state)
{
	static const struct {
		const char *says;
		enum then then;
		int code;
		const char *msg;
	} rows[] = {
		{ "", WAIT, -ETIMEDOUT, "waiting for the greeting" },
		{ "", CLOSE, -EPIPE, "connection closed" },
		{ "{\"QMP\": {}", WAIT, -ETIMEDOUT, "waiting for the greeting" },
		{ "{\"QMP\": {}", CLOSE, -EPIPE, "connection closed" },
		{ "garbage\n", WAIT, -EBADMSG, "not JSON" },
		{ "\n", WAIT, -EBADMSG, "not JSON" },
		{ "[1]\n", WAIT, -EBADMSG, "not an object" },
		{ "{\"return\": {}}\n", WAIT, -EBADMSG, "greeting" },
		{ "{\"QMP\": 1}\n", WAIT, -EBADMSG, "greeting" },
		{ EVENT, WAIT, -EBADMSG, "greeting" },
		{ GREETING, WAIT, -ETIMEDOUT, "waiting for the greeting" },
		{ GREETING HEAR, CLOSE, -EPIPE, "connection closed" },
		{ GREETING HEAR "{\"return\": {}}\n", WAIT, -EBADMSG, "no command of ours" },
		{ GREETING HEAR "{\"return\": {}, \"id\": \"1\"}\n", WAIT, -EBADMSG, "no command" },
		{ GREETING HEAR "{\"return\": {}, \"id\": 7}\n", WAIT, -ETIMEDOUT, "waiting for" },
		{ GREETING HEAR "{\"what\": 1}\n", WAIT, -EBADMSG, "neither" },
		{ GREETING "{\"event\": 3}\n", WAIT, -EBADMSG, "event" },
		{ GREETING "{\"event\": \"A\", \"data\": []}\n", WAIT, -EBADMSG, "event" },
		{ GREETING "{\"event\": \"A\", \"event\": \"B\"}\n", WAIT, -EBADMSG, "JSON" },
		{ GREETING "{\"event\": \"\xff\"}\n", WAIT, -EBADMSG, "not JSON" },
		{ GREETING HEAR "{\"error\": {\"desc\": \"no\\u001b\"}, \"id\": 1}\n", WAIT,
		  -EREMOTEIO, "QEMU refused 'qmp_capabilities': no\\x1b" },
		{ GREETING HEAR "{\"error\": 5, \"id\": 1}\n", WAIT,
		  -EREMOTEIO, "no reason given" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = ERR_INIT;
		struct peer p;
		int ret;

		peer_start(&p, rows[i].says, rows[i].then);
		ret = shake(p.qmp, rows[i].code == -ETIMEDOUT ? SHORT : LONG, &err);
		if (ret != rows[i].code || err.code != ret || !strstr(err.msg, rows[i].msg))
			fail_msg("row %zu: %d, '%s'", i, ret, err.msg);
		if (ret == -EBADMSG || ret == -EPIPE)
			assert_int_equal(qmp_fd(p.qmp), -1);
		peer_end(&p);
	}
}

static void test_long_event_name(void **state)
{
	struct strbuf says = STRBUF_INIT;

	(void)state;
	for (int len = QMP_NAME - 1; len <= QMP_NAME; len++) {
		struct err err = ERR_INIT;
		struct peer p;

		strbuf_reset(&says);
		strbuf_addf(&says, GREETING "{\"event\": \"%0*d\"}\n" AGREED, len, 0);
		peer_start(&p, says.buf, WAIT);
		assert_int_equal(shake(p.qmp, LONG, &err), len < QMP_NAME ? 0 : -EBADMSG);
		peer_end(&p);
	}
	strbuf_release(&says);
}

/* A line without end is refused when it passes the limit, not when memory does. */
static void test_endless_line(void **state)
{
	struct strbuf says = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct peer p;

	(void)state;
	strbuf_addstr(&says, GREETING);
	while (says.len <= QMP_MESSAGE_MAX + strlen(GREETING))
		strbuf_addstr(&says, "xxxxxxxxxxxxxxxx");
	peer_start(&p, says.buf, WAIT);
	assert_int_equal(shake(p.qmp, LONG, &err), -EBADMSG);
	assert_non_null(strstr(err.msg, "more than 1048576 bytes"));
	peer_end(&p);
	strbuf_release(&says);
}

static void test_event_flood(void **state)
{
	struct strbuf says = STRBUF_INIT;

	(void)state;
	for (int n = QMP_EVENTS_MAX; n <= QMP_EVENTS_MAX + 1; n++) {
		struct err err = ERR_INIT;
		struct peer p;
		json_t *event;
		int got = 0;

		strbuf_reset(&says);
		strbuf_addstr(&says, GREETING);
		for (int i = 0; i < n; i++)
			strbuf_addstr(&says, EVENT);
		strbuf_addstr(&says, AGREED);
		peer_start(&p, says.buf, WAIT);
		assert_int_equal(shake(p.qmp, LONG, &err), n > QMP_EVENTS_MAX ? -EBADMSG : 0);
		while ((event = qmp_next_event(p.qmp))) {
			got++;
			json_decref(event);
		}
		assert_int_equal(got, QMP_EVENTS_MAX);
		peer_end(&p);
	}
	strbuf_release(&says);
}

/* Replies to an old command without end are no answer, and do not outlast the deadline. */
static void test_never_silent(void **state)
{
	struct deadline d = deadline_in("an answer", SHORT);
	struct err err = ERR_INIT;
	struct peer p;

	(void)state;
	peer_start(&p, GREETING AGREED, FLOOD);
	must_shake(p.qmp);
	assert_int_equal(qmp_execute(p.qmp, "stop", NULL, NULL, &d, &err), -ETIMEDOUT);
	peer_end(&p);
}

static void test_events_before_reply(void **state)
{
	struct deadline d = deadline_in("an answer", LONG);
	struct err err = ERR_INIT;
	json_t *ret = NULL, *event;
	char sent[200] = "";
	struct peer p;

	(void)state;
	peer_start(&p, GREETING AGREED HEAR EVENT
		   "{\"event\": \"SHUTDOWN\", \"data\": {\"guest\": true}}\n"
		   "{\"return\": {\"status\": \"running\"}, \"id\": 2}\n", WAIT);
	must_shake(p.qmp);
	assert_true(read(p.heard, sent, sizeof(sent)) > 0);
	assert_int_equal(qmp_execute(p.qmp, "x", json_pack("{s:i}", "a", 1), &ret, &d, &err), 0);
	memset(sent, 0, sizeof(sent));
	assert_true(read(p.heard, sent, sizeof(sent) - 1) > 0);
	assert_string_equal(sent, "{\"execute\":\"x\",\"id\":2,\"arguments\":{\"a\":1}}\n");
	assert_string_equal(json_string_value(json_object_get(ret, "status")), "running");
	json_decref(ret);
	event = qmp_next_event(p.qmp);
	assert_string_equal(json_string_value(json_object_get(event, "event")), "STOP");
	json_decref(event);
	event = qmp_next_event(p.qmp);
	assert_string_equal(json_string_value(json_object_get(event, "event")), "SHUTDOWN");
	assert_true(json_is_true(json_object_get(json_object_get(event, "data"), "guest")));
	json_decref(event);
	assert_null(qmp_next_event(p.qmp));
	peer_end(&p);
}

/* What came before the end counts: a reply, and events. */
static void test_closed_after(void **state)
{
	struct err err = ERR_INIT;
	struct peer p;
	json_t *event;

	(void)state;
	peer_start(&p, GREETING AGREED EVENT, CLOSE);
	must_shake(p.qmp);
	while (!qmp_pump(p.qmp, &err))
		;
	assert_int_equal(err.code, -EPIPE);
	assert_int_equal(qmp_fd(p.qmp), -1);
	event = qmp_next_event(p.qmp);
	assert_non_null(event);
	json_decref(event);
	assert_int_equal(qmp_pump(p.qmp, &err), -EPIPE);
	peer_end(&p);
}

/* Messages arrive in pieces of any size. */
static void test_pieces(void **state)
{
	static const char all[] = GREETING EVENT;
	struct err err = ERR_INIT;
	struct qmp *qmp;
	json_t *event;
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	qmp = qmp_new(ends[0]);
	assert_int_equal(qmp_pump(qmp, &err), 0);
	for (size_t i = 0; all[i]; i++) {
		assert_null(qmp_next_event(qmp));
		assert_int_equal(fd_write_all(ends[1], all + i, 1), 0);
		assert_int_equal(qmp_pump(qmp, &err), 0);
	}
	event = qmp_next_event(qmp);
	assert_non_null(event);
	json_decref(event);
	qmp_free(qmp);
	close(ends[1]);
}

/* A peer that does not read cannot hold us longer than the deadline. */
static void test_deaf_peer(void **state)
{
	struct deadline d = deadline_in("an answer", SHORT);
	struct strbuf text = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct peer p;

	(void)state;
	peer_start(&p, GREETING AGREED, WAIT);
	must_shake(p.qmp);
	while (text.len < 8 << 20)
		strbuf_addstr(&text, "0123456789abcdef");
	assert_int_equal(qmp_execute(p.qmp, "x", json_pack("{s:s}", "t", text.buf), NULL, &d,
				     &err), -ETIMEDOUT);
	assert_non_null(strstr(err.msg, "waiting for an answer"));
	strbuf_release(&text);
	peer_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_handshake),
		cmocka_unit_test(test_bad_peers),
		cmocka_unit_test(test_long_event_name),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_event_flood),
		cmocka_unit_test(test_never_silent),
		cmocka_unit_test(test_events_before_reply),
		cmocka_unit_test(test_closed_after),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_deaf_peer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
