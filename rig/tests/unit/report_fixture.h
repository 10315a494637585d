/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of report/ share: a run of one case with a victim on hda and a load on dvd. */
#ifndef UNIT_REPORT_FIXTURE_H
#define UNIT_REPORT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "record/record.h"

#define SEC 1000000000LL
#define HOSTILE "a</script>\"'`x`$(y)@macro \033]0;t\007\r\n|*_[z](http://e)\xe2\x80\xae\xff"

static struct run run;
static struct strbuf out = STRBUF_INIT;

static inline struct job_result *add_job(struct boot *b, const char *name, enum plan_role role,
					 int64_t start, int64_t wall)
{
	struct job_result *job = array_grow(b->jobs, b->n_jobs);

	job->name = xstrdup(name);
	job->role = role;
	job->ended = true;
	job->end = (struct msg_end){ .start_ns = start, .wall_ns = wall, .sync_ns = SEC };
	return job;
}

/* A sample a second from second 1 on, 10 MiB dirtied on each disk in each: dvd holds 3/4 of the pages, which stand at 4/5 of the limit;
 * hda has requests in flight a tenth of the time, dvd always. */
static inline void add_samples(struct boot *b, int n)
{
	for (int i = 0; i < n; i++) {
		struct msg_sample *s = array_grow(b->samples, b->n_samples);

		*s = (struct msg_sample){ .ns = (i + 1) * SEC, .dirty = 700, .writeback = 100,
					  .limit = 1000, .background = 500, .n_disks = 2 };
		s->vmstat[1] = 2;
		s->vmstat[14] = 10;
		s->vmstat[15] = 80;
		for (int d = 0; d < 2; d++) {
			struct msg_sample_disk *disk = &s->disks[d];

			snprintf(disk->name, sizeof(disk->name), d ? "dvd" : "hda");
			disk->dirty = d ? 2400 : 600;
			disk->writeback = d ? 0 : 200;
			disk->dirtied = i * 10240;
			disk->n_io = 11;
			disk->io[4] = i;
			disk->io[6] = i * (d ? 2048 : 20480);
			disk->io[9] = i * (d ? 1000 : 100);
		}
	}
}

static inline struct boot *add_boot(const char *case_name, uint32_t seed, int64_t time)
{
	struct boot *b = array_grow(run.boots, run.n_boots);

	boot_init(b);
	b->case_name = xstrdup(case_name);
	b->scale = xstrdup("quick");
	b->case_sha256 = xstrdup("c");
	b->case_text = xstrdup("[case]\ntitle = The title\n[job hdd]\n"
			       "run = dd of=/mnt/hda/zero\n[scale full]\njob.hdd.run = x /mnt/dvd\n");
	b->expect_text = xstrdup("");
	b->dir = xstrfmt("g-case.%u", seed);
	b->reason = xstrdup("");
	b->release = xstrdup("6.1.0");
	b->cmdline = xstrdup("quiet");
	b->digest = xstrdup("");
	b->seed = seed;
	b->stage = STAGE_END;
	for (int d = 0; d < 2; d++) {
		struct msg_disk *disk = array_grow(b->disks, b->n_disks);

		snprintf(disk->name, sizeof(disk->name), d ? "dvd" : "hda");
		snprintf(disk->dev, sizeof(disk->dev), "sd%c", 'a' + d);
	}
	add_job(b, "hdd", PLAN_VICTIM, 2 * SEC, time);
	add_job(b, "dvd", PLAN_LOAD, 2 * SEC, 30 * SEC);
	add_samples(b, 40);
	return b;
}

static inline struct verdict *add_verdict(const char *case_name, const char *job,
					  enum verdict_kind kind, double seconds)
{
	struct verdict *v = array_grow(run.verdicts, run.n_verdicts);

	*v = (struct verdict){
		.case_name = xstrdup(case_name), .job = xstrdup(job), .kind = kind,
		.reason = xstrdup(kind == VERDICT_REGRESSED ? "slowdown 10.0 above limit 5" : ""),
		.seeds = 3, .time_ns = seconds * 1e9, .sync_ns = 1e9, .total_ns = -1, .alone_ns = 2e9,
		.slowdown = seconds / 2, .time_min_ns = 19e9, .time_max_ns = 21e9, .limit = 5,
		.goal = 1.5, .was = -1, .report_ns = -1, .report_slowdown = -1,
	};
	return v;
}

static inline int setup(void **state)
{
	(void)state;
	run_init(&run);
	run.id = xstrdup("20261130T170405Z-debian");
	run.rig_version = xstrdup("0.1");
	run.started = xstrdup("2026-11-30T17:04:05Z");
	run.ended = xstrdup("");
	run.clock = xstrdup("sim");
	run.timing = xstrdup("model");
	run.accel = xstrdup("tcg");
	run.accel_why = xstrdup("why");
	run.scale = xstrdup("quick");
	run.seeds = 3;
	run.qemu.path = xstrdup("/q");
	run.qemu.version = xstrdup("7.2");
	run.host.cpu = xstrdup("cpu");
	run.host.kernel = xstrdup("6.1");
	run.host.os = xstrdup("os");
	run.kernel.name = xstrdup("debian");
	run.kernel.release = xstrdup("6.1.0");
	run.kernel.package = xstrdup("linux-image 6.1");
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	run_release(&run);
	strbuf_release(&out);
	return 0;
}

static inline void has(const char *text)
{
	if (!strstr(out.buf, text))
		fail_msg("no '%s' in:\n%s", text, out.buf);
}

static inline void has_not(const char *text)
{
	if (strstr(out.buf, text))
		fail_msg("'%s' in:\n%s", text, out.buf);
}

/* The same in what a reader of a page sees: without its tags. */
static inline void has_text(const char *text)
{
	char *seen = xstrdup(out.buf), *to = seen;
	bool tag = false, found;

	for (const char *c = out.buf; *c; c++) {
		tag = tag || *c == '<';
		if (!tag)
			*to++ = *c;
		tag = tag && *c != '>';
	}
	*to = '\0';
	found = strstr(seen, text);
	free(seen);
	if (!found)
		fail_msg("no '%s' in what is seen of:\n%s", text, out.buf);
}

static inline void replace(char **text, const char *by)
{
	free(*text);
	*text = xstrdup(by);
}

/* Somebody who means harm wrote every string. */
static inline void make_hostile(void)
{
	struct boot *b = &run.boots[0];

	replace(&run.id, HOSTILE);
	replace(&run.kernel.name, HOSTILE);
	replace(&run.kernel.package, HOSTILE);
	replace(&run.qemu.version, HOSTILE);
	replace(&run.host.cpu, HOSTILE);
	replace(&run.accel_why, HOSTILE);
	replace(&b->reason, HOSTILE);
	replace(&b->cmdline, HOSTILE);
	replace(&b->release, HOSTILE);
	replace(&b->expect_text, HOSTILE);
	replace(&b->dir, "../../etc");
	b->outcome = OUTCOME_BROKEN;
	strvec_push(&b->evidence, HOSTILE);
	snprintf(b->disks[0].name, sizeof(b->disks[0].name), "%.40s", HOSTILE);
	snprintf(b->disks[0].scheduler, sizeof(b->disks[0].scheduler), "%.40s", HOSTILE);
	for (size_t i = 0; i < run.n_verdicts; i++)
		replace(&run.verdicts[i].reason, HOSTILE);
	for (size_t i = 0; i < b->n_samples; i++)
		snprintf(b->samples[i].disks[0].name, sizeof(b->samples[i].disks[0].name), "%.40s",
			 HOSTILE);
	b->samples[3].ns = INT64_MAX;
	b->samples[4].ns = -1;
	b->samples[5].dirty = INT64_MAX;
	b->samples[5].limit = INT64_MAX;
	b->samples[6].disks[1].dirty = INT64_MAX;
	b->samples[6].disks[1].io[6] = INT64_MAX;
	b->samples[7].n_disks = 0;
	b->jobs[1].end.wall_ns = INT64_MAX;
	b->jobs[1].end.start_ns = INT64_MAX;
}

#endif
