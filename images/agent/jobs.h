/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All jobs and the samples beside them: one poll loop over one timer, the supervisors' pipes and
 * SIGCHLD. Starts and samples count from ready_ns. Loads with stop=victims are asked to end when
 * the last victim has ended; without any victim they end by themselves.
 */
#ifndef AGENT_JOBS_H
#define AGENT_JOBS_H

#include <stdint.h>

struct disks;
struct plan;

/* All that can be done before time zero; plan and disks must stay where they are. */
void jobs_prepare(const struct plan *plan, const struct disks *disks);
/* Returns when all have ended. The guest's own deadline, which counts from boot, ends it from
 * in here. */
void jobs_run(int64_t ready_ns);

#endif
