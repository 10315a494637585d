/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/bisect: every way to end as text, as a document and as a picture. */
#include "bisect_fixture.h"

#include "base/clock.h"
#include "base/strbuf.h"
#include "bisect/trail.h"
#include "judge/followed.h"
#include "source/commits.h"
#include "report/bisect.h"
#include "report/plot.h"

#define N 8

struct fix {
	struct bisect b;
	struct trail trail;
	struct bisect_step end;
	struct followed f;
	struct commit_words words[N];
	struct strvec run_words;
	struct bisect_report r;
};

static void boots(struct fix *f, size_t commit, double ms, size_t n)
{
	struct trail_step s = { .commit = commit, .boots = n, .build_s = 1, .boot_s = 2 };

	for (size_t i = 0; i < n; i++)
		bisect_add(&f->b, commit, (ms + (double)i) * 1e6);
	f->trail.c[commit].tried += n;
	f->trail.c[commit].image[0] = 'a';
	trail_add(&f->trail, &f->b, &s);
}

static void fix_init(struct fix *f)
{
	struct history h;

	*f = (struct fix){ .run_words = STRVEC_INIT, .f = FOLLOWED_INIT };
	line_history(&h, N);
	begin(&f->b, &h, NULL);
	trail_init(&f->trail, N);
	f->f.name = xstrdup("hdd.time");
	f->f.unit = UNIT_TIME;
	f->f.limit = 150e6;
	f->f.floor = -1;
	strvec_pushl(&f->run_words, "--tree", "/a b", "-c", "t/good", NULL);
	for (size_t i = 0; i < N; i++) {
		f->words[i].subject = xstrfmt("commit %zu \033[31m", i);
		f->words[i].author = xstrdup("A <a@b>");
		f->words[i].date = xstrdup("2024-02-29");
	}
	f->r = (struct bisect_report){
		.b = &f->b, .trail = &f->trail, .end = &f->end, .followed = &f->f,
		.words = f->words, .case_name = "t/good", .dir = "results/x",
		.run_words = &f->run_words,
	};
}

static void fix_release(struct fix *f)
{
	bisect_step_release(&f->end);
	trail_release(&f->trail);
	bisect_release(&f->b);
	followed_release(&f->f);
	strvec_release(&f->run_words);
	for (size_t i = 0; i < N; i++)
		commit_words_release(&f->words[i]);
}

static void end(struct fix *f, enum bisect_what what, size_t commit, const char *why)
{
	bisect_think(&f->b);
	bisect_candidates(&f->b, &f->end);
	f->end.what = what;
	f->end.commit = commit;
	f->end.why = why;
}

static void expect_text(const struct fix *f, const char *const *wanted)
{
	struct strbuf out = STRBUF_INIT;

	report_bisect(&f->r, &out);
	for (; *wanted; wanted++) {
		if (!strstr(out.buf, *wanted))
			fail_msg("no '%s' in:\n%s", *wanted, out.buf);
	}
	assert_null(strchr(out.buf, '\033'));
	strbuf_release(&out);
}

static void test_found(void **state)
{
	static const char *const wanted[] = {
		"first bad commit, probability >99.9 %:\n",
		"commit 4 \\x1b[31m\n  A <a@b>, 2024-02-29\n",
		/* its neighbour was not booted, so the one before that stands for it */
		"before it, 00000000000", "hdd.time 102 ms (median of 5, 100 ms to 104 ms)\n",
		"with it,   00000000000", "hdd.time 202 ms (median of 5, 200 ms to 204 ms)\n",
		"STEP  PLACE  COMMIT", "   1   good  ", "   2    bad  ", "  skipped", "  same as ",
		"skipped 00000000000", ": error: \\x1b[1m\n",
		"7 commits, 4 kernels, 20 boots, ",
		"  iorig run git:00000000000", " --tree '/a b' -c t/good --seeds 5\n",
		"picture: x.svg\nresults: results/x\n", NULL,
	};
	struct trail_step skipped = { .what = TRAIL_SKIPPED, .commit = 3 };
	struct trail_step same = { .what = TRAIL_SAME, .commit = 6, .as = 7 };
	struct fix f;
	json_t *j;

	(void)state;
	fix_init(&f);
	boots(&f, 0, 100, 5);
	boots(&f, 7, 200, 5);
	boots(&f, 2, 100, 5);
	boots(&f, 4, 200, 5);
	bisect_skip(&f.b, 3, "error: \033[1m");
	trail_add(&f.trail, &f.b, &skipped);
	bisect_same(&f.b, 6, 7);
	trail_add(&f.trail, &f.b, &same);
	end(&f, BISECT_FOUND, 4, "");
	f.r.picture = "x.svg";
	assert_int_equal(report_bisect_before(&f.r), 2);
	assert_int_equal(report_bisect_status(&f.end), 0);
	expect_text(&f, wanted);
	j = report_bisect_json(&f.r);
	assert_string_equal(json_string_value(json_object_get(j, "result")), "found");
	assert_int_equal(json_integer_value(json_object_get(json_object_get(j, "commit"), "place")), 4);
	assert_int_equal(json_array_size(json_object_get(j, "tested")), 6);
	assert_int_equal(json_array_size(json_object_get(j, "steps")), 6);
	json_decref(j);
	/* of a rate less is worse; here it is time, and less is better */
	f.f.higher = true;
	expect_text(&f, (const char *[]){ "this is what made it better", NULL });
	fix_release(&f);
}

static void test_others(void **state)
{
	struct fix f;

	(void)state;
	fix_init(&f);
	boots(&f, 0, 100, 5);
	boots(&f, 7, 200, 5);
	end(&f, BISECT_UNSURE, 1, "no more boots are allowed");
	assert_int_equal(report_bisect_status(&f.end), 125);
	expect_text(&f, (const char *[]){ "not sure: no more boots are allowed; with probability ",
					  " % one of 7 commits:\n   14.3 %  000000000000  commit ",
					  NULL });
	end(&f, BISECT_RANGE, 1, "those between cannot be tested");
	expect_text(&f, (const char *[]){ "one of 7 commits, probability ",
					  "(those between cannot be tested):\n", NULL });
	end(&f, BISECT_ALIKE, 1, "the ends do not differ for certain");
	f.r.differing = "dvd.time (1 s, 2 s)";
	expect_text(&f, (const char *[]){ "nothing to look for: the ends do not differ",
					  "good, 00000000000", "bad,  00000000000",
					  "They do differ in dvd.time (1 s, 2 s): --metric", NULL });
	fix_release(&f);
}

static void test_plot(void **state)
{
	struct fix f;
	struct plot p;

	(void)state;
	fix_init(&f);
	boots(&f, 0, 100, 5);
	boots(&f, 7, 2000, 5);
	bisect_skip(&f.b, 3, "x");
	end(&f, BISECT_FOUND, 7, "");
	report_bisect_plot(&f.r, &p);
	assert_string_equal(p.id, "bisect");
	/* 20 times as much is drawn on decades; in seconds */
	assert_true(p.log_y);
	assert_int_equal(p.series[0].n, 10);
	assert_true(fabs(p.series[0].y[0] - 0.1) < 1e-9 && fabs(p.series[0].x[9] - 7) < 1e-9);
	/* boots, limit, the commit, what was skipped */
	assert_int_equal(p.n_series, 4);
	assert_true(fabs(p.series[1].y[0] - 0.15) < 1e-9);
	assert_true(fabs(p.series[2].x[0] - 7) < 1e-9);
	assert_int_equal(p.series[3].n, 1);
	assert_true(fabs(p.x_max - 7) < 1e-9 && p.y_max >= 2);
	plot_release(&p);
	fix_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found), cmocka_unit_test(test_others),
		cmocka_unit_test(test_plot),
	};

	return cmocka_run_group_tests_name("bisect_report", tests, NULL, NULL);
}
