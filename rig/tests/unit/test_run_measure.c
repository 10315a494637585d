/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of cmd/run_measure: which run that lies there is gone on with. No guest boots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "case/case.h"
#include "cmd/run_measure.h"
#include "run/options.h"
#include "run/suite.h"

static char *dir;
static struct run_options o;
static struct kase the_case;
static struct expect expects[1];
static struct suite suite;
static struct run_kernel rk;

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	if (dir_temp("/tmp/iorig-measure-", &dir, &err))
		return -1;
	run_options_init(&o);
	o.out = dir;
	o.seeds = 2;
	o.jobs = 1;
	the_case = (struct kase)KASE_INIT;
	the_case.name = (char *)"g/a";
	memcpy(the_case.sha256, "case", 5);
	expects[0] = (struct expect)EXPECT_INIT;
	suite = (struct suite){ .cases = &the_case, .expects = expects, .n = 1 };
	run_kernel_init(&rk);
	rk.k.name = xstrdup("k");
	memcpy(rk.k.image_sha256, "image", 6);
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	run_kernel_release(&rk);
	run_options_release(&o);
	dir_remove(dir, &err);
	free(dir);
	return 0;
}

static struct boot *add_boot(struct run *r, uint32_t seed, enum outcome outcome)
{
	struct boot *b = array_grow(r->boots, r->n_boots);

	boot_init(b);
	b->case_name = xstrdup(the_case.name);
	b->case_sha256 = xstrdup(the_case.sha256);
	b->seed = seed;
	b->outcome = outcome;
	return b;
}

/* What would be run now, with that many boots, the last of which may be broken. */
static void make_run(struct run *r, uint32_t boots, bool broken)
{
	run_init(r);
	r->rig_version = xstrdup(IORIG_VERSION);
	r->clock = xstrdup("sim");
	r->timing = xstrdup("model");
	r->accel = xstrdup("tcg");
	r->scale = xstrdup("quick");
	r->seeds = 2;
	r->interrupted = broken;
	r->kernel.name = xstrdup("k");
	memcpy(r->kernel.image_sha256, "image", 6);
	for (uint32_t i = 1; i <= boots; i++)
		add_boot(r, i, broken && i == boots ? OUTCOME_BROKEN : OUTCOME_DONE);
}

static void keep(struct run *r, const char *folder)
{
	char *path __free(ptr) = path_join(dir, folder);
	char *doc __free(ptr) = path_join(path, "run.json");
	struct err err = ERR_INIT;

	r->id = xstrdup(folder);
	if (dir_make(path, &err) || run_write(r, doc, &err))
		fail_msg("%s", err.msg);
	run_release(r);
}

static void test_newest(void **state)
{
	struct run r;

	(void)state;
	assert_false(run_kernel_take_kept(&rk, &o, &suite));
	make_run(&r, 2, false);
	keep(&r, "20260101T000000Z-k");
	make_run(&r, 2, false);
	keep(&r, "20260102T000000Z-k.02");
	/* other kernels' names, whatever is in them */
	make_run(&r, 2, false);
	keep(&r, "20260103T000000Z-kk");
	make_run(&r, 2, false);
	keep(&r, "20260103T000000Z-k.2x");
	make_run(&r, 2, false);
	keep(&r, "20260103T000000Z-k+fix");
	/* newer, but with less */
	make_run(&r, 1, false);
	keep(&r, "20260104T000000Z-k");
	make_run(&r, 0, false);
	keep(&r, "20260105T000000Z-k");
	/* all lack some, and two the same */
	o.seeds = 3;
	assert_true(run_kernel_take_kept(&rk, &o, &suite));
	assert_string_equal(rk.run.id, "20260102T000000Z-k.02");
}

static void test_empty(void **state)
{
	struct run r;

	(void)state;
	make_run(&r, 0, false);
	keep(&r, "20260105T000000Z-k");
	assert_false(run_kernel_take_kept(&rk, &o, &suite));
	assert_null(rk.dir);
}

/* Each of these makes other figures. */
static void test_unfit(void **state)
{
	struct run r;

	(void)state;
	make_run(&r, 2, false);
	r.kernel.image_sha256[0] = 'x';
	keep(&r, "20260101T000000Z-k");
	make_run(&r, 2, false);
	r.tools_sha256[0] = 'x';
	keep(&r, "20260102T000000Z-k");
	make_run(&r, 2, false);
	add_boot(&r, 1, OUTCOME_DONE)->case_name[0] = 'x';
	keep(&r, "20260103T000000Z-k");
	make_run(&r, 2, false);
	r.boots[0].case_sha256[0] = 'x';
	keep(&r, "20260104T000000Z-k");
	assert_false(run_kernel_take_kept(&rk, &o, &suite));
	make_run(&r, 1, false);
	keep(&r, "20260100T000000Z-k");
	assert_true(run_kernel_take_kept(&rk, &o, &suite));
	assert_string_equal(rk.run.id, "20260100T000000Z-k");
}

/* What was broken because of the stop is done again; what broke by itself stays. */
static void test_stopped(void **state)
{
	struct run r;

	(void)state;
	make_run(&r, 2, true);
	keep(&r, "20260101T000000Z-k");
	assert_true(run_kernel_take_kept(&rk, &o, &suite));
	assert_int_equal(rk.run.n_boots, 1);
	assert_int_equal(rk.run.boots[0].seed, 1);
	make_run(&r, 2, true);
	r.interrupted = false;
	keep(&r, "20260102T000000Z-k");
	assert_true(run_kernel_take_kept(&rk, &o, &suite));
	assert_int_equal(rk.run.n_boots, 2);
}

static void test_locked(void **state)
{
	char *lock __free(ptr) = NULL;
	struct err err = ERR_INIT;
	struct run r;
	int fd;

	(void)state;
	make_run(&r, 2, false);
	keep(&r, "20260101T000000Z-k");
	lock = xstrfmt("%s/20260101T000000Z-k/.lock", dir);
	fd = file_lock(lock, NULL, &err);
	assert_true(fd >= 0);
	assert_false(run_kernel_take_kept(&rk, &o, &suite));
	close(fd);
	assert_true(run_kernel_take_kept(&rk, &o, &suite));
	/* who comes too late for it */
	fd = file_lock(lock, NULL, &err);
	assert_true(fd >= 0);
	o.seeds = 3;
	assert_int_equal(run_kernel_measure(&rk, &o, true, &suite, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "another iorig works in"));
	close(fd);
}

/* Nothing is booted (there is no QEMU here) and nothing written. */
static void test_complete(void **state)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	struct err err = ERR_INIT;
	struct run r;

	(void)state;
	make_run(&r, 2, false);
	r.seeds = 3;
	add_boot(&r, 3, OUTCOME_DONE);
	keep(&r, "20260101T000000Z-k");
	assert_true(run_kernel_take_kept(&rk, &o, &suite));
	if (run_kernel_measure(&rk, &o, true, &suite, &err))
		fail_msg("%s", err.msg);
	assert_true(rk.ran);
	assert_int_equal(rk.run.n_boots, 3);
	assert_int_equal(dir_list(dir, NULL, &names, &err), 0);
	assert_int_equal(names.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_newest, setup, teardown),
		cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unfit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stopped, setup, teardown),
		cmocka_unit_test_setup_teardown(test_locked, setup, teardown),
		cmocka_unit_test_setup_teardown(test_complete, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
