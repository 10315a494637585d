/* SPDX-License-Identifier: GPL-2.0-only */
/* One running QEMU: start it, follow what it and its guest say, end it. */
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sig.h"
#include "vm/machine.h"
#include "vm/vm.h"

#define QUIT_REPLY_NS (1 * NS_PER_S)
#define QUIT_END_NS   (5 * NS_PER_S)
#define TERM_GRACE_NS (2 * NS_PER_S)

#define STDERR_BYTES 4096
#define STDERR_LINES 8

DEFINE_FREE(json, json_t *, json_decref(_T))

static int make_file(const char *path, int flags, struct err *err)
{
	int fd = open(path, flags | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	return fd < 0 ? err_sys(err, -errno, "cannot create '%s'", str_escape(path)) : fd;
}

static int follow(struct vm *vm, struct vm_tail *tail, const char *path, const char *what,
		  struct err *err)
{
	int fd = make_file(path, O_WRONLY, err);

	if (fd < 0)
		return fd;
	close(fd);
	if (inotify_add_watch(vm->inotify_fd, path, IN_MODIFY) < 0)
		return err_sys(err, -errno, "cannot watch '%s'", str_escape(path));
	return vm_tail_open(tail, path, what, err);
}

static int follow_files(struct vm *vm, const struct machine *m, struct err *err)
{
	int ret;

	vm->inotify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (vm->inotify_fd < 0)
		return err_sys(err, -errno, "cannot watch files");
	ret = follow(vm, &vm->console, m->console, "console", err);
	return ret ? ret : follow(vm, &vm->frames, m->frames, "agent port", err);
}

/* Start QEMU with its end of the QMP connection. */
static int start_qemu(struct vm *vm, const struct machine *m, int qmp_fd, struct err *err)
{
	struct machine with_qmp = *m;
	int stderr_fd __free(fd) = make_file(vm->stderr_path, O_WRONLY | O_APPEND, err);
	int ret;

	if (stderr_fd < 0)
		return stderr_fd;
	with_qmp.qmp_fd = qmp_fd;
	ret = machine_argv(&with_qmp, &vm->proc.argv, err);
	if (ret)
		return ret;
	machine_env(m, &vm->proc.env);
	vm->proc.err_fd = stderr_fd;
	vm->proc.keep[0] = qmp_fd;
	/* ^C on a terminal goes to a whole group: whether QEMU ends is for us to say. */
	vm->proc.own_group = true;
	ret = proc_start(&vm->proc, err);
	vm->proc.err_fd = -1;
	return ret;
}

/* The last bytes of QEMU's stderr, or "". */
static void read_stderr(const struct vm *vm, struct strbuf *sb)
{
	int fd __free(fd) = vm->stderr_path ? open(vm->stderr_path, O_RDONLY | O_CLOEXEC) : -1;
	off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
	ssize_t n;

	if (size <= 0)
		return;
	strbuf_reserve(sb, STDERR_BYTES);
	n = pread(fd, sb->buf, STDERR_BYTES, size > STDERR_BYTES ? size - STDERR_BYTES : 0);
	if (n > 0)
		strbuf_grown(sb, (size_t)n);
	strbuf_trim(sb);
}

/* The last n lines of QEMU's stderr. */
static char *last_stderr(const struct vm *vm, int n)
{
	struct strbuf raw __release(strbuf) = STRBUF_INIT;
	struct strbuf out = STRBUF_INIT;
	size_t from;

	read_stderr(vm, &raw);
	for (from = raw.len; from > 0; from--) {
		if (raw.buf[from - 1] == '\n' && --n == 0)
			break;
	}
	while (from < raw.len) {
		const char *line = raw.buf + from;
		const char *end = memchr(line, '\n', raw.len - from);
		size_t len = end ? (size_t)(end - line) : raw.len - from;

		strbuf_add_escaped(&out, line, len, STDERR_BYTES);
		if (end)
			strbuf_addch(&out, '\n');
		from += len + 1;
	}
	return strbuf_detach(&out, NULL);
}

char *vm_stderr(const struct vm *vm)
{
	return last_stderr(vm, STDERR_LINES);
}

/* QEMU did not come up: say why, in its own words where it left some. */
static int not_ready(struct vm *vm, struct err *err)
{
	struct deadline d = deadline_in("QEMU's end", QUIT_END_NS);
	struct err ignored = ERR_INIT;
	char *last __free(ptr) = NULL;
	struct err why = *err;

	if (why.code == -EINTR)
		return why.code;
	/* A closed connection mostly means that QEMU is on its way out with a message. */
	if (why.code == -EPIPE)
		proc_wait(&vm->proc, &d, &ignored);
	last = last_stderr(vm, 1);
	if (!vm->proc.pid)
		return err_set(err, -EIO, "QEMU %s before its guest ran%s%s",
			       proc_status_text(vm->proc.status), *last ? ": " : "", last);
	return err_set(err, why.code, "QEMU did not become ready: %s%s%s%s", why.msg,
		       *last ? " (it says: " : "", last, *last ? ")" : "");
}

int vm_start(struct vm *vm, const struct machine *m, const char *dir, struct err *err)
{
	struct deadline d = deadline_in("QEMU's answer over QMP", vm->patience_ns);
	int ends[2], ret;

	vm->stderr_path = path_join(dir, "qemu.stderr");
	ret = follow_files(vm, m, err);
	if (ret)
		return ret;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(err, -errno, "cannot make a socket pair");
	vm->qmp = qmp_new(ends[0]);
	ret = start_qemu(vm, m, ends[1], err);
	/* With our copy of QEMU's end gone, its death shows as a closed connection. */
	close(ends[1]);
	if (ret)
		return ret;
	ret = qmp_handshake(vm->qmp, &d, err);
	if (!ret)
		ret = qmp_execute(vm->qmp, "cont", NULL, NULL, &d, err);
	return ret ? not_ready(vm, err) : 0;
}

/* A line of one of the files: 1, 0 if none, or an error. */
static int next_line(struct vm *vm, struct vm_tail *tail, enum vm_event_kind kind,
		     struct vm_event *event, struct err *err)
{
	event->kind = kind;
	return vm_tail_next(tail, !vm->proc.pid, &event->data, &event->len, err);
}

static int next_qmp(struct vm *vm, struct vm_event *event)
{
	json_t *message __free(json) = qmp_next_event(vm->qmp);
	const json_t *data;

	if (!message)
		return 0;
	free(vm->qmp_data);
	data = json_object_get(message, "data");
	vm->qmp_data = data ? json_dumps(data, JSON_COMPACT) : xstrdup("{}");
	if (!vm->qmp_data)
		BUG("a parsed JSON object cannot be written");
	event->kind = VM_QMP;
	event->data = vm->qmp_data;
	event->len = strlen(vm->qmp_data);
	/* qmp.h bounds the name */
	snprintf(event->name, sizeof(event->name), "%s",
		 json_string_value(json_object_get(message, "event")));
	return 1;
}

/* What is there without waiting: 1, 0 if nothing, or an error. */
static int next_at_hand(struct vm *vm, struct vm_event *event, struct err *err)
{
	int ret = next_line(vm, &vm->frames, VM_FRAME, event, err);

	if (!ret)
		ret = next_line(vm, &vm->console, VM_CONSOLE, event, err);
	if (!ret)
		ret = next_qmp(vm, event);
	return ret;
}

static int read_qmp(struct vm *vm, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = qmp_pump(vm->qmp, &why);

	if (!ret || ret == -EPIPE)
		return 0;
	*err = why;
	return ret;
}

/* Reap an ended QEMU, and read what QMP still holds. */
static int take_end(struct vm *vm, struct err *err)
{
	struct deadline at_once = deadline_in("QEMU's end", 0);
	int ret = proc_wait(&vm->proc, &at_once, err);

	return ret ? ret : read_qmp(vm, err);
}

/* How long to sleep at most, in ms for poll(); whether the files rest for all of that time. */
static int time_to_sleep(const struct vm *vm, const struct deadline *d, bool *rests)
{
	int64_t rest = vm->rests_until - clock_ns();
	int ms = deadline_ms(d);

	*rests = rest > 0;
	if (!*rests)
		return ms;
	rest = (rest + NS_PER_MS - 1) / NS_PER_MS;
	return ms >= 0 && ms < rest ? ms : (int)rest;
}

/* Sleep until something may be new, and take in what is. */
static int wait_for_news(struct vm *vm, const struct deadline *d, struct err *err)
{
	bool rests;
	int ms = time_to_sleep(vm, d, &rests);
	struct pollfd fds[] = {
		{ .fd = rests ? -1 : vm->inotify_fd, .events = POLLIN },
		{ .fd = qmp_fd(vm->qmp), .events = POLLIN },
		{ .fd = vm->proc.pidfd, .events = POLLIN },
		{ .fd = sig_fd(), .events = POLLIN },
	};
	char events[4096];
	int ret = 0;

	if (poll(fds, ARRAY_SIZE(fds), ms) < 0)
		return errno == EINTR ? 0 : err_sys(err, -errno, "cannot wait for QEMU");
	if (fds[0].revents)
		vm->rests_until = clock_ns() + VM_REST_NS;
	/* What the events say does not matter: both files are read to their ends anyway. */
	if (fds[0].revents && read(vm->inotify_fd, events, sizeof(events)) < 0 &&
	    errno != EAGAIN && errno != EINTR)
		return err_sys(err, -errno, "cannot read file events");
	if (fds[1].revents)
		ret = read_qmp(vm, err);
	if (!ret && fds[2].revents)
		ret = take_end(vm, err);
	return ret;
}

int vm_next(struct vm *vm, struct vm_event *event, const struct deadline *d, struct err *err)
{
	BUG_ON(vm->ended);
	*event = (struct vm_event){ .data = "" };
	for (;;) {
		int ret;

		if (vm->proc.pid && sig_stop_asked())
			return err_interrupted(err);
		if (vm->proc.pid && deadline_passed(d))
			return deadline_error(d, err);
		ret = next_at_hand(vm, event, err);
		if (ret)
			return ret < 0 ? ret : 0;
		if (!vm->proc.pid)
			break;
		ret = wait_for_news(vm, d, err);
		if (ret)
			return ret;
	}
	*event = (struct vm_event){ .kind = VM_EXIT, .data = "", .status = vm->proc.status };
	vm->ended = true;
	return 0;
}

int64_t vm_cpu_ns(const struct vm *vm)
{
	return proc_cpu_ns(&vm->proc);
}

int vm_gdbserver(struct vm *vm, const char *path, struct err *err)
{
	struct deadline d = deadline_in("QEMU's gdb server", vm->patience_ns);
	char *line __free(ptr) = xstrfmt("gdbserver unix:%s,server=on,wait=off", path);
	json_t *said __free(json) = NULL;
	/* QMP has no command of its own for it */
	int ret = qmp_execute(vm->qmp, "human-monitor-command",
			      json_pack("{s:s}", "command-line", line), &said, &d, err);
	const char *text = json_string_value(said);

	if (!ret && access(path, F_OK))
		ret = err_set(err, -EIO, "QEMU serves no gdb: %s",
			      text ? str_escape(text) : "no reason given");
	return ret;
}

void vm_stop(struct vm *vm)
{
	struct deadline reply = deadline_in("QEMU's answer to 'quit'", QUIT_REPLY_NS);
	struct err ignored = ERR_INIT;

	if (!vm->proc.pid)
		return;
	if (!qmp_execute(vm->qmp, "quit", NULL, NULL, &reply, &ignored)) {
		struct deadline end = deadline_in("QEMU's end", QUIT_END_NS);

		proc_wait(&vm->proc, &end, &ignored);
	}
	proc_stop(&vm->proc, TERM_GRACE_NS);
	read_qmp(vm, &ignored);
}

void vm_release(struct vm *vm)
{
	vm_stop(vm);
	proc_release(&vm->proc);
	qmp_free(vm->qmp);
	vm_tail_release(&vm->console);
	vm_tail_release(&vm->frames);
	if (vm->inotify_fd >= 0)
		close(vm->inotify_fd);
	free(vm->stderr_path);
	free(vm->qmp_data);
	*vm = (struct vm)VM_INIT;
}
