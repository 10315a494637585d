/* SPDX-License-Identifier: GPL-2.0-only */
/* The jobs that lay out what others are measured on. */
#ifndef AGENT_PREPARE_H
#define AGENT_PREPARE_H

struct disks;
struct plan;

/*
 * Run the plan's prepare jobs one after the other, each with its frames as any other job, and
 * write back and drop what they have left in the caches. The first one that fails (its exit, a
 * signal, its deadline, its sync, or the guest's deadline) ends the guest. Without such jobs
 * nothing is done.
 */
void prepare_run(const struct plan *plan, const struct disks *disks);

#endif
