/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control groups for jobs: one of version 2 for each job whose plan gives it memory of its own,
 * with that memory.max. The job's command enters it before it starts, so all that it and its
 * children use and dirty counts there.
 */
#ifndef AGENT_CGROUPS_H
#define AGENT_CGROUPS_H

#define CGROUPS_ROOT   "/sys/fs/cgroup"		/* made by the kernel in sysfs */
#define CGROUPS_FOLDER CGROUPS_ROOT "/iorig-%s"	/* of the job of this name */

struct plan;

/* Make all that the plan needs; a kernel that cannot ends the guest. */
void cgroups_make(const struct plan *plan);
#endif
