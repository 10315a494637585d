/* SPDX-License-Identifier: GPL-2.0-only */
/* Jobs before time zero. */
#include "agent/prepare.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>

#include "agent/disks.h"
#include "agent/end.h"
#include "agent/job.h"
#include "agent/now.h"
#include "agent/settings.h"
#include "wire/plan.h"

#define LINE 200	/* of the output, in a message */

/* The last line that it printed, without the newline. */
static const char *last_line(const struct report *report, char *line)
{
	size_t end = report->output_len, begin;

	while (end && report->output[end - 1] == '\n')
		end--;
	for (begin = end; begin && end - begin < LINE - 1; begin--) {
		if (report->output[begin - 1] == '\n')
			break;
	}
	memcpy(line, report->output + begin, end - begin);
	line[end - begin] = '\0';
	return line;
}

static void check(const struct job *job)
{
	const struct report *report = &job->report;
	const char *name = job->plan->name;
	char line[LINE];

	last_line(report, line);
	if (job->timeout)
		end_fail("prepare", ETIMEDOUT, "job '%s' did not end in %lld s", name,
			 (long long)(job->plan->deadline_ns / SEC));
	if (report->signal)
		end_fail("prepare", 0, "job '%s' was killed by signal %d: %s", name,
			 report->signal, line);
	if (report->exit)
		end_fail("prepare", 0, "job '%s' exited with %d: %s", name, report->exit, line);
	if (report->sync_error)
		end_fail("prepare", report->sync_error, "the sync after job '%s': %s", name,
			 strerror(report->sync_error));
}

static void run(struct job *job, int64_t deadline)
{
	job_start(job);
	while (job->state == JOB_RUNNING) {
		struct pollfd fd = { .fd = job->pipe, .events = POLLIN };
		int64_t next = job_next(job), left;

		if (deadline < next)
			next = deadline;
		left = next - now_ns();
		if (poll(&fd, 1, left < 0 ? 0 : (int)(left / MS) + 1) > 0)
			job_read(job);
		job_tick(job, now_ns());
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (now_ns() >= deadline)
			end_fail("deadline", ETIMEDOUT, "out of time: job '%s' has not ended",
				 job->plan->name);
	}
	check(job);
}

void prepare_run(const struct plan *plan, const struct disks *disks)
{
	static struct job job;
	size_t i, n = 0;

	for (i = 0; i < plan->n_jobs; i++) {
		if (plan->jobs[i].role != PLAN_PREPARE)
			continue;
		memset(&job, 0, sizeof(job));
		job_init(&job, &plan->jobs[i],
			 disks_sync_path(disks, plan->jobs[i].sync_disk));
		run(&job, plan->deadline_ns);
		n++;
	}
	if (n)
		settings_flush_caches();
}
