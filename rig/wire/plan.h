/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan: everything a guest has to do, written by the rig into the initramfs as PLAN_PATH
 * and read by the agent. Text, one item a line, "verb key=value ..."; values are percent-encoded
 * (everything but [A-Za-z0-9._/:+,-]), so one line is one item whatever a case holds.
 *
 *	plan version=1 case=writeback/hdd+dvd sample=1000000000 stacks=200000000 pauses=0
 *	     deadline=... (on the same line)
 *	module path=/lib/modules/ata_piix.ko args=
 *	set path=/proc/sys/vm/dirty_ratio value=20
 *	disk name=hda bus=ide serial=io-hda fs=ext2 mount=/mnt/hda ro=0 timeout=600 ...
 *	job name=hdd role=victim start=5000000000 deadline=300000000000 stop=end run=dd%20...
 *
 * All arrays are bounded; plan_parse() refuses what does not fit. Times are ns of guest
 * CLOCK_MONOTONIC. The order of things: modules, disks found and mounted, prepare jobs, caches
 * dropped, settings applied, time zero. Starts of victims and loads count from time zero; prepare
 * jobs run one after the other in the plan's order, whatever their start says.
 * Shared by the agent and the rig: only libc here.
 */
#ifndef WIRE_PLAN_H
#define WIRE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAN_PATH	 "/etc/iorig.plan"
#define PLAN_VERSION	 1
#define PLAN_MAX_BYTES	 (256 * 1024)
#define PLAN_MAX_DISKS	 16
#define PLAN_MAX_JOBS	 512
#define PLAN_MAX_MODULES 128
#define PLAN_MAX_SETS	 64
#define PLAN_NAME	 48
#define PLAN_TEXT	 256
#define PLAN_RUN	 2048

struct plan_module {
	char path[PLAN_TEXT];
	char args[PLAN_TEXT];
};

struct plan_set {		/* a file to write before the jobs start */
	char path[PLAN_TEXT];
	char value[PLAN_TEXT];
};

struct plan_disk {
	char name[PLAN_NAME];	/* the case's word for it */
	char bus[16];		/* for messages */
	char serial[24];	/* how it is found: see images/agent/disks.h */
	char fs[16];		/* filesystem type, "" = raw */
	char mount[PLAN_TEXT];	/* where, "" = not mounted */
	char options[PLAN_TEXT]; /* mount options beyond ro */
	bool ro;
	char scheduler[24];	/* queue/scheduler, "" = the kernel's choice */
	int64_t nr_requests;	/* queue/nr_requests, 0 = the kernel's choice */
	int64_t max_request_kb;	/* queue/max_sectors_kb, 0 = the kernel's choice */
	int64_t read_ahead_kb;	/* -1 = the kernel's choice */
	int64_t wbt_lat_us;	/* queue/wbt_lat_usec, -1 = the kernel's choice */
	int64_t max_ratio;	/* bdi max_ratio in percent, -1 = the kernel's choice */
	int64_t timeout_s;	/* SCSI command timeout, 0 = the kernel's choice */
};

enum plan_role { PLAN_VICTIM, PLAN_LOAD, PLAN_PREPARE };
enum plan_stop { PLAN_STOP_END, PLAN_STOP_VICTIMS };

struct plan_job {
	char name[PLAN_NAME];
	enum plan_role role;
	int64_t start_ns;
	int64_t deadline_ns;	/* longest run, sync included; then it is killed */
	enum plan_stop stop;	/* ends by itself, or when all victims have ended */
	char sync_disk[PLAN_NAME]; /* syncfs() of this disk after the command, timed; "" = none */
	int64_t cgroup_memory;	/* runs in a cgroup of its own with this memory.max, 0 = no group */
	char run[PLAN_RUN];	/* given to /bin/sh -c */
};

struct plan {
	char case_name[PLAN_TEXT];
	int64_t sample_ns;	/* 0 = no samples */
	int64_t stack_ns;	/* between two looks at where the jobs wait, 0 = none */
	int64_t deadline_ns;	/* of the whole guest; then it reports and powers off */
	bool pauses;		/* sum up what balance_dirty_pages makes writers wait */
	size_t n_modules, n_sets, n_disks, n_jobs;
	struct plan_module modules[PLAN_MAX_MODULES];
	struct plan_set sets[PLAN_MAX_SETS];
	struct plan_disk disks[PLAN_MAX_DISKS];
	struct plan_job jobs[PLAN_MAX_JOBS];
};

/* A struct plan is about 2 MB: allocate it, do not put it on a stack. */
void plan_init(struct plan *plan);
/* Write the text form into out (cap bytes). Its length, or -1 if it does not fit. */
long plan_format(const struct plan *plan, char *out, size_t cap);
/* Parse; 0, or -1 with a message in why ("line 3: unknown verb 'x'"). */
int plan_parse(struct plan *plan, const char *text, size_t len, char *why, size_t why_cap);

#endif
