/* SPDX-License-Identifier: GPL-2.0-only */
/* The plan's tables and their writing. */
#include "wire/plan_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TEXT(S, NAME, M, REQ)                                                                      \
	{ NAME, PLAN_KIND_TEXT, offsetof(struct S, M), sizeof(((struct S *)0)->M), 0, REQ }
#define OTHER(S, NAME, KIND, M, MIN, REQ) { NAME, KIND, offsetof(struct S, M), 0, MIN, REQ }

const struct plan_key plan_header_keys[] = {
	{ "version", PLAN_KIND_VERSION, 0, 0, 0, true },
	TEXT(plan, "case", case_name, false),
	OTHER(plan, "sample", PLAN_KIND_NUMBER, sample_ns, 0, false),
	OTHER(plan, "stacks", PLAN_KIND_NUMBER, stack_ns, 0, false),
	OTHER(plan, "pauses", PLAN_KIND_BOOL, pauses, 0, false),
	OTHER(plan, "deadline", PLAN_KIND_NUMBER, deadline_ns, 1, true),
	{ .name = NULL },
};

static const struct plan_key module_keys[] = {
	TEXT(plan_module, "path", path, true),
	TEXT(plan_module, "args", args, false),
	{ .name = NULL },
};

static const struct plan_key set_keys[] = {
	TEXT(plan_set, "path", path, true),
	TEXT(plan_set, "value", value, true),
	{ .name = NULL },
};

static const struct plan_key disk_keys[] = {
	TEXT(plan_disk, "name", name, true),
	TEXT(plan_disk, "bus", bus, false),
	TEXT(plan_disk, "serial", serial, true),
	TEXT(plan_disk, "fs", fs, false),
	TEXT(plan_disk, "mount", mount, false),
	TEXT(plan_disk, "options", options, false),
	OTHER(plan_disk, "ro", PLAN_KIND_BOOL, ro, 0, false),
	TEXT(plan_disk, "scheduler", scheduler, false),
	OTHER(plan_disk, "nr_requests", PLAN_KIND_NUMBER, nr_requests, 0, false),
	OTHER(plan_disk, "max_request_kb", PLAN_KIND_NUMBER, max_request_kb, 0, false),
	/* 0 is a value of these three, so they must be there to be right */
	OTHER(plan_disk, "read_ahead_kb", PLAN_KIND_NUMBER, read_ahead_kb, -1, true),
	OTHER(plan_disk, "wbt_lat_us", PLAN_KIND_NUMBER, wbt_lat_us, -1, true),
	OTHER(plan_disk, "max_ratio", PLAN_KIND_NUMBER, max_ratio, -1, true),
	OTHER(plan_disk, "timeout", PLAN_KIND_NUMBER, timeout_s, 0, false),
	{ .name = NULL },
};

static const struct plan_key job_keys[] = {
	TEXT(plan_job, "name", name, true),
	OTHER(plan_job, "role", PLAN_KIND_ROLE, role, 0, true),
	OTHER(plan_job, "start", PLAN_KIND_NUMBER, start_ns, 0, true),
	OTHER(plan_job, "deadline", PLAN_KIND_NUMBER, deadline_ns, 1, true),
	OTHER(plan_job, "stop", PLAN_KIND_STOP, stop, 0, true),
	TEXT(plan_job, "sync", sync_disk, false),
	OTHER(plan_job, "cgroup_memory", PLAN_KIND_NUMBER, cgroup_memory, 0, false),
	TEXT(plan_job, "run", run, true),
	{ .name = NULL },
};

/* The items behind the plan line, in the order in which they are written. */
const struct plan_verb plan_verbs[PLAN_N_VERBS] = {
	{ "module", module_keys, offsetof(struct plan, n_modules), offsetof(struct plan, modules),
	  sizeof(struct plan_module), PLAN_MAX_MODULES },
	{ "set", set_keys, offsetof(struct plan, n_sets), offsetof(struct plan, sets),
	  sizeof(struct plan_set), PLAN_MAX_SETS },
	{ "disk", disk_keys, offsetof(struct plan, n_disks), offsetof(struct plan, disks),
	  sizeof(struct plan_disk), PLAN_MAX_DISKS },
	{ "job", job_keys, offsetof(struct plan, n_jobs), offsetof(struct plan, jobs),
	  sizeof(struct plan_job), PLAN_MAX_JOBS },
};

const char *const plan_role_words[] = {
	[PLAN_VICTIM] = "victim", [PLAN_LOAD] = "load", [PLAN_PREPARE] = "prepare", NULL
};
const char *const plan_stop_words[] = {
	[PLAN_STOP_END] = "end", [PLAN_STOP_VICTIMS] = "victims", NULL
};

void plan_init(struct plan *plan)
{
	memset(plan, 0, sizeof(*plan));
}

struct out {
	char *buf;
	size_t cap, len;
	bool full;
};

static void put(struct out *out, char c)
{
	if (out->len >= out->cap) {
		out->full = true;
		return;
	}
	out->buf[out->len++] = c;
}

static void put_word(struct out *out, const char *word)
{
	while (*word)
		put(out, *word++);
}

bool plan_is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("._/:+,-", c));
}

static void put_text(struct out *out, const char *text)
{
	static const char hex[] = "0123456789abcdef";

	for (; *text; text++) {
		if (plan_is_plain(*text)) {
			put(out, *text);
			continue;
		}
		put(out, '%');
		put(out, hex[(unsigned char)*text >> 4]);
		put(out, hex[*text & 15]);
	}
}

static void put_number(struct out *out, int64_t value)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRId64, value);
	put_word(out, number);
}

static void put_value(struct out *out, const struct plan_key *key, const char *item)
{
	const void *member = item + key->offset;

	switch (key->kind) {
	case PLAN_KIND_TEXT:
		put_text(out, member);
		break;
	case PLAN_KIND_NUMBER:
		put_number(out, *(const int64_t *)member);
		break;
	case PLAN_KIND_BOOL:
		put_number(out, *(const bool *)member);
		break;
	case PLAN_KIND_ROLE:
		put_word(out, plan_role_words[*(const enum plan_role *)member]);
		break;
	case PLAN_KIND_STOP:
		put_word(out, plan_stop_words[*(const enum plan_stop *)member]);
		break;
	case PLAN_KIND_VERSION:
		put_number(out, PLAN_VERSION);
		break;
	}
}

static void put_item(struct out *out, const char *verb, const struct plan_key *keys,
		     const void *item)
{
	put_word(out, verb);
	for (; keys->name; keys++) {
		put(out, ' ');
		put_word(out, keys->name);
		put(out, '=');
		put_value(out, keys, item);
	}
	put(out, '\n');
}

long plan_format(const struct plan *plan, char *out, size_t cap)
{
	struct out to = { .buf = out, .cap = cap };
	const char *base = (const char *)plan;
	size_t v, i;

	put_item(&to, "plan", plan_header_keys, plan);
	for (v = 0; v < PLAN_N_VERBS; v++) {
		size_t n = *(const size_t *)(base + plan_verbs[v].count);

		for (i = 0; i < n; i++)
			put_item(&to, plan_verbs[v].name, plan_verbs[v].keys,
				 base + plan_verbs[v].array + i * plan_verbs[v].item);
	}
	return to.full ? -1 : (long)to.len;
}
