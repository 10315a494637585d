/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding, mounting and describing disks. */
#include "agent/disks.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "agent/boot.h"
#include "agent/end.h"
#include "agent/jsonw.h"
#include "agent/now.h"
#include "agent/port.h"
#include "agent/serial.h"
#include "agent/text.h"

#define FIND_NS	   (15 * SEC)	/* a USB hub, then usb-storage's settle time, then the disk */
#define FIND_STEP_MS 20
#define SECTOR	   512		/* unit of /sys/block/X/size, whatever the disk's sectors are */

/* Is the device complete, with its node? The queue folder is made late in add_disk(). */
static bool is_usable(const char *dev, unsigned int *major, unsigned int *minor)
{
	char path[TEXT_PATH], number[32];

	snprintf(path, sizeof(path), "/sys/block/%s/queue/scheduler", dev);
	if (access(path, F_OK) < 0)
		return false;
	snprintf(path, sizeof(path), "/sys/block/%s/dev", dev);
	if (text_read_line(path, number, sizeof(number)) < 0 ||
	    sscanf(number, "%u:%u", major, minor) != 2)
		return false;
	snprintf(path, sizeof(path), "/dev/%s", dev);
	return mknod(path, S_IFBLK | 0600, makedev(*major, *minor)) == 0 || errno == EEXIST;
}

/* A command cannot know what sda is today: give it the case's name. */
static void add_link(const struct disk *disk)
{
	char path[TEXT_PATH], target[TEXT_PATH];

	snprintf(path, sizeof(path), DISKS_FOLDER "/%s", disk->plan->name);
	snprintf(target, sizeof(target), "/dev/%s", disk->dev);
	if (boot_mkdir(DISKS_FOLDER) < 0 || symlink(target, path) < 0)
		end_fail("disks", errno, "cannot make the link '%s'", path);
}

static void try_device(struct disks *disks, const char *dev)
{
	unsigned int major, minor;
	size_t i;

	/* A floppy drive takes seconds to say that it is empty. */
	if (dev[0] == '.' || strncmp(dev, "fd", 2) == 0 || strncmp(dev, "loop", 4) == 0 ||
	    strncmp(dev, "ram", 3) == 0 || strlen(dev) >= sizeof(disks->disks[0].dev))
		return;
	for (i = 0; i < disks->n; i++) {
		if (strcmp(disks->disks[i].dev, dev) == 0)
			return;
	}
	if (!is_usable(dev, &major, &minor))
		return;
	for (i = 0; i < disks->n; i++) {
		struct disk *disk = &disks->disks[i];

		if (disk->dev[0] || !serial_matches(dev, disk->plan->serial))
			continue;
		memcpy(disk->dev, dev, strlen(dev) + 1);	/* its length was checked above */
		disk->major = major;
		disk->minor = minor;
		add_link(disk);
		return;
	}
}

static const struct disk *first_missing(const struct disks *disks)
{
	size_t i;

	for (i = 0; i < disks->n; i++) {
		if (!disks->disks[i].dev[0])
			return &disks->disks[i];
	}
	return NULL;
}

void disks_find(struct disks *disks, const struct plan *plan)
{
	int64_t give_up = now_ns() + FIND_NS;
	const struct disk *missing;
	size_t i;

	memset(disks, 0, sizeof(*disks));
	disks->n = plan->n_disks;
	for (i = 0; i < disks->n; i++)
		disks->disks[i].plan = &plan->disks[i];
	while ((missing = first_missing(disks))) {
		DIR *dir = opendir("/sys/block");
		struct dirent *entry;

		while (dir && (entry = readdir(dir)))
			try_device(disks, entry->d_name);
		if (dir)
			closedir(dir);
		if (!first_missing(disks))
			break;
		if (now_ns() > give_up)
			end_lacks("disks", "disk", missing->plan->name, ENODEV,
				  "no disk with serial '%s' on %s after %lld s",
				  missing->plan->serial, missing->plan->bus, FIND_NS / SEC);
		poll(NULL, 0, FIND_STEP_MS);
	}
}

/* Mount options that are flags of mount(2); all others are the filesystem's own. */
static const struct {
	const char *word;
	unsigned long flag;
} flag_words[] = {
	{ "noatime", MS_NOATIME },	 { "nodiratime", MS_NODIRATIME },
	{ "relatime", MS_RELATIME },	 { "strictatime", MS_STRICTATIME },
	{ "sync", MS_SYNCHRONOUS },	 { "dirsync", MS_DIRSYNC },
	{ "nosuid", MS_NOSUID },	 { "nodev", MS_NODEV },
	{ "noexec", MS_NOEXEC },	 { "ro", MS_RDONLY },
	{ "rw", 0 },
};

static unsigned long split_options(const char *options, char *data, size_t cap)
{
	unsigned long flags = 0;
	size_t used = 0, i;

	data[0] = '\0';
	while (*options) {
		size_t len = strcspn(options, ",");

		for (i = 0; i < sizeof(flag_words) / sizeof(flag_words[0]); i++) {
			if (strlen(flag_words[i].word) == len &&
			    memcmp(flag_words[i].word, options, len) == 0)
				break;
		}
		if (i < sizeof(flag_words) / sizeof(flag_words[0]))
			flags |= flag_words[i].flag;
		else if (used + len + 2 <= cap)
			used += snprintf(data + used, cap - used, "%s%.*s", used ? "," : "",
					 (int)len, options);
		options += len + (options[len] == ',');
	}
	return flags;
}

static void mount_disk(const struct disk *disk)
{
	const struct plan_disk *plan = disk->plan;
	char path[TEXT_PATH], data[PLAN_TEXT];
	unsigned long flags = split_options(plan->options, data, sizeof(data));
	int error;

	if (plan->ro)
		flags |= MS_RDONLY;
	snprintf(path, sizeof(path), "/dev/%s", disk->dev);
	error = boot_mkdir(plan->mount);
	if (error)
		end_fail("mount", -error, "cannot make folder '%s': %s", plan->mount,
			 strerror(-error));
	if (mount(path, plan->mount, plan->fs, flags, data) == 0)
		return;
	error = errno;
	if (error == ENODEV)
		end_lacks("mount", "filesystem", plan->fs, error,
			  "this kernel has no filesystem '%s', which disk '%s' needs", plan->fs,
			  plan->name);
	end_fail("mount", error, "cannot mount disk '%s' (%s, %s): %s", plan->name, disk->dev,
		 plan->fs, strerror(error));
}

void disks_mount(const struct disks *disks)
{
	size_t i;

	for (i = 0; i < disks->n; i++) {
		if (disks->disks[i].plan->fs[0] && disks->disks[i].plan->mount[0])
			mount_disk(&disks->disks[i]);
	}
}

static int64_t attribute(const struct disk *disk, const char *name)
{
	char path[TEXT_PATH];

	snprintf(path, sizeof(path), "/sys/block/%s/%s", disk->dev, name);
	return text_read_number(path);
}

static void report(const struct disk *disk)
{
	struct jsonw *json = port_begin("disk");
	char path[TEXT_PATH], shown[256] = "", scheduler[PLAN_NAME];

	jsonw_string(json, "name", disk->plan->name);
	jsonw_string(json, "dev", disk->dev);
	jsonw_number(json, "major", disk->major);
	jsonw_number(json, "minor", disk->minor);
	jsonw_number(json, "bytes", attribute(disk, "size") * SECTOR);
	jsonw_count(json, "sector", attribute(disk, "queue/logical_block_size"));
	jsonw_count(json, "rotational", attribute(disk, "queue/rotational"));
	snprintf(path, sizeof(path), "/sys/block/%s/queue/scheduler", disk->dev);
	text_read_line(path, shown, sizeof(shown));
	text_chosen(shown, scheduler, sizeof(scheduler));
	jsonw_string(json, "scheduler", scheduler);
	jsonw_count(json, "nr_requests", attribute(disk, "queue/nr_requests"));
	jsonw_count(json, "queue_depth", attribute(disk, "device/queue_depth"));
	port_send();
}

void disks_report(const struct disks *disks)
{
	size_t i;

	for (i = 0; i < disks->n; i++)
		report(&disks->disks[i]);
}

const struct disk *disks_named(const struct disks *disks, const char *name)
{
	size_t i;

	for (i = 0; i < disks->n; i++) {
		if (strcmp(disks->disks[i].plan->name, name) == 0)
			return &disks->disks[i];
	}
	return NULL;
}

const char *disks_sync_path(const struct disks *disks, const char *name)
{
	static char paths[PLAN_MAX_DISKS][TEXT_PATH];
	const struct disk *disk = *name ? disks_named(disks, name) : NULL;
	char *path;

	if (!disk)
		return NULL;
	path = paths[disk - disks->disks];
	if (disk->plan->fs[0] && disk->plan->mount[0])
		snprintf(path, TEXT_PATH, "%s", disk->plan->mount);
	else
		snprintf(path, TEXT_PATH, "/dev/%s", disk->dev);
	return path;
}
