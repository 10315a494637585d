/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The agent as a command: called by the name of one of its jobs (wire/jobargs.h), which are links
 * to it in the guest's /bin, it does that job. Each is in a file of its own, job_NAME.c.
 */
#ifndef AGENT_APPLET_H
#define AGENT_APPLET_H

struct work;

/* Does the job that argv[0] names and exits; returns if it names none. */
void applet_run(int argc, char **argv);

/* The jobs: work_begin() has been called, each calls work_start() and returns at its end. */
void run_cpu(struct work *w);
void run_create(struct work *w);
void run_fsync(struct work *w);
void run_light_write(struct work *w);
void run_make_files(struct work *w);
void run_pipe_ring(struct work *w);
void run_read(struct work *w);
void run_repeat(struct work *w);
void run_small_read(struct work *w);
void run_sync(struct work *w);
void run_touch_memory(struct work *w);
void run_write(struct work *w);

#endif
