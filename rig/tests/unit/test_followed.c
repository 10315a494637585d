/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/followed: which metric is followed, and what one seed says about it. */
#include "judge_fixture.h"

#include "base/err.h"
#include "base/strbuf.h"
#include "judge/followed.h"

static struct suite suite_of(struct fixture *f)
{
	return (struct suite){ .cases = f->cases, .expects = f->expects, .n = N_CASES };
}

static void must_init(struct followed *f, const struct suite *suite, const char *name)
{
	struct err err = ERR_INIT;

	if (followed_init(f, suite, name, &err))
		fail_msg("%s: %s", name, err.msg);
}

static void expect_get_is(const struct followed *f, const struct run *run, uint32_t seed,
			  enum followed_kind kind, double value, const char *reason)
{
	struct strbuf why = STRBUF_INIT;
	double got = -1;

	assert_int_equal(followed_get(f, run, seed, &got, &why), kind);
	if (kind == FOLLOWED_VALUE)
		assert_same(got, value);
	if (strcmp(why.buf, reason) != 0)
		fail_msg("got '%s', wanted '%s'", why.buf, reason);
	strbuf_release(&why);
}

static void test_choice(void **state)
{
	struct fixture f;
	struct suite suite;
	struct followed w;

	(void)state;
	init_one(&f);
	suite = suite_of(&f);
	/* a limit relative to alone: the metric itself, without the alone case */
	must_init(&w, &suite, NULL);
	assert_string_equal(w.name, "hdd.time");
	assert_false(w.alone || w.verdict || w.higher);
	assert_int_equal(w.suite.n, 1);
	assert_null(w.suite.cases[0].jobs[HDD].alone_case);
	assert_int_equal(w.suite.expects[0].n, 0);
	assert_true(w.limit < 0);
	followed_release(&w);
	followed_release(&w);
	/* the case it came from is as it was */
	assert_string_equal(f.jobs[BOTH][HDD].alone_case, "g/alone");
	/* the first victim that has one, then anything that has one, then its time */
	f.e[0] = (struct expectation){ .job = "dvd", .metric = METRIC_RATE, .limit = -1,
				       .floor = 1e6, .goal = -1, .was = -1, .within = -1 };
	must_init(&w, &suite, NULL);
	assert_string_equal(w.name, "dvd.rate");
	assert_true(w.higher && w.floor > 0 && w.unit == UNIT_RATE);
	assert_int_equal(w.suite.expects[0].n, 1);
	followed_release(&w);
	f.e[1] = (struct expectation){ .job = "hdd", .metric = METRIC_SYNC, .limit = 3e9,
				       .floor = -1, .goal = -1, .was = -1, .within = -1 };
	f.expects[BOTH].n = 2;
	must_init(&w, &suite, NULL);
	assert_string_equal(w.name, "hdd.sync");
	assert_same(w.limit, 3e9);
	followed_release(&w);
	f.expects[BOTH].n = 0;
	must_init(&w, &suite, NULL);
	assert_string_equal(w.name, "hdd.time");
	followed_release(&w);
	done(&f);
}

static void test_bad_names(void **state)
{
	static const struct { const char *name, *what; } rows[] = {
		{ "hdd", "is not [JOB.METRIC] with METRIC one of" },
		{ "hdd.speed", "is not [JOB.METRIC] with METRIC one of slowdown, time" },
		{ "usb.time", "case 'g/both' has no job 'usb'" },
		{ "\033[1m.time", "has no job '\\x1b[1m'" },
		{ "dvd.time/alone", "no 'alone' to be compared with" },
		{ "dvd.sync", "no 'sync' to be timed" },
		{ "disk.hda.dirty-max", "has no disk 'hda'" },
	};
	struct fixture f;
	struct suite suite;

	(void)state;
	init_one(&f);
	suite = suite_of(&f);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = ERR_INIT;
		struct followed w;

		assert_true(followed_init(&w, &suite, rows[i].name, &err) < 0);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, rows[i].what))
			fail_msg("row %zu: '%s' has no '%s'", i, err.msg, rows[i].what);
		followed_release(&w);
	}
	done(&f);
}

static void test_values(void **state)
{
	struct fixture f;
	struct suite suite;
	struct followed w, ratio;

	(void)state;
	init_one(&f);
	add_seed(&f, 2, 30 * S, 2 * S);
	suite = suite_of(&f);
	must_init(&w, &suite, "hdd.time");
	must_init(&ratio, &suite, "hdd.slowdown");
	assert_string_equal(ratio.name, "hdd.time/alone");
	assert_int_equal(ratio.suite.n, 2);
	assert_int_equal(ratio.unit, UNIT_RATIO);
	expect_get_is(&w, &f.run, 1, FOLLOWED_VALUE, 10e9, "");
	expect_get_is(&w, &f.run, 2, FOLLOWED_VALUE, 30e9, "");
	expect_get_is(&w, &f.run, 3, FOLLOWED_MISSING, 0, "not run");
	/* seed by seed */
	expect_get_is(&ratio, &f.run, 1, FOLLOWED_VALUE, 10, "");
	expect_get_is(&ratio, &f.run, 2, FOLLOWED_VALUE, 15, "");
	/* a load that failed leaves its victim undisturbed: no value, however good */
	end_of(&f, 0, DVD)->exit = 1;
	expect_get_is(&w, &f.run, 1, FOLLOWED_NO_VALUE, 0, "load 'dvd' exited with status 1");
	/* the alone case counts where it is needed, and only there */
	boot(&f, 3)->outcome = OUTCOME_BROKEN;
	boot(&f, 3)->stage = STAGE_JOBS;
	boot(&f, 3)->reason = xstrdup("kernel panic");
	expect_get_is(&w, &f.run, 2, FOLLOWED_VALUE, 30e9, "");
	expect_get_is(&ratio, &f.run, 2, FOLLOWED_NO_VALUE, 0,
		      "broken at stage jobs: kernel panic");
	followed_release(&w);
	followed_release(&ratio);
	done(&f);
}

static void test_outcomes(void **state)
{
	struct fixture f;
	struct suite suite;
	struct followed w;
	struct boot *b;

	(void)state;
	init_one(&f);
	suite = suite_of(&f);
	must_init(&w, &suite, "hdd.time");
	b = boot(&f, 0);
	b->outcome = OUTCOME_SKIPPED;
	b->reason = xstrdup("no ext2");
	expect_get_is(&w, &f.run, 1, FOLLOWED_LACKS, 0, "no ext2");
	b->outcome = OUTCOME_BROKEN;
	b->stage = STAGE_BOOT;
	expect_get_is(&w, &f.run, 1, FOLLOWED_DEAD, 0, "broken at stage boot: no ext2");
	/* one that was left out says nothing about the kernel */
	b->stage = STAGE_IMAGES;
	expect_get_is(&w, &f.run, 1, FOLLOWED_NO_VALUE, 0, "broken at stage images: no ext2");
	followed_release(&w);
	done(&f);
}

static void test_verdict(void **state)
{
	struct fixture f;
	struct suite suite;
	struct followed w;

	(void)state;
	init_one(&f);
	add_seed(&f, 2, 30 * S, S);
	suite = suite_of(&f);
	followed_init_verdict(&w, &suite);
	assert_string_equal(w.name, "verdict");
	assert_int_equal(w.suite.n, 2);
	expect_get_is(&w, &f.run, 1, FOLLOWED_VALUE, 0, "");
	expect_get_is(&w, &f.run, 2, FOLLOWED_VALUE, 1, "");
	end_of(&f, 2, DVD)->exit = 1;
	expect_get_is(&w, &f.run, 2, FOLLOWED_NO_VALUE, 0,
		      "hdd: load 'dvd' exited with status 1");
	followed_release(&w);
	done(&f);
}

static void test_differing(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct fixture good, bad;
	struct suite suite;
	char *first = NULL;

	(void)state;
	init(&good);
	init(&bad);
	for (uint32_t i = 1; i <= 5; i++) {
		add_seed(&good, i, 10 * S + i, S);
		add_seed(&bad, i, 20 * S + i, S);
		end_of(&bad, (int)i * 2 - 2, DVD)->wall_ns = 180 * S;
	}
	suite = suite_of(&good);
	/* hdd.total is the third: the sync is as it was. The load has none to be timed */
	assert_int_equal(followed_differing(&suite, &good.run, &bad.run, 2, &out, &first), 3);
	assert_string_equal(out.buf, "dvd.time (60 s, 180 s), hdd.time (10.0 s, 20.0 s)");
	assert_string_equal(first, "dvd.time");
	free(first);
	first = NULL;
	strbuf_reset(&out);
	assert_int_equal(followed_differing(&suite, &good.run, &good.run, 2, &out, &first), 0);
	assert_string_equal(out.buf, "");
	assert_null(first);
	strbuf_release(&out);
	done(&good);
	done(&bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_choice), cmocka_unit_test(test_bad_names),
		cmocka_unit_test(test_values), cmocka_unit_test(test_outcomes),
		cmocka_unit_test(test_verdict), cmocka_unit_test(test_differing),
	};

	return cmocka_run_group_tests_name("followed", tests, NULL, NULL);
}
