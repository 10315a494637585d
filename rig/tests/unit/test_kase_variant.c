/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of case/: variants, and keys for jobs, faults and files beyond the first ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "case/case.h"

static const char beside[] =
	"[case]\n"
	"title = Beside\n"
	"memory = 64M\n"
	"stacks = 200ms\n"
	"bring = /usr/bin/fio  /usr/bin/env\n"
	"[file /etc/a.fio]\n"
	"file = jobs/a.fio\n"
	"[file /etc/b]\n"
	"text = \"one\\ntwo\"\n"
	"[set]\n"
	"vm.dirty_ratio = 20\n"
	"[disk hda]\n"
	"bus = scsi\n"
	"profile = flat-1M\n"
	"fs = udf\n"
	"fault = stop at 10s for 20s, slow at 40s for 1min to 100K/s,error at 2min for 1s\n"
	"[job pre]\n"
	"role = prepare\n"
	"run = true\n"
	"[job v]\n"
	"role = victim\n"
	"run = true\n"
	"cgroup-memory = 16M\n"
	"alone = alone\n"
	"[job w]\n"
	"role = load\n"
	"run = true\n"
	"alone = plain:v\n"
	"[scale full]\n"
	"memory = 512M\n"
	"disk.hda.scheduler = kyber\n"
	"set.vm.dirty_ratio = 5\n"
	"[variant bfq]\n"
	"title = With bfq\n"
	"disk.hda.scheduler = bfq\n"
	"set.vm.dirty_bytes = 1000000\n"
	"[variant none]\n"
	"disk.hda.scheduler = none\n"
	"job.v.alone = alone@bfq\n";

static const char alone[] =
	"[case]\ntitle = Alone\nmemory = 64M\n"
	"[disk hda]\nbus = scsi\nprofile = flat-1M\nfs = ext2\n"
	"[job v]\nrole = victim\nrun = true\n"
	"[variant bfq]\ndisk.hda.scheduler = bfq\n";

static const char plain[] = "[case]\ntitle = Plain\nmemory = 64M\n"
			    "[job v]\nrole = victim\nrun = true\n";

static char *dir;

static void put(const char *name, const char *text)
{
	struct err err = ERR_INIT;
	char *path = path_join(dir, name);

	assert_int_equal(file_write_atomic(path, text, strlen(text), 0644, &err), 0);
	free(path);
}

static int setup(void **state)
{
	struct err err = ERR_INIT;
	char *jobs;

	(void)state;
	if (dir_temp("/tmp/iorig-variant-", &dir, &err) < 0)
		return -1;
	jobs = path_join(dir, "g/jobs");
	assert_int_equal(dir_make(jobs, &err), 0);
	free(jobs);
	put("g/beside.case", beside);
	put("g/alone.case", alone);
	put("g/plain.case", plain);
	put("g/jobs/a.fio", "[a]\n");
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	dir_remove(dir, &err);
	free(dir);
	return 0;
}

static void read_case(struct kase *c, const char *name, const char *scale)
{
	struct err err = ERR_INIT;
	char *path = kase_path(dir, name);

	if (kase_read(c, path, name, scale, dir, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	free(path);
}

static void test_keys(void **state)
{
	const struct case_faults *f;
	struct kase c;

	(void)state;
	read_case(&c, "g/beside", "quick");
	assert_null(c.variant);
	assert_int_equal(c.variants.n, 2);
	assert_int_equal(c.stack_ns, 200 * NS_PER_MS);
	assert_int_equal(c.bring.n, 2);
	assert_string_equal(c.bring.v[1], "/usr/bin/env");
	assert_int_equal(c.n_files, 2);
	assert_string_equal(c.files[0].path, "/etc/a.fio");
	assert_string_equal(c.files[0].text, "[a]\n");
	assert_string_equal(c.files[1].text, "one\ntwo");
	assert_null(c.files[1].host);
	assert_string_equal(kase_disk(&c, "hda")->fs, "udf");
	f = &kase_disk(&c, "hda")->faults;
	assert_int_equal(f->n, 3);
	assert_int_equal(f->f[0].kind, CASE_FAULT_STOP);
	assert_int_equal(f->f[0].at_ns, 10 * NS_PER_S);
	assert_int_equal(f->f[0].for_ns, 20 * NS_PER_S);
	assert_int_equal(f->f[1].kind, CASE_FAULT_SLOW);
	assert_int_equal(f->f[1].rate, 100 << 10);
	assert_int_equal(f->f[2].kind, CASE_FAULT_ERROR);
	assert_int_equal(f->f[2].at_ns, 120 * NS_PER_S);
	assert_int_equal(kase_job(&c, "pre")->role, PLAN_PREPARE);
	assert_int_equal(kase_job(&c, "pre")->cgroup_memory, 0);
	assert_int_equal(kase_job(&c, "v")->cgroup_memory, 16 << 20);
	/* ten minutes for the job that prepares, ten for the others, and one more */
	assert_int_equal(c.deadline_ns, 1260 * NS_PER_S);
	kase_release(&c);
}

static void test_variant(void **state)
{
	struct kase c, base;

	(void)state;
	read_case(&base, "g/beside", "quick");
	read_case(&c, "g/beside@bfq", "quick");
	assert_string_equal(c.name, "g/beside@bfq");
	assert_string_equal(c.variant, "bfq");
	assert_string_equal(c.title, "With bfq");
	assert_string_equal(kase_disk(&c, "hda")->scheduler, "bfq");
	assert_int_equal(c.n_sets, 2);
	assert_string_equal(c.sets[1].path, "vm/dirty_bytes");
	/* its alone is the same variant where there is one */
	assert_string_equal(kase_job(&c, "v")->alone_case, "g/alone@bfq");
	assert_string_equal(kase_job(&c, "w")->alone_case, "g/plain");
	assert_string_equal(kase_job(&base, "v")->alone_case, "g/alone");
	assert_string_equal(kase_disk(&base, "hda")->scheduler, "");
	assert_string_not_equal(c.sha256, base.sha256);
	assert_string_equal(c.path, base.path);
	kase_release(&c);
	/* what stands there is taken as it stands */
	read_case(&c, "g/beside@none", "quick");
	assert_string_equal(kase_job(&c, "v")->alone_case, "g/alone@bfq");
	assert_string_equal(kase_disk(&c, "hda")->scheduler, "none");
	kase_release(&c);
	kase_release(&base);
}

/* The scale first, then the variant over it. */
static void test_variant_of_a_scale(void **state)
{
	struct kase c;

	(void)state;
	read_case(&c, "g/beside", "full");
	assert_string_equal(kase_disk(&c, "hda")->scheduler, "kyber");
	assert_int_equal(c.n_sets, 1);
	assert_string_equal(c.sets[0].value, "5");
	kase_release(&c);
	read_case(&c, "g/beside@bfq", "full");
	assert_int_equal(c.memory, 512 << 20);
	assert_string_equal(kase_disk(&c, "hda")->scheduler, "bfq");
	assert_string_equal(c.sets[0].value, "5");
	assert_int_equal(c.n_sets, 2);
	kase_release(&c);
}

/* A file's text is part of what a case is. */
static void test_hash(void **state)
{
	struct kase before, after;

	(void)state;
	read_case(&before, "g/beside", "quick");
	put("g/jobs/a.fio", "[b]\n");
	read_case(&after, "g/beside", "quick");
	assert_string_not_equal(before.sha256, after.sha256);
	put("g/jobs/a.fio", "[a]\n");
	kase_release(&before);
	kase_release(&after);
}

static void find(const char *glob, const char *want)
{
	struct strvec globs = STRVEC_INIT, names = STRVEC_INIT, wanted = STRVEC_INIT;
	struct err err = ERR_INIT;

	strvec_push(&globs, glob);
	strvec_split(&wanted, want, " ");
	if (kase_find(dir, &globs, &names, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(names.n, wanted.n);
	for (size_t i = 0; i < names.n; i++)
		assert_string_equal(names.v[i], wanted.v[i]);
	strvec_release(&globs);
	strvec_release(&names);
	strvec_release(&wanted);
}

static void test_find(void **state)
{
	struct strvec globs = STRVEC_INIT, names = STRVEC_INIT;
	struct err err = ERR_INIT;

	(void)state;
	find("*", "g/alone g/alone@bfq g/beside g/beside@bfq g/beside@none g/plain");
	find("*@bfq", "g/alone@bfq g/beside@bfq");
	find("g/beside", "g/beside");
	find("g/beside@n*", "g/beside@none");
	/* a broken file is found without its variants, and is told of when it is read */
	put("g/broken.case", "[variant x]\n[[\n");
	find("*broken*", "g/broken");
	put("g/a@b.case", alone);
	strvec_push(&globs, "*");
	assert_int_equal(kase_find(dir, &globs, &names, &err), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_non_null(strstr(err.msg, "g/a@b.case:1: the name of a case's file has no '@'"));
	strvec_release(&globs);
	strvec_release(&names);
}

static void test_alone_of_no_variant(void **state)
{
	struct err err = ERR_INIT;
	char *path, *text = xstrfmt("%s[variant v]\njob.v.alone = alone@kyber\n", plain);
	struct kase c;

	(void)state;
	put("g/x.case", text);
	path = kase_path(dir, "g/x");
	assert_int_equal(kase_read(&c, path, "g/x", "quick", dir, NULL, &err), -EINVAL);
	if (!strstr(err.msg, "g/x.case:8: alone: there is no case 'g/alone@kyber'"))
		fail_msg("%s", err.msg);
	free(path);
	free(text);
}

static void test_too_many(void **state)
{
	struct err err = ERR_INIT;
	char *path, *text = xstrdup(plain);
	struct kase c;

	(void)state;
	for (int i = 0; i <= CASE_VARIANTS; i++) {
		char *more = xstrfmt("%s[variant v%d]\n", text, i);

		free(text);
		text = more;
	}
	put("g/y.case", text);
	path = kase_path(dir, "g/y");
	assert_int_equal(kase_read(&c, path, "g/y", "quick", dir, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "there are more than 32 variants"));
	free(path);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_variant),
		cmocka_unit_test(test_variant_of_a_scale),
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_alone_of_no_variant),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests_name("case, variants", tests, setup, teardown);
}
