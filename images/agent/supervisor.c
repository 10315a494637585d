/* SPDX-License-Identifier: GPL-2.0-only */
/* Running and measuring one command. */
#include "agent/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/now.h"
#include "agent/slot.h"
#include "agent/text.h"

#define DRAIN_MAX (1 << 20)	/* output taken after its end: somebody may go on writing */

void report_append(struct report *report, const char *data, size_t len)
{
	size_t keep;

	if (len > OUTPUT_MAX) {
		data += len - OUTPUT_MAX;
		len = OUTPUT_MAX;
	}
	keep = OUTPUT_MAX - len;
	if (keep > report->output_len)
		keep = report->output_len;
	memmove(report->output, report->output + report->output_len - keep, keep);
	memcpy(report->output + keep, data, len);
	report->output_len = keep + len;
}

static void send(int fd, const struct report *report)
{
	/* when PID 1 has given up on this job, SIGPIPE ends us: nothing is left to do */
	if (write(fd, report, sizeof(*report)) != sizeof(*report))
		_exit(1);
}

/* The command must not run outside of its group: that would measure something else. */
static void enter_cgroup(const char *folder)
{
	char path[TEXT_PATH];
	int error;

	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	error = text_write(path, "0");
	if (!error)
		return;
	dprintf(STDERR_FILENO, "cannot enter '%s': %s\n", path, strerror(-error));
	_exit(127);
}

static _Noreturn void run_command(const struct command *command, int output_fd)
{
	sigset_t none;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);	/* nobody would wait for it */
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	dup2(output_fd, STDOUT_FILENO);
	dup2(output_fd, STDERR_FILENO);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	text_write("/proc/self/oom_score_adj", "0");
	setenv(SLOT_ENV, command->results, 1);
	if (command->cgroup)
		enter_cgroup(command->cgroup);
	execl("/bin/sh", "sh", "-c", command->run, (char *)NULL);
	dprintf(STDERR_FILENO, "cannot run /bin/sh: %s\n", strerror(errno));
	_exit(127);
}

/* Read what is there. Bytes, 0 at the end of file, -1 with errno EAGAIN if there is none now. */
static ssize_t take_output(struct report *report, int fd)
{
	char buf[4096];
	ssize_t n = read(fd, buf, sizeof(buf));

	if (n > 0)
		report_append(report, buf, n);
	return n;
}

static int64_t tv_ns(struct timeval tv)
{
	return tv.tv_sec * SEC + tv.tv_usec * 1000LL;
}

/* Has the command ended? Then its time, usage and status go into the report. */
static bool has_ended(struct report *report)
{
	struct rusage usage;
	int status;

	if (wait4(report->group, &status, WNOHANG, &usage) != report->group)
		return false;
	report->wall_ns = now_ns() - report->start_ns;
	report->user_ns = tv_ns(usage.ru_utime);
	report->sys_ns = tv_ns(usage.ru_stime);
	report->exit = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	report->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return true;
}

static void wait_for_end(struct report *report, int output_fd, int signal_fd)
{
	struct pollfd fds[2] = {
		{ .fd = signal_fd, .events = POLLIN },
		{ .fd = output_fd, .events = POLLIN },
	};
	struct signalfd_siginfo info;
	size_t drained;

	for (;;) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[0].revents && read(signal_fd, &info, sizeof(info)) > 0 && has_ended(report))
			break;
		/* the command may close its output and go on */
		if (fds[1].revents && take_output(report, output_fd) == 0)
			fds[1].fd = -1;
	}
	kill(-report->group, SIGKILL);
	for (drained = 0; drained < DRAIN_MAX; drained += 4096)
		if (take_output(report, output_fd) <= 0)
			break;
}

static void sync_path_timed(struct report *report, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int failed;

	report->sync_start_ns = now_ns();
	if (fd < 0 || fstat(fd, &st) < 0)
		failed = -1;
	else
		failed = S_ISBLK(st.st_mode) ? fsync(fd) : syncfs(fd);
	report->sync_error = failed < 0 ? errno : 0;
	report->sync_ns = now_ns() - report->sync_start_ns;
}

void supervisor_run(const struct command *command, int report_fd)
{
	struct report report = { .step = REPORT_STARTED };
	int output[2], signal_fd;
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	signal_fd = signalfd(-1, &child, SFD_CLOEXEC);
	if (signal_fd < 0 || pipe2(output, O_CLOEXEC) < 0 || chdir("/") < 0)
		_exit(1);
	/* only this end: the command's must block */
	fcntl(output[0], F_SETFL, O_NONBLOCK);
	report.start_ns = now_ns();
	report.group = fork();
	if (report.group == 0)
		run_command(command, output[1]);
	if (report.group < 0)
		_exit(1);
	close(output[1]);
	setpgid(report.group, report.group);	/* whoever of the two comes first */
	send(report_fd, &report);
	wait_for_end(&report, output[0], signal_fd);
	report.step = REPORT_ENDED;
	send(report_fd, &report);
	if (command->sync_path) {
		sync_path_timed(&report, command->sync_path);
		report.step = REPORT_SYNCED;
		send(report_fd, &report);
	}
	_exit(0);
}
