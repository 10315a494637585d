/* SPDX-License-Identifier: GPL-2.0-only */
/* Running make in a kernel tree, with its output watched and logged. */
#include "kbuild/make.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/sig.h"
#include "base/strbuf.h"
#include "base/tool.h"
#include "kbuild/make_env.h"
#include "kbuild/watch.h"

#define TARGET_TIME (600 * NS_PER_S)
#define KERNEL_TIME (3 * 3600 * NS_PER_S)
#define STOP_GRACE  (5 * NS_PER_S)
#define CHUNK	    ((size_t)64 * 1024)
#define LINE_SEEN   ((size_t)1000)	/* of a line; the log has all */
#define CONFIG_MAX  ((size_t)4 << 20)
#define MODULES	    ".iorig-modules"

/* One run of make. */
struct run {
	const struct make_task *task;
	struct watch watch;
	struct strbuf line;	/* begun, not ended */
	int log_fd, out_fd;	/* out_fd: our end of make's output, -1 once it has ended */
	int before;		/* files compiled by earlier runs of the same task */
	int64_t told;		/* when progress() was last called */
	bool quiet;
	int code;		/* the log could not be written: -errno */
};

static void tell(struct run *r)
{
	const struct make_task *t = r->task;
	int done = r->before + r->watch.compiled;
	int64_t now = clock_ns();

	if (r->quiet || (r->told && now - r->told < NS_PER_S))
		return;
	r->told = now;
	if (t->expected >= done)
		progress("%s: [%d of %d] %s", t->what, done, t->expected, r->watch.step);
	else
		progress("%s: [%d] %s", t->what, done, r->watch.step);
}

static void end_line(struct run *r)
{
	if (watch_line(&r->watch, r->line.buf))
		tell(r);
	strbuf_reset(&r->line);
}

static void take(struct run *r, const char *data, size_t len)
{
	int code = r->code ? 0 : fd_write_all(r->log_fd, data, len);

	if (code < 0)
		r->code = code;
	for (size_t i = 0; i < len; i++) {
		if (data[i] == '\n')
			end_line(r);
		else if (r->line.len < LINE_SEEN && data[i])
			strbuf_addch(&r->line, data[i]);
	}
}

/* Read what is there, at most a chunk. False when there is nothing now, or ever. */
static bool read_some(struct run *r)
{
	char *buf __free(ptr) = xmalloc(CHUNK);
	ssize_t got = read(r->out_fd, buf, CHUNK);

	if (got > 0) {
		take(r, buf, (size_t)got);
		return true;
	}
	if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
		close(r->out_fd);
		r->out_fd = -1;
	}
	return false;
}

/* Until make has ended. Others may hold its output open, so its end is not waited for. */
static int pump(struct run *r, struct proc *p, const struct deadline *d, struct err *err)
{
	for (;;) {
		struct pollfd fds[] = {
			{ .fd = r->out_fd, .events = POLLIN },
			{ .fd = p->pidfd, .events = POLLIN },
			{ .fd = sig_fd(), .events = POLLIN },
		};

		if (poll(fds, ARRAY_SIZE(fds), deadline_ms(d)) < 0 && errno != EINTR)
			return err_sys(err, -errno, "cannot wait for make");
		if (sig_stop_asked())
			return err_interrupted(err);
		if (deadline_passed(d)) {
			deadline_error(d, err);
			return err_wrap(err, "'%s'", str_escape(r->task->what));
		}
		if (fds[0].revents)
			read_some(r);
		if (fds[1].revents)
			break;
	}
	while (r->out_fd >= 0 && read_some(r))
		;
	end_line(r);
	return 0;
}

/* make ended with a failure: what kind, and what is to be said. */
static int failed(const struct run *r, const struct proc *p, struct err *err)
{
	const char *what = str_escape(r->task->what);
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	watch_errors(&r->watch, &sb);
	if (r->watch.disk_full || r->code == -ENOSPC || path_disk_full(r->task->tree))
		return err_set(err, -ENOSPC, "disk full while building '%s' in '%s': %s", what,
			       str_escape(r->task->tree), sb.buf);
	if (r->watch.no_memory)
		return err_set(err, -ENOMEM, "out of memory while building '%s': %s", what, sb.buf);
	if (!r->watch.errors.n)
		return err_unable(err, "cannot build '%s': make %s: %s", what,
				  proc_status_text(p->status), sb.buf);
	return err_unable(err, "cannot build '%s': %s", what, sb.buf);
}

/* Start make with its output in a pipe of ours. */
static int start(struct run *r, struct proc *p, struct err *err)
{
	int fds[2], ret;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return err_sys(err, -errno, "cannot run make");
	r->out_fd = fds[0];
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	p->out_fd = p->err_fd = fds[1];
	p->own_group = true;
	p->dir = r->task->tree;
	ret = proc_start(p, err);
	close(fds[1]);
	return ret;
}

/* The command as a line of the log, so that the log tells what was run. */
static int log_command(struct run *r, const struct proc *p, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	strbuf_addstr(&sb, "+ ");
	strvec_shell_quote(&p->argv, &sb);
	strbuf_addch(&sb, '\n');
	r->log_fd = open(r->task->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	r->code = r->log_fd < 0 ? -errno : fd_write_all(r->log_fd, sb.buf, sb.len);
	if (r->code < 0)
		return err_sys(err, r->code, "cannot write '%s'", str_escape(r->task->log));
	return 0;
}

/* Run what begin() began. compiled: in: by earlier runs; out: with this one. */
static int run_make(const struct make_task *t, struct proc *p, const struct deadline *d,
		    int *compiled, struct err *err)
{
	struct run r = {
		.task = t, .watch = WATCH_INIT, .line = STRBUF_INIT, .log_fd = -1, .out_fd = -1,
		.before = compiled ? *compiled : 0, .quiet = !compiled,
	};
	int ret = log_command(&r, p, err);

	if (ret == 0)
		ret = start(&r, p, err);
	if (ret == 0)
		ret = pump(&r, p, d, err);
	proc_stop(p, STOP_GRACE);
	if (ret == 0 && r.code < 0 && r.code != -ENOSPC)
		ret = err_sys(err, r.code, "cannot write '%s'", str_escape(t->log));
	else if (ret == 0 && (p->status || r.code))
		ret = failed(&r, p, err);
	if (compiled)
		*compiled += r.watch.compiled;
	if (r.out_fd >= 0)
		close(r.out_fd);
	if (r.log_fd >= 0)
		close(r.log_fd);
	strbuf_release(&r.line);
	watch_release(&r.watch);
	return ret;
}

static void begin(struct proc *p)
{
	make_env_set(p);
	strvec_pushl(&p->argv, "make", "ARCH=x86_64", NULL);
}

int make_target(const struct make_task *t, const char *const *targets, struct err *err)
{
	struct deadline d = deadline_in("the kernel's configuration", TARGET_TIME);
	struct proc p __release(proc) = PROC_INIT;

	begin(&p);
	for (; *targets; targets++)
		strvec_push(&p.argv, *targets);
	return run_make(t, &p, &d, NULL, err);
}

/* What the tree's .config asks for: modules, and a vmlinux that can be booted as it is? */
static int what_to_make(const char *tree, bool *modules, bool *pvh, struct err *err)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	char *path __free(ptr) = path_join(tree, ".config");
	int ret = file_read(path, CONFIG_MAX, &text, err);

	*modules = ret == 0 && strstr(text.buf, "=m\n");
	*pvh = ret == 0 && strstr(text.buf, "\nCONFIG_PVH=y\n");
	return ret;
}

static int install_modules(struct make_task *t, const struct deadline *d, struct err *err)
{
	struct proc p __release(proc) = PROC_INIT;
	char *dir __free(ptr) = path_join(t->tree, MODULES);
	char *depmod __free(ptr) = NULL;
	int ret = tool_find("depmod", "kmod", &depmod, err);

	if (ret == 0)
		ret = dir_remove(dir, err);
	if (ret < 0)
		return ret;
	begin(&p);
	strvec_pushl(&p.argv, "INSTALL_MOD_PATH=" MODULES, "INSTALL_MOD_STRIP=1", NULL);
	strvec_pushf(&p.argv, "DEPMOD=%s", depmod);
	strvec_push(&p.argv, "modules_install");
	make_env_jobs(&p);
	return run_make(t, &p, d, &t->compiled, err);
}

int make_kernel(struct make_task *t, struct err *err)
{
	struct deadline d = deadline_in("the kernel's build", KERNEL_TIME);
	struct proc p __release(proc) = PROC_INIT;
	bool modules, pvh;
	int ret = what_to_make(t->tree, &modules, &pvh, err);

	t->compiled = 0;
	if (ret < 0)
		return ret;
	begin(&p);
	/* not CONFIG_DEBUG_INFO, which needs CONFIG_DEBUG_KERNEL, and that is another kernel */
	if (t->debug_info)
		strvec_push(&p.argv, "KCFLAGS=-g");
	strvec_push(&p.argv, "vmlinux");
	/* nobody boots it, and packing it takes longer than a small patch's compilation */
	if (!pvh)
		strvec_push(&p.argv, "bzImage");
	if (modules)
		strvec_push(&p.argv, "modules");
	make_env_jobs(&p);
	ret = run_make(t, &p, &d, &t->compiled, err);
	return ret == 0 && modules ? install_modules(t, &d, err) : ret;
}
