/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/side: columns, marks, change, headings, and what is escaped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "record/record.h"
#include "report/side.h"

static void add(struct run *r, const char *name, const char *job, double time_ns, double slowdown,
		enum verdict_kind kind)
{
	struct verdict *v = array_grow(r->verdicts, r->n_verdicts);

	*v = (struct verdict){
		.case_name = xstrdup(name), .job = xstrdup(job), .time_ns = time_ns,
		.slowdown = slowdown, .kind = kind, .reason = xstrdup(""), .alone_ns = -1,
	};
}

static void fill(struct run *r, const char *kernel, double time_ns, enum verdict_kind kind)
{
	run_init(r);
	r->kernel.name = xstrdup(kernel);
	r->kernel.release = xstrdup("6.1");
	memset(r->kernel.image_sha256, 'a', HASH_HEX - 1);
	add(r, "wb/alone", "hdd", 2e9, -1, VERDICT_NONE);
	add(r, "wb/both", "hdd", time_ns, time_ns / 2e9, kind);
}

static const char *print(struct run *runs, size_t n)
{
	static struct strbuf out = STRBUF_INIT;
	const struct run *pointers[32];

	for (size_t i = 0; i < n; i++)
		pointers[i] = &runs[i];
	strbuf_reset(&out);
	report_side(pointers, n, &out, false);
	for (size_t i = 0; i < n; i++)
		run_release(&runs[i]);
	return out.buf;
}

static void says(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("'%s' does not say '%s'", text, what);
}

static void test_two(void **state)
{
	struct run runs[2];
	const char *text;

	(void)state;
	fill(&runs[0], "base", 3e9, VERDICT_PASS);
	fill(&runs[1], "base+fix", 30e9, VERDICT_REGRESSED);
	add(&runs[1], "wb/new", "x\033", -1, -1, VERDICT_BROKEN);
	runs[1].kernel.source = xstrdup("linux");
	runs[1].kernel.patches = xcalloc(1, sizeof(struct run_patch));
	runs[1].kernel.n_patches = 1;
	runs[1].kernel.patches[0] = (struct run_patch){
		.name = xstrdup("fix.patch"), .subject = xstrdup("mm: \033[31mfix"),
	};
	text = print(runs, 2);
	says(text, "CASE      JOB          base     base+fix  CHANGE\n"
		   "wb/alone  hdd          2 s          2 s    +0.0%\n"
		   "wb/both   hdd    3 s 1.50x   30 s 15.0x!   10.0x\n"
		   "wb/new    x\\x1b          -       broken");
	says(text, "base+fix: 6.1, image aaaaaaaaaaaa, built from linux\n    + fix.patch (");
	says(text, "mm: \\x1b[31mfix");
}

/* Names that do not fit become letters, with a list below. */
static void test_many(void **state)
{
	struct run runs[5];
	const char *text;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++)
		fill(&runs[i], "a-kernel-with-a-long-name", 3e9, VERDICT_PASS);
	text = print(runs, ARRAY_SIZE(runs));
	says(text, " A ");
	says(text, "E = a-kernel-with-a-long-name: 6.1");
	assert_null(strstr(text, "CHANGE"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two), cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests_name("side", tests, NULL, NULL);
}
