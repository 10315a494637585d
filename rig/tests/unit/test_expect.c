/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of case/expect: sections of a scale, and each refusal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "case/case.h"
#include "case/expect.h"

static const char good[] =
	"[hdd.slowdown]\n"
	"limit = 16\n"
	"goal = 1.5\n"
	"was = 9.8\n"
	"within = 25%\n"
	"kernel = debian 6.1\n"
	"seeds = 5\n"
	"why = measured\n"
	"[hdd.time]\n"
	"was = 1.15s\n"
	"within = 0.1\n"
	"[hdd.slowdown full]\n"
	"limit = 150%\n"
	"[hdd.rate/alone]\n"		/* 14 */
	"floor = 0.8\n"
	"goal = 0.95\n"
	"[raw.p99]\n"			/* 17 */
	"limit = 250ms\n"
	"[raw.errors]\n"		/* 19 */
	"limit = 0\n"
	"[disk.hda.dirty-max]\n"	/* 21 */
	"limit = 20M\n"
	"[raw.rate]\n"			/* 23 */
	"floor = 1M/s\n"
	"was = 2MB/s\n"
	"within = 10%\n"
	"[hdd.time @bfq]\n"		/* 27 */
	"limit = 3s\n"
	"[hdd.time full@bfq]\n"		/* 29 */
	"limit = 4s\n";

static const struct {
	const char *from, *to, *message;
} rows[] = {
	{ "[hdd.slowdown]", "[hdd]", "1: [hdd] is not [JOB.METRIC]" },
	{ "[hdd.slowdown]", "[hdd.speed]", "1: [hdd.speed] is not [JOB.METRIC]" },
	{ "[hdd.slowdown]", "[dvd.slowdown]", "1: case 'g/c' has no job 'dvd'" },
	{ "[hdd.slowdown]", "[hdd.slowdown huge]", "1: case 'g/c' has no scale 'huge'" },
	{ "[hdd.slowdown]", "[hdd.slowdown quick]", "1: case 'g/c' has no scale 'quick'" },
	{ "[hdd.slowdown full]", "[raw.slowdown full]", "12: [raw.slowdown]: the job has no 'al" },
	{ "[hdd.time]", "[raw.sync]", "9: [raw.sync]: the job has no 'sync'" },
	{ "[hdd.time]", "[raw.total]", "9: [raw.total]: the job has no 'sync'" },
	{ "limit = 16", "limt = 16", "2: unknown key 'limt' of [JOB.METRIC]" },
	{ "limit = 16", "limit = 0", "2: limit: '0' is not above 0" },
	{ "limit = 16", "limit = -1", "2: limit: " },
	{ "limit = 16", "limit = 16s", "2: limit: " },
	{ "limit = 16", "limit = nan", "2: limit: " },
	{ "limit = 16", "limit = 1.2", "1: [hdd.slowdown]: 'goal' is above 'limit'" },
	{ "was = 9.8\n", "", "1: [hdd.slowdown]: 'within' needs 'was'" },
	{ "within = 0.1\n", "", "9: [hdd.time]: needs 'limit', 'floor', or 'was' and 'with" },
	{ "was = 1.15s", "was = 1.15", "10: was: time '1.15' has no unit" },
	{ "was = 1.15s", "was = 0s", "10: was: '0s' is not above 0" },
	{ "seeds = 5", "seeds = 0", "7: seeds: " },
	{ "limit = 150%", "limit = 0%", "13: limit: " },
	{ "[hdd.rate/alone]", "[raw.rate/alone]", "14: [raw.rate/alone]: the job has no 'alone'" },
	{ "[hdd.rate/alone]", "[hdd.slowdown/alone]", "14: [hdd.slowdown/alone]: slowdown has no" },
	{ "[hdd.rate/alone]", "[hdd.rate/both]", "14: [hdd.rate/both] is not [JOB.METRIC]" },
	{ "[hdd.rate/alone]", "[disk.hda.read/alone]", "14: [disk.hda.read/alone]: a disk has no" },
	{ "[raw.p99]", "[pre.p99]", "17: [pre.p99]: a job with role = prepare" },
	{ "floor = 0.8", "floor = 1M/s", "15: floor: " },
	{ "goal = 0.95", "goal = 0.5", "14: [hdd.rate/alone]: 'goal' is below 'floor'" },
	{ "goal = 0.95", "limit = 0.5", "14: [hdd.rate/alone]: 'floor' is above 'limit'" },
	{ "limit = 250ms", "limit = 250", "18: limit: time '250' has no unit" },
	{ "limit = 0\n", "limit = 1%\n", "20: limit: '1%' is not a plain number" },
	{ "limit = 0\n", "limit = -1\n", "20: limit: " },
	{ "limit = 0\n", "was = 0\nwithin = 10%\n", "19: [raw.errors]: 'within' needs a 'was' above" },
	{ "[disk.hda.dirty-max]", "[disk.hdb.dirty-max]", "21: case 'g/c' has no disk 'hdb'" },
	{ "[disk.hda.dirty-max]", "[disk.hda.rate]", "21: [disk.hda.rate] is not [disk.NAME.METR" },
	{ "[disk.hda.dirty-max]", "[hdd.dirty-max]", "21: [hdd.dirty-max] is not [JOB.METRIC]" },
	{ "limit = 20M", "limit = 20", "22: limit: size '20' has no unit" },
	{ "was = 2MB/s", "was = 2MB", "25: was: rate '2MB' has an unknown unit" },
	{ "[hdd.time @bfq]", "[hdd.time @cfq]", "27: case 'g/c' has no variant 'cfq'" },
	{ "[hdd.time full@bfq]", "[hdd.time huge@bfq]", "29: case 'g/c' has no scale 'huge'" },
	{ "[hdd.time full@bfq]", "[hdd.time full@]", "29: case 'g/c' has no variant ''" },
	{ "[hdd.time full@bfq]", "[hdd.time quick@bfq]", "29: case 'g/c' has no scale 'quick'" },
	{ "[hdd.time full@bfq]", "[hdd.time :six]", "29: 'six' is no family of kernels like 6.1" },
	{ "[hdd.time full@bfq]", "[hdd.time :]", "29: '' is no family of kernels like 6.1" },
	{ "[hdd.time full@bfq]", "[hdd.time :6.1.3]", "29: '6.1.3' is no family of kernels" },
	{ "[hdd.time full@bfq]", "[hdd.time huge:6.1]", "29: case 'g/c' has no scale 'huge'" },
	{ "seeds = 5", "known = a bug", "1: [hdd.slowdown]: 'known' needs 'until'" },
	{ "seeds = 5", "until = 2027-01-31", "1: [hdd.slowdown]: 'until' needs 'known'" },
	{ "seeds = 5", "known = x\nuntil = 2027-02-29", "1: [hdd.slowdown]: 'until' is no day" },
	{ "seeds = 5", "known = x\nuntil = 2027-1-31", "1: [hdd.slowdown]: 'until' is no day" },
	{ "seeds = 5", "known = x\nuntil = 2027-13-01", "1: [hdd.slowdown]: 'until' is no day" },
	{ "seeds = 5", "known = x\nuntil = 2027-01-31T", "1: [hdd.slowdown]: 'until' is no day" },
	{ "seeds = 5", "known = x\nuntil = 2027-01-00", "1: [hdd.slowdown]: 'until' is no day" },
	{ "seeds = 5", "known =", "7: known: " },
};

/* Equal, but for the rounding of the test's own constants. */
static void assert_same(double got, double want)
{
	if (fabs(got - want) > 1e-12 * fabs(want))
		fail_msg("got %.17g, wanted %.17g", got, want);
}

static char *dir, *path;
static struct kase c = KASE_INIT;

static void put(const char *name, const char *text)
{
	struct err err = ERR_INIT;
	char *file = path_join(dir, name);

	assert_int_equal(file_write_atomic(file, text, strlen(text), 0644, &err), 0);
	free(file);
}

static void read_variant(const char *name, const char *scale)
{
	struct err err = ERR_INIT;
	char *file = path_join(dir, "g/c.case");

	kase_release(&c);
	if (kase_read(&c, file, name, scale, dir, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	free(file);
}

static void read_case(const char *scale)
{
	read_variant("g/c", scale);
}

static int setup(void **state)
{
	static const char text[] = "[case]\ntitle = T\nmemory = 64M\n"
				   "[disk hda]\nbus = ide\nprofile = flat-1M\nfs = ext2\n"
				   "[job hdd]\nrole = victim\nrun = true\nsync = hda\nalone = b\n"
				   "[job raw]\nrole = load\nrun = true\n"
				   "[job pre]\nrole = prepare\nrun = true\n"
				   "[variant bfq]\ndisk.hda.scheduler = bfq\n"
				   "[scale full]\nmemory = 128M\n";
	struct err err = ERR_INIT;
	char *group;

	(void)state;
	if (dir_temp("/tmp/iorig-expect-", &dir, &err) < 0)
		return -1;
	group = path_join(dir, "g");
	path = path_join(dir, "c.expect");
	assert_int_equal(dir_make(group, &err), 0);
	free(group);
	put("g/c.case", text);
	put("g/b.case", text);
	read_case("quick");
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	kase_release(&c);
	dir_remove(dir, &err);
	free(dir);
	free(path);
	return 0;
}

static void read_good(struct expect *x)
{
	struct err err = ERR_INIT;

	put("c.expect", good);
	if (expect_read(x, path, &c, &err) < 0)
		fail_msg("%s", err.msg);
}

static void test_quick(void **state)
{
	const struct expectation *e;
	struct expect x;

	(void)state;
	read_good(&x);
	assert_int_equal(x.n, 7);
	assert_string_equal(x.path, path);
	e = expect_get(&x, "hdd", METRIC_SLOWDOWN);
	assert_same(e->limit, 16);
	assert_same(e->goal, 1.5);
	assert_same(e->was, 9.8);
	assert_same(e->within, 0.25);
	assert_string_equal(e->kernel, "debian 6.1");
	assert_string_equal(e->why, "measured");
	assert_int_equal(e->seeds, 5);
	assert_int_equal(e->line, 1);
	e = expect_get(&x, "hdd", METRIC_TIME);
	assert_same(e->was, 1.15 * NS_PER_S);
	assert_same(e->limit, -1);
	assert_null(e->kernel);
	assert_null(expect_get(&x, "hdd", METRIC_SYNC));
	assert_null(expect_get(&x, "raw", METRIC_TIME));
	expect_release(&x);
}

/* Further metrics, in their units. */
static void test_metrics(void **state)
{
	const struct expectation *e;
	struct expect x;

	(void)state;
	read_good(&x);
	e = &x.e[2];
	assert_string_equal(e->job, "hdd");
	assert_int_equal(e->metric, METRIC_RATE);
	assert_true(e->alone);
	assert_same(e->floor, 0.8);
	assert_same(e->limit, -1);
	assert_same(e->goal, 0.95);
	/* that one is of its /alone */
	assert_null(expect_get(&x, "hdd", METRIC_RATE));
	assert_same(expect_get(&x, "raw", METRIC_P99)->limit, 250 * NS_PER_MS);
	assert_true(expect_get(&x, "raw", METRIC_ERRORS)->limit == 0);
	assert_same(expect_get(&x, "disk.hda", METRIC_DIRTY_MAX)->limit, 20 << 20);
	assert_same(expect_get(&x, "raw", METRIC_RATE)->floor, 1 << 20);
	assert_same(expect_get(&x, "raw", METRIC_RATE)->was, 2e6);
	assert_false(expect_get(&x, "raw", METRIC_RATE)->alone);
	expect_release(&x);
}

/* A section is of one scale and variant only. */
static void test_variants(void **state)
{
	struct expect x;

	(void)state;
	read_variant("g/c@bfq", "quick");
	read_good(&x);
	assert_int_equal(x.n, 1);
	assert_same(expect_get(&x, "hdd", METRIC_TIME)->limit, 3 * NS_PER_S);
	expect_release(&x);
	read_variant("g/c@bfq", "full");
	read_good(&x);
	assert_int_equal(x.n, 1);
	assert_same(expect_get(&x, "hdd", METRIC_TIME)->limit, 4 * NS_PER_S);
	expect_release(&x);
	read_case("quick");
}

/* Where there is a section for the kernel's family, it stands in for the one for all. */
static void test_families(void **state)
{
	static const char text[] = "[hdd.time]\nlimit = 1s\n[raw.time]\nlimit = 2s\n"
				   "[hdd.time :6.1]\nlimit = 3s\nknown = x\nuntil = 2028-02-29\n"
				   "[hdd.time @bfq:6.1]\nlimit = 5s\n";
	struct err err = ERR_INIT;
	struct expect x, mine;
	char *arg;

	(void)state;
	put("c.expect", text);
	assert_int_equal(expect_read(&x, path, &c, &err), 0);
	assert_int_equal(x.n, 3);
	expect_choose(&mine, &x, "6.1.192");
	assert_int_equal(mine.n, 2);
	assert_same(expect_get(&mine, "hdd", METRIC_TIME)->limit, 3 * NS_PER_S);
	assert_string_equal(expect_get(&mine, "hdd", METRIC_TIME)->until, "2028-02-29");
	assert_same(expect_get(&mine, "raw", METRIC_TIME)->limit, 2 * NS_PER_S);
	free(mine.e);
	expect_choose(&mine, &x, NULL);
	assert_int_equal(mine.n, 2);
	assert_same(expect_get(&mine, "hdd", METRIC_TIME)->limit, NS_PER_S);
	free(mine.e);
	expect_release(&x);
	arg = expect_section_arg(&c, 6 << 16 | 12);
	assert_string_equal(arg, ":6.12");
	free(arg);
	read_variant("g/c@bfq", "full");
	arg = expect_section_arg(&c, 0);
	assert_string_equal(arg, "full@bfq");
	free(arg);
	read_case("quick");
}

static void test_needs_samples(void **state)
{
	struct err err = ERR_INIT;
	struct expect x;

	(void)state;
	put("c.expect", "[disk.hda.written]\nfloor = 1M\n");
	assert_int_equal(expect_read(&x, path, &c, &err), 0);
	expect_release(&x);
	c.sample_ns = 0;
	assert_int_equal(expect_read(&x, path, &c, &err), -EINVAL);
	assert_non_null(strstr(err.msg, ":1: [disk.hda.written]: the case takes no samples"));
	read_case("quick");
}

static void test_full(void **state)
{
	struct expect x;

	(void)state;
	read_case("full");
	read_good(&x);
	assert_int_equal(x.n, 1);
	assert_same(expect_get(&x, "hdd", METRIC_SLOWDOWN)->limit, 1.5);
	assert_null(expect_get(&x, "hdd", METRIC_TIME));
	expect_release(&x);
	read_case("quick");
}

static void test_no_file(void **state)
{
	struct err err = ERR_INIT;
	struct expect x;

	(void)state;
	assert_int_equal(expect_read(&x, "/no/such.expect", &c, &err), 0);
	assert_null(x.path);
	assert_int_equal(x.n, 0);
	expect_release(&x);
	assert_int_equal(expect_read(&x, dir, &c, &err), -EISDIR);
	assert_int_equal(err.kind, ERR_INPUT);
}

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *at = strstr(good, rows[i].from);
		char *want = xstrfmt("%s:%s", path, rows[i].message);
		struct err err = ERR_INIT;
		struct expect x;
		char *text;

		assert_non_null(at);
		text = xstrfmt("%.*s%s%s", (int)(at - good), good, rows[i].to,
			       at + strlen(rows[i].from));
		put("c.expect", text);
		if (expect_read(&x, path, &c, &err) == 0)
			fail_msg("not refused, wanted: %s", rows[i].message);
		assert_int_equal(err.kind, ERR_INPUT);
		if (strncmp(err.msg, want, strlen(want)) != 0)
			fail_msg("got '%s', wanted '%s'", err.msg, want);
		assert_null(x.e);
		free(text);
		free(want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quick),	cmocka_unit_test(test_full),
		cmocka_unit_test(test_no_file), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_metrics), cmocka_unit_test(test_variants),
		cmocka_unit_test(test_needs_samples), cmocka_unit_test(test_families),
	};

	return cmocka_run_group_tests_name("expect", tests, setup, teardown);
}
