/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/table: the shipped cases' rows in 80 columns, seeds, hostile documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "record/record.h"
#include "report/table.h"

#define S 1e9
#define COLUMNS 80

static struct run run;
static struct strbuf out = STRBUF_INIT;

static int setup(void **state)
{
	(void)state;
	run_init(&run);
	run.clock = xstrdup("sim");
	run.timing = xstrdup("model");
	run.accel = xstrdup("tcg");
	run.accel_why = xstrdup("the simulated clock needs it");
	run.scale = xstrdup("quick");
	run.seeds = 1;
	run.qemu.version = xstrdup("7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)");
	run.kernel.name = xstrdup("debian");
	run.kernel.release = xstrdup("6.1.0-57-amd64");
	memset(run.kernel.image_sha256, 'a', HASH_HEX - 1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	run_release(&run);
	strbuf_release(&out);
	return 0;
}

static struct verdict *add(const char *name, const char *job, double time, enum verdict_kind kind,
			   const char *reason)
{
	struct verdict *v = array_grow(run.verdicts, run.n_verdicts);

	*v = (struct verdict){
		.case_name = xstrdup(name), .job = xstrdup(job), .kind = kind,
		.reason = xstrdup(reason), .seeds = 1, .time_ns = time, .time_min_ns = time,
		.time_max_ns = time, .sync_ns = -1, .total_ns = -1, .alone_ns = -1, .slowdown = -1,
		.limit = -1, .goal = -1, .was = -1, .report_ns = -1, .report_slowdown = -1,
	};
	return v;
}

static void beside(struct verdict *v, double alone, double limit, double goal, double report,
		   double report_slowdown)
{
	v->alone_ns = alone;
	v->slowdown = v->time_ns / alone;
	v->limit = limit;
	v->goal = goal;
	v->report_ns = report;
	v->report_slowdown = report_slowdown;
}

/* The rows of the shipped cases at their default scale, each figure as wide as it can get. */
static void add_shipped(void)
{
	struct verdict *v;

	v = add("writeback/atapi-read", "hdd", 12.34 * S, VERDICT_IMPROVED, "");
	beside(v, 11.16 * S, 12.5, 1.25, -1, -1);
	add("writeback/atapi-read", "cd", 12.34 * S, VERDICT_NONE, "")->role = PLAN_LOAD;
	add("writeback/dvd-alone", "dvd", 64.4 * S, VERDICT_NONE, "")->report_ns = 1073 * S;
	v = add("writeback/hdd+dvd", "hdd", 62.34 * S, VERDICT_REGRESSED, "slowdown above limit");
	beside(v, 2.345 * S, 21.2, 1.5, 1220.9 * S, 31.21);
	v = add("writeback/hdd+dvd", "dvd", 64.5 * S, VERDICT_NONE, "");
	beside(v, 64.4 * S, -1, -1, 1190 * S, 1.11);
	v->role = PLAN_LOAD;
	v = add("writeback/hdd+hdd2", "hdd", 47.3 * S, VERDICT_PASS, "");
	beside(v, 39.1 * S, 12.5, 1.25, 47.3 * S, 1.2);
	v = add("writeback/hdd+hdd2", "hdd2", 14.8 * S, VERDICT_BROKEN, "");
	beside(v, 11.3 * S, -1, -1, 148.9 * S, 1.3);
	v->role = PLAN_LOAD;
	add("writeback/hdd-alone", "hdd", 39.1 * S, VERDICT_NONE, "")->report_ns = 39.1 * S;
	add("writeback/hdd2-alone", "hdd2", 11.3 * S, VERDICT_NONE, "")->report_ns = 113 * S;
}

static const char *table(bool color)
{
	strbuf_reset(&out);
	report_run(&run, &out, color);
	return out.buf;
}

static void has(const char *text)
{
	if (!strstr(out.buf, text))
		fail_msg("no '%s' in:\n%s", text, out.buf);
}

static void has_not(const char *text)
{
	if (strstr(out.buf, text))
		fail_msg("'%s' in:\n%s", text, out.buf);
}

/* No blank at a line's end, nothing but printable ASCII, and the width. */
static void expect_tidy(size_t columns)
{
	const char *line = out.buf;

	while (*line) {
		size_t len = strcspn(line, "\n");

		if (len > columns || (len && line[len - 1] == ' '))
			fail_msg("%zu columns: '%.*s|'", len, (int)len, line);
		for (size_t i = 0; i < len; i++)
			assert_in_range(line[i], 0x20, 0x7e);
		line += len + (line[len] == '\n');
	}
}

static void test_shipped_cases(void **state)
{
	(void)state;
	add_shipped();
	table(false);
	expect_tidy(COLUMNS);
	has("kernel debian (6.1.0-57-amd64), image aaaaaaaaaaaa\n");
	has("QEMU 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18), TCG: the simulated clock needs it\n");
	has("sim clock, timing by model, scale quick, 1 seed\n");
	has("\nwriteback/\natapi-read  hdd ");
	has("verdicts: 1 pass, 1 regressed, 1 improved, 1 broken\n");
	has("writeback/hdd+dvd hdd: regressed: slowdown above limit\n");
	has_not("RANGE");
}

static void test_rows(void **state)
{
	(void)state;
	add_shipped();
	table(false);
	has("\nCASE        JOB      TIME   ALONE  RATIO  LIMIT  GOAL         REPORT  VERDICT\n");
	has("\nhdd+dvd     hdd    62.3 s  2.35 s  26.6x   21.2  1.50  1,221 s 31.2x  regressed\n");
	has("\n            +dvd   64.5 s  64.4 s  1.00x      -     -   1,190 s 1.1x  -\n");
	has("\nhdd-alone   hdd    39.1 s       -      -      -     -         39.1 s  -\n");
}

/* A long name takes the room of what the report measured, which gets a line of its own then. */
static void test_wide_rows(void **state)
{
	(void)state;
	add_shipped();
	add("sched/write-read@nowbt", "disk.slow", 7.09 * S, VERDICT_PASS, "");
	table(false);
	expect_tidy(COLUMNS);
	has("  GOAL  VERDICT\n");
	has("\nhdd+dvd           hdd        62.3 s  2.35 s  26.6x   21.2  1.50  regressed\n"
	    "    report        1,221 s 31.2x\n");
	has("\nhdd-alone         hdd        39.1 s       -      -      -     -  -\n"
	    "    report        39.1 s\n");
}

/* Several seeds: their range, and the median as the time. */
static void test_ranges(void **state)
{
	static const struct {
		double min, max;
		const char *text;
	} rows[] = {
		{ 9.1 * S, 12.3 * S, "9.10-12.3 s" },
		{ 0.9 * S, 1.2 * S, "900 ms-1.20 s" },
		{ 5 * S, 5 * S, "5 s" },
		{ 1100 * S, 1220 * S, "1,100-1,220 s" },
		{ -1, -1, " -  " },
		{ 0, 0, "0 " },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct verdict *v = add("g/a", "x", rows[i].max, VERDICT_PASS, "");

		v->seeds = 5;
		v->time_min_ns = rows[i].min;
		v->time_max_ns = rows[i].max;
		table(false);
		has("  RANGE  ");
		has("RANGE: ");
		has(rows[i].text);
	}
	/* a row of one seed beside them has none */
	add("g/b", "only", 7 * S, VERDICT_PASS, "");
	table(false);
	has("\nb     only      7 s                     -  ");
	expect_tidy(COLUMNS);
}

static struct verdict_value *add_value(struct verdict *v, const char *metric, const char *unit,
				       double value, enum verdict_kind kind)
{
	struct verdict_value *added = array_grow(v->values, v->n_values);

	*added = (struct verdict_value){
		.metric = xstrdup(metric), .unit = xstrdup(unit), .kind = kind, .seeds = 1,
		.value = value, .min = value, .max = value, .alone = -1, .limit = -1, .floor = -1,
		.goal = -1, .was = -1, .within = -1,
	};
	return added;
}

/* Further metrics have lines below their job, if anything is expected of them. */
static void test_metrics(void **state)
{
	struct verdict *v;

	(void)state;
	add_shipped();
	v = &run.verdicts[3];
	add_value(v, "slowdown", "ratio", 26.6, VERDICT_REGRESSED)->limit = 21.2;
	add_value(v, "time", "ns", 62 * S, VERDICT_NONE);
	add_value(v, "p99", "ns", 0.312 * S, VERDICT_REGRESSED)->limit = 0.25 * S;
	add_value(v, "rate/alone", "ratio", 0.412, VERDICT_PASS)->floor = 0.4;
	add_value(v, "write-size", "bytes", 1023.4 * 1024, VERDICT_IMPROVED)->was = 987654;
	add_value(v, "bytes", "no unit", -1, VERDICT_BROKEN)->floor = 1;
	table(false);
	expect_tidy(COLUMNS);
	has("regressed\n    p99               312 ms  limit 250 ms        regressed\n"
	    "    rate/alone         0.412  floor 0.4           pass\n"
	    "    write-size      1023 KiB  was 965 KiB         improved\n"
	    "    bytes                  -  floor 1             broken\n"
	    "            +dvd ");
	has("A line below a job: another metric of it");
	has_not("    slowdown");
	has_not("    time");
	table(true);
	has("limit 250 ms        \033[1;31mregressed\033[0m\n");
}

static void test_groups(void **state)
{
	(void)state;
	add("top", "j", S, VERDICT_PASS, "");
	add("a/one", "j", S, VERDICT_PASS, "");
	add("a/two", "j", S, VERDICT_PASS, "");
	add("a/b/deep", "j", S, VERDICT_PASS, "");
	add("aa/one", "j", S, VERDICT_PASS, "");
	table(false);
	has("VERDICT\ntop   j ");
	has("pass\na/\none   j ");
	has("pass\ntwo   j ");
	has("pass\na/b/\ndeep  j ");
	has("pass\naa/\none   j ");
}

static void test_colors(void **state)
{
	(void)state;
	add("g/a", "j", S, VERDICT_REGRESSED, "");
	add("g/b", "j", S, VERDICT_NONE, "");
	table(true);
	has("\033[1;31mregressed\033[0m\n");
	has("-\n");
	has_not("\033[m");
	table(false);
	has_not("\033");
}

static void test_broken_boots(void **state)
{
	struct boot *b;

	(void)state;
	add("g/a", "j", -1, VERDICT_BROKEN, "kernel panic: x");
	for (int i = 0; i < 3; i++) {
		b = array_grow(run.boots, run.n_boots);
		boot_init(b);
		b->case_name = xstrdup("g/a");
		b->seed = (uint32_t)i + 1;
		b->outcome = i == 1 ? OUTCOME_BROKEN : OUTCOME_DONE;
		for (int k = 0; k < 40; k++)
			strvec_pushf(&b->evidence, "line %d of %d", k, i);
	}
	table(false);
	has("g/a j: broken: kernel panic: x\n");
	has("g/a seed 2, its console:\n    line 0 of 1\n");
	has("    line 11 of 1\n");
	has_not("line 12 of 1");
	has_not("of 0\n");
	expect_tidy(COLUMNS);
}

/* What stands in a document may have been written by anybody. */
static void test_hostile_document(void **state)
{
	static const char evil[] = "\033]0;owned\007\r\n\xff";
	char *slash = xstrfmt("%s/x", evil), *longer = xcalloc(1, 200000);
	struct verdict *v;
	struct boot *b;

	(void)state;
	free(run.clock);
	free(run.kernel.name);
	free(run.qemu.version);
	run.clock = xstrdup(evil);
	run.kernel.name = xstrdup(evil);
	run.kernel.package = xstrdup(evil);
	run.qemu.version = xstrdup(evil);
	memcpy(run.kernel.image_sha256, evil, sizeof(evil));
	memset(longer, 'x', 199999);
	v = add(slash, evil, 1e300, VERDICT_PASS, evil);
	beside(v, 1e-300, 1e300, 1e300, 1e300, 1e300);
	v->slowdown = 1e300;
	v = add(evil, evil, (double)INT64_MAX, VERDICT_BROKEN, longer);
	v->seeds = 5;
	v->time_max_ns = 1e301;
	add_value(v, evil, evil, 1e300, VERDICT_PASS)->limit = 1e308;
	add_value(v, longer, longer, -5, VERDICT_BROKEN)->floor = 1e299;
	b = array_grow(run.boots, run.n_boots);
	boot_init(b);
	b->case_name = xstrdup(evil);
	b->outcome = OUTCOME_BROKEN;
	strvec_push(&b->evidence, evil);
	strvec_push(&b->evidence, longer);
	table(false);
	expect_tidy(3000);
	has("\\x1b]0;owned\\x07");
	has_not("xxxxxxxxxxxxxxxxxxxxxxxxx  ");	/* a metric's name is cut */
	free(slash);
	free(longer);
}

/* Many rows must not take quadratic time: this takes far below a second, or hours. */
static void test_many_rows(void **state)
{
	(void)state;
	for (int i = 0; i < 50000; i++)
		add("g/a", "j", S, VERDICT_PASS, "");
	table(false);
	has("verdicts: 50000 pass\n");
}

static void test_counts(void **state)
{
	(void)state;
	report_counts(&run, &out);
	assert_non_null(strstr(out.buf, "verdicts: none; nothing is expected"));
	strbuf_reset(&out);
	add("g/a", "j", S, VERDICT_NONE, "");
	report_counts(&run, &out);
	assert_non_null(strstr(out.buf, "verdicts: none; nothing is expected"));
	strbuf_reset(&out);
	add("g/a", "j", S, VERDICT_SKIPPED, "");
	add("g/a", "j", S, VERDICT_BROKEN, "");
	add("g/a", "j", S, VERDICT_BROKEN, "");
	report_counts(&run, &out);
	assert_string_equal(out.buf, "verdicts: 1 skipped, 2 broken\n");
}

static void test_header_variants(void **state)
{
	(void)state;
	free(run.accel);
	run.accel = xstrdup("kvm");
	run.kernel.package = xstrdup("linux-image-6.1 6.1.1-1");
	run.seeds = 5;
	report_header(&run, &out);
	has("kernel debian (linux-image-6.1 6.1.1-1), image ");
	has(", KVM: ");
	has(", 5 seeds\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_shipped_cases, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wide_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ranges, setup, teardown),
		cmocka_unit_test_setup_teardown(test_metrics, setup, teardown),
		cmocka_unit_test_setup_teardown(test_groups, setup, teardown),
		cmocka_unit_test_setup_teardown(test_colors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_broken_boots, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hostile_document, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_counts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_header_variants, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
