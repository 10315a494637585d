/* SPDX-License-Identifier: GPL-2.0-only */
/* Making control groups with memory limits. */
#include "agent/cgroups.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "agent/boot.h"
#include "agent/end.h"
#include "agent/text.h"
#include "wire/plan.h"

/* Until the controller is there for groups below the root. */
static void enable(void)
{
	int error;

	boot_mkdir(CGROUPS_ROOT);
	if (mount("cgroup2", CGROUPS_ROOT, "cgroup2", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
		end_lacks("cgroups", "cgroup", "cgroup2", errno,
			  "this kernel cannot mount cgroup2: %s", strerror(errno));
	error = text_write(CGROUPS_ROOT "/cgroup.subtree_control", "+memory");
	if (error)
		end_lacks("cgroups", "cgroup", "memory", -error,
			  "this kernel has no cgroup controller 'memory': %s", strerror(-error));
}

static void make(const struct plan_job *job)
{
	char path[TEXT_PATH], folder[TEXT_PATH / 2], limit[24];
	int64_t page = sysconf(_SC_PAGESIZE), shown;
	int error;

	snprintf(folder, sizeof(folder), CGROUPS_FOLDER, job->name);
	error = boot_mkdir(folder);
	if (error)
		end_fail("cgroups", -error, "cannot make '%s'", folder);
	snprintf(path, sizeof(path), "%s/memory.max", folder);
	snprintf(limit, sizeof(limit), "%" PRId64, job->cgroup_memory);
	error = text_write(path, limit);
	shown = text_read_number(path);
	/* the kernel counts in pages */
	if (error || shown != job->cgroup_memory / page * page)
		end_lacks("cgroups", "cgroup", "memory.max", -error,
			  "'%s' shows %" PRId64 " after %s was set", path, shown, limit);
}

void cgroups_make(const struct plan *plan)
{
	bool enabled = false;
	size_t i;

	for (i = 0; i < plan->n_jobs; i++) {
		if (!plan->jobs[i].cgroup_memory)
			continue;
		if (!enabled)
			enable();
		enabled = true;
		make(&plan->jobs[i]);
	}
}
