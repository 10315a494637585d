/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a run was asked to do, decided once by the command and passed down unchanged.
 */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/strvec.h"
#include "host/host.h"
#include "vm/machine.h"

#define STALL_DEFAULT 0.02

enum accel_choice { ACCEL_AUTO, ACCEL_FORCE_TCG, ACCEL_FORCE_KVM };

struct run_options {
	char *data_dir, *lib_dir, *cache_dir;	/* see base/file.h */
	const char *out;		/* parent of result folders */
	const char *scale;
	struct strvec globs;		/* of cases; empty = all of the default set */
	int seeds;
	int jobs;			/* 0 = as many as make sense, until resolved */
	enum machine_clock clock;
	enum machine_timing timing;
	enum accel_choice accel_choice;
	double stall;			/* on the real clock: most of a boot's time that the host
					 * may take from it (run/control.h); 0.02 = 2 % */
	bool aa;			/* a kernel against itself, for the noise floor: those
					 * that are known (run/noise.h) have no say */
	bool keep_images;		/* for people who look at what a guest wrote */
	bool bzimage;			/* boot the bzImage although a PVH vmlinux is there */

	/* found by run_options_resolve() */
	struct host_qemu qemu;
	enum machine_accel accel;
	char accel_why[160];
	char *busybox;			/* static, on the host */
	char *agent;			/* the guest agent, static */
	struct strvec applets;		/* busybox's commands */
	char tools_sha256[HASH_HEX];	/* of agent, simulator, busybox and the disks' profiles:
					 * what else a boot's figures come from */
};

void run_options_init(struct run_options *o);
void run_options_release(struct run_options *o);
/*
 * Find QEMU, busybox and the agent and decide the accelerator. Errors: the rig's, for what is
 * missing here, naming the Debian package; the input's for choices that exclude each other:
 * --jobs above 1 on the real clock (guests that share a busy host slow each other down, and
 * nothing in their figures would show it), KVM with the simulated clock.
 */
int run_options_resolve(struct run_options *o, struct err *err);

#endif
