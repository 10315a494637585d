/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of metrics, and how their values read. */
#include "case/metric.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"

#define ROW(id, metric_word, metric_unit, whose, more, text)                                       \
	[METRIC_##id] = { .name = (metric_word), .unit = (metric_unit), .of = (whose),             \
			  .higher = (more), .about = (text) }

static const struct metric_info table[METRIC_N] = {
	ROW(SLOWDOWN, "slowdown", UNIT_RATIO, METRIC_OF_JOB, false,
	    "time over the time alone, in the same run"),
	ROW(TIME, "time", UNIT_TIME, METRIC_OF_JOB, false, "time of the command"),
	ROW(SYNC, "sync", UNIT_TIME, METRIC_OF_JOB, false, "time of the sync after it"),
	ROW(TOTAL, "total", UNIT_TIME, METRIC_OF_JOB, false, "time and sync together"),
	ROW(RATE, "rate", UNIT_RATE, METRIC_OF_JOB, true,
	    "bytes moved (a job of the agent's, or one dd) per second of time and sync"),
	ROW(P50, "p50", UNIT_TIME, METRIC_OF_RESULT, false, "median time of an operation"),
	ROW(P90, "p90", UNIT_TIME, METRIC_OF_RESULT, false, "nine operations of ten take less"),
	ROW(P99, "p99", UNIT_TIME, METRIC_OF_RESULT, false, "99 operations of 100 take less"),
	ROW(P999, "p999", UNIT_TIME, METRIC_OF_RESULT, false, "999 operations of 1000 take less"),
	ROW(MAX, "max", UNIT_TIME, METRIC_OF_RESULT, false, "the slowest operation of all seeds"),
	ROW(MEAN, "mean", UNIT_TIME, METRIC_OF_RESULT, false, "mean time of an operation"),
	ROW(OPS, "ops", UNIT_NUMBER, METRIC_OF_RESULT, true, "operations done"),
	ROW(IOPS, "iops", UNIT_NUMBER, METRIC_OF_RESULT, true, "operations per second of its time"),
	ROW(BYTES, "bytes", UNIT_BYTES, METRIC_OF_RESULT, true, "bytes moved"),
	ROW(ERRORS, "errors", UNIT_NUMBER, METRIC_OF_RESULT, false, "operations that failed"),
	ROW(DIRTY_MAX, "dirty-max", UNIT_BYTES, METRIC_OF_DISK, false,
	    "the most that was dirty or under writeback in a sample"),
	ROW(BANDWIDTH, "bandwidth", UNIT_RATE, METRIC_OF_DISK, true,
	    "the kernel's estimate in the last sample that saw the disk write"),
	ROW(WRITE_SIZE, "write-size", UNIT_BYTES, METRIC_OF_DISK, true,
	    "mean size of a write request"),
	ROW(READ_SIZE, "read-size", UNIT_BYTES, METRIC_OF_DISK, true,
	    "mean size of a read request"),
	ROW(WRITTEN, "written", UNIT_BYTES, METRIC_OF_DISK, true, "bytes written to the disk"),
	ROW(READ, "read", UNIT_BYTES, METRIC_OF_DISK, true, "bytes read from the disk"),
};

static const char *const unit_words[] = {
	[UNIT_RATIO] = "ratio", [UNIT_TIME] = "ns", [UNIT_RATE] = "bytes/s",
	[UNIT_BYTES] = "bytes", [UNIT_NUMBER] = "number",
};

const struct metric_info *metric_info(enum metric m)
{
	BUG_ON((unsigned int)m >= METRIC_N);
	return &table[m];
}

const char *metric_name(enum metric m)
{
	return metric_info(m)->name;
}

int metric_find(const char *name, bool of_disk)
{
	for (int m = 0; m < METRIC_N; m++) {
		if ((table[m].of == METRIC_OF_DISK) == of_disk && strcmp(table[m].name, name) == 0)
			return m;
	}
	return -1;
}

void metric_names(bool of_disk, struct strbuf *out)
{
	const char *between = "";

	for (int m = 0; m < METRIC_N; m++) {
		if ((table[m].of == METRIC_OF_DISK) != of_disk)
			continue;
		strbuf_addf(out, "%s%s", between, table[m].name);
		between = ", ";
	}
}

const char *metric_unit_word(enum metric_unit unit)
{
	BUG_ON((size_t)unit >= ARRAY_SIZE(unit_words));
	return unit_words[unit];
}

int metric_unit_parse(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(unit_words); i++) {
		if (strcmp(unit_words[i], word) == 0)
			return (int)i;
	}
	return -1;
}

/* Three significant digits, whole ones above that: 0.01, 1.5, 12.3, 123, 12345. */
static int digits3(double v, char *buf, size_t size)
{
	return snprintf(buf, size, v < 100 ? "%.3g" : v < 1e9 ? "%.0f" : "%.2e", v);
}

/* Rates as disks' makers give them, sizes as kernels do. */
static void format_scaled(double v, double base, const char *const *units, char *buf)
{
	int n;

	for (; v >= base - 0.5 && units[1]; units++)
		v /= base;
	n = v > -1e9 && v < 1e9 && v == (int)v ? snprintf(buf, 32, "%d", (int)v) :
						 digits3(v, buf, 32);
	snprintf(buf + n, 32 - (size_t)n, " %s", *units);
}

const char *metric_format(enum metric_unit unit, double v, char *buf)
{
	static const char *const rates[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s", NULL };
	static const char *const sizes[] = { "B", "KiB", "MiB", "GiB", "TiB", NULL };

	/* a guest may claim anything, and nothing of it may leave the buffer */
	if (!(v > -1e300 && v < 1e300)) {
		snprintf(buf, 32, "-");
		return buf;
	}
	switch (unit) {
	case UNIT_RATIO:
		digits3(v, buf, 32);
		return buf;
	case UNIT_TIME:
		return format_time(v < 9.2e18 ? v > -9.2e18 ? (int64_t)v : INT64_MIN : INT64_MAX,
				   buf);
	case UNIT_RATE:
		format_scaled(v, 1000, rates, buf);
		return buf;
	case UNIT_BYTES:
		format_scaled(v, 1024, sizes, buf);
		return buf;
	case UNIT_NUMBER:
		digits3(v, buf, 32);
		return buf;
	}
	BUG("unit %d", (int)unit);
}
