/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks of a case that need more than one of its values, a disk profile or another case. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "case/load.h"
#include "image/profile.h"

#define DAY		(24 * 3600 * NS_PER_S)
#define SIZE_MIN	(1LL << 20)
#define MOUNT		"/mnt/"

static bool is_iso(const struct case_disk *d)
{
	return strcmp(d->fs, "iso9660") == 0;
}

/* What the checks look at, and where its values stand. */
struct subject {
	const struct kase *c;
	const struct ini *ini;
};

/* The line that gave the value: the variant's or the scale's if they have one, else the key's or
 * its section's. */
static int line_of(const struct subject *s, const char *section, const char *name, const char *key)
{
	char *long_key __free(ptr) = name ? xstrfmt("%s.%s.%s", section, name, key) : xstrdup(key);
	const char *variant = s->c->variant;
	const struct ini_section *at = variant ? ini_find(s->ini, "variant", variant) : NULL;
	const struct ini_entry *entry = at ? ini_get(at, long_key) : NULL;

	if (!entry) {
		at = ini_find(s->ini, "scale", s->c->scale);
		entry = at ? ini_get(at, long_key) : NULL;
	}
	if (entry)
		return entry->line;
	at = ini_find(s->ini, section, name);
	entry = at ? ini_get(at, key) : NULL;
	return entry ? entry->line : at ? at->line : 1;
}

static int job_line(const struct subject *s, const struct case_job *job, const char *key)
{
	return line_of(s, "job", job->name, key);
}

static int disk_line(const struct subject *s, const struct case_disk *disk, const char *key)
{
	return line_of(s, "disk", disk->name, key);
}

struct complaint {
	const char *key, *text;
};

/* What does not fit together in a disk and its profile; text NULL if all does. */
static struct complaint disk_complaint(const struct case_disk *d, const struct profile *p)
{
	bool read_only = d->bus == BUS_ATAPI || p->read_only;
	bool flat = strncmp(p->name, "flat-", strlen("flat-")) == 0;

	if (d->bus == BUS_ATAPI && !is_iso(d))
		return (struct complaint){ "fs", "bus atapi takes fs = iso9660 only" };
	if (d->bus == BUS_ATAPI && !p->read_only && !flat)
		return (struct complaint){ "profile", "bus atapi needs a read-only profile" };
	if (is_iso(d) && !read_only)
		return (struct complaint){ "fs", "iso9660 needs bus atapi or a read-only profile" };
	if (!is_iso(d) && *d->fs && read_only)
		return (struct complaint){ "fs", "a read-only profile takes iso9660 or none" };
	/* QEMU's ide-hd, which ahci uses as well, refuses any other */
	if ((d->bus == BUS_IDE || d->bus == BUS_AHCI) && p->sector != 512)
		return (struct complaint){ "profile", "ide and ahci need sectors of 512 bytes" };
	/* the size of an iso9660 is that of the file in it, which may be any */
	if (!is_iso(d) && d->size % p->sector)
		return (struct complaint){ "size", "not a multiple of the profile's sector" };
	if (!*d->fs && *d->options)
		return (struct complaint){ "options", "there is no file system to mount" };
	if (!d->size && p->size < SIZE_MIN)
		return (struct complaint){ "profile", "its size is below 1M" };
	return (struct complaint){ NULL, NULL };
}

static int check_disk(const struct subject *s, const struct case_disk *d, const char *disks_dir,
		      struct err *err)
{
	struct profile profile __release(profile) = PROFILE_INIT;
	struct err why = ERR_INIT;
	struct complaint wrong;

	if (profile_load(&profile, disks_dir, d->profile, &why) < 0)
		return ini_error(s->ini, disk_line(s, d, "profile"), err, "profile: %s", why.msg);
	wrong = disk_complaint(d, &profile);
	if (!wrong.text)
		return 0;
	return ini_error(s->ini, disk_line(s, d, wrong.key), err, "%s: %s", wrong.key, wrong.text);
}

static int check_buses(const struct subject *s, struct err *err)
{
	/* As vm/machine.h says; atapi drives share the ide ports and are counted there. */
	static const struct {
		enum machine_bus bus, also;
		size_t max;
		const char *name;
	} limits[] = {
		{ BUS_IDE, BUS_ATAPI, 4, "ide and atapi together" },
		{ BUS_SCSI, BUS_SCSI, 7, "scsi" },
		{ BUS_USB, BUS_USB, 8, "usb" },
		{ BUS_AHCI, BUS_AHCI, 6, "ahci" },
		{ BUS_VIRTIO, BUS_VIRTIO, 16, "virtio" },
	};
	const struct kase *c = s->c;

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		size_t n = 0;

		for (size_t k = 0; k < c->n_disks; k++) {
			const struct case_disk *d = &c->disks[k];

			if (d->bus != limits[i].bus && d->bus != limits[i].also)
				continue;
			if (++n > limits[i].max)
				return ini_error(s->ini, disk_line(s, d, "bus"), err,
						 "disk '%s' is one too many: bus %s takes %zu",
						 d->name, limits[i].name, limits[i].max);
		}
	}
	if (c->n_disks > PLAN_MAX_DISKS)
		return ini_error(s->ini, c->disks[PLAN_MAX_DISKS].line, err,
				 "there are more than %d disks", PLAN_MAX_DISKS);
	return 0;
}

/* Every /mnt/NAME of the command must be a disk that is mounted there. */
static int check_mounts(const struct subject *s, const struct case_job *job, struct err *err)
{
	for (const char *p = strstr(job->run, MOUNT); p; p = strstr(p, MOUNT)) {
		size_t len = strspn(p + strlen(MOUNT), "abcdefghijklmnopqrstuvwxyz0123456789-");
		char *name __free(ptr) = xstrndup(p + strlen(MOUNT), len);
		const struct case_disk *disk = kase_disk(s->c, name);

		p += strlen(MOUNT);
		/* a pattern or a variable: the shell knows what becomes of it */
		if (!len)
			continue;
		if (!disk || !*disk->fs)
			return ini_error(s->ini, job_line(s, job, "run"), err,
					 "run: " MOUNT "%s: %s '%s'%s", name,
					 disk ? "disk" : "there is no disk", name,
					 disk ? " has no file system" : "");
	}
	return 0;
}

static int check_sync(const struct subject *s, const struct case_job *job, struct err *err)
{
	const struct case_disk *disk = job->sync ? kase_disk(s->c, job->sync) : NULL;

	if (!job->sync || (disk && *disk->fs && !is_iso(disk)))
		return 0;
	return ini_error(s->ini, job_line(s, job, "sync"), err, "sync: %s '%s'%s",
			 disk ? "disk" : "there is no disk", str_escape(job->sync),
			 disk ? " is not mounted for writing" : "");
}

static int check_command(const struct subject *s, const struct case_job *job,
			 const struct strvec *applets, struct err *err)
{
	char *wrong __free(ptr) = applets ? command_complaint(job->run, applets, &s->c->bring) :
					    NULL;

	if (!wrong)
		return 0;
	return ini_error(s->ini, job_line(s, job, "run"), err, "run: %s", wrong);
}

/* Keys that mean nothing to a job that runs before time zero. */
static int check_prepare(const struct subject *s, const struct case_job *job, struct err *err)
{
	const char *key = job->start_ns ? "start" : job->sync ? "sync" :
			  job->stop != PLAN_STOP_END ? "stop" : job->alone_case ? "alone" :
			  job->report_ns >= 0 ? "report" :
			  job->report_alone_ns >= 0 ? "report-alone" : NULL;

	if (job->role != PLAN_PREPARE || !key)
		return 0;
	return ini_error(s->ini, job_line(s, job, key), err, "%s: a job with role = prepare runs "
			 "untimed before all others", key);
}

static int check_job(const struct subject *s, const struct case_job *job,
		     const struct strvec *applets, struct err *err)
{
	int ret;

	ret = check_prepare(s, job, err);
	if (ret < 0)
		return ret;
	if (job->role == PLAN_VICTIM && job->stop == PLAN_STOP_VICTIMS)
		return ini_error(s->ini, job_line(s, job, "stop"), err,
				 "stop: a victim cannot wait for the victims");
	if (job->start_ns + job->deadline_ns > DAY)
		return ini_error(s->ini, job_line(s, job, "deadline"), err,
				 "deadline: start and deadline together are more than 24h");
	if (job->start_ns >= s->c->deadline_ns)
		return ini_error(s->ini, job_line(s, job, "start"), err,
				 "start: this is after the deadline of [case]");
	ret = check_mounts(s, job, err);
	if (!ret)
		ret = check_sync(s, job, err);
	if (!ret)
		ret = check_command(s, job, applets, err);
	if (!ret)
		ret = alone_check(s->c, job, s->ini, job_line(s, job, "alone"), err);
	return ret;
}

/* Only what a package installs: those files have no names in common with the guest's own. */
static int check_bring(const struct subject *s, struct err *err)
{
	static const char folder[] = "/usr/";

	for (size_t i = 0; i < s->c->bring.n; i++) {
		const char *path = s->c->bring.v[i];

		if (strncmp(path, folder, strlen(folder)) == 0 && strlen(path) < PLAN_TEXT &&
		    path[strlen(path) - 1] != '/' && !strstr(path, "/.") && !strstr(path, "//"))
			continue;
		return ini_error(s->ini, line_of(s, "case", NULL, "bring"), err, "bring: '%s' is "
				 "not the path of a program below %s", str_escape(path), folder);
	}
	return 0;
}

static int check_counts(const struct subject *s, struct err *err)
{
	const struct kase *c = s->c;
	bool victim = false;

	for (size_t i = 0; i < c->n_jobs; i++)
		victim |= c->jobs[i].role == PLAN_VICTIM;
	if (!victim)
		return ini_error(s->ini, 1, err, "a case needs a job with role = victim");
	if (c->n_jobs > PLAN_MAX_JOBS)
		return ini_error(s->ini, c->jobs[PLAN_MAX_JOBS].line, err,
				 "there are more than %d jobs", PLAN_MAX_JOBS);
	if (c->n_sets > PLAN_MAX_SETS)
		return ini_error(s->ini, c->sets[PLAN_MAX_SETS].line, err,
				 "there are more than %d settings", PLAN_MAX_SETS);
	if (c->sample_ns && c->sample_ns < 100 * NS_PER_MS)
		return ini_error(s->ini, line_of(s, "case", NULL, "sample"), err,
				 "sample: neither 0 nor at least 100ms");
	if (c->stack_ns && c->stack_ns < 10 * NS_PER_MS)
		return ini_error(s->ini, line_of(s, "case", NULL, "stacks"), err,
				 "stacks: neither 0 nor at least 10ms");
	if (c->pauses && !c->sample_ns)
		return ini_error(s->ini, line_of(s, "case", NULL, "pauses"), err,
				 "pauses: they are read at each sample, and there is none");
	return check_bring(s, err);
}

int kase_check(const struct kase *c, const struct ini *ini, const char *disks_dir,
	       const struct strvec *applets, struct err *err)
{
	struct subject s = { c, ini };
	int ret = check_counts(&s, err);

	if (!ret)
		ret = check_buses(&s, err);
	for (size_t i = 0; i < c->n_disks && !ret; i++)
		ret = check_disk(&s, &c->disks[i], disks_dir, err);
	for (size_t i = 0; i < c->n_jobs && !ret; i++)
		ret = check_job(&s, &c->jobs[i], applets, err);
	return ret;
}
