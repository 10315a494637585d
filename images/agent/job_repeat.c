/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig-repeat: a script, run over and over; each run to its end is a call. */
#include "agent/applet.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/now.h"
#include "agent/slot.h"
#include "agent/work.h"

static pid_t start_script(const struct work *w)
{
	const char *script = work_text(w, "script");
	pid_t pid = fork();

	if (pid < 0)
		work_fail(w, errno, "no process for '%s'", script);
	if (pid > 0)
		return pid;
	signal(SIGTERM, SIG_DFL);
	/* what jobs of the agent in it count would be taken for runs */
	unsetenv(SLOT_ENV);
	execl("/bin/sh", "sh", script, (char *)NULL);
	_exit(127);
}

/* Its status; -1 if the job has been asked to end before. */
static int wait_for_script(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		/* its time is this job's, so it is waited for in any case */
		if (work_stopped())
			kill(pid, SIGTERM);
	}
	return work_stopped() ? -1 : status;
}

void run_repeat(struct work *w)
{
	work_start(w);
	while (work_next(w)) {
		int64_t begun = now_ns();
		int status = wait_for_script(start_script(w));

		if (status < 0)
			break;
		if (status)
			work_fail(w, 0, "run %" PRId64 " of '%s' %s %d", w->slot->ops + 1,
				  work_text(w, "script"),
				  WIFSIGNALED(status) ? "was killed by signal" : "exited with",
				  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		work_done(w, begun, 0);
	}
}
