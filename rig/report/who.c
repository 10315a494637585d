/* SPDX-License-Identifier: GPL-2.0-only */
/* Disks and jobs in words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "record/record.h"
#include "report/facts.h"
#include "report/who.h"
#include "report/who_command.h"
#include "report/words.h"

void who_disks(const struct boot *b, struct strvec *names)
{
	for (size_t i = 0; i < b->n_disks && i < MSG_DISKS; i++)
		strvec_push(names, b->disks[i].name);
	for (size_t i = 0; i < b->n_profiles && !b->n_disks && i < MSG_DISKS; i++)
		strvec_push(names, b->profiles[i].disk);
}

static const struct boot_profile *profile_of(const struct boot *b, const char *name)
{
	for (size_t i = 0; i < b->n_profiles; i++)
		if (!strcmp(b->profiles[i].disk, name))
			return &b->profiles[i];
	return NULL;
}

void who_disk_short(const struct boot *b, const char *name, struct strbuf *out)
{
	const struct boot_profile *p = profile_of(b, name);
	char *profile __free(ptr) = p ? NULL : words_of(b, "disk", name, "profile");

	if (p && *p->title)
		strbuf_addstr(out, p->title);
	else if (profile)
		strbuf_addstr(out, profile);
}

static const char *bus_name(const char *bus)
{
	static const char *const names[][2] = {
		{ "ide", "IDE" }, { "scsi", "SCSI" }, { "atapi", "ATAPI" }, { "usb", "USB" },
		{ "ahci", "AHCI (SATA)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(bus, names[i][0]))
			return names[i][1];
	return bus;
}

void who_disk(const struct boot *b, const char *name, struct strbuf *out)
{
	const struct boot_profile *p = profile_of(b, name);
	char *bus __free(ptr) = words_of(b, "disk", name, "bus");
	char *fs __free(ptr) = words_of(b, "disk", name, "fs");
	size_t before = out->len;
	char size[40];

	who_disk_short(b, name, out);
	if (out->len == before)
		strbuf_addstr(out, "a disk");
	if (p && *p->profile)
		strbuf_addf(out, " (profile %s)", p->profile);
	if (bus)
		strbuf_addf(out, " on %s", bus_name(bus));
	for (size_t i = 0; i < b->n_disks; i++)
		if (!strcmp(b->disks[i].name, name) && b->disks[i].bytes > 0)
			strbuf_addf(out, ", %s", who_size(b->disks[i].bytes, size));
	if (fs)
		strbuf_addf(out, ", %s", strcmp(fs, "none") ? fs : "no file system");
}

void who_does(const struct boot *b, const struct job_result *job, struct strbuf *out)
{
	char *run __free(ptr) = words_of(b, "job", job->name, "run");
	int disk = run ? facts_disk_of(b, run) : -1;

	if (run)
		who_command(run, disk < 0 ? NULL : b->disks[disk].name, out);
}

void who_when(const struct boot *b, const struct job_result *job, struct strbuf *out)
{
	char *start __free(ptr) = words_of(b, "job", job->name, "start");
	char *sync __free(ptr) = words_of(b, "job", job->name, "sync");
	char *stop __free(ptr) = words_of(b, "job", job->name, "stop");
	char *memory __free(ptr) = words_of(b, "job", job->name, "cgroup-memory");
	char *alone __free(ptr) = words_of(b, "job", job->name, "alone");

	if (start)
		strbuf_addf(out, "; starts at %s", start);
	if (sync)
		strbuf_addf(out, "; then syncs %s, which is timed apart", sync);
	if (stop && !strcmp(stop, "victims"))
		strbuf_addstr(out, "; is stopped when the victims have ended");
	if (memory)
		strbuf_addf(out, "; in a cgroup of %s", memory);
	if (alone)
		strbuf_addf(out, "; what it takes alone is measured by the case %s", alone);
}

const char *who_role(const struct job_result *job)
{
	return job->role == PLAN_VICTIM ? "the victim"
	       : job->role == PLAN_LOAD ? "a load"
					: "preparation";
}

static void add_one(const struct boot *b, const struct job_result *job, struct strbuf *out)
{
	char *run __free(ptr) = words_of(b, "job", job->name, "run");
	int disk = run ? facts_disk_of(b, run) : -1;
	struct strbuf does __release(strbuf) = STRBUF_INIT, what __release(strbuf) = STRBUF_INIT;

	who_does(b, job, &does);
	strbuf_addf(out, "%s, %s,%s%s", job->name, who_role(job), does.len ? " " : " runs",
		    does.buf);
	if (disk >= 0)
		who_disk_short(b, b->disks[disk].name, &what);
	if (what.len)
		strbuf_addf(out, " (%s is the %s)", b->disks[disk].name, what.buf);
}

#define BESIDE 4	/* others that are named */

void who_sentence(const struct boot *b, const struct job_result *job, struct strbuf *out)
{
	size_t told = 0, left = 0;

	add_one(b, job, out);
	for (size_t i = 0; i < b->n_jobs; i++) {
		const struct job_result *other = &b->jobs[i];

		if (other == job || other->role == PLAN_PREPARE)
			continue;
		if (told == BESIDE) {
			left++;
			continue;
		}
		strbuf_addstr(out, told++ ? "; " : "; beside it ");
		add_one(b, other, out);
	}
	if (left)
		strbuf_addf(out, "; and %zu more", left);
	if (!told)
		strbuf_addstr(out, "; nothing runs beside it");
}
