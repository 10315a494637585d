/* SPDX-License-Identifier: GPL-2.0-only */
/* The agent's JSON becomes structs, checked field by field against tables. */
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "guest/msg.h"
#include "wire/frame.h"

DEFINE_FREE(json, json_t *, json_decref(_T))

/* One field of a JSON object, and where it goes. */
struct field {
	const char *key;
	size_t offset;
	size_t size;	/* of a string's array; 0: it is a whole number */
	bool optional;	/* missing: "" or MSG_NONE */
};

#define MEMBER_SIZE(type, member) sizeof(((type *)NULL)->member)
#define STRING(type, member, key)  { key, offsetof(type, member), MEMBER_SIZE(type, member), false }
#define NUMBER(type, member, key)  { key, offsetof(type, member), 0, false }
#define COUNTER(type, member, key) { key, offsetof(type, member), 0, true }

/* All tables end with a field without a key. */
static const struct field hello_fields[] = {
	NUMBER(struct msg, hello.proto, "proto"),
	STRING(struct msg, hello.release, "release"),
	STRING(struct msg, hello.machine, "machine"),
	NUMBER(struct msg, hello.mem_kb, "mem_kb"),
	NUMBER(struct msg, hello.cpus, "cpus"),
	{ 0 },
};

static const struct field module_fields[] = {
	STRING(struct msg, module.name, "name"),
	NUMBER(struct msg, module.error, "error"),
	{ 0 },
};

static const struct field set_fields[] = {
	STRING(struct msg, set.path, "path"),
	STRING(struct msg, set.value, "value"),
	NUMBER(struct msg, set.error, "error"),
	{ 0 },
};

static const struct field disk_fields[] = {
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

static const struct field lacks_fields[] = {
	STRING(struct msg, lacks.what, "what"),
	STRING(struct msg, lacks.name, "name"),
	STRING(struct msg, lacks.text, "text"),
	{ 0 },
};

static const struct field fail_fields[] = {
	STRING(struct msg, fail.stage, "stage"),
	STRING(struct msg, fail.text, "text"),
	NUMBER(struct msg, fail.error, "error"),
	{ 0 },
};

static const struct field start_fields[] = {
	STRING(struct msg, start.job, "job"),
	{ 0 },
};

static const struct field end_fields[] = {
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

static const struct field result_fields[] = {
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

static const struct field stacks_fields[] = {
	STRING(struct msg, stacks.job, "job"),
	STRING(struct msg, stacks.source, "source"),
	NUMBER(struct msg, stacks.rounds, "rounds"),
	{ 0 },
};

static const struct field stack_fields[] = {
	STRING(struct msg, stack.job, "job"),
	STRING(struct msg, stack.state, "state"),
	STRING(struct msg, stack.stack, "stack"),
	NUMBER(struct msg, stack.count, "count"),
	{ 0 },
};

static const struct field no_fields[] = { { 0 } };

/* The object "vm" of a sample. */
static const struct field vm_fields[] = {
	COUNTER(struct msg_sample, dirty, "dirty"),
	COUNTER(struct msg_sample, writeback, "writeback"),
	COUNTER(struct msg_sample, limit, "limit"),
	COUNTER(struct msg_sample, background, "background"),
	{ 0 },
};

/* An object in "disks" of a sample. */
static const struct field sample_disk_fields[] = {
	COUNTER(struct msg_sample_disk, dirty, "dirty"),
	COUNTER(struct msg_sample_disk, writeback, "writeback"),
	COUNTER(struct msg_sample_disk, thresh, "thresh"),
	COUNTER(struct msg_sample_disk, dirtied, "dirtied"),
	COUNTER(struct msg_sample_disk, written, "written"),
	COUNTER(struct msg_sample_disk, bandwidth, "bandwidth"),
	{ 0 },
};

static const struct kind {
	const char *name;
	enum msg_kind kind;
	const struct field *fields;
} kinds[] = {
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
	{ "sample", MSG_SAMPLE, no_fields },
	{ "done", MSG_DONE, no_fields },
};

/* What is looked at, for messages: 'where' is a kind or a disk's name; both may be hostile. */
struct place {
	const char *where, *key;
	struct err *err;
};

static int bad(const struct place *at, const char *what)
{
	return err_set(at->err, -EBADMSG, "frame '%s': '%s' %s", str_escape(at->where),
		       str_escape(at->key), what);
}

static int take_string(const struct place *at, const json_t *value, char *out, size_t size)
{
	size_t len = json_string_length(value);

	if (!json_is_string(value))
		return bad(at, "is not a string");
	if (len >= size)
		return bad(at, "is too long");
	memcpy(out, json_string_value(value), len + 1);
	return 0;
}

static int take_number(const struct place *at, const json_t *value, int64_t least, int64_t *out)
{
	if (!json_is_integer(value))
		return bad(at, "is not a whole number");
	if (json_integer_value(value) < least)
		return bad(at, "is negative");
	*out = json_integer_value(value);
	return 0;
}

static int take_fields(const json_t *object, const struct field *fields, void *base,
		       const char *where, struct err *err)
{
	for (const struct field *f = fields; f->key; f++) {
		const struct place at = { where, f->key, err };
		const json_t *value = json_object_get(object, f->key);
		void *out = (char *)base + f->offset;
		int ret = 0;

		if (!value && !f->optional)
			return bad(&at, "is missing");
		if (!value && !f->size)
			*(int64_t *)out = MSG_NONE;
		else if (value && f->size)
			ret = take_string(&at, value, out, f->size);
		else if (value)
			ret = take_number(&at, value, 0, out);
		if (ret)
			return ret;
	}
	return 0;
}

static int take_numbers(const struct place *at, const json_t *array, int64_t least, int64_t *out)
{
	size_t i;
	json_t *value;

	json_array_foreach(array, i, value) {
		int ret = take_number(at, value, least, &out[i]);

		if (ret)
			return ret;
	}
	return 0;
}

static int take_sample_disk(const char *name, const json_t *object, struct msg_sample_disk *disk,
			    struct err *err)
{
	const struct place at_disk = { "sample", name, err };
	const struct place at_io = { name, "io", err };
	const json_t *io = json_object_get(object, "io");
	size_t len = strlen(name), n = json_array_size(io);
	int ret;

	if (len == 0 || len >= sizeof(disk->name))
		return bad(&at_disk, "is no disk's name");
	if (!json_is_object(object))
		return bad(&at_disk, "is not an object");
	memcpy(disk->name, name, len + 1);
	if (!json_is_array(io) || n < MSG_IO_MIN || n > MSG_IO)
		return bad(&at_io, "is not an array of 11 to 17");
	disk->n_io = (int)n;
	ret = take_numbers(&at_io, io, 0, disk->io);
	return ret ? ret : take_fields(object, sample_disk_fields, disk, name, err);
}

static int take_sample_disks(json_t *disks, struct msg_sample *sample, struct err *err)
{
	const struct place at = { "sample", "disks", err };
	const char *name;
	json_t *disk;

	if (!json_is_object(disks))
		return bad(&at, "is not an object");
	if (json_object_size(disks) > MSG_DISKS)
		return bad(&at, "has too many disks");
	json_object_foreach(disks, name, disk) {
		int ret = take_sample_disk(name, disk, &sample->disks[sample->n_disks++], err);

		if (ret)
			return ret;
	}
	return 0;
}

static int take_sample(json_t *object, struct msg *msg, struct err *err)
{
	const struct place at_vm = { "sample", "vm", err };
	const struct place at_vmstat = { "sample", "vmstat", err };
	const json_t *vm = json_object_get(object, "vm");
	const json_t *vmstat = json_object_get(object, "vmstat");
	int ret;

	msg->sample.ns = msg->ns;
	if (!json_is_object(vm))
		return bad(&at_vm, "is not an object");
	if (!json_is_array(vmstat) || json_array_size(vmstat) != MSG_VMSTAT)
		return bad(&at_vmstat, "is not an array of 16");
	ret = take_fields(vm, vm_fields, &msg->sample, "sample", err);
	if (!ret)
		ret = take_numbers(&at_vmstat, vmstat, MSG_NONE, msg->sample.vmstat);
	return ret ? ret : take_sample_disks(json_object_get(object, "disks"), &msg->sample, err);
}

/* One [bucket, count] of a histogram; *next: the least bucket that may still come. */
static int take_bucket(const struct place *at, const json_t *pair, struct hist *hist,
		       int64_t *next)
{
	int64_t v[2];
	int ret;

	if (!json_is_array(pair) || json_array_size(pair) != ARRAY_SIZE(v))
		return bad(at, "has something that is no pair");
	ret = take_numbers(at, pair, 0, v);
	if (ret)
		return ret;
	if (v[0] < *next || v[0] >= HIST_BUCKETS)
		return bad(at, "has a bucket that is none or out of order");
	if (!v[1] || v[1] > UINT32_MAX || hist_put(hist, (unsigned int)v[0], (uint32_t)v[1]) < 0)
		return bad(at, "has an impossible count");
	*next = v[0] + 1;
	return 0;
}

static int take_result(const json_t *object, struct msg_result *result, struct err *err)
{
	const struct place at = { "result", "hist", err };
	const struct place at_max = { "result", "max", err };
	const struct place at_last = { "result", "last_ns", err };
	const json_t *pairs = json_object_get(object, "hist");
	int64_t next = 0;
	json_t *pair;
	size_t i;

	if (!json_is_array(pairs))
		return bad(&at, "is not an array");
	json_array_foreach(pairs, i, pair) {
		int ret = take_bucket(&at, pair, &result->hist, &next);

		if (ret)
			return ret;
	}
	if (result->hist.min > result->hist.max)
		return bad(&at_max, "is below the least value");
	if (result->first_ns > result->last_ns)
		return bad(&at_last, "is before the first");
	return 0;
}

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	}
	return NULL;
}

static int take_message(json_t *object, struct msg *msg, struct err *err)
{
	const char *t = json_string_value(json_object_get(object, "t"));
	const json_t *ns = json_object_get(object, "ns");
	const struct kind *kind = t ? find_kind(t) : NULL;
	const struct place at_ns = { t, "ns", err };
	int ret;

	if (!t)
		return err_set(err, -EBADMSG, "frame without a kind");
	if (!ns)
		return bad(&at_ns, "is missing");
	ret = take_number(&at_ns, ns, 0, &msg->ns);
	if (ret)
		return ret;
	msg->kind = kind ? kind->kind : MSG_UNKNOWN;
	if (!kind)
		return 0;
	ret = take_fields(object, kind->fields, msg, t, err);
	if (!ret && kind->kind == MSG_SAMPLE)
		return take_sample(object, msg, err);
	if (!ret && kind->kind == MSG_RESULT)
		return take_result(object, &msg->result, err);
	return ret;
}

int msg_parse(struct msg *msg, const char *json, size_t len, struct err *err)
{
	json_error_t why;
	json_t *object __free(json) = NULL;

	memset(msg, 0, sizeof(*msg));
	msg->kind = MSG_UNKNOWN;
	if (len > FRAME_MAX)
		return err_set(err, -EBADMSG, "frame of %zu bytes", len);
	object = json_loadb(json, len, JSON_REJECT_DUPLICATES, &why);
	if (!object)
		return err_set(err, -EBADMSG, "frame is not JSON: %s", str_escape(why.text));
	if (!json_is_object(object))
		return err_set(err, -EBADMSG, "frame is not a JSON object");
	return take_message(object, msg, err);
}
