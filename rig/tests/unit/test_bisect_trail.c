/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of bisect/trail: what a journal carries of the steps, there and back, and refused. */
#include "bisect_fixture.h"

#include "base/file.h"
#include "bisect/trail.h"

#define IMAGE "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void test_there_and_back(void **state)
{
	struct trail_step steps[] = {
		{ .what = TRAIL_BOOTED, .commit = 0, .boots = 2, .build_s = 35.5, .boot_s = 4 },
		{ .what = TRAIL_SAME, .commit = 2, .as = 0 },
		{ .what = TRAIL_SKIPPED, .commit = 1, .build_s = 1 },
	};
	struct trail t = TRAIL_INIT, again = TRAIL_INIT;
	struct err err = ERR_INIT;
	struct history h;
	struct bisect b;
	json_t *j;

	(void)state;
	line_history(&h, 4);
	begin(&b, &h, NULL);
	trail_init(&t, 4);
	memcpy(t.c[2].image, IMAGE, sizeof(IMAGE));
	t.c[0].tried = 3;
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		trail_add(&t, &b, &steps[i]);
	/* nothing is known: all three are as likely */
	assert_int_equal(t.s[0].left, 3);
	assert_true(fabs(t.s[0].p - 1.0 / 3) < 1e-9);
	assert_int_equal(trail_find(&t, IMAGE), 2);
	assert_int_equal(trail_find(&t, ""), 4);
	j = trail_to_json(&t);
	must(trail_from_json(&again, j, 4, 2, &err), &err);
	assert_int_equal(again.n_steps, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(again.s[i].what, steps[i].what);
		assert_int_equal(again.s[i].commit, steps[i].commit);
		assert_int_equal(again.s[i].as, steps[i].as);
		assert_int_equal(again.s[i].boots, steps[i].boots);
		assert_true(fabs(again.s[i].build_s - steps[i].build_s) < 1e-9);
		assert_true(fabs(again.s[i].p - t.s[i].p) < 1e-9);
	}
	assert_string_equal(again.c[2].image, IMAGE);
	assert_int_equal(again.c[0].tried, 3);
	trail_release(&again);
	/* of a history with fewer commits, or a journal with other boots, it is not */
	assert_int_equal(trail_from_json(&again, j, 2, 2, &err), -EINVAL);
	assert_null(again.s);
	assert_int_equal(trail_from_json(&again, j, 4, 3, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "1 boots belong to no step"));
	assert_int_equal(trail_from_json(&again, j, 4, 1, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "about.steps[0].boots"));
	json_decref(j);
	trail_release(&t);
	trail_release(&t);
	bisect_release(&b);
}

#define STEP(what, rest)                                                                           \
	"{\"kernels\":[],\"steps\":[{\"what\":" what ",\"commit\":0,\"as\":0,\"boots\":0,"          \
	"\"build_s\":1,\"boot_s\":1,\"best\":0,\"left\":1" rest "}]}"

static void test_bad(void **state)
{
	static const struct { const char *text, *what; } rows[] = {
		{ "{}", "about.kernels is no list" },
		{ "{\"kernels\":[]}", "about.steps is no list" },
		{ "{\"kernels\":[{\"commit\":9}],\"steps\":[]}", "about.kernels[0] is bad" },
		{ "{\"kernels\":[{\"commit\":0,\"image\":\"../x\",\"tried\":0}],\"steps\":[]}",
		  "about.kernels[0]" },
		{ "{\"kernels\":[{\"commit\":0,\"image\":\"abc\",\"tried\":0}],\"steps\":[]}",
		  "about.kernels[0]" },
		{ "{\"kernels\":[{\"commit\":0,\"image\":\"\",\"tried\":-1}],\"steps\":[]}",
		  "about.kernels[0]" },
		{ "{\"kernels\":[],\"steps\":[7]}", "about.steps[0].what" },
		{ STEP("\"eaten\"", ",\"p\":0.5"), "about.steps[0].what" },
		{ STEP("\"booted\"", ""), "about.steps[0].p" },
		{ STEP("\"booted\"", ",\"p\":1.5"), "about.steps[0].p" },
		{ STEP("\"booted\"", ",\"p\":\"0.5\""), "about.steps[0].p" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = ERR_INIT;
		struct trail t = TRAIL_INIT;
		json_t *j = json_loads(rows[i].text, 0, NULL);

		assert_non_null(j);
		if (!trail_from_json(&t, j, 2, 0, &err))
			fail_msg("row %zu was taken", i);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, rows[i].what))
			fail_msg("row %zu: '%s' has no '%s'", i, err.msg, rows[i].what);
		assert_null(t.c);
		json_decref(j);
	}
}

/* What the driver put into the journal comes out of it. */
static void test_in_the_journal(void **state)
{
	struct err err = ERR_INIT;
	json_t *about, *again = NULL;
	struct history h;
	struct bisect b;
	char *dir, *path;

	(void)state;
	must(dir_temp("/tmp/iorig-trail-", &dir, &err), &err);
	path = path_join(dir, "bisect.json");
	line_history(&h, 3);
	begin(&b, &h, NULL);
	about = json_pack("{s:{s:s}}", "asked", "case", "t/good");
	must(bisect_write(&b, about, path, &err), &err);
	bisect_release(&b);
	must(bisect_read(&b, &again, path, &err), &err);
	assert_true(json_equal(about, again));
	json_decref(again);
	must(bisect_write(&b, NULL, path, &err), &err);
	bisect_release(&b);
	must(bisect_read(&b, &again, path, &err), &err);
	assert_null(again);
	json_decref(about);
	bisect_release(&b);
	must(dir_remove(dir, &err), &err);
	free(path);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_bad),
		cmocka_unit_test(test_in_the_journal),
	};

	return cmocka_run_group_tests_name("bisect_trail", tests, NULL, NULL);
}
