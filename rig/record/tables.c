/* SPDX-License-Identifier: GPL-2.0-only */
/* Which fields the documents have, by struct. */
#include "record/tables.h"

#include "base/alloc.h"
#include "record/noise.h"
#include "record/record.h"

/* Bounds of what a document may hold; all far above what a run can produce. */
#define MAX_BOOTS	10000
#define MAX_VERDICTS	(MAX_BOOTS * 16)
#define MAX_VALUES	256
#define MAX_SAMPLES	1000000
#define MAX_LINES	4096
#define MAX_PATCHES	2000

const char *const outcome_names[] = {
	[OUTCOME_DONE] = "done",
	[OUTCOME_SKIPPED] = "skipped",
	[OUTCOME_BROKEN] = "broken",
	NULL
};

const char *const stage_names[] = {
	[STAGE_IMAGES] = "images",
	[STAGE_START] = "start",
	[STAGE_BOOT] = "boot",
	[STAGE_SETUP] = "setup",
	[STAGE_JOBS] = "jobs",
	[STAGE_END] = "end",
	NULL
};

const char *const verdict_names[] = {
	[VERDICT_PASS] = "pass",
	[VERDICT_REGRESSED] = "regressed",
	[VERDICT_IMPROVED] = "improved",
	[VERDICT_INCONCLUSIVE] = "inconclusive",
	[VERDICT_SKIPPED] = "skipped",
	[VERDICT_BROKEN] = "broken",
	[VERDICT_NONE] = "none",
	[VERDICT_KNOWN] = "known",
	NULL
};

static const char *const role_names[] = {
	[PLAN_VICTIM] = "victim",
	[PLAN_LOAD] = "load",
	[PLAN_PREPARE] = "prepare",
	NULL
};

#define TABLE(array) { (array), ARRAY_SIZE(array) }
#define SIZE_OF(type, member) sizeof(((struct type *)NULL)->member)
#define AS(word, of, member, kind)                                                                 \
	{ .name = (word), .type = (kind), .offset = offsetof(struct of, member) }
#define PLAIN(of, member, kind) AS(#member, of, member, kind)
/* A member that documents did not have from the start. */
#define LATER(of, member, kind)                                                                    \
	{ .name = #member, .type = (kind), .offset = offsetof(struct of, member), .optional = true }
#define CHARS(of, member)                                                                          \
	{ .name = #member, .type = FIELD_CHARS, .offset = offsetof(struct of, member),             \
	  .size = SIZE_OF(of, member) }
#define ENUM(of, member, words)                                                                    \
	{ .name = #member, .type = FIELD_ENUM, .offset = offsetof(struct of, member),              \
	  .names = (words) }
#define STRVEC(of, member)                                                                         \
	{ .name = #member, .type = FIELD_STRVEC, .offset = offsetof(struct of, member),            \
	  .max = MAX_LINES }
#define GROUP(member, fields) { .name = #member, .type = FIELD_GROUP, .sub = &(fields) }
#define ARRAY(of, member, most, fields)                                                            \
	{ .name = #member, .type = FIELD_ARRAY, .offset = offsetof(struct of, member),             \
	  .size = sizeof(*((struct of *)NULL)->member), .max = (most),                             \
	  .count = offsetof(struct of, n_##member), .sub = &(fields) }
#define LATER_ARRAY(of, member, most, fields)                                                      \
	{ .name = #member, .type = FIELD_ARRAY, .offset = offsetof(struct of, member),             \
	  .size = sizeof(*((struct of *)NULL)->member), .max = (most),                             \
	  .count = offsetof(struct of, n_##member), .sub = &(fields), .optional = true }

#define S(member) PLAIN(msg_sample_disk, member, FIELD_I64)
static const struct field sample_disk_array[] = {
	CHARS(msg_sample_disk, name), S(dirty), S(writeback), S(thresh), S(dirtied), S(written),
	S(bandwidth),
	{ .name = "io", .type = FIELD_I64S, .offset = offsetof(struct msg_sample_disk, io),
	  .max = MSG_IO, .count = offsetof(struct msg_sample_disk, n_io) },
};
#undef S
static const struct fields sample_disk_fields = TABLE(sample_disk_array);

#define S(member) PLAIN(msg_sample, member, FIELD_I64)
static const struct field sample_array[] = {
	S(ns), S(dirty), S(writeback), S(limit), S(background),
	{ .name = "vmstat", .type = FIELD_I64S, .offset = offsetof(struct msg_sample, vmstat),
	  .max = MSG_VMSTAT, .count = FIELD_NO_COUNT },
	{ .name = "disks", .type = FIELD_INLINE, .offset = offsetof(struct msg_sample, disks),
	  .size = sizeof(struct msg_sample_disk), .max = MSG_DISKS,
	  .count = offsetof(struct msg_sample, n_disks), .sub = &sample_disk_fields },
};
#undef S
const struct fields sample_fields = TABLE(sample_array);

#define D(member) PLAIN(msg_disk, member, FIELD_I64)
static const struct field disk_array[] = {
	CHARS(msg_disk, name), CHARS(msg_disk, dev), CHARS(msg_disk, scheduler), D(major), D(minor),
	D(bytes), D(sector), D(rotational), D(nr_requests), D(queue_depth),
};
#undef D
static const struct fields disk_fields = TABLE(disk_array);

#define E(member) PLAIN(msg_end, member, FIELD_I64)
static const struct field end_array[] = {
	CHARS(msg_end, job), E(start_ns), E(wall_ns), E(user_ns), E(sys_ns), E(exit), E(signal),
	E(timeout), E(stopped), E(sync_ns), E(sync_error), CHARS(msg_end, output),
};
#undef E
static const struct fields end_fields = TABLE(end_array);

#define R(member) PLAIN(msg_result, member, FIELD_I64)
static const struct field result_array[] = {
	CHARS(msg_result, job), R(ops), R(bytes), R(errors), R(first_ns), R(last_ns),
	AS("sum", msg_result, hist.sum, FIELD_I64), AS("min", msg_result, hist.min, FIELD_I64),
	AS("max", msg_result, hist.max, FIELD_I64), PLAIN(msg_result, hist, FIELD_HIST),
};
#undef R
static const struct fields result_fields = TABLE(result_array);

static const struct field wait_array[] = {
	PLAIN(job_wait, state, FIELD_STR), PLAIN(job_wait, count, FIELD_I64),
	PLAIN(job_wait, stack, FIELD_STR),
};
static const struct fields wait_fields = TABLE(wait_array);

static const struct field job_array[] = {
	PLAIN(job_result, name, FIELD_STR),
	ENUM(job_result, role, role_names),
	{ .name = "end", .type = FIELD_STRUCT, .offset = offsetof(struct job_result, end),
	  .count = offsetof(struct job_result, ended), .sub = &end_fields },
	{ .name = "result", .type = FIELD_STRUCT, .offset = offsetof(struct job_result, result),
	  .count = offsetof(struct job_result, measured), .sub = &result_fields,
	  .optional = true },
	LATER(job_result, wait_rounds, FIELD_I64),
	LATER(job_result, wait_source, FIELD_STR),
	LATER_ARRAY(job_result, waits, MSG_STACKS_MAX, wait_fields),
	LATER(job_result, document, FIELD_JSON),
	LATER(job_result, document_note, FIELD_STR),
};
static const struct fields job_fields = TABLE(job_array);

/* By name and not as an array: the order of the faults is no business of the document. */
#define SEEN(word, fault)                                                                          \
	{ .name = (word), .type = FIELD_UINT,                                                      \
	  .offset = offsetof(struct boot, console_seen) + (fault) * sizeof(unsigned int) }
static const struct field console_array[] = {
	SEEN("warning", CONSOLE_WARNING),
	SEEN("oom", CONSOLE_OOM),
	SEEN("io_error", CONSOLE_IO_ERROR),
	SEEN("hung_task", CONSOLE_HUNG_TASK),
	SEEN("soft_lockup", CONSOLE_SOFT_LOCKUP),
	SEEN("bug", CONSOLE_BUG),
	SEEN("oops", CONSOLE_OOPS),
	SEEN("panic", CONSOLE_PANIC),
};
#undef SEEN
static const struct fields console_fields = TABLE(console_array);

#define P(member) PLAIN(msg_pauses, member, FIELD_I64)
static const struct field pauses_array[] = {
	CHARS(msg_pauses, disk), P(count), P(sum_ns), P(max_ns),
};
#undef P
static const struct fields pauses_fields = TABLE(pauses_array);

#define P(member) PLAIN(boot_profile, member, FIELD_STR)
static const struct field profile_array[] = { P(disk), P(profile), P(title) };
#undef P
static const struct fields profile_fields = TABLE(profile_array);

#define C(member) PLAIN(boot_control, member, FIELD_I64)
static const struct field control_array[] = {
	C(measured_ns), C(waited_ns), C(paused_ns), C(stolen_ns), C(skewed_ns),
	PLAIN(boot_control, tries, FIELD_INT), AS("void", boot_control, voided, FIELD_BOOL),
};
#undef C
static const struct fields control_fields = TABLE(control_array);

#define B(member, type) PLAIN(boot, member, type)
static const struct field boot_array[] = {
	B(case_name, FIELD_STR), B(scale, FIELD_STR), B(case_sha256, FIELD_STR),
	B(case_text, FIELD_STR), B(expect_text, FIELD_STR), B(seed, FIELD_UINT),
	B(dir, FIELD_STR),
	ENUM(boot, outcome, outcome_names), ENUM(boot, stage, stage_names),
	B(reason, FIELD_STR), STRVEC(boot, evidence),
	B(wall_ns, FIELD_I64), B(hello_ns, FIELD_I64), B(guest_ns, FIELD_I64),
	STRVEC(boot, argv), B(cmdline, FIELD_STR), B(digest, FIELD_STR),
	B(release, FIELD_STR), B(mem_kb, FIELD_I64),
	B(frames_bad, FIELD_UINT), B(frames_lost, FIELD_UINT), GROUP(console_seen, console_fields),
	ARRAY(boot, disks, MSG_DISKS, disk_fields),
	ARRAY(boot, jobs, PLAN_MAX_JOBS, job_fields),
	ARRAY(boot, samples, MAX_SAMPLES, sample_fields),
	LATER_ARRAY(boot, pauses, MSG_DISKS, pauses_fields),
	LATER(boot, pauses_note, FIELD_STR), LATER(boot, pauses_lost, FIELD_I64),
	{ .name = "control", .type = FIELD_STRUCT, .offset = offsetof(struct boot, control),
	  .count = offsetof(struct boot, controlled), .sub = &control_fields, .optional = true },
	LATER_ARRAY(boot, profiles, MSG_DISKS, profile_fields),
};
#undef B
const struct fields boot_fields = TABLE(boot_array);

#define V(member) PLAIN(verdict_value, member, FIELD_REAL)
static const struct field value_array[] = {
	PLAIN(verdict_value, metric, FIELD_STR), PLAIN(verdict_value, unit, FIELD_STR),
	PLAIN(verdict_value, higher, FIELD_BOOL), ENUM(verdict_value, kind, verdict_names),
	PLAIN(verdict_value, seeds, FIELD_INT),
	V(value), V(min), V(max), V(alone), V(limit), V(floor), V(goal), V(was), V(within),
};
#undef V
static const struct fields value_fields = TABLE(value_array);

#define V(member) PLAIN(verdict, member, FIELD_REAL)
static const struct field verdict_array[] = {
	PLAIN(verdict, case_name, FIELD_STR), PLAIN(verdict, job, FIELD_STR),
	ENUM(verdict, role, role_names), ENUM(verdict, kind, verdict_names),
	PLAIN(verdict, reason, FIELD_STR), PLAIN(verdict, seeds, FIELD_INT),
	V(time_ns), V(sync_ns), V(total_ns), V(alone_ns), V(slowdown), V(time_min_ns),
	V(time_max_ns), V(limit), V(goal), V(was), V(report_ns), V(report_slowdown),
	LATER_ARRAY(verdict, values, MAX_VALUES, value_fields),
};
#undef V
const struct fields verdict_fields = TABLE(verdict_array);

static const struct field qemu_array[] = {
	AS("path", run, qemu.path, FIELD_STR),
	AS("version", run, qemu.version, FIELD_STR),
};
static const struct fields qemu_fields = TABLE(qemu_array);

static const struct field host_array[] = {
	AS("cpu", run, host.cpu, FIELD_STR),
	AS("kernel", run, host.kernel, FIELD_STR),
	AS("os", run, host.os, FIELD_STR),
	AS("cpus", run, host.cpus, FIELD_INT),
	AS("memory", run, host.memory, FIELD_I64),
	AS("load", run, host.load, FIELD_REAL),
};
static const struct fields host_fields = TABLE(host_array);

#define P(member, type) PLAIN(run_patch, member, type)
static const struct field patch_array[] = {
	P(name, FIELD_STR), P(subject, FIELD_STR), CHARS(run_patch, sha256),
};
#undef P
static const struct fields patch_fields = TABLE(patch_array);

#define LATER_AS(word, member, kind)                                                               \
	{ .name = (word), .type = (kind), .offset = offsetof(struct run, kernel.member),           \
	  .optional = true }
static const struct field kernel_array[] = {
	AS("name", run, kernel.name, FIELD_STR),
	AS("title", run, kernel.title, FIELD_OPT),
	AS("image", run, kernel.image, FIELD_OPT),
	AS("release", run, kernel.release, FIELD_OPT),
	AS("package", run, kernel.package, FIELD_OPT),
	AS("cmdline", run, kernel.cmdline, FIELD_OPT),
	{ .name = "image_sha256", .type = FIELD_CHARS,
	  .offset = offsetof(struct run, kernel.image_sha256), .size = HASH_HEX },
	{ .name = "config_sha256", .type = FIELD_CHARS,
	  .offset = offsetof(struct run, kernel.config_sha256), .size = HASH_HEX },
	LATER_AS("source", source, FIELD_OPT),
	LATER_AS("compiler", compiler, FIELD_OPT),
	{ .name = "source_id", .type = FIELD_CHARS,
	  .offset = offsetof(struct run, kernel.source_id), .size = HASH_HEX, .optional = true },
	{ .name = "patches", .type = FIELD_ARRAY, .offset = offsetof(struct run, kernel.patches),
	  .size = sizeof(struct run_patch), .max = MAX_PATCHES,
	  .count = offsetof(struct run, kernel.n_patches), .sub = &patch_fields,
	  .optional = true },
};
#undef LATER_AS
static const struct fields kernel_fields = TABLE(kernel_array);

static const struct field floor_array[] = {
	PLAIN(run_floor, case_name, FIELD_STR), CHARS(run_floor, case_sha256),
	PLAIN(run_floor, job, FIELD_STR), PLAIN(run_floor, metric, FIELD_STR),
	PLAIN(run_floor, floor, FIELD_REAL), PLAIN(run_floor, seeds, FIELD_INT),
	PLAIN(run_floor, measured, FIELD_STR),
};
static const struct fields floor_fields = TABLE(floor_array);

#define N(word, member, kind) AS(word, noise, member, kind)
static const struct field noise_array[] = {
	N("cpu", host.cpu, FIELD_STR), N("cpus", host.cpus, FIELD_INT),
	N("host_kernel", host.kernel, FIELD_STR), N("qemu", qemu, FIELD_STR),
	N("accel", accel, FIELD_STR), N("timing", timing, FIELD_STR),
	ARRAY(noise, floors, NOISE_FLOORS, floor_fields),
};
#undef N
const struct fields noise_fields = TABLE(noise_array);

#define R(member, type) PLAIN(run, member, type)
static const struct field run_array[] = {
	R(id, FIELD_STR), R(rig_version, FIELD_STR), R(started, FIELD_STR), R(ended, FIELD_STR),
	{ .name = "tools_sha256", .type = FIELD_CHARS, .offset = offsetof(struct run, tools_sha256),
	  .size = HASH_HEX, .optional = true },
	R(interrupted, FIELD_BOOL), R(clock, FIELD_STR), R(timing, FIELD_STR), R(accel, FIELD_STR),
	R(accel_why, FIELD_STR), R(scale, FIELD_STR), R(seeds, FIELD_INT), R(jobs, FIELD_INT),
	GROUP(qemu, qemu_fields), GROUP(host, host_fields), GROUP(kernel, kernel_fields),
	ARRAY(run, verdicts, MAX_VERDICTS, verdict_fields),
	ARRAY(run, boots, MAX_BOOTS, boot_fields),
	LATER_ARRAY(run, floors, NOISE_FLOORS, floor_fields),
};
#undef R
const struct fields run_fields = TABLE(run_array);
