/* SPDX-License-Identifier: GPL-2.0-only */
/* What reports say of documents that jobs left, and of the pauses of writers. */
#include "report_fixture.h"

#include "report/fio.h"
#include "report/json.h"
#include "report/pauses.h"
#include "report/table.h"

#define CLAT(p50, max)                                                                             \
	"{\"min\": 1, \"max\": " #max ", \"percentile\": {\"50.000000\": " #p50 ","                \
	"\"99.000000\": 30000000, \"99.900000\": 40000000}}"
#define WAY(ios, p50)                                                                              \
	"{\"total_ios\": " #ios ", \"bw_bytes\": 1048576, \"iops\": 256.5, \"clat_ns\": "          \
	CLAT(p50, 50000000) "}"

static void give(struct job_result *job, const char *text)
{
	json_decref(job->document);
	job->document = json_loads(text, 0, NULL);
	assert_non_null(job->document);
}

static void figures(void **state)
{
	struct boot *b = add_boot("fio/mixed", 2, 20 * SEC);

	(void)state;
	report_fio(&run, &out);
	assert_int_equal(out.len, 0);
	give(&b->jobs[0], "{\"fio version\": \"fio-3.33\", \"jobs\": ["
			  "{\"jobname\": \"reader\", \"read\": " WAY(900, 12000000) ","
			  "\"write\": " WAY(0, 7) "},"
			  "{\"jobname\": \"writer\", \"write\": " WAY(5, 250000) "}]}");
	report_fio(&run, &out);
	has("JOB  SEED  FIO'S JOB ");
	has("\nfio/mixed\n");
	has("\nhdd     2  reader     read   1.05 MB/s   256   12 ms  30 ms  40 ms  50 ms\n");
	has("\nhdd     2  writer     write  1.05 MB/s   256  250 us  30 ms  40 ms  50 ms\n");
	strbuf_reset(&out);
	json_runs(&out, (const struct run *const[]){ &run }, 1);
	has("\"jobname\": \"reader\"");
}

/* Numbers that are none, and text that means harm. */
static void hostile(void **state)
{
	struct boot *b = add_boot("fio/mixed", 2, 20 * SEC);
	struct strbuf many = STRBUF_INIT;
	size_t rows = 0;

	(void)state;
	give(&b->jobs[0], "{\"fio version\": \"\\u001b[2J\", \"jobs\": [7, \"x\", null, {},"
			  "{\"jobname\": \"\\u001b[2J|\", \"read\": {\"total_ios\": 1, \"bw_bytes\": "
			  "-3, \"iops\": \"many\", \"clat_ns\": [1]}},"
			  "{\"jobname\": 5, \"read\": {\"total_ios\": 1e300, \"bw_bytes\": 1e300,"
			  "\"clat_ns\": {\"max\": 1e308}}}]}");
	b->jobs[1].document_note = xstrdup(HOSTILE);
	report_fio(&run, &out);
	has("\\x1b[2J|");
	has("fio/mixed, job 'dvd', seed 2: a</script>");
	has_not("\033");
	strbuf_reset(&out);
	give(&b->jobs[0], "{\"jobs\": []}");
	report_fio(&run, &out);
	has("fio/mixed, job 'hdd', seed 2: its document is not fio's\n");
	strbuf_addstr(&many, "{\"fio version\": \"x\", \"jobs\": [{}");
	for (int i = 0; i < 1000; i++)
		strbuf_addstr(&many, ", {\"jobname\": \"j\", \"read\": {\"total_ios\": 1}}");
	strbuf_addstr(&many, "]}");
	give(&b->jobs[0], many.buf);
	strbuf_release(&many);
	strbuf_reset(&out);
	report_fio(&run, &out);
	for (const char *p = out.buf; (p = strstr(p, "  read")); p++)
		rows++;
	assert_in_range(rows, 50, 64);
}

static void add_pauses(struct boot *b, const char *disk, int64_t count, int64_t sum, int64_t max)
{
	struct msg_pauses *p = array_grow(b->pauses, b->n_pauses);

	*p = (struct msg_pauses){ .count = count, .sum_ns = sum, .max_ns = max };
	snprintf(p->disk, sizeof(p->disk), "%.40s", disk);
}

static void pauses(void **state)
{
	struct boot *b;

	(void)state;
	add_boot("g/none", 1, SEC);
	report_pauses(&run, &out);
	assert_int_equal(out.len, 0);
	for (uint32_t seed = 1; seed <= 2; seed++) {
		b = add_boot("g/case", seed, SEC);
		add_pauses(b, "hda", 10 * seed, SEC * seed, SEC / 10 * seed);
		add_pauses(b, "dvd", 0, 0, 0);
	}
	b->pauses_lost = 5;
	b = add_boot("g/other", 1, SEC);
	b->pauses_note = xstrdup("no tracepoint " HOSTILE);
	report_pauses(&run, &out);
	has("\n  g/case\n    too few: 5 events were lost\n"
	    "    hda            1.50 s in 15 pauses, the longest 200 ms\n"
	    "    dvd            nobody paused\n  g/other\n    not measured: no tracepoint a</script>");
	has_not("\033");
	has_not("g/none");
	strbuf_reset(&out);
	report_run(&run, &out, false);
	has("1.50 s in 15 pauses");
}

#define REPORT_TEST(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		REPORT_TEST(figures),
		REPORT_TEST(hostile),
		REPORT_TEST(pauses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
