/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/: regressions that are known, and expectations of a family of kernels. */
#include "judge_fixture.h"

#include "base/err.h"
#include "base/strbuf.h"
#include "report/markdown.h"
#include "report/table.h"

/* Above its limit of 2, and that is known. */
static void init_known(struct fixture *f, const char *started)
{
	init_one(f);
	f->run.started = xstrdup(started);
	f->run.id = xstrdup("id");
	f->run.kernel.name = xstrdup("k");
	f->run.kernel.release = xstrdup("6.1.192");
	f->run.scale = xstrdup("quick");
	f->e[0].limit = 2;
	f->e[0].known = (char *)"bug\n217000";
	f->e[0].until = (char *)"2027-01-31";
}

#define BEYOND "slowdown 10 above limit 2: 10 s beside the load, 1 s alone"

static void test_known(void **state)
{
	struct fixture f;

	(void)state;
	init_known(&f, "2027-01-31T23:59:59Z");
	expect_row(&f, HDD, VERDICT_KNOWN, BEYOND "; known until 2027-01-31: bug\\x0a217000");
	assert_int_equal(judge_exit_status(&f.run), JUDGE_OK);
	/* the value is known, too */
	for (size_t i = 0; i < f.run.verdicts[HDD].n_values; i++) {
		const struct verdict_value *v = &f.run.verdicts[HDD].values[i];

		if (!strcmp(v->metric, "slowdown"))
			assert_int_equal(v->kind, VERDICT_KNOWN);
	}
	done(&f);
}

static void test_expired(void **state)
{
	struct fixture f;

	(void)state;
	init_known(&f, "2027-02-01T00:00:00Z");
	expect_row(&f, HDD, VERDICT_REGRESSED, BEYOND "; it was known until 2027-01-31 "
		   "(bug\\x0a217000), and this waiver has expired");
	assert_int_equal(judge_exit_status(&f.run), JUDGE_REGRESSED);
	done(&f);
}

/* A waiver is for what regressed, and for one metric. */
static void test_no_cover(void **state)
{
	struct fixture f;

	(void)state;
	init_known(&f, "2026-12-01T00:00:00Z");
	f.e[0].limit = 16;
	expect_hdd(&f, VERDICT_PASS, "");
	init_known(&f, "2026-12-01T00:00:00Z");
	f.e[1] = (struct expectation){ .job = (char *)"hdd", .metric = METRIC_TIME, .limit = S,
				       .floor = -1, .was = -1, .within = -1, .goal = -1 };
	f.expects[BOTH].n = 2;
	expect_hdd(&f, VERDICT_REGRESSED, "time 10 s above limit 1 s");
	init_known(&f, "2026-12-01T00:00:00Z");
	f.e[0].limit = -1;
	f.e[0].was = 5;
	f.e[0].within = 0.1;
	expect_hdd(&f, VERDICT_KNOWN, "slowdown 10 is 100% above the accepted 5 (within 10% is the "
		   "same): 10 s beside the load, 1 s alone; known until 2027-01-31: "
		   "bug\\x0a217000");
	init_known(&f, "2026-12-01T00:00:00Z");
	f.run.boots[0].outcome = OUTCOME_BROKEN;
	judge_run(&f.run, f.cases, f.expects, N_CASES);
	assert_int_equal(f.run.verdicts[HDD].kind, VERDICT_BROKEN);
	done(&f);
}

/* Every report tells both the word and the reason. */
static void test_reports(void **state)
{
	struct strbuf out[4] = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };
	struct err err = ERR_INIT;
	struct fixture f;
	struct run again;
	json_t *doc;
	char *text;

	(void)state;
	init_known(&f, "2026-12-01T00:00:00Z");
	judge_run(&f.run, f.cases, f.expects, N_CASES);
	doc = run_to_json(&f.run);
	/* as a document has it, without strings that are NULL */
	if (run_from_json(&again, doc, &err))
		fail_msg("%s", err.msg);
	report_run(&again, &out[0], false);
	markdown_run(&out[1], &again);
	report_counts(&again, &out[2]);
	run_release(&again);
	assert_non_null(strstr(out[2].buf, "1 known"));
	text = json_dumps(doc, JSON_COMPACT);
	strbuf_addstr(&out[3], text);
	for (int i = 0; i < 4; i++) {
		assert_non_null(strstr(out[i].buf, "known"));
		if (i != 2)
			assert_non_null(strstr(out[i].buf, "217000"));
		strbuf_release(&out[i]);
	}
	assert_non_null(strstr(text, "\"kind\":\"known\""));
	free(text);
	json_decref(doc);
	done(&f);
}

/* A section for the kernel's family stands in for the one for all. */
static void test_family(void **state)
{
	static const struct {
		const char *release, *guest;
		double all, family;	/* limits; the value is 10 */
		enum verdict_kind want;
	} rows[] = {
		{ "6.1.192", "", 2, 20, VERDICT_PASS },
		{ "6.1.192", "", 20, 2, VERDICT_REGRESSED },
		{ "6.12.3", "", 2, 20, VERDICT_REGRESSED },
		{ "6.12.3", "", 20, 2, VERDICT_PASS },
		{ "6.1-rc3", "", 2, 20, VERDICT_PASS },
		{ "", "6.1.192", 2, 20, VERDICT_PASS },	/* as the guest says */
		{ "", "", 2, 20, VERDICT_REGRESSED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fixture f;

		init_one(&f);
		f.e[0].limit = rows[i].all;
		f.e[1] = f.e[0];
		f.e[1].limit = rows[i].family;
		f.e[1].family = 6 << 16 | 1;
		f.expects[BOTH].n = 2;
		f.run.kernel.release = xstrdup(rows[i].release);
		free(f.run.boots[0].release);
		f.run.boots[0].release = xstrdup(rows[i].guest);
		judge_run(&f.run, f.cases, f.expects, N_CASES);
		if (f.run.verdicts[HDD].kind != rows[i].want)
			fail_msg("row %zu: %s", i, verdict_name(f.run.verdicts[HDD].kind));
		done(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_expired),
		cmocka_unit_test(test_no_cover),
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_family),
	};

	return cmocka_run_group_tests_name("judge_waiver", tests, NULL, NULL);
}
