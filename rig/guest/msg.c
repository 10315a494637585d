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
#include "guest/msg_fields.h"
#include "wire/frame.h"

DEFINE_FREE(json, json_t *, json_decref(_T))

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

static int take_fields(const json_t *object, const struct msg_field *fields, void *base,
		       const char *where, struct err *err)
{
	for (const struct msg_field *f = fields; f->key; f++) {
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
	return ret ? ret : take_fields(object, msg_sample_disk_fields, disk, name, err);
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
	ret = take_fields(vm, msg_vm_fields, &msg->sample, "sample", err);
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

static const struct msg_kind_fields *find_kind(const char *name)
{
	for (const struct msg_kind_fields *kind = msg_kinds; kind->name; kind++) {
		if (!strcmp(kind->name, name))
			return kind;
	}
	return NULL;
}

static int take_message(json_t *object, struct msg *msg, struct err *err)
{
	const char *t = json_string_value(json_object_get(object, "t"));
	const json_t *ns = json_object_get(object, "ns");
	const struct msg_kind_fields *kind = t ? find_kind(t) : NULL;
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
