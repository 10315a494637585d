/* SPDX-License-Identifier: GPL-2.0-only */
/* The life of one job. */
#include "agent/job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/cgroups.h"
#include "agent/document.h"
#include "agent/jsonw.h"
#include "agent/now.h"
#include "agent/port.h"
#include "agent/text.h"
#include "wire/plan.h"

void job_init(struct job *job, const struct plan_job *plan, const char *sync_path)
{
	job->plan = plan;
	job->sync_path = sync_path;
	slot_folder(job->results, plan->name);
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

/* Sparse: what is empty is most of it, and the rest always fits into a frame. */
static void put_hist(struct jsonw *json, const struct hist *hist)
{
	unsigned int i;

	jsonw_number(json, "sum", hist->sum);
	jsonw_number(json, "min", hist->min);
	jsonw_number(json, "max", hist->max);
	jsonw_open(json, "hist", '[');
	for (i = 0; i < HIST_BUCKETS; i++) {
		if (!hist->n[i])
			continue;
		jsonw_open(json, NULL, '[');
		jsonw_number(json, NULL, i);
		jsonw_number(json, NULL, hist->n[i]);
		jsonw_close(json, ']');
	}
	jsonw_close(json, ']');
}

/* What the agent's own jobs have counted, if any ran in it. */
static void send_result(const struct job *job)
{
	static struct slot sum;
	struct jsonw *json;

	if (!slot_collect(job->results, &sum))
		return;
	json = port_begin("result");
	jsonw_string(json, "job", job->plan->name);
	jsonw_number(json, "ops", sum.ops);
	jsonw_number(json, "bytes", sum.bytes);
	jsonw_number(json, "errors", sum.errors);
	jsonw_number(json, "first_ns", sum.first_ns);
	jsonw_number(json, "last_ns", sum.last_ns);
	put_hist(json, &sum.hist);
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
	document_send(job->results, job->plan->name);	/* it is no slot */
	send_result(job);
	send_end(job);
}

static _Noreturn void supervise(const struct job *job, const int *ends)
{
	char cgroup[TEXT_PATH];
	struct command command = {
		.run = job->plan->run,
		.sync_path = job->sync_path,
		.results = job->results,
	};

	close(ends[0]);
	if (job->plan->cgroup_memory) {
		snprintf(cgroup, sizeof(cgroup), CGROUPS_FOLDER, job->plan->name);
		command.cgroup = cgroup;
	}
	supervisor_run(&command, ends[1]);
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
