/* SPDX-License-Identifier: GPL-2.0-only */
/* fio's figures in rows. */
#include "report/fio.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "case/metric.h"
#include "record/record.h"
#include "report/columns.h"

#define JOBS_MAX 64	/* of fio's in one document that are shown */

enum { C_JOB, C_SEED, C_FIO, C_WAY, C_RATE, C_IOPS, C_P50, C_P99, C_P999, C_MAX, C_N };

static const struct columns_spec spec[C_N] = {
	[C_JOB] = { "JOB", false }, [C_SEED] = { "SEED", true }, [C_FIO] = { "FIO'S JOB", false },
	[C_WAY] = { "", false }, [C_RATE] = { "RATE", true }, [C_IOPS] = { "IOPS", true },
	[C_P50] = { "P50", true }, [C_P99] = { "P99", true }, [C_P999] = { "P99.9", true },
	[C_MAX] = { "MAX", true },
};

struct place {
	const struct boot *b;
	const struct job_result *job;
};

static void put_number(struct columns *t, size_t column, enum metric_unit unit, const json_t *j)
{
	char buf[32];

	if (json_is_number(j) && json_number_value(j) >= 0)
		columns_put(t, column, "%s", metric_format(unit, json_number_value(j), buf));
}

static void put_latencies(struct columns *t, const json_t *clat)
{
	const json_t *percentile = json_object_get(clat, "percentile");

	put_number(t, C_P50, UNIT_TIME, json_object_get(percentile, "50.000000"));
	put_number(t, C_P99, UNIT_TIME, json_object_get(percentile, "99.000000"));
	put_number(t, C_P999, UNIT_TIME, json_object_get(percentile, "99.900000"));
	put_number(t, C_MAX, UNIT_TIME, json_object_get(clat, "max"));
}

/* One direction of one of fio's jobs, if it moved anything. */
static void add_way(struct columns *t, const struct place *at, const json_t *fio_job,
		    const char *way)
{
	const json_t *j = json_object_get(fio_job, way);
	const char *name = json_string_value(json_object_get(fio_job, "jobname"));

	if (json_number_value(json_object_get(j, "total_ios")) <= 0)
		return;
	columns_row(t);
	columns_put(t, C_JOB, "%s", str_escape(at->job->name));
	columns_put(t, C_SEED, "%u", at->b->seed);
	columns_put(t, C_FIO, "%.40s", name ? str_escape(name) : "?");
	columns_put(t, C_WAY, "%s", way);
	put_number(t, C_RATE, UNIT_RATE, json_object_get(j, "bw_bytes"));
	put_number(t, C_IOPS, UNIT_NUMBER, json_object_get(j, "iops"));
	put_latencies(t, json_object_get(j, "clat_ns"));
}

/* fio's own jobs in the document; NULL if it is not fio's, or none. */
static const json_t *fio_jobs(const struct job_result *job)
{
	const json_t *jobs = json_object_get(job->document, "jobs");

	return json_is_string(json_object_get(job->document, "fio version")) &&
	       json_is_array(jobs) ? jobs : NULL;
}

static void add_document(struct columns *t, struct strbuf *notes, const struct place *at)
{
	static const char *const ways[] = { "read", "write", "trim" };
	const json_t *jobs = fio_jobs(at->job);

	if (!jobs) {
		strbuf_addf(notes, "%s, job '%s', seed %u: its document is not fio's\n",
			    str_escape(at->b->case_name), str_escape(at->job->name), at->b->seed);
		return;
	}
	for (size_t i = 0; i < json_array_size(jobs) && i < JOBS_MAX; i++) {
		for (size_t k = 0; k < ARRAY_SIZE(ways); k++)
			add_way(t, at, json_array_get(jobs, i), ways[k]);
	}
}

static void add_job(struct columns *t, struct strbuf *notes, const struct place *at)
{
	const char *note = at->job->document_note;

	if (at->job->document)
		add_document(t, notes, at);
	else if (note && *note)
		strbuf_addf(notes, "%s, job '%s', seed %u: %s\n", str_escape(at->b->case_name),
			    str_escape(at->job->name), at->b->seed, str_escape(note));
}

static bool has_figures(const struct boot *b)
{
	for (size_t i = 0; i < b->n_jobs; i++) {
		if (fio_jobs(&b->jobs[i]))
			return true;
	}
	return false;
}

void report_fio(const struct run *run, struct strbuf *out)
{
	struct strbuf notes = STRBUF_INIT;
	const char *before = NULL;
	struct columns t;

	columns_init(&t, spec, C_N);
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (has_figures(b) && (!before || strcmp(before, b->case_name))) {
			columns_title(&t, str_escape(b->case_name));
			before = b->case_name;
		}
		for (size_t k = 0; k < b->n_jobs; k++)
			add_job(&t, &notes, &(struct place){ b, &b->jobs[k] });
	}
	if (t.n_rows || notes.len)
		strbuf_addch(out, '\n');
	if (t.n_rows) {
		columns_print(&t, out);
		strbuf_addstr(out, "What fio says of its own jobs; P50 to MAX are completion "
				   "latencies.\n");
	}
	strbuf_addstr(out, notes.buf);
	columns_release(&t);
	strbuf_release(&notes);
}
