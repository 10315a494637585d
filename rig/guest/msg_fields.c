/* SPDX-License-Identifier: GPL-2.0-only */
/* Which fields the frames have, by kind. */
#include "guest/msg_fields.h"

#include "guest/msg.h"

#define MEMBER_SIZE(type, member) sizeof(((type *)NULL)->member)
#define STRING(type, member, key)  { key, offsetof(type, member), MEMBER_SIZE(type, member), false }
#define NUMBER(type, member, key)  { key, offsetof(type, member), 0, false }
#define COUNTER(type, member, key) { key, offsetof(type, member), 0, true }

/* All tables end with a field without a key. */
static const struct msg_field hello_fields[] = {
	NUMBER(struct msg, hello.proto, "proto"),
	STRING(struct msg, hello.release, "release"),
	STRING(struct msg, hello.machine, "machine"),
	NUMBER(struct msg, hello.mem_kb, "mem_kb"),
	NUMBER(struct msg, hello.cpus, "cpus"),
	{ 0 },
};

static const struct msg_field module_fields[] = {
	STRING(struct msg, module.name, "name"),
	NUMBER(struct msg, module.error, "error"),
	{ 0 },
};

static const struct msg_field set_fields[] = {
	STRING(struct msg, set.path, "path"),
	STRING(struct msg, set.value, "value"),
	NUMBER(struct msg, set.error, "error"),
	{ 0 },
};

static const struct msg_field disk_fields[] = {
	STRING(struct msg, disk.name, "name"),
	STRING(struct msg, disk.dev, "dev"),
	NUMBER(struct msg, disk.major, "major"),
	NUMBER(struct msg, disk.minor, "minor"),
	NUMBER(struct msg, disk.bytes, "bytes"),
	NUMBER(struct msg, disk.sector, "sector"),
	COUNTER(struct msg, disk.rotational, "rotational"),
	{ "scheduler", offsetof(struct msg, disk.scheduler), MSG_NAME, true },
	COUNTER(struct msg, disk.nr_requests, "nr_requests"),
	COUNTER(struct msg, disk.queue_depth, "queue_depth"),
	{ 0 },
};

static const struct msg_field lacks_fields[] = {
	STRING(struct msg, lacks.what, "what"),
	STRING(struct msg, lacks.name, "name"),
	STRING(struct msg, lacks.text, "text"),
	{ 0 },
};

static const struct msg_field fail_fields[] = {
	STRING(struct msg, fail.stage, "stage"),
	STRING(struct msg, fail.text, "text"),
	NUMBER(struct msg, fail.error, "error"),
	{ 0 },
};

static const struct msg_field start_fields[] = {
	STRING(struct msg, start.job, "job"),
	{ 0 },
};

static const struct msg_field end_fields[] = {
	STRING(struct msg, end.job, "job"),
	NUMBER(struct msg, end.start_ns, "start_ns"),
	NUMBER(struct msg, end.wall_ns, "wall_ns"),
	NUMBER(struct msg, end.user_ns, "user_ns"),
	NUMBER(struct msg, end.sys_ns, "sys_ns"),
	NUMBER(struct msg, end.exit, "exit"),
	NUMBER(struct msg, end.signal, "signal"),
	NUMBER(struct msg, end.timeout, "timeout"),
	NUMBER(struct msg, end.stopped, "stopped"),
	COUNTER(struct msg, end.sync_ns, "sync_ns"),
	COUNTER(struct msg, end.sync_error, "sync_error"),
	STRING(struct msg, end.output, "output"),
	{ 0 },
};

static const struct msg_field result_fields[] = {
	STRING(struct msg, result.job, "job"),
	NUMBER(struct msg, result.ops, "ops"),
	NUMBER(struct msg, result.bytes, "bytes"),
	NUMBER(struct msg, result.errors, "errors"),
	NUMBER(struct msg, result.first_ns, "first_ns"),
	NUMBER(struct msg, result.last_ns, "last_ns"),
	NUMBER(struct msg, result.hist.sum, "sum"),
	NUMBER(struct msg, result.hist.min, "min"),
	NUMBER(struct msg, result.hist.max, "max"),
	{ 0 },
};

static const struct msg_field stacks_fields[] = {
	STRING(struct msg, stacks.job, "job"),
	STRING(struct msg, stacks.source, "source"),
	NUMBER(struct msg, stacks.rounds, "rounds"),
	{ 0 },
};

static const struct msg_field stack_fields[] = {
	STRING(struct msg, stack.job, "job"),
	STRING(struct msg, stack.state, "state"),
	STRING(struct msg, stack.stack, "stack"),
	NUMBER(struct msg, stack.count, "count"),
	{ 0 },
};

static const struct msg_field document_fields[] = {
	STRING(struct msg, document.job, "job"),
	STRING(struct msg, document.text, "text"),
	NUMBER(struct msg, document.total, "total"),
	NUMBER(struct msg, document.at, "at"),
	{ 0 },
};

static const struct msg_field tracing_fields[] = {
	STRING(struct msg, tracing.note, "note"),
	NUMBER(struct msg, tracing.lost, "lost"),
	{ 0 },
};

static const struct msg_field pauses_fields[] = {
	STRING(struct msg, pauses.disk, "disk"),
	NUMBER(struct msg, pauses.count, "count"),
	NUMBER(struct msg, pauses.sum_ns, "sum_ns"),
	NUMBER(struct msg, pauses.max_ns, "max_ns"),
	{ 0 },
};

static const struct msg_field no_fields[] = { { 0 } };

/* The object "vm" of a sample. */
const struct msg_field msg_vm_fields[] = {
	COUNTER(struct msg_sample, dirty, "dirty"),
	COUNTER(struct msg_sample, writeback, "writeback"),
	COUNTER(struct msg_sample, limit, "limit"),
	COUNTER(struct msg_sample, background, "background"),
	{ 0 },
};

/* An object in "disks" of a sample. */
const struct msg_field msg_sample_disk_fields[] = {
	COUNTER(struct msg_sample_disk, dirty, "dirty"),
	COUNTER(struct msg_sample_disk, writeback, "writeback"),
	COUNTER(struct msg_sample_disk, thresh, "thresh"),
	COUNTER(struct msg_sample_disk, dirtied, "dirtied"),
	COUNTER(struct msg_sample_disk, written, "written"),
	COUNTER(struct msg_sample_disk, bandwidth, "bandwidth"),
	{ 0 },
};

const struct msg_kind_fields msg_kinds[] = {
	{ "hello", MSG_HELLO, hello_fields },
	{ "module", MSG_MODULE, module_fields },
	{ "set", MSG_SET, set_fields },
	{ "disk", MSG_DISK, disk_fields },
	{ "lacks", MSG_LACKS, lacks_fields },
	{ "fail", MSG_FAIL, fail_fields },
	{ "ready", MSG_READY, no_fields },
	{ "start", MSG_START, start_fields },
	{ "result", MSG_RESULT, result_fields },
	{ "end", MSG_END, end_fields },
	{ "stacks", MSG_STACKS, stacks_fields },
	{ "stack", MSG_STACK, stack_fields },
	{ "document", MSG_DOCUMENT, document_fields },
	{ "tracing", MSG_TRACING, tracing_fields },
	{ "pauses", MSG_PAUSES, pauses_fields },
	{ "sample", MSG_SAMPLE, no_fields },
	{ "done", MSG_DONE, no_fields },
	{ NULL, MSG_UNKNOWN, NULL },
};
