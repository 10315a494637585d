/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan's disks in this guest. Names like sda depend on the order in which drivers happened
 * to look, so a disk is found by its serial number (serial.h), and by nothing else: a disk that
 * is not found ends the guest.
 */
#ifndef AGENT_DISKS_H
#define AGENT_DISKS_H

#include <stddef.h>

#include "wire/plan.h"

#define DISKS_FOLDER "/dev/iorig"	/* a link NAME -> /dev/sdX for each disk, for raw access */

struct disk {
	const struct plan_disk *plan;
	char dev[32];			/* the kernel's name, "" until found */
	unsigned int major, minor;
};

struct disks {
	size_t n;
	struct disk disks[PLAN_MAX_DISKS];
};

/* Find all of the plan's disks; drivers look for theirs asynchronously, so wait a while. */
void disks_find(struct disks *disks, const struct plan *plan);
/* Mount those that have a filesystem. */
void disks_mount(const struct disks *disks);
/* A "disk" frame for each. */
void disks_report(const struct disks *disks);
/* What a sync for the disk of this name is done on: the mounted filesystem, or else the raw disk.
 * NULL for a name that is "". It lives as long as the program. */
const char *disks_sync_path(const struct disks *disks, const char *name);
/* The disk of this name, or NULL. */
const struct disk *disks_named(const struct disks *disks, const char *name);

#endif
