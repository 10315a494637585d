/* SPDX-License-Identifier: GPL-2.0-only */
/* The guest's /init: does what the plan says, tells it in frames (rig/guest/msg.h), powers off.
 * Called by the name of one of its jobs it is that job. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "agent/applet.h"
#include "agent/boot.h"
#include "agent/cgroups.h"
#include "agent/disks.h"
#include "agent/end.h"
#include "agent/jobs.h"
#include "agent/jsonw.h"
#include "agent/modules.h"
#include "agent/now.h"
#include "agent/pauses.h"
#include "agent/port.h"
#include "agent/prepare.h"
#include "agent/sample.h"
#include "agent/settings.h"
#include "agent/text.h"
#include "agent/waits.h"
#include "wire/plan.h"

#define PROTO 1	/* of the frames */

static void open_port(void)
{
	char why[80];
	int error = port_open();

	if (!error)
		return;
	snprintf(why, sizeof(why), "cannot open the second serial port: %s", strerror(-error));
	end_silent(why);
}

/* From system calls alone: this one must not wait for anything. */
static void send_hello(void)
{
	struct jsonw *json = port_begin("hello");
	struct utsname uts = { 0 };
	struct sysinfo info = { 0 };

	uname(&uts);
	sysinfo(&info);
	jsonw_number(json, "proto", PROTO);
	jsonw_string(json, "release", uts.release);
	jsonw_string(json, "machine", uts.machine);
	jsonw_number(json, "mem_kb", (int64_t)info.totalram * info.mem_unit / 1024);
	jsonw_number(json, "cpus", sysconf(_SC_NPROCESSORS_ONLN));
	port_send();
}

static const struct plan *read_plan(void)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	char *text = malloc(PLAN_MAX_BYTES + 2);
	char why[200];
	ssize_t len;

	if (!plan || !text)
		end_fail("plan", 0, "no memory for the plan");
	len = text_read(PLAN_PATH, text, PLAN_MAX_BYTES + 2);
	if (len < 0)
		end_fail("plan", -len, "cannot read " PLAN_PATH ": %s", strerror(-len));
	if (plan_parse(plan, text, len, why, sizeof(why)) < 0)
		end_fail("plan", 0, PLAN_PATH ": %s", why);
	free(text);
	return plan;
}

static void set_up(const struct plan *plan, struct disks *disks)
{
	modules_load(plan);
	disks_find(disks, plan);
	disks_mount(disks);
	cgroups_make(plan);
	prepare_run(plan, disks);
	settings_apply_disks(disks);
	settings_apply_files(plan);
	disks_report(disks);
	settings_flush_caches();
}

int main(int argc, char **argv)
{
	static struct disks disks;
	const struct plan *plan;
	int64_t ready;

	if (getpid() != 1) {
		applet_run(argc, argv);
		fprintf(stderr, "this is the first process of an iorig guest, not a command\n");
		return 1;
	}
	boot_mounts();
	open_port();
	send_hello();
	plan = read_plan();
	dprintf(STDOUT_FILENO, "iorig agent: plan %s, %zu disks, %zu jobs\n", plan->case_name,
		plan->n_disks, plan->n_jobs);
	setenv("PATH", "/bin:/sbin:/usr/bin:/usr/sbin", 1);
	setenv("HOME", "/", 1);
	/* supervisors inherit it: memory is to be had from the commands they run */
	text_write("/proc/self/oom_score_adj", "-1000");
	set_up(plan, &disks);
	sample_open(&disks);
	jobs_prepare(plan, &disks);
	waits_open(plan);
	pauses_open(plan, &disks);
	ready = now_ns();
	port_begin("ready");
	port_send();
	waits_start(ready);
	jobs_run(ready);
	if (plan->sample_ns > 0)
		sample_take();
	waits_send();
	pauses_send();
	end_done();
}
