/* SPDX-License-Identifier: GPL-2.0-only */
/* contest's tables, against the mails that they are known from. */
#include "report_fixture.h"

#include "base/err.h"
#include "report/contest.h"

static struct run other;
static struct err err;

/* A boot of contest/LOAD in which the build took so many seconds and so much of the processor, and
 * the load three seconds more. */
static struct boot *add(struct run *r, const char *load, uint32_t seed, double seconds, double cpu,
			int64_t ops, int64_t bytes, double load_cpu)
{
	struct boot *b = array_grow(r->boots, r->n_boots);
	int64_t wall = (int64_t)(seconds * SEC);
	struct job_result *job;

	boot_init(b);
	b->case_name = xstrfmt("contest/%s", load);
	b->seed = seed;
	add_job(b, "tree", PLAN_PREPARE, 0, SEC);
	job = add_job(b, "build", PLAN_VICTIM, 3 * SEC, wall);
	job->end.user_ns = (int64_t)(cpu * seconds * SEC / 100) - SEC;
	job->end.sys_ns = SEC;
	if (load_cpu < 0)
		return b;
	job = add_job(b, "load", PLAN_LOAD, 0, wall + 3 * SEC);
	job->end.stopped = 1;
	job->end.signal = 15;
	job->end.user_ns = (int64_t)(load_cpu * (seconds + 3) * SEC / 100);
	job->measured = true;
	job->result.ops = ops;
	job->result.bytes = bytes;
	return b;
}

static int set_up(void **state)
{
	setup(state);
	run_init(&other);
	other.kernel.name = xstrdup("2.5.68-mm1");
	replace(&run.kernel.name, "2.5.68");
	err = (struct err)ERR_INIT;
	return 0;
}

static int tear_down(void **state)
{
	run_release(&other);
	return teardown(state);
}

static int tables(void)
{
	return contest_tables(&out, (const struct run *const[]){ &run, &other }, 2, &err);
}

/* Mail of 2003-05-11, "2.5.69-mm3 with contest"; the reference is that of the same run. */
static void layout(void **state)
{
	(void)state;
	add(&run, "no_load", 1, 79, 94.9, 0, 0, -1);
	add(&other, "no_load", 1, 79, 94.9, 0, 0, -1);
	/* three seeds: the figures are the medians */
	add(&run, "io_load", 1, 492, 15.9, 7, (int64_t)(167.1e8 * 495 / 492), 19.7);
	add(&run, "io_load", 2, 400, 10, 7, 1, 10);
	add(&run, "io_load", 3, 600, 20, 7, 900000000000, 30);
	add(&other, "io_load", 1, 128, 59.4, 7, (int64_t)(47.6e8 * 131 / 128), 19.4);
	assert_int_equal(tables(), 0);
	has("no_load:\n"
	    "Kernel         [runs]   Time    CPU%    Loads   LCPU%   Ratio\n"
	    "2.5.68              1   79      94.9    0.0     0.0     1.00\n"
	    "2.5.68-mm1          1   79      94.9    0.0     0.0     1.00\n"
	    "io_load:\n"
	    "Kernel         [runs]   Time    CPU%    Loads   LCPU%   Ratio\n"
	    "2.5.68              3   492     15.9    167.1   19.7    6.23\n"
	    "2.5.68-mm1          1   128     59.4    47.6    19.4    1.62\n"
	    "\n");
	has("the same kernel's no_load");
	has("Left out, since no run has them: cacherun, process_load, ctar_load, xtar_load, io_other, "
	    "read_load, list_load, mem_load\n");
}

/* Short builds have a decimal; variants are rows, against their own reference. */
static void short_and_variants(void **state)
{
	(void)state;
	add(&run, "no_load", 1, 5, 80, 0, 0, -1);
	add(&run, "no_load@bfq", 1, 4, 80, 0, 0, -1);
	add(&run, "process_load@bfq", 1, 8, 40, 55000, 0, 50);
	add(&run, "mem_load", 1, 10, 40, 26000, 1, 25);
	add(&run, "list_load", 1, 7, 40, 10, 0, 25);
	replace(&other.kernel.name, "a-kernel-with-a-long-name");
	add(&other, "no_load", 1, 31, 80, 0, 0, -1);
	assert_int_equal(tables(), 0);
	has("Kernel                    [runs]   Time    CPU%    Loads   LCPU%   Ratio\n"
	    "2.5.68                         1   5.0     80.0    0.0     0.0     1.00\n"
	    "2.5.68@bfq                     1   4.0     80.0    0.0     0.0     1.00\n"
	    "a-kernel-with-a-long-name      1   31      80.0    0.0     0.0     1.00\n"
	    "process_load:\n");
	has("2.5.68@bfq                     1   8.0     40.0    4.0     50.0    2.00\n");
	has("2.5.68                         1   10.0    40.0    20.0    25.0    2.00\n");
	has("2.5.68                         1   7.0     40.0    7.0     25.0    1.40\n");
	/* in contest's own order */
	assert_true(strstr(out.buf, "list_load:") < strstr(out.buf, "mem_load:"));
	assert_true(strstr(out.buf, "process_load:") < strstr(out.buf, "list_load:"));
}

/* What did not work is no figure, and is said. */
static void missing(void **state)
{
	struct boot *b;

	(void)state;
	b = add(&run, "io_load", 1, 20, 40, 1, 1, 10);
	add(&run, "io_other", 1, 20, 40, 1, 1, 10)->jobs[1].end.exit = 1;
	add(&run, "read_load", 1, 20, 40, 1, 1, 10)->jobs[2].end.timeout = 1;
	add(&run, "ctar_load", 1, 20, 40, 1, 1, 10)->jobs[1].end.wall_ns = -5;
	add(&run, "xtar_load", 1, 20, 40, 1, 1, 10)->jobs[2].end.user_ns = INT64_MIN;
	add(&run, "mem_load", 1, 20, 40, 1, 1, -1);
	b = add(&other, "io_load", 1, 20, 40, 1, 1, 10);
	b->outcome = OUTCOME_SKIPPED;
	b->reason = xstrdup("this host has no program '/usr/bin/tcc'");
	replace(&other.kernel.name, HOSTILE);
	assert_int_equal(tables(), 0);
	has("  10.0    -\n");
	has("(-) without its no_load a kernel has no Ratio\n");
	has("no io_other of 2.5.68: the build or its load did not do its work\n");
	has("no read_load of 2.5.68: the build or its load did not do its work\n");
	has("no ctar_load of 2.5.68: the build or its load did not do its work\n");
	has("no xtar_load of 2.5.68: the build or its load did not do its work\n");
	has("no mem_load of 2.5.68: the build or its load did not do its work\n");
	has(": skipped: this host has no program '/usr/bin/tcc'\n");
	has("no io_load of a</script>");
	has_not("\033");
	has_not("\r");
	strbuf_reset(&out);
	run_release(&run);
	run_init(&run);
	run.id = xstrdup("r");
	run.kernel.name = xstrdup("k");
	run_release(&other);
	run_init(&other);
	other.kernel.name = xstrdup("k");
	assert_int_equal(tables(), -EINVAL);
	assert_int_equal(out.len, 0);
	assert_string_equal(err.msg, "none of the runs has a case of contest/");
}

/* The mail of September 2002. */
static void old_table(void **state)
{
	const struct run *runs[] = { &run, &other };

	(void)state;
	assert_int_equal(contest_table_2002(&out, runs, 2, &err), -EINVAL);
	assert_string_equal(err.msg, "none of the runs has a build of contest/io_load");
	replace(&run.kernel.name, "2.4.19-ck7");
	replace(&other.kernel.name, "2.5.34(-mm4)");
	add(&run, "io_load", 1, 154.04, 43, 1, 1, 10);
	add(&run, "io_load@bfq", 1, 3661.999, 43, 1, 1, 10);
	add(&other, "io_load", 1, 899.79, 8, 1, 1, 10);
	assert_int_equal(contest_table_2002(&out, runs, 2, &err), 0);
	assert_string_equal(out.buf, "IO Load Full:\n"
				     "Kernel                  Time            CPU\n"
				     "2.4.19-ck7              2:34.04         43%\n"
				     "2.4.19-ck7@bfq          61:02.00        43%\n"
				     "2.5.34(-mm4)            14:59.79        8%\n");
}

#define CONTEST_TEST(NAME) cmocka_unit_test_setup_teardown(NAME, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONTEST_TEST(layout),
		CONTEST_TEST(short_and_variants),
		CONTEST_TEST(missing),
		CONTEST_TEST(old_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
