/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of patch/mutant: what a mutant file may say, and which mutants are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "patch/mutant.h"
#include "kernel_fixture.h"

#define PATCH "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
#define WELL  "[mutant]\ntitle = T\nexpect = caught\n"

static char *top;

static int setup(void **state)
{
	if (fixture_setup(state))
		return -1;
	top = path_join(*state, "mutants");
	return 0;
}

static int teardown(void **state)
{
	free(top);
	return fixture_teardown(state);
}

static void put(const char *name, const char *file, const char *text)
{
	char *dir __free(ptr) = path_join(top, name), *path __free(ptr) = path_join(dir, file);
	struct err err = ERR_INIT;

	assert_int_equal(dir_make(dir, &err), 0);
	fixture_write(path, text, strlen(text));
}

static void clean(void)
{
	struct err err = ERR_INIT;

	assert_int_equal(dir_remove(top, &err), 0);
}

static int find(struct mutants *all, const char *glob, struct err *err)
{
	struct strvec globs __release(strvec) = STRVEC_INIT;

	strvec_split(&globs, glob, " ");
	return mutants_find(all, top, &globs, err);
}

static void find_well(struct mutants *all, const char *glob)
{
	struct err err = ERR_INIT;

	if (find(all, glob, &err))
		fail_msg("%s", err.msg);
}

static void test_whole(void **state)
{
	struct mutants all __release(mutants) = MUTANTS_INIT;

	(void)state;
	clean();
	put("m", "6.1.patch", PATCH);
	put("m", "mutant", "[mutant]\ntitle = What it does\nfrom = a mail\nexpect = caught\n"
	    "sees = g/a  g/b*\nshows = somehow\n");
	find_well(&all, "");
	assert_int_equal(all.n, 1);
	assert_string_equal(all.v[0].name, "m");
	assert_string_equal(all.v[0].title, "What it does");
	assert_string_equal(all.v[0].from, "a mail");
	assert_string_equal(all.v[0].shows, "somehow");
	assert_false(all.v[0].passes);
	assert_int_equal(all.v[0].sees.n, 2);
	assert_string_equal(all.v[0].sees.v[1], "g/b*");
	assert_int_equal(all.v[0].patches.n, 1);
}

static void test_find(void **state)
{
	struct mutants all __release(mutants) = MUTANTS_INIT, two __release(mutants) = MUTANTS_INIT;
	struct mutants none __release(mutants) = MUTANTS_INIT;
	struct err err = ERR_INIT;

	(void)state;
	clean();
	put("b-one", "6.1.patch", PATCH);
	put("b-one", "mutant", WELL);
	put("a-two", "6.1.patch", PATCH);
	put("a-two", "mutant", "[mutant]\ntitle = T\nexpect = passes\n");
	put(".", "README", "not a mutant");
	find_well(&all, "");
	assert_int_equal(all.n, 2);
	assert_string_equal(all.v[0].name, "a-two");
	assert_true(all.v[0].passes);
	/* what is not asked for is not read */
	put("c-bad", "mutant", "nonsense");
	find_well(&two, "*-one a-*");
	assert_int_equal(two.n, 2);
	assert_int_equal(find(&none, "*-one frob", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "no mutant matches 'frob'; there are: a-two, b-one, c-bad"));
}

static void test_nothing(void **state)
{
	struct mutants all __release(mutants) = MUTANTS_INIT;
	struct err err = ERR_INIT;

	(void)state;
	clean();
	assert_int_equal(find(&all, "", &err), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_non_null(strstr(err.msg, "no mutants in '"));
}

static void test_bad(void **state)
{
	static const struct {
		const char *text, *says;
	} table[] = {
		{ NULL, "mutant:1: no such file" },
		{ "", "mutant:1: a section [mutant] is missing" },
		{ "[mutants]\n", "mutant:1: unknown section 'mutants'" },
		{ WELL "[mutant x]\n", "mutant:4: unknown section" },
		{ "[mutant]\nexpect = caught\n", "mutant:1: 'title' is missing" },
		{ "[mutant]\ntitle = T\n", "mutant:1: 'expect' is missing" },
		{ "[mutant]\ntitle =\n", "mutant:2: 'title' is empty" },
		{ "[mutant]\ntitle = T\nexpect = seen\n", "mutant:3: expect: 'seen' is neither" },
		{ WELL "sees = \n", "mutant:4: 'sees' is empty" },
		{ WELL "frob = 1\n", "mutant:4: unknown key 'frob'" },
		{ WELL "title = U\n", "mutant:4: " },
		{ "[mutant]\ntitle = T\nexpect = passes\nsees = g/a\n",
		  "mutant:4: 'sees' goes with 'expect = caught' only" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct mutants all __release(mutants) = MUTANTS_INIT;
		struct err err = ERR_INIT;

		clean();
		put("m", "6.1.patch", PATCH);
		if (table[i].text)
			put("m", "mutant", table[i].text);
		assert_true(find(&all, "", &err) < 0);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, table[i].says))
			fail_msg("'%s' does not say '%s'", err.msg, table[i].says);
	}
}

static void test_many_sees(void **state)
{
	struct mutants all __release(mutants) = MUTANTS_INIT;
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	clean();
	put("m", "6.1.patch", PATCH);
	strbuf_addstr(&text, WELL "sees =");
	for (int i = 0; i < 65; i++)
		strbuf_addstr(&text, " a");
	strbuf_addch(&text, '\n');
	put("m", "mutant", text.buf);
	assert_true(find(&all, "", &err) < 0);
	assert_non_null(strstr(err.msg, "mutant:4: sees: more than 64 cases"));
}

static void test_bad_patch(void **state)
{
	struct mutants all __release(mutants) = MUTANTS_INIT;
	struct err err = ERR_INIT;

	(void)state;
	clean();
	put("m", "mutant", WELL);
	put("m", "6.1.patch", "words only\n");
	assert_true(find(&all, "", &err) < 0);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_non_null(strstr(err.msg, "6.1.patch"));
}

static void test_choose(void **state)
{
	struct mutants all __release(mutants) = MUTANTS_INIT;
	struct strbuf why __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;
	bool fits = true;

	(void)state;
	clean();
	put("m", "mutant", WELL);
	put("m", "6.1.patch", PATCH);
	put("m", "6.12.patch", PATCH);
	find_well(&all, "");
	assert_int_equal(all.v[0].patches.n, 2);
	assert_int_equal(mutant_choose(&all.v[0], "5.10.262", &fits, &why, &err), 0);
	assert_false(fits);
	assert_non_null(strstr(why.buf, "no patch for Linux 5.10.262, only for 6.1, 6.12"));
	assert_int_equal(mutant_choose(&all.v[0], "6.12.1", &fits, &why, &err), 0);
	assert_true(fits);
	assert_int_equal(all.v[0].patches.n, 1);
	assert_string_equal(all.v[0].patches.patches[0].name, "6.12.patch");
}

static void test_no_version(void **state)
{
	struct mutants all __release(mutants) = MUTANTS_INIT;
	struct strbuf why __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;
	bool fits;

	(void)state;
	clean();
	put("m", "mutant", WELL);
	put("m", "6.1.patch", PATCH);
	find_well(&all, "");
	assert_true(mutant_choose(&all.v[0], "frob", &fits, &why, &err) < 0);
	assert_int_equal(err.kind, ERR_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole), cmocka_unit_test(test_find),
		cmocka_unit_test(test_nothing), cmocka_unit_test(test_bad),
		cmocka_unit_test(test_many_sees), cmocka_unit_test(test_bad_patch),
		cmocka_unit_test(test_choose), cmocka_unit_test(test_no_version),
	};

	return cmocka_run_group_tests_name("mutant", tests, setup, teardown);
}
