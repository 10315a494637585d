/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/: metrics beyond the slowdown, of jobs and disks. */
#include "judge_fixture.h"

#include "judge/dd.h"
#include "judge/values.h"

#define MS NS_PER_MS

/* The agent's own job in that boot: bytes, and operations that took 1 ms each but for one. */
static void add_result(struct fixture *f, int b, int job, int64_t bytes, int ops, int64_t slowest)
{
	struct job_result *r = &boot(f, b)->jobs[job];

	r->measured = true;
	r->result.ops = ops;
	r->result.bytes = bytes;
	for (int i = 0; i < ops - 1; i++)
		hist_add(&r->result.hist, MS);
	hist_add(&r->result.hist, slowest);
}

static void expectation(struct fixture *f, const char *job, enum metric metric, bool alone,
			double limit, double bound)
{
	f->e[0] = (struct expectation){
		.job = (char *)job, .metric = metric, .alone = alone, .limit = limit,
		.floor = bound, .goal = -1, .was = -1, .within = -1,
	};
}

static const struct verdict_value *value(const struct verdict *v, const char *metric)
{
	for (size_t i = 0; i < v->n_values; i++) {
		if (strcmp(v->values[i].metric, metric) == 0)
			return &v->values[i];
	}
	return NULL;
}

/* Two seeds whose tails differ: the percentile is that of all operations together. */
static void test_percentiles_are_merged(void **state)
{
	const struct verdict_value *p;
	struct values v;
	struct fixture f;

	(void)state;
	init(&f);
	add_seed(&f, 1, 10 * S, S);
	add_seed(&f, 2, 10 * S, S);
	add_result(&f, 0, HDD, 4096, 10, MS);
	add_result(&f, 2, HDD, 4096, 990, 400 * MS);
	expectation(&f, "hdd", METRIC_MAX, false, 300.0 * MS, -1);
	expect_row(&f, HDD, VERDICT_REGRESSED, "max 400 ms above limit 300 ms (of 2 seeds)");
	p = value(&f.run.verdicts[HDD], "max");
	assert_string_equal(p->unit, "ns");
	assert_int_equal(p->kind, VERDICT_REGRESSED);
	assert_int_equal(p->seeds, 2);
	assert_same(p->value, 400 * MS);
	assert_same(p->min, MS);
	assert_same(p->max, 400 * MS);
	/* 1 of 1000: not above the 999th permille; the median of the seeds' would be 200 ms */
	p = value(&f.run.verdicts[HDD], "p999");
	assert_true(p->value < 1.04 * MS);
	assert_int_equal(p->kind, VERDICT_NONE);
	assert_same(value(&f.run.verdicts[HDD], "ops")->value, 500);
	assert_same(value(&f.run.verdicts[HDD], "mean")->value, (999.0 * MS + 400 * MS) / 1000);
	values_collect(&v, &f.run, &f.cases[BOTH], "hdd", METRIC_MAX);
	assert_int_equal(v.n, 2);
	assert_same(v.v[0], MS);
	assert_same(v.v[1], 400 * MS);
	values_release(&v);
	done(&f);
}

/* A load that its victims' end stops has no time, but a rate, and its floor is the load's. */
static void test_rate_of_a_stopped_load(void **state)
{
	const struct verdict *v;
	struct fixture f;

	(void)state;
	init_one(&f);
	f.jobs[BOTH][DVD].stop = PLAN_STOP_VICTIMS;
	f.jobs[BOTH][DVD].alone_case = "g/alone";
	f.jobs[BOTH][DVD].alone_job = "first";
	end_of(&f, 0, DVD)->stopped = 1;
	end_of(&f, 0, DVD)->wall_ns = 8 * S;
	end_of(&f, 0, DVD)->sync_ns = 2 * S;
	add_result(&f, 0, DVD, 4100000, 10, MS);
	end_of(&f, 1, HDD)->sync_ns = -1;
	add_result(&f, 1, HDD, 1000000, 10, MS);
	expectation(&f, "dvd", METRIC_RATE, true, -1, 0.8);
	v = expect_row(&f, DVD, VERDICT_REGRESSED, "rate 0.41x of alone, below floor 0.8: 410 kB/s "
		       "beside the victim, 1 MB/s alone");
	assert_same(v->time_ns, -1);
	assert_same(value(v, "rate")->value, 410000);
	assert_true(value(v, "rate")->higher);
	assert_int_equal(value(v, "rate")->kind, VERDICT_NONE);
	assert_same(value(v, "rate/alone")->value, 0.41);
	assert_same(value(v, "rate/alone")->alone, 1e6);
	assert_same(value(v, "rate/alone")->floor, 0.8);
	assert_string_equal(value(v, "rate/alone")->unit, "ratio");
	assert_null(value(v, "time"));
	expect_row(&f, HDD, VERDICT_NONE, "");
	assert_int_equal(judge_exit_status(&f.run), JUDGE_REGRESSED);
	f.e[0].floor = 0.4;
	expect_row(&f, DVD, VERDICT_PASS, "");
	/* a time is not what a stopped load has */
	expectation(&f, "dvd", METRIC_TIME, false, 9.0 * S, -1);
	expect_row(&f, DVD, VERDICT_BROKEN, "no time was measured");
	done(&f);
}

/* More is better: a value above 'was' has improved, one below has not. */
static void test_direction(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	add_result(&f, 0, HDD, 12000000, 10, MS);	/* 10 s and 2 s of sync: 1 MB/s */
	expectation(&f, "hdd", METRIC_RATE, false, -1, -1);
	f.e[0].was = 2e6;
	f.e[0].within = 0.1;
	expect_row(&f, HDD, VERDICT_REGRESSED,
		   "rate 1 MB/s is 50% below the accepted 2 MB/s (within 10% is the same)");
	f.e[0].was = 5e5;
	expect_row(&f, HDD, VERDICT_IMPROVED,
		   "rate 1 MB/s is 100% above the accepted 500 kB/s (within 10% is the same)");
	f.e[0].was = 2e6;
	free(f.run.clock);
	f.run.clock = xstrdup("real");
	expect_hdd(&f, VERDICT_INCONCLUSIVE,
		   "rate 1 MB/s is 50% below the accepted 2 MB/s (within 10% is the same)");
}

static void test_zero_errors(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	add_result(&f, 0, HDD, 1, 10, MS);
	expectation(&f, "hdd", METRIC_ERRORS, false, 0, -1);
	expect_row(&f, HDD, VERDICT_PASS, "");
	boot(&f, 0)->jobs[HDD].result.errors = 3;
	expect_row(&f, HDD, VERDICT_REGRESSED, "errors 3 above limit 0");
	boot(&f, 0)->jobs[HDD].measured = false;
	expect_row(&f, HDD, VERDICT_BROKEN, "no errors was measured");
	assert_same(value(&f.run.verdicts[HDD], "errors")->value, -1);
	assert_int_equal(value(&f.run.verdicts[HDD], "errors")->kind, VERDICT_BROKEN);
	done(&f);
}

static void test_dd_bytes(void **state)
{
	static const char report[] = "16+0 records in\n16+0 records out\n"
				     "65536 bytes (64.0KB) copied, 0.1 seconds, 640.0KB/s\n";
	char *twice = xstrfmt("%s%s", report, report);
	struct fixture f;

	(void)state;
	assert_int_equal(dd_bytes(report), 65536);
	assert_int_equal(dd_bytes(twice), -1);
	assert_int_equal(dd_bytes(""), -1);
	assert_int_equal(dd_bytes(" bytes ("), -1);
	assert_int_equal(dd_bytes("x bytes (1) copied\n1+0 records out"), -1);
	assert_int_equal(dd_bytes("99999999999999999999 bytes (1) copied\n1+0 records out"), -1);
	assert_int_equal(dd_bytes("7 bytes (1) read\n"), -1);
	free(twice);
	init_one(&f);
	f.jobs[BOTH][HDD].run = "dd";
	memcpy(end_of(&f, 0, HDD)->output, report, sizeof(report));
	expectation(&f, "hdd", METRIC_RATE, false, -1, 6000);
	expect_hdd(&f, VERDICT_REGRESSED, "rate 5.46 kB/s below floor 6 kB/s");
}

static void add_sample(struct boot *b, int64_t dirty, int64_t written, int64_t writes)
{
	struct msg_sample *s = array_grow(b->samples, b->n_samples);
	struct msg_sample_disk *d = &s->disks[0];

	s->n_disks = 1;
	memcpy(d->name, "hda", sizeof("hda"));
	d->dirty = dirty;
	d->writeback = 100;
	d->written = written;
	d->bandwidth = 1000 + written;
	d->n_io = 11;
	d->io[4] = writes;
	d->io[6] = written * 2;
}

static void test_disks(void **state)
{
	static struct case_disk disk = { .name = "hda" };
	const struct verdict *v;
	struct fixture f;

	(void)state;
	init_one(&f);
	f.cases[BOTH].disks = &disk;
	f.cases[BOTH].n_disks = 1;
	add_sample(boot(&f, 0), 0, 100, 1);
	add_sample(boot(&f, 0), 9900, 2100, 21);
	add_sample(boot(&f, 0), 50, 2100, 21);
	/* no traffic: the estimate before it counts */
	boot(&f, 0)->samples[2].disks[0].bandwidth = 7;
	expectation(&f, "disk.hda", METRIC_DIRTY_MAX, false, 5 << 20, -1);
	judge_run(&f.run, f.cases, f.expects, N_CASES);
	assert_int_equal(f.run.n_verdicts, 4);
	v = &f.run.verdicts[2];
	assert_string_equal(v->job, "disk.hda");
	assert_int_equal(v->kind, VERDICT_REGRESSED);
	assert_string_equal(v->reason, "dirty-max 9.77 MiB above limit 5 MiB");
	assert_same(value(v, "dirty-max")->value, 10000 * 1024);
	assert_same(value(v, "bandwidth")->value, 3100 * 1024);
	assert_same(value(v, "write-size")->value, 2000 * 1024 / 20);
	assert_same(value(v, "written")->value, 2000 * 1024);
	assert_same(value(v, "read")->value, 0);
	assert_null(value(v, "read-size"));
	assert_null(value(v, "rate"));
	assert_same(v->time_ns, -1);
	/* hostile counters that run backwards, or are not there, are no values */
	boot(&f, 0)->samples[2].disks[0].io[6] = 1;
	boot(&f, 0)->samples[0].disks[0].dirty = MSG_NONE;
	boot(&f, 0)->samples[1].disks[0].writeback = MSG_NONE;
	boot(&f, 0)->samples[2].n_disks = 0;
	boot(&f, 0)->samples[1].disks[0].n_io = 3;
	judge_run(&f.run, f.cases, f.expects, N_CASES);
	v = &f.run.verdicts[2];
	assert_int_equal(v->kind, VERDICT_BROKEN);
	assert_string_equal(v->reason, "no dirty-max was measured");
	assert_null(value(v, "written"));
	done(&f);
}

static void test_prepare_has_no_row(void **state)
{
	struct fixture f;

	(void)state;
	init_one(&f);
	f.jobs[BOTH][DVD].role = PLAN_PREPARE;
	judge_run(&f.run, f.cases, f.expects, N_CASES);
	assert_int_equal(f.run.n_verdicts, 2);
	assert_string_equal(f.run.verdicts[0].job, "hdd");
	assert_int_equal(f.run.verdicts[0].kind, VERDICT_PASS);
	assert_string_equal(f.run.verdicts[1].job, "first");
	done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_percentiles_are_merged),
		cmocka_unit_test(test_rate_of_a_stopped_load),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_zero_errors),
		cmocka_unit_test(test_dd_bytes),
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_prepare_has_no_row),
	};

	return cmocka_run_group_tests_name("judge, values", tests, NULL, NULL);
}
