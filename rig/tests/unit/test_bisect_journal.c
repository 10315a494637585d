/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of the bisect's history and journal: reading, refusing, going on after a KILL. */
#include "bisect_fixture.h"

#include "base/file.h"

static char *dir, *path;

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	if (dir_temp("/tmp/iorig-bisect-", &dir, &err) < 0)
		return -1;
	path = path_join(dir, "bisect.json");
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	dir_remove(dir, &err);
	free(dir);
	free(path);
	return 0;
}

#define G "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A "1111111111111111111111111111111111111111"
#define B "2222222222222222222222222222222222222222"
#define M "3333333333333333333333333333333333333333"
#define X "4444444444444444444444444444444444444444"

static void test_history(void **state)
{
	struct err err = ERR_INIT;
	struct history h;

	(void)state;
	/* X was left out, so it counts as good */
	must(history_parse(&h, G, A " " G "\n" B " " X "\n" M " " A " " B "\n", &err), &err);
	assert_int_equal(h.n, 4);
	assert_string_equal(h.c[0].id, G);
	assert_int_equal(h.c[2].n_parents, 0);
	assert_int_equal(h.c[3].n_parents, 2);
	assert_int_equal(history_find(&h, M), 3);
	assert_int_equal(history_find(&h, X), 4);
	assert_true(history_has(&h, 3, 1) && history_has(&h, 3, 2) && history_has(&h, 3, 3));
	assert_true(history_has(&h, 1, 1) && history_has(&h, 2, 0));
	assert_false(history_has(&h, 2, 1) || history_has(&h, 1, 2) || history_has(&h, 1, 3));
	history_release(&h);
	history_release(&h);
}

static void test_bad_history(void **state)
{
	static const struct { const char *good, *list, *what; } rows[] = {
		{ G, "", "no commit between" },
		{ "master", A " " G "\n", "'master' is not the id" },
		{ G, "x\033y\n", "line 1 of the list of commits: 'x\\x1by' is not the id" },
		{ G, A " " G "\n" B " HEAD\n", "line 2" },
		{ G, A " " G "\n" A " " G "\n", "is there twice" },
		{ G, B " " A "\n" A " " G "\n", "stands before its parent" },
		{ G, A " " G "\n" B " " G "\n", "is not part of the bad end" },
		{ G, "-rf\n", "is not the id" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = ERR_INIT;
		struct history h;

		assert_true(history_parse(&h, rows[i].good, rows[i].list, &err) < 0);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, rows[i].what))
			fail_msg("row %zu: '%s' has no '%s'", i, err.msg, rows[i].what);
		assert_int_equal(h.n, 0);
	}
}

static void same_step(const struct bisect_step *a, const struct bisect_step *b)
{
	assert_int_equal(a->what, b->what);
	assert_int_equal(a->commit, b->commit);
	assert_int_equal(a->boots, b->boots);
	assert_int_equal(a->n_set, b->n_set);
	for (size_t i = 0; i < a->n_set; i++)
		assert_int_equal(a->set[i], b->set[i]);
}

/* Killed after every step, and read again: the same way to the same answer. */
static void test_resume(void **state)
{
	struct world w = { .culprit = 77, .factor = 1.3, .cv = 0.1, .offset = 0.01, .rng = { 3 } };
	struct bisect_step step = BISECT_STEP_INIT;
	struct history h;
	struct bisect b;
	int steps = 0;

	(void)state;
	for (size_t i = 60; i < 66; i++)
		w.broken[i] = true;
	line_history(&h, 100);
	begin(&b, &h, NULL);
	while (world_step(&w, &b, &step)) {
		struct bisect_step now, again;
		struct err err = ERR_INIT;

		/* kernels that turn out the same after both were booted */
		if (steps++ == 6)
			bisect_same(&b, 0, 1);
		must(bisect_write(&b, NULL, path, &err), &err);
		bisect_next(&b, &now);
		bisect_release(&b);
		must(bisect_read(&b, NULL, path, &err), &err);
		bisect_next(&b, &again);
		same_step(&now, &again);
		bisect_step_release(&now);
		bisect_step_release(&again);
	}
	assert_true(steps > 8);
	assert_int_equal(step.what, BISECT_FOUND);
	assert_int_equal(step.commit, 77);
	bisect_step_release(&step);
	bisect_release(&b);
}

/* A journal as it stands, with one piece replaced. */
#define OPTIONS "\"options\":{\"values\":\"figures\",\"sure\":0.95,\"cost_build\":60,\"cost_boot\":10," \
	"\"correlation\":0.1,\"proof_boots\":5,\"commit_boots\":30,\"all_boots\":100}"
#define COMMITS "\"commits\":[{\"id\":\"" G "\",\"parents\":[]},{\"id\":\"" A "\",\"parents\":[0]}]"
#define JOURNAL(options, commits, boots)                                                           \
	"{\"iorig-bisect\":1," options "," commits ",\"boots\":" boots "}"

static void test_bad_journal(void **state)
{
	static const struct { const char *text, *what; } rows[] = {
		{ "", "line" },
		{ "[1, 2", "line 1" },
		{ "[]", "no journal of a bisect" },
		{ "{\"iorig-bisect\": 2}", "of another version" },
		{ "{\"iorig-bisect\": 1}", "options.values is not a word" },
		{ JOURNAL("\"options\":{\"values\":\"x\"}", COMMITS, "[]"), "is neither" },
		{ JOURNAL("\"options\":{\"values\":\"figures\"}", COMMITS, "[]"),
		  "options.sure is not a number" },
		{ JOURNAL(OPTIONS, "\"commits\":7", "[]"), "commits is not a list" },
		{ JOURNAL(OPTIONS, "\"commits\":[]", "[]"), "no commit between" },
		{ JOURNAL(OPTIONS, "\"commits\":[{\"id\":\"" G "\",\"parents\":[0]}]", "[]"),
		  "a parent is not a whole number below 0" },
		{ JOURNAL(OPTIONS, "\"commits\":[{\"id\":\"\\u001b[1m\",\"parents\":[]}]", "[]"),
		  "'\\x1b[1m' is not the id" },
		{ JOURNAL(OPTIONS, COMMITS, "[[2, 1.0]]"), "a boot's commit" },
		{ JOURNAL(OPTIONS, COMMITS, "[[-1, 1.0]]"), "a boot's commit" },
		{ JOURNAL(OPTIONS, COMMITS, "[[1, \"x\"]]"), "boots[0] has no value" },
		{ JOURNAL(OPTIONS, COMMITS, "7"), "boots is not a list" },
		{ JOURNAL(OPTIONS, "\"commits\":[{\"id\":\"" G "\",\"parents\":[],\"same_as\":1},"
			  "{\"id\":\"" A "\",\"parents\":[0],\"same_as\":0}]", "[]"),
		  "leads back to itself" },
		{ JOURNAL(OPTIONS, "\"commits\":[{\"id\":\"" G "\",\"parents\":[]},"
			  "{\"id\":\"" A "\",\"parents\":[0],\"skipped\":1}]", "[]"),
		  "skipped is not a text" },
	};
	struct err err = ERR_INIT;
	struct bisect b;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		err = (struct err)ERR_INIT;
		must(file_write_atomic(path, rows[i].text, strlen(rows[i].text), 0666, &err), &err);
		assert_true(bisect_read(&b, NULL, path, &err) < 0);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, rows[i].what) || !strstr(err.msg, path))
			fail_msg("row %zu: '%s' has no '%s'", i, err.msg, rows[i].what);
		assert_int_equal(b.h.n, 0);
	}
	/* and the whole one is good */
	err = (struct err)ERR_INIT;
	must(file_write_atomic(path, JOURNAL(OPTIONS, COMMITS, "[[1, 2.5], [0, 1]]"),
			       strlen(JOURNAL(OPTIONS, COMMITS, "[[1, 2.5], [0, 1]]")), 0666, &err), &err);
	must(bisect_read(&b, NULL, path, &err), &err);
	assert_int_equal(b.n_boots, 2);
	assert_true(fabs(b.boots[0].value - 2.5) < 1e-15 && b.boots[0].commit == 1);
	bisect_release(&b);
}

/* What a compiler said may be no text at all. */
static void test_hostile_reason(void **state)
{
	struct err err = ERR_INIT;
	struct history h;
	struct bisect b;

	(void)state;
	line_history(&h, 3);
	begin(&b, &h, NULL);
	bisect_skip(&b, 1, "error: \xff\xfe\033[31m \"quoted\"");
	must(bisect_write(&b, NULL, path, &err), &err);
	bisect_release(&b);
	must(bisect_read(&b, NULL, path, &err), &err);
	assert_string_equal(b.c[1].skipped, "error: \\xff\\xfe\\x1b[31m \"quoted\"");
	bisect_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_history), cmocka_unit_test(test_bad_history),
		cmocka_unit_test(test_resume), cmocka_unit_test(test_bad_journal),
		cmocka_unit_test(test_hostile_reason),
	};

	return cmocka_run_group_tests_name("bisect_journal", tests, setup, teardown);
}
