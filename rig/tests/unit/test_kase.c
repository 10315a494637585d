/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of case/: a good case, its scales, what it needs, and finding cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "case/case.h"
#include "kernel/modules.h"

static const char whole_case[] =
	"[case]\n"
	"title = Everything\n"
	"origin = a mail\n"
	"about = what it means\n"
	"memory = 128M\n"
	"cpus = 2\n"
	"deadline = 20min\n"
	"sample = 500ms\n"
	"[set]\n"
	"vm.dirty_ratio = 20\n"
	"[disk hda]\n"
	"bus = ide\n"
	"profile = flat-40M\n"
	"size = 64M\n"
	"fs = ext2\n"
	"scheduler = bfq\n"
	"nr-requests = 64\n"
	"max-request = 256K\n"
	"read-ahead = 128K\n"
	"wbt-latency = 2ms\n"
	"max-ratio = 20%\n"
	"timeout = 60s\n"
	"options = noatime\n"
	"[disk cd]\n"
	"bus = atapi\n"
	"profile = flat-1M\n"
	"fs = iso9660\n"
	"[disk raw]\n"
	"bus = virtio\n"
	"profile = flat-1M\n"
	"fs = none\n"
	"scheduler = none\n"
	"[job hdd]\n"
	"role = victim\n"
	"start = 5s\n"
	"run = dd if=/dev/zero of=/mnt/hda/zero bs=1K count=64K\n"
	"sync = hda\n"
	"deadline = 5min\n"
	"alone = base:first\n"
	"report = 1220.9s\n"
	"report-alone = 39.1s\n"
	"[job cd]\n"
	"role = load\n"
	"run = cat /mnt/cd/content >/dev/null\n"
	"stop = victims\n"
	"alone = other/base\n"
	"[scale full]\n"
	"memory = 512M\n"
	"disk.hda.size = 2G\n"
	"job.hdd.run = true\n"
	"[scale tiny]\n"
	"memory = 64M\n";

static const char base_case[] =
	"[case]\ntitle = Base\nmemory = 64M\n"
	"[disk hda]\nbus = ide\nprofile = flat-1M\nfs = ext3\n"
	"[job first]\nrole = victim\nrun = true\n";

static char *dir;

static char *put(const char *name, const char *text)
{
	struct err err = ERR_INIT;
	char *path = xstrfmt("%s/%s.case", dir, name), *slash = strrchr(path, '/');

	*slash = '\0';
	assert_int_equal(dir_make(path, &err), 0);
	*slash = '/';
	assert_int_equal(file_write_atomic(path, text, strlen(text), 0644, &err), 0);
	return path;
}

static void read_case(struct kase *c, const char *name, const char *scale)
{
	struct err err = ERR_INIT;
	char *path = xstrfmt("%s/%s.case", dir, name);

	if (kase_read(c, path, name, scale, dir, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	free(path);
}

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	if (dir_temp("/tmp/iorig-kase-", &dir, &err) < 0)
		return -1;
	free(put("group/whole", whole_case));
	free(put("group/base", base_case));
	free(put("other/base", base_case));
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

static void test_case_and_set(void **state)
{
	struct kase c;

	(void)state;
	read_case(&c, "group/whole", "quick");
	assert_string_equal(c.name, "group/whole");
	assert_string_equal(c.title, "Everything");
	assert_string_equal(c.origin, "a mail");
	assert_string_equal(c.about, "what it means");
	assert_string_equal(c.scale, "quick");
	assert_string_equal(c.text, whole_case);
	assert_int_equal(c.memory, 128 << 20);
	assert_int_equal(c.cpus, 2);
	assert_int_equal(c.deadline_ns, 1200 * NS_PER_S);
	assert_int_equal(c.sample_ns, 500 * NS_PER_MS);
	assert_int_equal(c.scales.n, 2);
	assert_string_equal(c.scales.v[0], "full");
	assert_int_equal(c.n_sets, 1);
	assert_string_equal(c.sets[0].path, "vm/dirty_ratio");
	assert_string_equal(c.sets[0].value, "20");
	kase_release(&c);
}

static void test_disks(void **state)
{
	const struct case_disk *d;
	struct kase c;

	(void)state;
	read_case(&c, "group/whole", "quick");
	assert_int_equal(c.n_disks, 3);
	d = kase_disk(&c, "hda");
	assert_int_equal(d->bus, BUS_IDE);
	assert_string_equal(d->profile, "flat-40M");
	assert_int_equal(d->size, 64 << 20);
	assert_string_equal(d->fs, "ext2");
	assert_string_equal(d->scheduler, "bfq");
	assert_int_equal(d->nr_requests, 64);
	assert_int_equal(d->max_request, 256 << 10);
	assert_int_equal(d->read_ahead, 128 << 10);
	assert_int_equal(d->wbt_latency_ns, 2 * NS_PER_MS);
	assert_int_equal(d->max_ratio, 20);
	assert_int_equal(d->timeout_ns, 60 * NS_PER_S);
	assert_string_equal(d->options, "noatime");
	assert_int_equal(d->line, 11);
	d = kase_disk(&c, "raw");
	assert_string_equal(d->fs, "");
	assert_string_equal(d->scheduler, "none");
	assert_string_equal(d->options, "");
	assert_int_equal(d->size, 0);
	assert_int_equal(d->nr_requests, -1);
	assert_int_equal(d->max_request, -1);
	assert_int_equal(d->timeout_ns, -1);
	assert_null(kase_disk(&c, "hdb"));
	kase_release(&c);
}

static void test_jobs(void **state)
{
	const struct case_job *j;
	struct kase c;

	(void)state;
	read_case(&c, "group/whole", "quick");
	j = kase_job(&c, "hdd");
	assert_int_equal(j->role, PLAN_VICTIM);
	assert_int_equal(j->stop, PLAN_STOP_END);
	assert_int_equal(j->start_ns, 5 * NS_PER_S);
	assert_int_equal(j->deadline_ns, 300 * NS_PER_S);
	assert_string_equal(j->sync, "hda");
	assert_string_equal(j->alone_case, "group/base");
	assert_string_equal(j->alone_job, "first");
	assert_int_equal(j->report_ns, 1220900 * NS_PER_MS);
	assert_int_equal(j->report_alone_ns, 39100 * NS_PER_MS);
	j = kase_job(&c, "cd");
	assert_int_equal(j->role, PLAN_LOAD);
	assert_int_equal(j->stop, PLAN_STOP_VICTIMS);
	assert_int_equal(j->deadline_ns, 600 * NS_PER_S);
	assert_null(j->sync);
	assert_string_equal(j->alone_case, "other/base");
	assert_string_equal(j->alone_job, "cd");
	assert_int_equal(j->report_ns, -1);
	kase_release(&c);
}

static void test_scale(void **state)
{
	struct kase quick, full;

	(void)state;
	read_case(&quick, "group/whole", "quick");
	read_case(&full, "group/whole", "full");
	assert_string_equal(full.scale, "full");
	assert_int_equal(full.memory, 512 << 20);
	assert_int_equal(kase_disk(&full, "hda")->size, 2LL << 30);
	assert_string_equal(kase_job(&full, "hdd")->run, "true");
	/* what the scale does not name stays */
	assert_int_equal(full.cpus, 2);
	assert_int_equal(kase_job(&full, "hdd")->start_ns, 5 * NS_PER_S);
	assert_string_not_equal(quick.sha256, full.sha256);
	assert_int_equal(strlen(full.sha256), 64);
	kase_release(&quick);
	kase_release(&full);
}

static void test_defaults(void **state)
{
	struct kase c;

	(void)state;
	read_case(&c, "group/base", "quick");
	assert_int_equal(c.cpus, 1);
	assert_int_equal(c.sample_ns, NS_PER_S);
	/* the job's 10 minutes and one more */
	assert_int_equal(c.deadline_ns, 660 * NS_PER_S);
	assert_null(c.origin);
	kase_release(&c);
}

static void test_features(void **state)
{
	static const char *const words[] = { "ide", "ext2", "bfq", "atapi", "iso9660", "virtio" };
	struct strvec features = STRVEC_INIT;
	struct kase c;

	(void)state;
	read_case(&c, "group/whole", "quick");
	kase_features(&c, &features);
	kase_features(&c, &features);
	assert_int_equal(features.n, ARRAY_SIZE(words));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		assert_string_equal(features.v[i], words[i]);
	strvec_release(&features);
	kase_release(&c);
}

/* Every word that a case may choose must mean something to kernel/modules.h. */
static void test_all_features_are_known(void **state)
{
	static const char *const words[] = { "ide", "scsi", "atapi", "usb", "ahci", "virtio",
					     "ext2", "ext3", "ext4", "iso9660", "mq-deadline",
					     "kyber", "bfq" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!module_feature_known(words[i]))
			fail_msg("feature '%s' is unknown", words[i]);
	}
}

static void test_alone(void **state)
{
	struct err err = ERR_INIT;
	struct kase c[3];

	(void)state;
	read_case(&c[0], "group/whole", "quick");
	read_case(&c[1], "group/base", "quick");
	read_case(&c[2], "other/base", "quick");
	/* job cd wants a job cd in other/base */
	assert_int_equal(kase_check_alone(c, 3, &err), -EINVAL);
	if (!strstr(err.msg, "group/whole.case:42: job 'cd': alone: case 'other/base' has no job 'cd'"))
		fail_msg("%s", err.msg);
	free(c[2].jobs[0].name);
	c[2].jobs[0].name = xstrdup("cd");
	assert_int_equal(kase_check_alone(c, 3, &err), 0);
	for (int i = 0; i < 3; i++)
		kase_release(&c[i]);
}

static void find(const char *globs, const char *want)
{
	struct strvec list = STRVEC_INIT, names = STRVEC_INIT, wanted = STRVEC_INIT;
	struct err err = ERR_INIT;

	strvec_split(&list, globs, " ");
	strvec_split(&wanted, want, " ");
	if (kase_find(dir, &list, &names, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(names.n, wanted.n);
	for (size_t i = 0; i < names.n; i++)
		assert_string_equal(names.v[i], wanted.v[i]);
	strvec_release(&list);
	strvec_release(&names);
	strvec_release(&wanted);
}

static void test_find(void **state)
{
	struct strvec globs = STRVEC_INIT, names = STRVEC_INIT;
	struct err err = ERR_INIT;

	(void)state;
	find("*", "group/base group/whole other/base");
	find("group/*", "group/base group/whole");
	find("*base", "group/base other/base");
	find("other/* *base", "group/base other/base");
	find("group/whole", "group/whole");
	strvec_pushl(&globs, "*", "no\x1bne*", NULL);
	assert_int_equal(kase_find(dir, &globs, &names, &err), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_string_equal(err.msg, "no case matches 'no\\x1bne*'; there are: group/base, "
				     "group/whole, other/base");
	strvec_release(&globs);
	strvec_release(&names);
}

/* cases/default with this text: the error, or NULL when the words find what is wanted. */
static char *find_set(const char *text, const char *want)
{
	char *path = xstrfmt("%s/default", dir), *wrong = NULL;
	struct strvec list = STRVEC_INIT, names = STRVEC_INIT;
	struct err err = ERR_INIT;
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	strvec_push(&list, "default");
	if (kase_find(dir, &list, &names, &err) < 0) {
		assert_int_equal(err.kind, ERR_INPUT);
		assert_memory_equal(err.msg, path, strlen(path));
		wrong = xstrdup(err.msg + strlen(path));
	} else {
		find("default", want);
	}
	unlink(path);
	free(path);
	strvec_release(&list);
	strvec_release(&names);
	return wrong;
}

static void test_sets(void **state)
{
	static const struct {
		const char *text, *want, *wrong;
	} table[] = {
		{ "group/whole\n", "group/whole", NULL },
		{ "# few\n\n  *base \t; two of them\r\ngroup/base", "group/base other/base", NULL },
		{ "group/whole\nno\x1bne\n", NULL, ":2: no case matches 'no\\x1bne'" },
		{ "", NULL, ":1: names no case" },
		{ "all\n", NULL, ":1: no case matches 'all'" },
	};

	(void)state;
	find("all", "group/base group/whole other/base");
	find("default", "group/base group/whole other/base");
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		char *wrong = find_set(table[i].text, table[i].want);
		const char *want = table[i].wrong ? table[i].wrong : "(none)";

		assert_string_equal(wrong ? wrong : "(none)", want);
		free(wrong);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_case_and_set),
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_features),
		cmocka_unit_test(test_all_features_are_known),
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_sets),
	};

	return cmocka_run_group_tests_name("kase", tests, setup, teardown);
}
