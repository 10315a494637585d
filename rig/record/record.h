/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a run leaves behind: plain structs and their one JSON form, the run document
 * (results/.../run.json, "iorig": 1). Everything a verdict rests on is in it. Strings from a
 * guest are kept as they are in the structs and written as valid JSON; whoever shows them
 * escapes them (the document has U+FFFD for bytes that are no UTF-8). Reading checks types and
 * bounds: a result file is hostile input, too. Keys that this version does not know are ignored,
 * those that it knows must be there, but for those that version 1 did not have from the start
 * (they are marked optional in tables.c and read as empty); a document of a later version is
 * refused as such.
 *
 * The document's keys are the names of the structs' fields. Times are ns, -1 says "none".
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/strvec.h"
#include "guest/console.h"
#include "guest/msg.h"
#include "wire/plan.h"

struct err;

#define RECORD_VERSION 1

enum outcome {
	OUTCOME_DONE,		/* all jobs ended and the guest said so */
	OUTCOME_SKIPPED,	/* the kernel lacks something the case needs */
	OUTCOME_BROKEN		/* anything else; see stage and reason */
};

/* How far a boot came: names where a broken one broke. */
enum stage { STAGE_IMAGES, STAGE_START, STAGE_BOOT, STAGE_SETUP, STAGE_JOBS, STAGE_END };

/* Where processes of a job were found, and how often: see "stack" in guest/msg.h. */
struct job_wait {
	char *state, *stack;
	int64_t count;
};

struct job_result {
	char *name;
	enum plan_role role;
	bool ended;		/* end is valid */
	struct msg_end end;
	bool measured;		/* result is valid: the agent's own jobs ran in it */
	struct msg_result result;
	int64_t wait_rounds;	/* how often it was looked at, 0 = never */
	char *wait_source;	/* "stack", "wchan", "none"; "" or NULL without a look */
	struct job_wait *waits;	/* in descending order of count */
	size_t n_waits;
	json_t *document;	/* an object that its command left (wire/document.h); NULL = none */
	char *document_note;	/* why there is none although it left something; hostile */
};

/* What one of the case's disks is meant to be: the guest's struct msg_disk does not know that. */
struct boot_profile {
	char *disk, *profile, *title;	/* "hda", "hdd-2004", "ATA hard disk of 2004, 27 MB/s" */
};

/*
 * On the real clock: what the host did to QEMU while the guest's jobs ran, by its own counters
 * (run/control.h). Times of the host; -1 = it does not tell.
 */
struct boot_control {
	int64_t measured_ns;	/* from the jobs' begin to the guest's "done" */
	int64_t waited_ns;	/* QEMU's threads were ready and had no processor, added up */
	int64_t paused_ns;	/* nothing on the host ran that should have */
	int64_t stolen_ns;	/* the host's processors were taken from it, their mean */
	int64_t skewed_ns;	/* by so much the guest's clock went from the host's */
	int tries;		/* how often it was booted until this one stood; 0: not at all */
	bool voided;		/* the last one stalled, too: what it measured counts for nothing */
};

struct boot {
	char *case_name, *scale, *case_sha256, *case_text;
	char *expect_text;	/* what was expected of it, "" = nothing */
	uint32_t seed;		/* 1.. */
	char *dir;		/* below the run's folder */
	enum outcome outcome;
	enum stage stage;	/* the last one reached */
	char *reason;		/* one line; "" when done */
	struct strvec evidence;	/* console lines that show it, escaped */
	int64_t wall_ns;	/* host: process start to its end */
	int64_t hello_ns;	/* host: process start to the agent's first frame; -1 = none */
	int64_t guest_ns;	/* guest: clock of the last frame */
	struct strvec argv;	/* of QEMU */
	char *cmdline;		/* of the guest's kernel */
	char *release;		/* uname -r as the guest says, "" if it never did */
	int64_t mem_kb;		/* MemTotal as the guest says, -1 = unknown */
	char *digest;		/* SHA-256 of all that a simulated guest did, "" = none */
	unsigned int frames_bad, frames_lost;
	unsigned int console_seen[CONSOLE_N];
	struct msg_disk *disks;
	struct job_result *jobs;
	struct msg_sample *samples;
	/* What balance_dirty_pages() made writers wait, by disk; none if nobody looked. */
	struct msg_pauses *pauses;
	char *pauses_note;	/* why nobody could; "" = somebody could, or was not to */
	int64_t pauses_lost;	/* events that the kernel had no room for */
	bool controlled;	/* control is valid */
	struct boot_control control;
	struct boot_profile *profiles;	/* one for each disk; none in older documents */
	size_t n_disks, n_jobs, n_samples, n_pauses, n_profiles;
};

enum verdict_kind {
	VERDICT_PASS, VERDICT_REGRESSED, VERDICT_IMPROVED, VERDICT_INCONCLUSIVE, VERDICT_SKIPPED,
	VERDICT_BROKEN,
	VERDICT_NONE,		/* measured; nothing is expected of it */
	VERDICT_KNOWN		/* it regressed, and there is a waiver for that */
};

#define VERDICT_KINDS (VERDICT_KNOWN + 1)

/*
 * One metric of a job or disk over all seeds (case/metric.h has their meaning). value is the
 * median over the seeds; of the times of operations (p50 ... max, mean) it is that of the
 * distributions of all seeds merged. min and max are the least and most that one seed gave. The
 * reals are in the unit; -1 = none.
 */
struct verdict_value {
	char *metric;		/* "rate", "rate/alone" */
	char *unit;		/* "ratio", "ns", "bytes/s", "bytes", "number" */
	bool higher;		/* more is better */
	enum verdict_kind kind;	/* VERDICT_NONE where nothing is expected */
	int seeds;		/* boots that have it */
	double value, min, max;
	double alone;		/* of the alone job: of slowdown and METRIC/alone only */
	double limit, floor, goal, was, within;
};

/* One per case and job, over all seeds, and one for each disk of which something is expected.
 * Jobs with role prepare have none. Times are medians in ns, -1 = none. */
struct verdict {
	char *case_name;
	char *job;		/* of a disk: "disk.NAME" (no job's name has a '.') */
	enum plan_role role;
	enum verdict_kind kind;
	char *reason;		/* one line with the evidence; "" for a plain pass */
	int seeds;		/* boots it rests on */
	double time_ns, sync_ns, total_ns, alone_ns, slowdown; /* -1 = none */
	double time_min_ns, time_max_ns;
	double limit, goal, was;	/* of the slowdown; -1 = none */
	double report_ns, report_slowdown;
	/* All that was measured, in the order of case/metric.h; behind it METRIC/alone where that
	 * is expected; with value -1 what is expected and was not measured. */
	struct verdict_value *values;
	size_t n_values;
};

struct run_patch {
	char *name, *subject;
	char sha256[HASH_HEX];
};

/* By how much a kernel differs from itself on this host's real clock (run/noise.h). */
struct run_floor {
	char *case_name, *job, *metric;
	char case_sha256[HASH_HEX];
	double floor;		/* 0.04 = 4 % */
	int seeds;		/* boots of each side that it was measured with */
	char *measured;		/* UTC */
};

struct run {
	char *id;		/* "20261130T170405Z-debian": the folder's name */
	char *rig_version, *started, *ended;	/* UTC */
	char tools_sha256[HASH_HEX];	/* of what the rig brings to a boot; "" in older ones */
	bool interrupted;	/* stopped before all boots were done */
	char *clock, *timing, *accel, *accel_why, *scale;
	int seeds, jobs;
	struct { char *path, *version; } qemu;
	struct { char *cpu, *kernel, *os; int cpus; int64_t memory; double load; } host;
	struct {
		char *name, *title, *image, *release, *package, *cmdline;	/* NULL = none */
		char image_sha256[HASH_HEX], config_sha256[HASH_HEX];
		/* of one that was built here, before patches; NULL, "" and 0 otherwise */
		char *source, *compiler;
		char source_id[HASH_HEX];
		struct run_patch *patches;
		size_t n_patches;
	} kernel;
	struct boot *boots;
	struct verdict *verdicts;
	struct run_floor *floors;	/* of its cases, as far as the host's are known */
	size_t n_boots, n_verdicts, n_floors;
};

/* Strings of a boot, verdict or run that are NULL are written as "", but for those of
 * run.kernel, which are null (but never its name). Release leaves what init makes. */
void boot_init(struct boot *b);
void boot_release(struct boot *b);
/* Broken by nothing but a host that stalled: it counts for nothing, and against nothing. */
bool boot_is_void(const struct boot *b);
void verdict_release(struct verdict *v);
void run_init(struct run *r);
void run_release(struct run *r);

/* New references; never NULL. */
json_t *boot_to_json(const struct boot *b);
json_t *run_to_json(const struct run *r);
json_t *sample_to_json(const struct msg_sample *s);
/* -EBADMSG with the place of what is wrong ("boots[2].jobs[0].end.wall_ns: not an integer"). What
 * the struct held before is forgotten, not released; after an error it is as init makes it. */
int boot_from_json(struct boot *b, const json_t *j, struct err *err);
int run_from_json(struct run *r, const json_t *j, struct err *err);
/* A file, complete or not at all. A boot's own file has "iorig": 1, too. */
int run_write(const struct run *r, const char *path, struct err *err);
int run_read(struct run *r, const char *path, struct err *err);
int boot_write(const struct boot *b, const char *path, struct err *err);
int boot_read(struct boot *b, const char *path, struct err *err);

const char *outcome_name(enum outcome o);
const char *stage_name(enum stage s);	/* "images", "start", "boot", "setup", "jobs", "end" */
const char *verdict_name(enum verdict_kind v);	/* "pass", "regressed", ... */

#endif
