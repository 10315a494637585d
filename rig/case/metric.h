/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The metrics: what a run measures of a job or a disk, one row of a const table each.
 *
 * Of a job's end, from the agent's "end" frame (guest/msg.h):
 *	time		of the command
 *	sync		of the sync after it
 *	total		time + sync
 *	slowdown	time / time of its alone job: another spelling of time/alone
 *	rate		bytes moved / (time + sync): those its result counts, else those that
 *			the one dd of the command says it copied
 * Of a job's result, for jobs that the agent does itself ("result" frame, wire/hist.h):
 *	p50 p90 p99 p999 max mean	of the distribution of its operations' times
 *	ops bytes errors		sums
 *	iops				ops / time
 * Of a disk, from the samples (guest/msg.h):
 *	dirty-max	the most that was dirty or under writeback at once
 *	bandwidth	the kernel's estimate in the last sample that saw the disk write
 *	write-size	bytes written / write requests completed
 *	read-size	the same of reads
 *	written read	bytes, from the first sample to the last
 *
 * With "/alone" behind its name, a job's metric is divided by the same one of its alone job.
 */
#ifndef CASE_METRIC_H
#define CASE_METRIC_H

#include <stdbool.h>

struct strbuf;

enum metric {
	METRIC_SLOWDOWN, METRIC_TIME, METRIC_SYNC, METRIC_TOTAL, METRIC_RATE,
	METRIC_P50, METRIC_P90, METRIC_P99, METRIC_P999, METRIC_MAX, METRIC_MEAN,
	METRIC_OPS, METRIC_IOPS, METRIC_BYTES, METRIC_ERRORS,
	METRIC_DIRTY_MAX, METRIC_BANDWIDTH, METRIC_WRITE_SIZE, METRIC_READ_SIZE, METRIC_WRITTEN,
	METRIC_READ,
	METRIC_N
};

/* What a value is; in documents by its word. */
enum metric_unit {
	UNIT_RATIO,		/* "ratio" */
	UNIT_TIME,		/* "ns" */
	UNIT_RATE,		/* "bytes/s" */
	UNIT_BYTES,		/* "bytes" */
	UNIT_NUMBER		/* "number" */
};

/* Whose it is, and where it comes from. */
enum metric_of {
	METRIC_OF_JOB,		/* any job's end */
	METRIC_OF_RESULT,	/* the result of a job of the agent's */
	METRIC_OF_DISK		/* the samples */
};

struct metric_info {
	const char *name;
	enum metric_unit unit;
	enum metric_of of;
	bool higher;		/* more is better */
	const char *about;	/* one line */
};

const struct metric_info *metric_info(enum metric m);
const char *metric_name(enum metric m);
/* The metric of that name that a job (or a disk) has, or -1. "/alone" is not part of a name. */
int metric_find(const char *name, bool of_disk);
/* Append the names that a job (or a disk) has, ", " between them. */
void metric_names(bool of_disk, struct strbuf *out);

const char *metric_unit_word(enum metric_unit unit);
/* -1 for a word that is none. */
int metric_unit_parse(const char *word);
/*
 * A value for people: "9.8" (three digits), "250 ms", "1.05 MB/s" (powers of 1000), "12.3 MiB",
 * "12345". Any double; buf has 32 bytes and is returned.
 */
const char *metric_format(enum metric_unit unit, double v, char *buf);

#endif
