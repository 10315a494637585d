/* SPDX-License-Identifier: GPL-2.0-only */
/* One boot in a process of its own. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "case/case.h"
#include "run/affinity.h"
#include "run/steady.h"
#include "run/worker.h"

#define LINE_MAX_BYTES (sizeof(((struct err *)0)->msg) + 64)

static char *boot_json(const struct boot_task *t)
{
	return xstrfmt("%s/%s/boot.json", t->run_dir, t->dir);
}

/* "E kind code message" */
static void report_error(int fd, const struct err *e)
{
	char line[LINE_MAX_BYTES];
	int n = snprintf(line, sizeof(line), "E %d %d %s\n", (int)e->kind, e->code, e->msg);

	fd_write_all(fd, line, (size_t)n);
}

static _Noreturn void worker_main(const struct boot_task *task, int fd)
{
	struct boot_task t = *task;
	struct err err = ERR_INIT, write_err = ERR_INIT;
	char *path = boot_json(&t);
	struct boot b;
	int ret;

	boot_init(&b);
	t.news_fd = fd;
	affinity_stay(t.cpu);
	progress_set_sink(NULL);	/* the terminal is the parent's */
	ret = steady_boot(&b, &t, &err);
	if (ret && err.kind != ERR_INTERRUPTED) {	/* the host's fault, in the boot's place */
		free(b.reason);
		b.reason = xstrdup(err.msg);
	}
	if (boot_write(&b, path, &write_err) && !ret) {
		ret = write_err.code;
		err = write_err;
	}
	if (ret)
		report_error(fd, &err);
	boot_release(&b);
	free(path);
	_exit(ret ? 1 : 0);
}

int worker_start(struct worker *w, const struct boot_task *t, struct err *err)
{
	pid_t parent = getpid();
	int fds[2];

	*w = (struct worker)WORKER_INIT;
	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, -errno, "pipe for a worker");
	w->started = clock_ns();
	w->pid = fork();
	if (w->pid < 0) {
		int ret = -errno;

		w->pid = 0;
		close(fds[0]);
		close(fds[1]);
		return err_sys(err, ret, "starting a worker");
	}
	if (!w->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		close(fds[0]);
		worker_main(t, fds[1]);
	}
	close(fds[1]);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	w->news_fd = fds[0];
	return 0;
}

/* " NAME KIB NAME KIB" */
static void take_disks(struct worker *w, const char *rest)
{
	for (int i = 0; i < PROGRESS_FULL; i++) {
		struct progress_disk *d = &w->full[i];
		long long kib;
		int at = 0;

		if (sscanf(rest, " %47s %lld%n", d->name, &kib, &at) == 2) {
			d->kib = kib;
			rest += at;
		} else {
			d->kib = -1;
		}
	}
}

static void take_line(struct worker *w, const char *line)
{
	long long guest;
	int stage, kind, code, at = 0;

	if (sscanf(line, "%d %lld%n", &stage, &guest, &at) == 2 && stage >= STAGE_IMAGES &&
	    stage <= STAGE_END) {
		w->stage = (enum stage)stage;
		w->guest_ns = guest;
		take_disks(w, line + at);
	} else if (sscanf(line, "E %d %d %n", &kind, &code, &at) == 2 && at && code < 0) {
		w->err.kind = kind >= ERR_RIG && kind <= ERR_INTERRUPTED ? (enum err_kind)kind
									 : ERR_RIG;
		w->err.code = code;
		snprintf(w->err.msg, sizeof(w->err.msg), "%s", line + at);
	}
}

int worker_read(struct worker *w)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(w->news_fd, buf, sizeof(buf))) > 0) {
		char *nl;

		strbuf_add(&w->line, buf, (size_t)n);
		while ((nl = memchr(w->line.buf, '\n', w->line.len))) {
			*nl = '\0';
			take_line(w, w->line.buf);
			strbuf_consume(&w->line, (size_t)(nl - w->line.buf) + 1);
		}
		if (w->line.len > LINE_MAX_BYTES)
			strbuf_reset(&w->line);
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	close(w->news_fd);
	w->news_fd = -1;
	return 1;
}

/* A worker that was killed or crashed: say so in its boot's place. */
static void describe_lost(const struct worker *w, const struct boot_task *t, struct boot *b,
			  int status)
{
	boot_describe(b, t);
	b->stage = w->stage;
	b->guest_ns = w->guest_ns;
	free(b->reason);
	b->reason = xstrfmt("the rig's worker %s", proc_status_text(status));
}

/* Needs no deadline: either it was killed, or the pipe that only it held open is closed, which
 * its end has done. */
static int reap(struct worker *w)
{
	int status = 0;

	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	return status;
}

int worker_finish(struct worker *w, const struct boot_task *t, struct boot *b, struct err *err)
{
	char *path __free(ptr) = boot_json(t);
	struct err read_err = ERR_INIT;
	int status;

	status = reap(w);
	strbuf_release(&w->line);
	if (boot_read(b, path, &read_err))
		describe_lost(w, t, b, status);
	if (w->err.code) {
		*err = w->err;
		return err->code;
	}
	return 0;
}

void worker_ask_to_stop(const struct worker *w)
{
	if (w->pid > 0)
		kill(w->pid, SIGTERM);
}

void worker_release(struct worker *w)
{
	if (w->pid > 0) {
		kill(w->pid, SIGKILL);
		reap(w);
	}
	if (w->news_fd >= 0)
		close(w->news_fd);
	w->news_fd = -1;
	strbuf_release(&w->line);
}
