/* SPDX-License-Identifier: GPL-2.0-only */
/* Plans: what is written is read back, and what is wrong is refused with its line. */
#include "wire/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "plan version=1 deadline=5\n"
#define DISK "disk name=a serial=s read_ahead_kb=-1 wbt_lat_us=-1 max_ratio=-1\n"
#define JOB  "job name=j role=victim start=0 deadline=1 stop=end run=true"

static struct plan *plan, *again;
static char text[2 * PLAN_MAX_BYTES], text2[PLAN_MAX_BYTES];

static int set_up(void **state)
{
	(void)state;
	plan = malloc(sizeof(*plan));
	again = malloc(sizeof(*again));
	if (!plan || !again)
		return -1;
	memset(again, 0xa5, sizeof(*again));
	plan_init(plan);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(plan);
	free(again);
	return 0;
}

static int parse(const char *from, size_t len, char *why)
{
	return plan_parse(again, from, len, why, 200);
}

static void fill(void)
{
	*plan = (struct plan){
		.case_name = "writeback/hdd+dvd", .sample_ns = 1000000000, .stack_ns = 200000000,
		.pauses = true,
		.deadline_ns = INT64_MAX, .n_modules = 1, .n_sets = 1, .n_disks = 2, .n_jobs = 3,
		.modules = { { "/lib/modules/ata_piix.ko", "a=1 b=\"x y\"" } },
		.sets = { { "/proc/sys/vm/dirty_ratio", "" } },
		.disks = {
			{ .name = "hda", .bus = "ide", .serial = "iorig-hda", .fs = "ext2",
			  .mount = "/mnt/hda", .options = "noatime,errors=continue", .ro = true,
			  .scheduler = "none", .nr_requests = 64, .max_request_kb = 512,
			  .read_ahead_kb = 0, .wbt_lat_us = 75000, .max_ratio = 100, .timeout_s = 600 },
			{ .name = "raw", .serial = "x", .read_ahead_kb = -1, .wbt_lat_us = -1,
			  .max_ratio = -1 },
		},
		.jobs = {
			{ .name = "hdd", .role = PLAN_VICTIM, .start_ns = 5000000000,
			  .deadline_ns = 1, .sync_disk = "hda",
			  .run = "dd if=/dev/zero of=/mnt/hda/z; echo '100%' \"\\\n\t\" ~\x7f\xc3\xa9" },
			{ .name = "load", .role = PLAN_LOAD, .deadline_ns = 2,
			  .stop = PLAN_STOP_VICTIMS, .cgroup_memory = 64 << 20, .run = "true" },
			{ .name = "files", .role = PLAN_PREPARE, .deadline_ns = 3, .run = "true" },
		},
	};
}

static void round_trip(void **state)
{
	char why[200] = "";
	long n, n2;

	(void)state;
	fill();
	n = plan_format(plan, text, sizeof(text));
	assert_true(n > 0);
	if (parse(text, n, why) < 0)
		fail_msg("%s", why);
	n2 = plan_format(again, text2, sizeof(text2));
	assert_int_equal(n, n2);
	assert_memory_equal(text, text2, n);
	assert_string_equal(again->case_name, plan->case_name);
	assert_int_equal(again->deadline_ns, INT64_MAX);
	assert_int_equal(again->stack_ns, 200000000);
	assert_true(again->pauses);
	assert_string_equal(again->modules[0].args, plan->modules[0].args);
	assert_string_equal(again->sets[0].value, "");
	assert_memory_equal(again->disks, plan->disks, 2 * sizeof(plan->disks[0]));
	assert_memory_equal(again->jobs, plan->jobs, 3 * sizeof(plan->jobs[0]));
}

static void text_form(void **state)
{
	static const char first[] =
		"plan version=1 case=writeback/hdd+dvd sample=1000000000 "
		"stacks=200000000 pauses=1 deadline=9223372036854775807\n"
		"module path=/lib/modules/ata_piix.ko args=a%3d1%20b%3d%22x%20y%22\n"
		"set path=/proc/sys/vm/dirty_ratio value=\n"
		"disk name=hda bus=ide serial=iorig-hda fs=ext2 mount=/mnt/hda ";

	(void)state;
	fill();
	assert_true(plan_format(plan, text, sizeof(text)) > 0);
	assert_memory_equal(text, first, strlen(first));
}

static void format_bounds(void **state)
{
	long n, cap;

	(void)state;
	fill();
	n = plan_format(plan, text, sizeof(text));
	for (cap = 0; cap < n; cap++)
		assert_int_equal(plan_format(plan, text2, cap), -1);
	assert_int_equal(plan_format(plan, text2, n), n);
}

static void refusals(void **state)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "", "line 0: empty" },
		{ "\n", "line 1: not a plan" },
		{ "module path=a\n", "line 1: not a plan" },
		{ "plan version=2 deadline=1\n", "line 1: version 2, not 1" },
		{ "plan deadline=1\n", "line 1: 'plan' without 'version'" },
		{ "plan version=1\n", "line 1: 'plan' without 'deadline'" },
		{ "plan version=1 deadline=0\n", "line 1: bad number '0' in 'deadline'" },
		{ HEAD "plan version=1 deadline=5\n", "line 2: unknown verb 'plan'" },
		{ HEAD "frob a=1\n", "line 2: unknown verb 'frob'" },
		{ HEAD "\n", "line 2: unknown verb ''" },
		{ HEAD "set path=a value=b", "line 2: cut short" },
		{ HEAD "set path=a value=b \n", NULL },
		{ HEAD "set path=a\n", "line 2: 'set' without 'value'" },
		{ HEAD "set path=a path=b value=c\n", "line 2: 'path' is given twice" },
		{ HEAD "set path=a value=b x=1\n", "line 2: unknown key 'x' of 'set'" },
		{ HEAD "set path\n", "line 2: 'path' without a value" },
		{ HEAD "set value=b path\n", "line 2: 'path' without a value" },
		{ HEAD "set path=a%2 value=b\n", "line 2: bad escape in 'path'" },
		{ HEAD "set path=a%zz value=b\n", "line 2: bad escape in 'path'" },
		{ HEAD "set path=a%00 value=b\n", "line 2: bad escape in 'path'" },
		{ HEAD "set path=a value=%4\n", "line 2: bad escape in 'value'" },
		{ HEAD "set path=a\"b value=b\n", "line 2: byte 0x22 in 'path'" },
		{ HEAD "set  path=a value=b\n", "line 2: a word of a plan was expected" },
		{ HEAD "SET path=a value=b\n", "line 2: a word of a plan was expected" },
		{ HEAD "disk name=a serial=s read_ahead_kb=-1 wbt_lat_us=-1\n",
		  "line 2: 'disk' without 'max_ratio'" },
		{ HEAD DISK, NULL },
		{ HEAD DISK JOB "\n", NULL },
		{ HEAD DISK JOB " sync=a\n", NULL },
		{ HEAD DISK JOB " sync=b\n", "job 'j' syncs the unknown disk 'b'" },
		{ HEAD JOB " role=load\n", "line 2: 'role' is given twice" },
		{ HEAD "job name=j role=guest\n", "line 2: unknown role 'guest'" },
		{ HEAD "job name=j stop=1\n", "line 2: unknown stop '1'" },
		{ HEAD "job name=j start=-1\n", "line 2: bad number '-1' in 'start'" },
		{ HEAD "job name=j start=\n", "line 2: bad number '' in 'start'" },
		{ HEAD "job name=j start=-\n", "line 2: bad number '-' in 'start'" },
		{ HEAD "job name=j start=1s\n", "line 2: bad number '1s' in 'start'" },
		{ HEAD "job name=j start=+1\n", "line 2: bad number '+1' in 'start'" },
		{ HEAD "job name=j start=9223372036854775808\n", "line 2: bad number" },
		{ HEAD "job name=j start=99999999999999999999999\n", "line 2: bad number" },
		{ HEAD "job name=j start=000000000000000000000001\n",
		  "line 2: 'start' is longer than 23 bytes" },
		{ HEAD JOB " cgroup_memory=-1\n", "line 2: bad number '-1' in 'cgroup_memory'" },
		{ "plan version=1 deadline=5 stacks=-1\n", "line 1: bad number '-1' in 'stacks'" },
		{ HEAD "disk name=a ro=2\n", "line 2: bad number '2' in 'ro'" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[200] = "";
		int rc = parse(rows[i].text, strlen(rows[i].text), why);

		if (!rows[i].why && rc < 0)
			fail_msg("row %zu refused: %s", i, why);
		if (rows[i].why && (rc == 0 || !strstr(why, rows[i].why)))
			fail_msg("row %zu: '%s', not '%s'", i, why, rows[i].why);
	}
}

/* Each text's longest value passes, one byte more does not. */
static void text_bounds(void **state)
{
	static const struct {
		const char *before, *after;
		int longest;
	} rows[] = {
		{ "plan version=1 deadline=5 case=", "\n", PLAN_TEXT - 1 },
		{ HEAD "module path=", "\n", PLAN_TEXT - 1 },
		{ HEAD "set path=a value=", "\n", PLAN_TEXT - 1 },
		{ HEAD "disk serial=s read_ahead_kb=-1 wbt_lat_us=-1 max_ratio=-1 name=", "\n",
		  PLAN_NAME - 1 },
		{ HEAD "disk name=a read_ahead_kb=-1 wbt_lat_us=-1 max_ratio=-1 serial=", "\n", 23 },
		{ HEAD "job name=j role=load start=0 deadline=1 stop=end run=", "\n", PLAN_RUN - 1 },
	};
	size_t i;
	int more;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (more = 0; more < 2; more++) {
			char why[200] = "";
			int n = snprintf(text, sizeof(text), "%s%0*d%s", rows[i].before,
					 rows[i].longest + more, 0, rows[i].after);

			if (parse(text, n, why) != (more ? -1 : 0))
				fail_msg("row %zu, %d more: %s", i, more, why);
			if (more)
				assert_non_null(strstr(why, "is longer than"));
		}
	}
}

static void count_bounds(void **state)
{
	static const struct {
		const char *line;
		int max;
	} rows[] = {
		{ "module path=a\n", PLAN_MAX_MODULES },
		{ "set path=a value=b\n", PLAN_MAX_SETS },
		{ DISK, PLAN_MAX_DISKS },
		{ JOB "\n", PLAN_MAX_JOBS },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int n = snprintf(text, sizeof(text), "%s", HEAD), k;
		char why[200] = "";

		for (k = 0; k < rows[i].max; k++)
			n += snprintf(text + n, sizeof(text) - n, "%s", rows[i].line);
		if (parse(text, n, why) < 0)
			fail_msg("row %zu: %s", i, why);
		n += snprintf(text + n, sizeof(text) - n, "%s", rows[i].line);
		assert_int_equal(parse(text, n, why), -1);
		assert_non_null(strstr(why, "more than"));
	}
}

static void too_big(void **state)
{
	char why[200] = "", tiny[8] = "zzzzzzz";

	(void)state;
	memset(text, '\n', sizeof(text));
	memcpy(text, HEAD, strlen(HEAD));
	assert_int_equal(parse(text, PLAN_MAX_BYTES + 1, why), -1);
	assert_non_null(strstr(why, "more than"));
	/* the message keeps to its buffer */
	assert_int_equal(plan_parse(again, "x\n", 2, tiny, 4), -1);
	assert_string_equal(tiny, "lin");
	assert_int_equal(tiny[4], 'z');
}

/* No byte anywhere may do harm; the sanitizers watch. */
static void any_byte(void **state)
{
	char why[200];
	long n, i;
	int c;

	(void)state;
	fill();
	n = plan_format(plan, text, sizeof(text));
	for (i = 0; i < n; i++) {
		char was = text[i];

		for (c = 0; c < 256; c += 5) {
			text[i] = c;
			parse(text, n, why);
		}
		text[i] = was;
		parse(text, i, why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(round_trip, set_up, tear_down),
		cmocka_unit_test_setup_teardown(text_form, set_up, tear_down),
		cmocka_unit_test_setup_teardown(format_bounds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(refusals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(text_bounds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(count_bounds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(too_big, set_up, tear_down),
		cmocka_unit_test_setup_teardown(any_byte, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
