/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of base/diff: golden diffs, and that patch(1) makes the second text of the first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diff.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "stats/rng.h"

static void golden(const char *before, const char *after, const char *want)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;

	diff_unified("f", before, after, &out);
	if (strcmp(out.buf, want) != 0)
		fail_msg("got:\n%s\nwanted:\n%s", out.buf, want);
}

#define HEAD "--- a/f\n+++ b/f\n"

static void test_golden(void **state)
{
	(void)state;
	golden("", "", "");
	golden("a\nb\n", "a\nb\n", "");
	golden("", "a\n", HEAD "@@ -0,0 +1 @@\n+a\n");
	golden("a\nb\n", "", HEAD "@@ -1,2 +0,0 @@\n-a\n-b\n");
	golden("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nV\n6\n7\n8\n9\n",
	       HEAD "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+V\n 6\n 7\n 8\n");
	/* six lines between: one hunk; seven: two */
	golden("x\n1\n2\n3\n4\n5\n6\ny\n", "X\n1\n2\n3\n4\n5\n6\nY\n",
	       HEAD "@@ -1,8 +1,8 @@\n-x\n+X\n 1\n 2\n 3\n 4\n 5\n 6\n-y\n+Y\n");
	golden("x\n1\n2\n3\n4\n5\n6\n7\ny\n", "X\n1\n2\n3\n4\n5\n6\n7\nY\n",
	       HEAD "@@ -1,4 +1,4 @@\n-x\n+X\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-y\n+Y\n");
	golden("a\nb", "a\nb\n",
	       HEAD "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
}

static void put(const char *path, const char *text)
{
	struct err err = ERR_INIT;

	assert_int_equal(file_write_atomic(path, text, strlen(text), 0644, &err), 0);
}

/* Few different lines, so that many are the same. */
static void make_text(struct rng *r, struct strbuf *out)
{
	size_t n = rng_below(r, 30);

	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, "line %zu\n", rng_below(r, 6));
}

/* With --fuzz=0 patch takes nothing that is not there. */
static void patch_in(const char *dir)
{
	struct deadline d = deadline_in("patch", 60 * NS_PER_S);
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct proc p __release(proc) = PROC_INIT;
	struct err err = ERR_INIT;

	strvec_pushl(&p.argv, "patch", "-p1", "-s", "--fuzz=0", "-i", "diff", NULL);
	p.dir = dir;
	if (proc_capture(&p, &d, 1 << 20, &out, NULL, &err))
		fail_msg("%s", err.msg);
}

static void test_patch_takes_it(void **state)
{
	char *program __free(ptr) = proc_find("patch"), *dir = NULL;
	struct rng r = { .state = 7 };
	struct err err = ERR_INIT;

	(void)state;
	if (!program)
		skip();
	assert_int_equal(dir_temp("/tmp/iorig-diff-", &dir, &err), 0);
	for (int i = 0; i < 60; i++) {
		struct strbuf a __release(strbuf) = STRBUF_INIT, b __release(strbuf) = STRBUF_INIT;
		struct strbuf d __release(strbuf) = STRBUF_INIT;
		struct strbuf got __release(strbuf) = STRBUF_INIT;
		char *file __free(ptr) = path_join(dir, "f");
		char *diff __free(ptr) = path_join(dir, "diff");

		make_text(&r, &a);
		make_text(&r, &b);
		diff_unified("f", a.buf, b.buf, &d);
		put(file, a.buf);
		put(diff, d.buf);
		if (!a.len || !b.len || !d.len)	/* patch makes and removes files then */
			continue;
		patch_in(dir);
		assert_true(file_read(file, 1 << 20, &got, &err) >= 0);
		assert_string_equal(got.buf, b.buf);
	}
	dir_remove(dir, &err);
	free(dir);
}

/* Too much for the table: replaced as a whole, but not wrong. */
static void test_long(void **state)
{
	struct strbuf a __release(strbuf) = STRBUF_INIT, b __release(strbuf) = STRBUF_INIT;
	struct strbuf d __release(strbuf) = STRBUF_INIT;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		strbuf_addf(&a, "%d\n", i);
		strbuf_addf(&b, "%d\n", i ? i + 1 : i);
	}
	diff_unified("f", a.buf, b.buf, &d);
	assert_non_null(strstr(d.buf, "@@ -1,3000 +1,3000 @@\n 0\n-1\n-2\n"));
	assert_non_null(strstr(d.buf, "-2999\n+2\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_patch_takes_it),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
