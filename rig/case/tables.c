/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of a case file: which field each fills, and what it may be. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "case/load.h"

#define DAY	(24 * 3600 * NS_PER_S)
#define TEXT_MAX	(PLAN_TEXT - 1)

static int parse_bus(const struct key *key, const char *value, void *field, struct err *err)
{
	int bus = machine_bus_parse(value);

	(void)key;
	if (bus < 0)
		return err_input(err, "'%s' is none of: ide scsi atapi usb ahci virtio",
				 str_escape(value));
	*(enum machine_bus *)field = (enum machine_bus)bus;
	return 0;
}

static int parse_role(const struct key *key, const char *value, void *field, struct err *err)
{
	static const char *const words[] = {
		[PLAN_VICTIM] = "victim", [PLAN_LOAD] = "load", [PLAN_PREPARE] = "prepare",
	};

	(void)key;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i], value) == 0) {
			*(enum plan_role *)field = (enum plan_role)i;
			return 0;
		}
	}
	return err_input(err, "'%s' is none of: victim load prepare", str_escape(value));
}

static int parse_stop(const struct key *key, const char *value, void *field, struct err *err)
{
	bool victims = strcmp(value, "victims") == 0;

	(void)key;
	if (!victims && strcmp(value, "end"))
		return err_input(err, "'%s' is neither end nor victims", str_escape(value));
	*(enum plan_stop *)field = victims ? PLAN_STOP_VICTIMS : PLAN_STOP_END;
	return 0;
}

static int parse_flag(const struct key *key, const char *value, void *field, struct err *err)
{
	int yes = 0, ret = parse_bool(value, &yes, err);

	(void)key;
	*(bool *)field = yes;
	return ret;
}

static int parse_fs(const struct key *key, const char *value, void *field, struct err *err)
{
	char **fs = field;
	int ret = key_word(key, value, field, err);

	if (!ret && strcmp(*fs, "none") == 0)
		**fs = '\0';
	return ret;
}

static const char *const filesystems[] = { "ext2", "ext3", "ext4", "udf", "iso9660",
					   "none", NULL };
static const char *const schedulers[] = { "none", "mq-deadline", "kyber", "bfq", NULL };

#define KEY(type, key_name, field, parse_fn, ...)                                                  \
	{ .name = (key_name), .offset = offsetof(struct type, field), .parse = (parse_fn),         \
	  __VA_ARGS__ }

static const struct key case_keys[] = {
	KEY(kase, "title", title, key_text, .required = true, .min = 1, .max = TEXT_MAX),
	KEY(kase, "origin", origin, key_text, .max = TEXT_MAX),
	KEY(kase, "about", about, key_text, .min = 1, .max = 2000),
	KEY(kase, "memory", memory, key_size, .required = true, .min = 64LL << 20,
	    .max = 64LL << 30, .unit = 1 << 20),
	KEY(kase, "cpus", cpus, key_int, .min = 1, .max = 64),
	KEY(kase, "deadline", deadline_ns, key_time, .min = NS_PER_S, .max = DAY),
	KEY(kase, "sample", sample_ns, key_time, .max = 60 * NS_PER_S),
	KEY(kase, "stacks", stack_ns, key_time, .max = 60 * NS_PER_S),
	KEY(kase, "pauses", pauses, parse_flag),
	KEY(kase, "bring", bring, key_words, .max = CASE_BRING),
};

static const struct key disk_keys[] = {
	KEY(case_disk, "bus", bus, parse_bus, .required = true),
	KEY(case_disk, "profile", profile, key_text, .required = true, .min = 1, .max = 200),
	KEY(case_disk, "size", size, key_size, .min = 1 << 20, .max = 2LL << 40),
	KEY(case_disk, "fs", fs, parse_fs, .required = true, .words = filesystems),
	KEY(case_disk, "scheduler", scheduler, key_word, .words = schedulers),
	KEY(case_disk, "nr-requests", nr_requests, key_number, .min = 1, .max = 65536),
	KEY(case_disk, "max-request", max_request, key_size, .min = 4096, .max = 1 << 30,
	    .unit = 1024),
	KEY(case_disk, "read-ahead", read_ahead, key_size, .max = 1 << 30, .unit = 1024),
	KEY(case_disk, "wbt-latency", wbt_latency_ns, key_time, .max = 60 * NS_PER_S,
	    .unit = NS_PER_US),
	KEY(case_disk, "max-ratio", max_ratio, key_percent, .max = 100),
	KEY(case_disk, "timeout", timeout_ns, key_time, .min = NS_PER_S, .max = DAY,
	    .unit = NS_PER_S),
	KEY(case_disk, "options", options, key_text, .max = TEXT_MAX),
	KEY(case_disk, "fault", faults, key_faults),
};

static const struct key job_keys[] = {
	KEY(case_job, "role", role, parse_role, .required = true),
	KEY(case_job, "start", start_ns, key_time, .max = DAY),
	KEY(case_job, "run", run, key_script, .required = true, .min = 1, .max = PLAN_RUN - 1),
	KEY(case_job, "sync", sync, key_text, .min = 1, .max = TEXT_MAX),
	KEY(case_job, "stop", stop, parse_stop),
	KEY(case_job, "deadline", deadline_ns, key_time, .min = NS_PER_MS, .max = DAY),
	KEY(case_job, "cgroup-memory", cgroup_memory, key_size, .min = 1 << 20, .max = 64LL << 30,
	    .unit = 4096),
	KEY(case_job, "alone", alone_case, key_text, .min = 1, .max = TEXT_MAX),
	KEY(case_job, "report", report_ns, key_time, .min = 1, .max = 365 * DAY),
	KEY(case_job, "report-alone", report_alone_ns, key_time, .min = 1, .max = 365 * DAY),
};

static const struct key file_keys[] = {
	KEY(case_file, "file", host, key_text, .min = 1, .max = TEXT_MAX),
	KEY(case_file, "text", text, key_script, .max = 4096),
};

const struct key_table kase_case_table = { "case", case_keys, ARRAY_SIZE(case_keys) };
const struct key_table kase_disk_table = { "disk", disk_keys, ARRAY_SIZE(disk_keys) };
const struct key_table kase_job_table = { "job", job_keys, ARRAY_SIZE(job_keys) };
const struct key_table kase_file_table = { "file", file_keys, ARRAY_SIZE(file_keys) };
