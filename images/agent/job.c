/* SPDX-License-Identifier: GPL-2.0-only */
/* The life of one job. */
#include "agent/job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "agent/jsonw.h"
#include "agent/now.h"
#include "agent/port.h"
#include "wire/plan.h"

void job_init(struct job *job, const struct plan_job *plan, const char *sync_path)
{
	job->plan = plan;
	job->sync_path = sync_path;
	job->state = JOB_WAITING;
	job->pipe = -1;
	job->deadline_at = job->kill_at = job->give_up_at = JOB_NEVER;
}

static void send_start(const struct job *job)
{
	struct jsonw *json = port_begin("start");

	jsonw_string(json, "job", job->plan->name);
	port_send();
}

static void send_end(const struct job *job)
{
	const struct report *report = &job->report;
	struct jsonw *json = port_begin("end");

	jsonw_string(json, "job", job->plan->name);
	jsonw_number(json, "start_ns", report->start_ns);
	jsonw_number(json, "wall_ns", report->wall_ns);
	jsonw_number(json, "user_ns", report->user_ns);
	jsonw_number(json, "sys_ns", report->sys_ns);
	jsonw_number(json, "exit", report->exit);
	jsonw_number(json, "signal", report->signal);
	jsonw_number(json, "timeout", job->timeout);
	jsonw_number(json, "stopped", job->stopped);
	if (report->step == REPORT_SYNCED) {
		jsonw_number(json, "sync_ns", report->sync_ns);
		jsonw_number(json, "sync_error", report->sync_error);
	}
	jsonw_bytes(json, "output", report->output, report->output_len);
	port_send();
}

static void say(struct report *report, const char *text)
{
	report_append(report, text, strlen(text));
}

/*
 * The supervisor has not got as far as it should: fill in what is known at this moment. A lost
 * command counts as killed, a lost sync as one that failed.
 */
static void complete_report(struct job *job)
{
	struct report *report = &job->report;
	int64_t now = now_ns();

	if (report->step < REPORT_ENDED) {
		report->wall_ns = now - report->start_ns;
		report->signal = SIGKILL;
		say(report, job->timeout ? "[does not die]\n" : "[lost with its supervisor]\n");
	} else if (job->sync_path && report->step < REPORT_SYNCED) {
		report->sync_ns = now - (report->start_ns + report->wall_ns);
		report->sync_error = job->timeout ? ETIMEDOUT : EIO;
		report->step = REPORT_SYNCED;
	}
}

static void end(struct job *job)
{
	if (job->pipe >= 0)
		close(job->pipe);
	job->pipe = -1;
	job->state = JOB_ENDED;
	send_end(job);
}

static _Noreturn void supervise(const struct job *job, const int *ends)
{
	close(ends[0]);
	supervisor_run(job->plan->run, job->sync_path, ends[1]);
}

void job_start(struct job *job)
{
	int ends[2] = { -1, -1 };

	job->report.start_ns = now_ns();	/* until the supervisor knows better */
	job->supervisor = pipe2(ends, O_CLOEXEC) < 0 ? -1 : fork();
	if (job->supervisor == 0)
		supervise(job, ends);
	if (job->supervisor < 0) {
		job->report.exit = 127;
		say(&job->report, "[no process for it: ");
		say(&job->report, strerror(errno));
		say(&job->report, "]\n");
		close(ends[0]);
		close(ends[1]);
		end(job);
		return;
	}
	close(ends[1]);
	job->pipe = ends[0];
	job->state = JOB_RUNNING;
	job->deadline_at = job->report.start_ns + job->plan->deadline_ns;
	send_start(job);
}

static void signal_command(struct job *job, int sig)
{
	if (job->report.step == REPORT_NONE)
		job->pending = sig;
	else if (job->report.step == REPORT_STARTED)
		kill(-job->report.group, sig);
}

void job_read(struct job *job)
{
	struct report report;
	ssize_t n = read(job->pipe, &report, sizeof(report));

	if (n < 0)
		return;
	if (n != sizeof(report)) {
		signal_command(job, SIGKILL);	/* nobody waits for it any more */
		complete_report(job);
		end(job);
		return;
	}
	job->report = report;
	if (job->pending) {
		signal_command(job, job->pending);
		job->pending = 0;
	}
}

void job_stop(struct job *job)
{
	if (job->stopped || job->state == JOB_ENDED)
		return;
	/* the command is over and only its sync goes on: it was not stopped */
	if (job->state == JOB_RUNNING && job->report.step >= REPORT_ENDED)
		return;
	job->stopped = true;
	if (job->state == JOB_WAITING) {
		job->report.start_ns = now_ns();
		end(job);
		return;
	}
	signal_command(job, SIGTERM);
	job->kill_at = now_ns() + JOB_TERM_NS;
}

void job_tick(struct job *job, int64_t now)
{
	if (job->state != JOB_RUNNING)
		return;
	if (now >= job->kill_at) {
		job->kill_at = JOB_NEVER;
		signal_command(job, SIGKILL);
	}
	if (now >= job->deadline_at) {
		job->deadline_at = JOB_NEVER;
		job->give_up_at = now + JOB_GIVE_UP_NS;
		job->timeout = true;
		signal_command(job, SIGKILL);
	}
	if (now >= job->give_up_at) {
		kill(job->supervisor, SIGKILL);
		complete_report(job);
		end(job);
	}
}

int64_t job_next(const struct job *job)
{
	int64_t next = job->deadline_at;

	if (job->state != JOB_RUNNING)
		return JOB_NEVER;
	if (job->kill_at < next)
		next = job->kill_at;
	return job->give_up_at < next ? job->give_up_at : next;
}
