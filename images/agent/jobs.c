/* SPDX-License-Identifier: GPL-2.0-only */
/* PID 1's loop while jobs run. */
#include "agent/jobs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/disks.h"
#include "agent/end.h"
#include "agent/job.h"
#include "agent/now.h"
#include "agent/pauses.h"
#include "agent/sample.h"
#include "agent/waits.h"
#include "wire/plan.h"

/* How long a sample that is due waits for a job that is being started. */
#define START_FIRST_NS (20 * MS)

enum { FD_TIMER, FD_SIGNAL, FD_JOBS };

static const struct plan *plan;
static int64_t ready, next_sample;
static struct job jobs[PLAN_MAX_JOBS];		/* by start time, equal ones as in the plan */
static size_t n_jobs;				/* without those that prepare */
static struct pollfd fds[FD_JOBS + PLAN_MAX_JOBS];

static void sort_jobs(const struct disks *disks)
{
	size_t i, at;

	for (i = 0; i < plan->n_jobs; i++) {
		const struct plan_job *new = &plan->jobs[i];

		if (new->role == PLAN_PREPARE)
			continue;
		for (at = n_jobs++; at > 0 && jobs[at - 1].plan->start_ns > new->start_ns; at--)
			jobs[at] = jobs[at - 1];
		memset(&jobs[at], 0, sizeof(jobs[at]));
		job_init(&jobs[at], new, disks_sync_path(disks, new->sync_disk));
	}
}

static void open_events(void)
{
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	fds[FD_TIMER].fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	fds[FD_SIGNAL].fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fds[FD_TIMER].fd < 0 || fds[FD_SIGNAL].fd < 0)
		end_fail("jobs", errno, "this kernel has no timerfd or signalfd");
	fds[FD_TIMER].events = fds[FD_SIGNAL].events = POLLIN;
}

static bool all_ended(bool victims_only)
{
	size_t i, n = 0;

	for (i = 0; i < n_jobs; i++) {
		if (victims_only && jobs[i].plan->role != PLAN_VICTIM)
			continue;
		if (jobs[i].state != JOB_ENDED)
			return false;
		n++;
	}
	return n > 0 || !victims_only;
}

static void stop_loads(void)
{
	size_t i;

	for (i = 0; i < n_jobs; i++) {
		if (jobs[i].plan->stop == PLAN_STOP_VICTIMS)
			job_stop(&jobs[i]);
	}
}

/* A sample costs milliseconds of the only CPU, and often falls on the same second as a start:
 * the start goes first. */
static int64_t sample_at(void)
{
	size_t i;

	for (i = 0; i < n_jobs && next_sample != JOB_NEVER; i++) {
		if (jobs[i].state == JOB_RUNNING && jobs[i].report.step == REPORT_NONE)
			return next_sample + START_FIRST_NS;
	}
	return next_sample;
}

static _Noreturn void out_of_time(void)
{
	char names[256] = "";
	size_t i, used = 0;

	for (i = 0; i < n_jobs && used < sizeof(names); i++) {
		if (jobs[i].state != JOB_ENDED)
			used += snprintf(names + used, sizeof(names) - used, " %s",
					 jobs[i].plan->name);
	}
	sample_take();
	waits_send();
	pauses_send();
	end_fail("deadline", ETIMEDOUT, "out of time after %lld s; jobs not ended:%s",
		 (long long)(plan->deadline_ns / SEC), names);
}

/* Everything that is due, starts first: they are what has to be exact. */
static void do_due(void)
{
	int64_t now = now_ns();
	size_t i;

	for (i = 0; i < n_jobs && ready + jobs[i].plan->start_ns <= now; i++) {
		if (jobs[i].state == JOB_WAITING)
			job_start(&jobs[i]);
	}
	for (i = 0; i < n_jobs; i++)
		job_tick(&jobs[i], now);
	if (all_ended(true))
		stop_loads();
	if (now >= sample_at()) {
		sample_take();
		pauses_take();
		/* samples that were missed are not made up for */
		next_sample += ((now - next_sample) / plan->sample_ns + 1) * plan->sample_ns;
	}
	if (now >= plan->deadline_ns)
		out_of_time();
}

static void arm_timer(void)
{
	int64_t at = sample_at();
	struct itimerspec spec = { 0 };
	size_t i;

	if (plan->deadline_ns < at)
		at = plan->deadline_ns;
	for (i = 0; i < n_jobs; i++) {
		int64_t next = jobs[i].state == JOB_WAITING ? ready + jobs[i].plan->start_ns :
							      job_next(&jobs[i]);

		if (next < at)
			at = next;
	}
	spec.it_value.tv_sec = at / SEC;
	spec.it_value.tv_nsec = at % SEC;
	timerfd_settime(fds[FD_TIMER].fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

/* The supervisors and whatever else has lost its parent; the pipes tell how jobs ended. */
static void reap(void)
{
	struct signalfd_siginfo info;

	while (read(fds[FD_SIGNAL].fd, &info, sizeof(info)) > 0)
		;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/* Who is to be looked at: the command's processes, then the supervisor that syncs for it. */
static void watch(const struct job *job)
{
	bool running = job->state == JOB_RUNNING;

	waits_watch(job->plan - plan->jobs,
		    running && job->report.step == REPORT_STARTED ? job->report.group : 0,
		    running && job->report.step == REPORT_ENDED ? job->supervisor : 0);
}

static void wait_for_events(void)
{
	size_t i;

	for (i = 0; i < n_jobs; i++) {
		fds[FD_JOBS + i].fd = jobs[i].pipe;
		fds[FD_JOBS + i].events = POLLIN;
	}
	if (poll(fds, FD_JOBS + n_jobs, -1) < 0)
		return;
	if (fds[FD_SIGNAL].revents)
		reap();
	for (i = 0; i < n_jobs; i++) {
		if (jobs[i].pipe >= 0 && fds[FD_JOBS + i].revents)
			job_read(&jobs[i]);
		watch(&jobs[i]);
	}
}

void jobs_prepare(const struct plan *the_plan, const struct disks *disks)
{
	plan = the_plan;
	sort_jobs(disks);
	open_events();
}

void jobs_run(int64_t ready_ns)
{
	ready = ready_ns;
	next_sample = plan->sample_ns > 0 ? ready_ns : JOB_NEVER;
	for (;;) {
		do_due();
		if (all_ended(false))
			return;
		arm_timer();	/* also takes back an expiry that was not read */
		wait_for_events();
	}
}
