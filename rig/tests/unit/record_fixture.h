/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of record/ share: a run with everything in it, and a folder. */
#ifndef UNIT_RECORD_FIXTURE_H
#define UNIT_RECORD_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/file.h"
#include "record/record.h"

static char *dir, *path;

static inline int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	if (dir_temp("/tmp/iorig-record-", &dir, &err) < 0)
		return -1;
	path = path_join(dir, "run.json");
	return 0;
}

static inline int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	dir_remove(dir, &err);
	free(dir);
	free(path);
	return 0;
}

static inline void fill_sample(struct msg_sample *s)
{
	struct msg_sample_disk *d = &s->disks[0];

	*s = (struct msg_sample){ .ns = 1000000001, .dirty = 7, .limit = MSG_NONE, .n_disks = 1 };
	for (int i = 0; i < MSG_VMSTAT; i++)
		s->vmstat[i] = i * 3;
	snprintf(d->name, sizeof(d->name), "hda");
	d->thresh = 123456;
	d->bandwidth = MSG_NONE;
	d->n_io = 11;
	for (int i = 0; i < d->n_io; i++)
		d->io[i] = INT64_MAX - i;
}

/* What the agent's own jobs and the looks at where they wait leave. */
static inline void fill_measured(struct job_result *job)
{
	struct job_wait *wait;

	job->measured = true;
	job->result.ops = 3;
	job->result.bytes = 12288;
	job->result.last_ns = 5000000000;
	hist_add(&job->result.hist, 20000);
	hist_add(&job->result.hist, 20001);
	hist_add(&job->result.hist, INT64_MAX / 2);
	job->wait_rounds = 50;
	job->wait_source = xstrdup("stack");
	wait = array_grow(job->waits, job->n_waits);
	*wait = (struct job_wait){ xstrdup("D"), xstrdup("io_schedule vfs_read"), 40 };
	wait = array_grow(job->waits, job->n_waits);
	*wait = (struct job_wait){ xstrdup("R"), xstrdup(""), 10 };
}

static inline void fill_boot(struct boot *b, const char *reason)
{
	struct job_result *job;
	struct msg_disk *disk;

	boot_init(b);
	b->case_name = xstrdup("writeback/hdd+dvd");
	b->scale = xstrdup("quick");
	b->seed = 4000000000u;
	b->outcome = OUTCOME_BROKEN;
	b->stage = STAGE_JOBS;
	b->reason = xstrdup(reason);
	strvec_pushl(&b->evidence, "one", "two", NULL);
	strvec_push(&b->argv, "qemu-system-x86_64");
	b->wall_ns = 12345678901234;
	b->console_seen[CONSOLE_OOM] = 2;
	b->console_seen[CONSOLE_PANIC] = 1;
	disk = array_grow(b->disks, b->n_disks);
	snprintf(disk->name, sizeof(disk->name), "hda");
	disk->bytes = 512 << 20;
	*array_grow(b->profiles, b->n_profiles) = (struct boot_profile){
		xstrdup("hda"), xstrdup("hdd-2004"), xstrdup("A hard disk")
	};
	job = array_grow(b->jobs, b->n_jobs);
	job->name = xstrdup("hdd");
	job->ended = true;
	job->end.wall_ns = 1150000000;
	job->end.sync_ns = MSG_NONE;
	snprintf(job->end.output, sizeof(job->end.output), "65536+0 records out\n");
	fill_measured(job);
	job = array_grow(b->jobs, b->n_jobs);
	job->name = xstrdup("dvd");
	job->role = PLAN_LOAD;
	fill_sample(array_grow(b->samples, b->n_samples));
}

static inline void fill_run(struct run *r)
{
	struct verdict *v;

	run_init(r);
	r->id = xstrdup("20261130T170405Z-debian");
	r->interrupted = true;
	r->clock = xstrdup("sim");
	r->seeds = 5;
	r->qemu.version = xstrdup("7.2.22");
	r->host.memory = 8LL << 30;
	r->host.load = 0.1;
	r->kernel.name = xstrdup("debian");
	memset(r->kernel.image_sha256, 'a', HASH_HEX - 1);
	fill_boot(array_grow(r->boots, r->n_boots), "first");
	fill_boot(array_grow(r->boots, r->n_boots), "second");
	v = array_grow(r->verdicts, r->n_verdicts);
	v->case_name = xstrdup("writeback/hdd+dvd");
	v->job = xstrdup("hdd");
	v->kind = VERDICT_INCONCLUSIVE;
	v->slowdown = 1.0 / 3;
	v->time_ns = 24500000001.5;
	v->limit = -1;
	*array_grow(v->values, v->n_values) = (struct verdict_value){
		.metric = xstrdup("rate/alone"), .unit = xstrdup("ratio"), .higher = true,
		.kind = VERDICT_REGRESSED, .seeds = 5, .value = 0.1 + 0.2, .min = 0.25, .max = 0.5,
		.alone = 1e6, .limit = -1, .floor = 0.8, .goal = 0.9, .was = -1, .within = -1,
	};
}

#endif
