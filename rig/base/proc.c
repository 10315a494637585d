/* SPDX-License-Identifier: GPL-2.0-only */
/* A child process after its start: waiting, stopping, its status in words. */
#include "base/proc.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sig.h"

/* What proc_release() grants a child that still runs. */
#define RELEASE_GRACE (2 * NS_PER_S)

void proc_init(struct proc *p)
{
	*p = (struct proc)PROC_INIT;
}

void proc_release(struct proc *p)
{
	proc_stop(p, RELEASE_GRACE);
	strvec_release(&p->argv);
	strvec_release(&p->env);
	proc_init(p);
}

/* Take the status of a child that has ended or surely will. */
static int reap(struct proc *p)
{
	int ret = 0;

	while (waitpid(p->pid, &p->status, 0) < 0) {
		if (errno != EINTR) {
			ret = -errno;
			break;
		}
	}
	close(p->pidfd);
	p->pidfd = -1;
	p->pid = 0;
	return ret;
}

int proc_wait(struct proc *p, const struct deadline *d, struct err *err)
{
	const char *name = str_escape(p->argv.v[0]);
	struct pollfd fds[] = {
		{ .fd = p->pidfd, .events = POLLIN },
		{ .fd = sig_fd(), .events = POLLIN },
	};
	int ret;

	BUG_ON(!p->pid);
	for (;;) {
		int n = poll(fds, ARRAY_SIZE(fds), deadline_ms(d));

		if (n < 0 && errno != EINTR)
			return err_sys(err, -errno, "cannot wait for '%s'", name);
		if (n > 0 && fds[0].revents)
			break;
		if (sig_stop_asked())
			return err_interrupted(err);
		if (deadline_passed(d)) {
			deadline_error(d, err);
			return err_wrap(err, "'%s'", name);
		}
	}
	ret = reap(p);
	return ret < 0 ? err_sys(err, ret, "cannot reap '%s'", name) : 0;
}

static void signal_child(const struct proc *p, int sig)
{
	/* it is not reaped yet, so neither its pid nor its group's can be somebody else's */
	kill(p->own_group ? -p->pid : p->pid, sig);
}

int64_t proc_cpu_ns(const struct proc *p)
{
	struct timespec ts;
	clockid_t id;

	if (!p->pid || clock_getcpuclockid(p->pid, &id) || clock_gettime(id, &ts))
		return 0;
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

void proc_stop(struct proc *p, int64_t grace_ns)
{
	struct deadline d = deadline_in("the end of a child", grace_ns);
	struct pollfd end = { .fd = p->pidfd, .events = POLLIN };

	if (!p->pid)
		return;
	signal_child(p, SIGTERM);
	/* not cut short by a request to stop: that is often why we are here */
	while (poll(&end, 1, deadline_ms(&d)) < 0 && errno == EINTR)
		;
	/* also when it has ended: others of its group may live on */
	signal_child(p, SIGKILL);
	reap(p);
}

const char *proc_status_text(int status)
{
	static char ring[8][96];
	static size_t next;
	char *buf = ring[next++ % ARRAY_SIZE(ring)];

	if (WIFEXITED(status))
		snprintf(buf, sizeof(ring[0]), "exited with status %d", WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		snprintf(buf, sizeof(ring[0]), "killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(buf, sizeof(ring[0]), "ended with wait status %d", status);
	return buf;
}

static bool is_program(const char *path)
{
	return path_is_file(path) && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0;
}

char *proc_find(const char *name)
{
	const char *path = getenv("PATH");
	struct strvec dirs __release(strvec) = STRVEC_INIT;

	if (!*name || strchr(name, '/'))
		return is_program(name) ? xstrdup(name) : NULL;
	/* an empty part would mean the working directory: dropped, as nobody wants that here */
	strvec_split(&dirs, path ? path : "/usr/bin:/bin", ":");
	strvec_each (dir, &dirs) {
		char *file __free(ptr) = path_join(*dir, name);

		if (is_program(file))
			return no_free_ptr(file);
	}
	return NULL;
}
