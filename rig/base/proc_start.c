/* SPDX-License-Identifier: GPL-2.0-only */
/* Starting a child process: what the parent prepares and what the child does before exec. */
#include "base/proc.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"

/* The step of the child that failed, for the message. */
enum step { STEP_PARENT, STEP_GROUP, STEP_FDS, STEP_DIR, STEP_EXEC };

/* What the child writes into the status pipe if it cannot exec. */
struct failure {
	enum step step;
	int code; /* positive errno */
};

/* All that the child needs, made before the fork: after it only system calls are left. */
struct plan {
	const struct proc *proc;
	char *program;
	char **env;
	pid_t parent;
	int status_fd; /* write end of the status pipe */
};

/* Length of NAME in NAME=VALUE or NAME. */
static size_t name_len(const char *s)
{
	return strcspn(s, "=");
}

static bool same_name(const char *a, const char *b)
{
	size_t len = name_len(a);

	return len == name_len(b) && memcmp(a, b, len) == 0;
}

/* Is this variable set or removed by a word of 'changes'? */
static bool is_changed(char *const *changes, const char *variable)
{
	for (; *changes; changes++) {
		if (same_name(*changes, variable))
			return true;
	}
	return false;
}

/* Our environment with the changes applied; the last change of a name counts. */
static void make_env(const struct strvec *changes, struct strvec *env)
{
	for (char **e = environ; *e; e++) {
		if (!is_changed(changes->v, *e))
			strvec_push(env, *e);
	}
	strvec_each (c, changes) {
		if (strchr(*c, '=') && !is_changed(c + 1, *c))
			strvec_push(env, *c);
	}
}

static _Noreturn void child_fail(int status_fd, enum step step)
{
	struct failure f = { .step = step, .code = errno };
	ssize_t ignored = write(status_fd, &f, sizeof(f));

	(void)ignored;
	_exit(127);
}

/* A duplicate above the standard descriptors, so that putting those in place loses nothing. */
static int lift(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

/* Put 0, 1, 2 in place and leave only them and those in keep to the program. */
static int child_fds(const struct proc *p)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int from[] = {
		lift(p->in_fd >= 0 ? p->in_fd : null),
		lift(p->out_fd >= 0 ? p->out_fd : null),
		p->err_fd >= 0 ? lift(p->err_fd) : STDERR_FILENO,
	};

	for (int fd = 0; fd < 3; fd++) {
		if (from[fd] < 0 || (from[fd] != fd && dup2(from[fd], fd) < 0))
			return -1;
	}
	/* marked, not closed: the status pipe must live until the exec. Linux 5.11. */
	if (syscall(SYS_close_range, 3, UINT_MAX, 1U << 2 /* CLOSE_RANGE_CLOEXEC */) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(p->keep); i++) {
		if (p->keep[i] >= 0 && fcntl(p->keep[i], F_SETFD, 0) < 0)
			return -1;
	}
	return 0;
}

static void child_signals(void)
{
	const struct sigaction deflt = { .sa_handler = SIG_DFL };
	sigset_t none;

	/* Fails for KILL and STOP, which have no handler, and for the two signals that libc keeps
	 * to itself (32 and 33): glibc's posix_spawn() leaves them ignored, which harms nobody. */
	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &deflt, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void child(const struct plan *plan)
{
	const struct proc *p = plan->proc;
	int status_fd = lift(plan->status_fd);

	if (status_fd < 0)
		child_fail(plan->status_fd, STEP_FDS);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		child_fail(status_fd, STEP_PARENT);
	/* it may have died before the prctl, and then no signal comes any more */
	if (getppid() != plan->parent)
		_exit(127);
	if (p->own_group && setpgid(0, 0) < 0)
		child_fail(status_fd, STEP_GROUP);
	if (child_fds(p) < 0)
		child_fail(status_fd, STEP_FDS);
	if (p->dir && chdir(p->dir) < 0)
		child_fail(status_fd, STEP_DIR);
	child_signals();
	execve(plan->program, p->argv.v, plan->env);
	child_fail(status_fd, STEP_EXEC);
}

/* Fork with all signals blocked, so that none of our handlers ever runs in the child. */
static pid_t fork_child(const struct plan *plan)
{
	sigset_t all, old;
	pid_t pid;
	int code;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	pid = fork();
	if (pid == 0)
		child(plan);
	code = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid < 0 ? -code : pid;
}

static int failure_error(const struct proc *p, const struct failure *f, struct err *err)
{
	const char *name = str_escape(p->argv.v[0]);

	switch (f->step) {
	case STEP_PARENT:
		return err_sys(err, -f->code, "cannot start '%s': parent-death signal", name);
	case STEP_GROUP:
		return err_sys(err, -f->code, "cannot start '%s': process group", name);
	case STEP_FDS:
		return err_sys(err, -f->code, "cannot start '%s': file descriptors", name);
	case STEP_DIR:
		return err_sys(err, -f->code, "cannot start '%s' in folder '%s'", name,
			       str_escape(p->dir));
	case STEP_EXEC:
		return err_sys(err, -f->code, "cannot start '%s'", name);
	}
	return err_set(err, -EPROTO, "cannot start '%s': child sent a broken report", name);
}

/* The child's end of the pipe closes without a word when its exec succeeds. */
static int read_failure(const struct proc *p, int status_fd, struct err *err)
{
	struct failure f;
	ssize_t got;

	do {
		got = read(status_fd, &f, sizeof(f));
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return err_sys(err, -errno, "cannot start '%s'", str_escape(p->argv.v[0]));
	return got == sizeof(f) ? failure_error(p, &f, err) : 0;
}

static int launch(struct proc *p, struct plan *plan, struct err *err)
{
	const char *name = str_escape(p->argv.v[0]);
	int fds[2], ret;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return err_sys(err, -errno, "cannot start '%s'", name);
	plan->status_fd = fds[1];
	pid = fork_child(plan);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return err_sys(err, pid, "cannot start '%s'", name);
	}
	ret = read_failure(p, fds[0], err);
	close(fds[0]);
	/* a system call by number: libc knows it only since glibc 2.36 */
	p->pidfd = ret < 0 ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
	if (!ret && p->pidfd < 0)
		ret = err_sys(err, -errno, "cannot watch '%s'", name);
	if (ret < 0) {
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		return ret;
	}
	p->pid = pid;
	return 0;
}

int proc_start(struct proc *p, struct err *err)
{
	struct strvec env __release(strvec) = STRVEC_INIT;
	char *program __free(ptr) = NULL;
	struct plan plan = { .proc = p, .parent = getpid() };

	BUG_ON(p->pid || !p->argv.n);
	for (size_t i = 0; i < ARRAY_SIZE(p->keep); i++)
		BUG_ON(p->keep[i] >= 0 && (p->keep[i] < 3 || fcntl(p->keep[i], F_GETFD) < 0));
	/* a path is taken as it is, relative to p->dir: exec itself tells what is wrong */
	program = strchr(p->argv.v[0], '/') ? xstrdup(p->argv.v[0]) : proc_find(p->argv.v[0]);
	if (!program)
		return err_set(err, -ENOENT, "program '%s' not found in PATH",
			       str_escape(p->argv.v[0]));
	make_env(&p->env, &env);
	plan.program = program;
	plan.env = env.v;
	p->status = 0;
	return launch(p, &plan, err);
}
