/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of case/: each refusal, by one change to a good case, with its line and words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "case/case.h"

static const char good[] =
	"[case]\n"			/* 1 */
	"title = T\n"			/* 2 */
	"memory = 128M\n"		/* 3 */
	"deadline = 1h\n"		/* 4 */
	"sample = 1s\n"			/* 5 */
	"[set]\n"			/* 6 */
	"vm.dirty_ratio = 20\n"		/* 7 */
	"[disk hda]\n"			/* 8 */
	"bus = ide\n"			/* 9 */
	"profile = flat-40M\n"		/* 10 */
	"size = 64M\n"			/* 11 */
	"fs = ext2\n"			/* 12 */
	"[disk raw]\n"			/* 13 */
	"bus = scsi\n"			/* 14 */
	"profile = flat-1M\n"		/* 15 */
	"fs = none\n"			/* 16 */
	"[job hdd]\n"			/* 17 */
	"role = victim\n"		/* 18 */
	"run = dd of=/mnt/hda/zero\n"	/* 19 */
	"sync = hda\n"			/* 20 */
	"[scale full]\n"		/* 21 */
	"memory = 512M\n"		/* 22 */
	"disk.hda.size = 2G\n";		/* 23 */

/* What replaces what, and the message after the path. */
static const struct {
	const char *from, *to, *message;
} rows[] = {
	{ "[set]", "[sets]", "6: unknown section [sets]" },
	{ "[case]", "[case x]", "1: a case needs a [case] section" },
	{ "[set]", "[set x]", "6: [set] takes no name" },
	{ "[disk hda]", "[disk]", "8: [disk] needs a name" },
	{ "[disk hda]", "[disk Hda]", "8: [disk] needs a name" },
	{ "[disk hda]", "[disk abcdefghijklmno]", "8: [disk] needs a name of at most 14" },
	{ "[job hdd]", "[job 1st]", "17: [job] needs a name" },
	{ "[disk raw]", "[disk hda]", "13: " },
	{ "title = T\n", "", "1: [case] needs the key 'title'" },
	{ "title = T", "title =", "2: title: is empty" },
	{ "title = T", "title = \"a\\nb\"", "2: title: " },
	{ "title = T", "titel = T", "2: unknown key 'titel' of [case]" },
	{ "title = T", "memory = 1G", "3: " },
	{ "memory = 128M", "memory = 128", "3: memory: size '128' has no unit" },
	{ "memory = 128M", "memory = -1M", "3: memory: " },
	{ "memory = 128M", "memory = 32M", "3: memory: '32M' is not between 64M and 64G" },
	{ "memory = 128M", "memory = 65G", "3: memory: '65G' is not between" },
	{ "memory = 128M", "memory = 65537K", "3: memory: '65537K' is not a multiple of 1M" },
	{ "memory = 128M", "memory = 99999999999999999999T", "3: memory: " },
	{ "deadline = 1h", "deadline = 0s", "4: deadline: " },
	{ "deadline = 1h", "deadline = 25h", "4: deadline: " },
	{ "sample = 1s", "sample = 10ms", "5: sample: neither 0 nor at least 100ms" },
	{ "sample = 1s", "sample = 61s", "5: sample: " },
	{ "sample = 1s", "cpus = 65", "5: cpus: '65' is not between 1 and 64" },
	{ "sample = 1s", "cpus = 0", "5: cpus: " },
	{ "vm.dirty_ratio", "vm..dirty", "7: 'vm..dirty' is not a sysctl's name" },
	{ "vm.dirty_ratio", ".vm.dirty", "7: " },
	{ "vm.dirty_ratio", "dirty", "7: 'dirty' is not a sysctl's name" },
	{ "vm.dirty_ratio = 20", "vm.dirty_ratio =", "7: vm.dirty_ratio: value is empty" },
	{ "bus = ide", "bus = mfm", "9: bus: 'mfm' is none of: ide scsi atapi" },
	{ "bus = ide\n", "", "8: [disk hda] needs the key 'bus'" },
	{ "bus = ide", "bus = atapi", "12: fs: bus atapi takes fs = iso9660 only" },
	{ "flat-40M", "no-such", "10: profile: no disk profile 'no-such'" },
	{ "flat-40M", "../x", "10: profile: " },
	{ "flat-40M", "cd", "12: fs: a read-only profile takes iso9660 or none" },
	{ "flat-40M", "mo", "10: profile: ide and ahci need sectors of 512 bytes" },
	{ "flat-40M", "broken", "10: profile: " },
	{ "size = 64M", "size = 1023K", "11: size: '1023K' is not between 1M and 2T" },
	{ "size = 64M", "size = 3T", "11: size: " },
	{ "size = 64M", "size = 64MiB", "11: size: " },
	{ "size = 64M", "size = 1048577B", "11: size: not a multiple of the profile's sector" },
	{ "fs = ext2", "fs = ntfs", "12: fs: 'ntfs' is none of: ext2 ext3 ext4 udf iso9660 none" },
	{ "fs = ext2", "fs = iso9660", "12: fs: iso9660 needs bus atapi or a read-only profile" },
	{ "fs = ext2", "fs = none", "19: run: /mnt/hda: disk 'hda' has no file system" },
	{ "fs = none", "fs = none\noptions = noatime", "17: options: there is no file system" },
	{ "fs = none", "fs = none\nscheduler = cfq", "17: scheduler: 'cfq' is none of: none" },
	{ "fs = none", "fs = none\nnr-requests = 0", "17: nr-requests: " },
	{ "fs = none", "fs = none\nnr-requests = -1", "17: nr-requests: " },
	{ "fs = none", "fs = none\nmax-request = 0", "17: max-request: '0' is not between 4K" },
	{ "fs = none", "fs = none\nmax-request = 2K", "17: max-request: '2K' is not between 4K" },
	{ "fs = none", "fs = none\nmax-request = 128", "17: max-request: " },
	{ "fs = none", "fs = none\nmax-request = 5000B", "17: max-request: '5000B' is not a mul" },
	{ "fs = none", "fs = none\nread-ahead = 1000B", "17: read-ahead: '1000B' is not a mul" },
	{ "fs = none", "fs = none\nmax-ratio = 20", "17: max-ratio: '20' is not a percentage" },
	{ "fs = none", "fs = none\nmax-ratio = 101%", "17: max-ratio: " },
	{ "fs = none", "fs = none\nmax-ratio = %", "17: max-ratio: " },
	{ "fs = none", "fs = none\ntimeout = 1500ms", "17: timeout: '1500ms' is not a multiple" },
	{ "fs = none", "fs = none\nwbt-latency = 5ns", "17: wbt-latency: " },
	{ "role = victim", "role = load", "1: a case needs a job with role = victim" },
	{ "role = victim", "role = hero", "18: role: 'hero' is none of: victim load prepare" },
	{ "role = victim\n", "", "17: [job hdd] needs the key 'role'" },
	{ "sync = hda", "stop = victims", "20: stop: a victim cannot wait" },
	{ "sync = hda", "stop = now", "20: stop: 'now' is neither end nor victims" },
	{ "sync = hda", "start = 2h", "20: start: this is after the deadline of [case]" },
	{ "sync = hda", "start = -1s", "20: start: " },
	{ "sync = hda", "start = 5", "20: start: time '5' has no unit" },
	{ "sync = hda", "start = 1s\ndeadline = 24h", "21: deadline: start and deadline" },
	{ "sync = hda", "report = 0s", "20: report: " },
	{ "sync = hda", "sync = hdb", "20: sync: there is no disk 'hdb'" },
	{ "sync = hda", "sync = raw", "20: sync: disk 'raw' is not mounted for writing" },
	{ "sync = hda", "alone = bad", "20: alone: this is its own case" },
	{ "sync = hda", "alone = g/bad:x", "20: alone: this is its own case" },
	{ "sync = hda", "alone = none", "20: alone: there is no case 'g/none'" },
	{ "sync = hda", "alone = ../x", "20: alone: there is no case '../x'" },
	{ "sync = hda", "alone = /etc/x", "20: alone: there is no case '/etc/x'" },
	{ "/mnt/hda/", "/mnt/hdb/", "19: run: /mnt/hdb: there is no disk 'hdb'" },
	{ "dd of=", "frob of=", "19: run: 'frob' is no applet of the guest's busybox" },
	{ "dd of=/mnt/hda/zero", "", "19: run: is empty" },
	{ "memory = 512M", "memory = 1M", "22: memory: " },
	{ "disk.hda.size", "disk.hdb.size", "23: there is no disk 'hdb'" },
	{ "disk.hda.size", "disk.hda.sise", "23: unknown key 'sise' of [disk]" },
	{ "disk.hda.size", "job.hdb.size", "23: there is no job 'hdb'" },
	{ "disk.hda.size", "disk.size", "23: 'disk.size' is none of KEY, disk.NAME.KEY" },
	{ "disk.hda.size", "sets.vm.x", "23: 'sets.vm.x' is none of" },
	{ "disk.hda.size", "set.x", "23: 'x' is not a sysctl's name" },
	{ "disk.hda.size", "set.", "23: '' is not a sysctl's name" },
	{ "disk.hda.size", "sise", "23: unknown key 'sise' of [case]" },
	{ "disk.hda.size = 2G", "disk.hda.size = 1B", "23: disk.hda.size: '1B' is not between" },
	{ "disk.hda.size = 2G", "disk.hda.size = 2097153B", "23: size: not a multiple" },
	{ "disk.hda.size = 2G", "job.hdd.sync = raw", "23: sync: disk 'raw' is not mounted" },
	{ "[scale full]", "[scale quick]", "21: scale 'quick' is what the other sections say" },
	{ "[scale full]", "[scale]", "21: [scale] needs a name" },
	{ "sample = 1s", "stacks = 1ms", "5: stacks: neither 0 nor at least 10ms" },
	{ "sample = 1s", "stacks = 61s", "5: stacks: " },
	{ "sample = 1s", "bring =", "5: bring: is empty" },
	{ "sample = 1s", "bring = /bin/dd", "5: bring: '/bin/dd' is not the path of a program" },
	{ "sample = 1s", "bring = /usr/bin/dd /usr/../etc/x", "5: bring: '/usr/../etc/x' is not" },
	{ "sample = 1s", "bring = /usr/", "5: bring: '/usr/' is not" },
	{ "sample = 1s", "bring = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "5: bring: has more" },
	{ "fs = none", "fs = none\nfault =", "17: fault: is empty" },
	{ "fs = none", "fs = none\nfault = stop", "17: fault: 'stop' is not 'stop at TIME for" },
	{ "fs = none", "fs = none\nfault = halt at 1s for 1s", "17: fault: 'halt at 1s for 1s' is" },
	{ "fs = none", "fs = none\nfault = slow at 1s for 1s", "17: fault: 'slow at 1s for 1s' is" },
	{ "fs = none", "fs = none\nfault = stop at 1s for 1s to 1M/s", "17: fault: 'stop at 1s for" },
	{ "fs = none", "fs = none\nfault = stop at 1 for 1s", "17: fault: time '1' has no unit" },
	{ "fs = none", "fs = none\nfault = stop at 1s for 0s", "17: fault: 'stop at 1s for 0s' do" },
	{ "fs = none", "fs = none\nfault = stop at 25h for 1s", "17: fault: 'stop at 25h for 1s' h" },
	{ "fs = none", "fs = none\nfault = slow at 1s for 1s to 1M", "17: fault: rate '1M' has" },
	{ "fs = none", "fs = none\nfault = slow at 1s for 1s to 0B/s", "17: fault: 'slow at 1s for" },
	{ "role = victim", "role = prepare", "1: a case needs a job with role = victim" },
	{ "sync = hda", "cgroup-memory = 1K", "20: cgroup-memory: '1K' is not between" },
	{ "sync = hda", "cgroup-memory = 1048577B", "20: cgroup-memory: '1048577B' is not a mul" },
	{ "dd of=", "iorig-frob of=", "19: run: the agent has no job 'iorig-frob'" },
	{ "[scale full]", "[variant]", "21: [variant] needs a name" },
	{ "[scale full]", "[variant Bfq]", "21: [variant] needs a name" },
	{ "disk.hda.size = 2G", "[variant v]\ndisk.hda.size = 1B", "24: disk.hda.size: '1B' is not" },
	{ "disk.hda.size = 2G", "[variant v]\ndisk.hda.size = 2097153B", "24: size: not a mul" },
	{ "disk.hda.size = 2G", "[variant v]\njob.hdd.alone = bad", "24: alone: this is its own" },
	{ "[scale full]", "[file]\n[scale full]", "21: [file] needs a path /etc/NAME" },
	{ "[scale full]", "[file /bin/x]\n[scale full]", "21: [file] needs a path /etc/NAME" },
	{ "[scale full]", "[file /etc/a/b]\n[scale full]", "21: [file] needs a path /etc/NAME" },
	{ "[scale full]", "[file /etc/.]\n[scale full]", "21: [file] needs a path /etc/NAME" },
	{ "[scale full]", "[file /etc/iorig.plan]\n[scale full]", "21: [file] needs a path" },
	{ "[scale full]", "[file /etc/x]\n[scale full]", "21: [file /etc/x] needs one of the keys" },
	{ "[scale full]", "[file /etc/x]\nfile = a\ntext = b\n[scale full]", "21: [file /etc/x] ne" },
	{ "[scale full]", "[file /etc/x]\nfile = none\n[scale full]", "22: file: " },
	{ "[scale full]", "[file /etc/x]\nfile = ../cd.disk\n[scale full]", "22: file: '../cd.di" },
	{ "[scale full]", "[file /etc/x]\nfile = /etc/passwd\n[scale full]", "22: file: '/etc/pas" },
	{ "[scale full]", "[file /etc/x]\nfile = nul\n[scale full]", "22: file: 'nul' is not text" },
};

static char *dir, *path;
static struct strvec applets = STRVEC_INIT;

static void put(const char *name, const char *text)
{
	struct err err = ERR_INIT;
	char *file = xstrfmt("%s/%s", dir, name);

	assert_int_equal(file_write_atomic(file, text, strlen(text), 0644, &err), 0);
	free(file);
}

static int rename_to(const char *from, const char *name)
{
	char *to = path_join(dir, name);
	int ret = rename(from, to);

	free(to);
	return ret;
}

static int setup(void **state)
{
	struct err err = ERR_INIT;
	char *group;

	(void)state;
	if (dir_temp("/tmp/iorig-case-", &dir, &err) < 0)
		return -1;
	group = path_join(dir, "g");
	path = path_join(dir, "g/bad.case");
	assert_int_equal(dir_make(group, &err), 0);
	free(group);
	put("cd.disk", "[disk]\ntitle = t\nsource = s\nsize = 650M\nsector = 2K\n"
		       "read-only = yes\n[timing]\nrate = 1M/s\n");
	put("mo.disk", "[disk]\ntitle = t\nsource = s\nsize = 640M\nsector = 2K\n"
		       "[timing]\nrate = 1M/s\n");
	put("broken.disk", "[disk]\n");
	assert_int_equal(file_write_atomic(path, "a\0b", 3, 0644, &err), 0);
	assert_int_equal(rename_to(path, "g/nul"), 0);
	strvec_push(&applets, "dd");
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	dir_remove(dir, &err);
	strvec_release(&applets);
	free(dir);
	free(path);
	return 0;
}

static int read_text(struct kase *c, const char *text, const char *scale, struct err *err)
{
	put("g/bad.case", text);
	return kase_read(c, path, "g/bad", scale, dir, &applets, err);
}

static void refused(const char *text, const char *scale, const char *message)
{
	char *want = xstrfmt("%s:%s", path, message);
	struct err err = ERR_INIT;
	struct kase c;

	if (read_text(&c, text, scale, &err) == 0)
		fail_msg("not refused, wanted: %s", message);
	assert_int_equal(err.kind, ERR_INPUT);
	if (strncmp(err.msg, want, strlen(want)) != 0)
		fail_msg("got '%s', wanted '%s'", err.msg, want);
	assert_null(c.name);
	free(want);
}

static void test_good(void **state)
{
	struct err err = ERR_INIT;
	struct kase c;

	(void)state;
	if (read_text(&c, good, "quick", &err) < 0)
		fail_msg("%s", err.msg);
	kase_release(&c);
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *at = strstr(good, rows[i].from);
		char *text;

		assert_non_null(at);
		text = xstrfmt("%.*s%s%s", (int)(at - good), good, rows[i].to,
			       at + strlen(rows[i].from));
		refused(text, "quick", rows[i].message);
		free(text);
	}
}

/* Keys that mean nothing to a job that runs before all others. */
static void test_prepare(void **state)
{
	static const char *const keys[][2] = {
		{ "start", "1s" }, { "sync", "hda" }, { "stop", "victims" }, { "alone", "x" },
		{ "report", "1s" }, { "report-alone", "1s" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		char *text = xstrfmt("%s[job pre]\nrole = prepare\nrun = dd\n%s = %s\n", good,
				     keys[i][0], keys[i][1]);
		char *message = xstrfmt("27: %s: a job with role = prepare runs untimed", keys[i][0]);

		refused(text, "quick", message);
		free(text);
		free(message);
	}
}

static void test_no_such_variant(void **state)
{
	struct err err = ERR_INIT;
	struct kase c;

	(void)state;
	put("g/bad.case", good);
	assert_int_equal(kase_read(&c, path, "g/bad@none", "quick", dir, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "g/bad.case:1: there is no [variant none]"));
}

static void test_no_such_scale(void **state)
{
	(void)state;
	refused(good, "huge", "1: there is no [scale huge]");
}

static void test_buses(void **state)
{
	static const struct {
		const char *bus;
		int max;
	} limits[] = { { "ide", 4 }, { "scsi", 7 }, { "usb", 8 }, { "ahci", 6 }, { "virtio", 16 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		struct strbuf text = STRBUF_INIT;
		struct err err = ERR_INIT;
		char *message;
		struct kase c;
		int n = 0, line = 7;

		strbuf_addstr(&text, "[case]\ntitle = T\nmemory = 64M\n"
				     "[job j]\nrole = victim\nrun = dd\n");
		for (; n < limits[i].max; n++, line += 4)
			strbuf_addf(&text, "[disk d%d]\nbus = %s\nprofile = flat-1M\nfs = none\n", n,
				    limits[i].bus);
		if (read_text(&c, text.buf, "quick", &err) < 0)
			fail_msg("%s", err.msg);
		kase_release(&c);
		strbuf_addf(&text, "[disk last]\nbus = %s\nprofile = flat-1M\nfs = none\n",
			    limits[i].bus);
		message = xstrfmt("%d: disk 'last' is one too many: bus %s", line + 1,
				  limits[i].bus);
		refused(text.buf, "quick", message);
		free(message);
		strbuf_release(&text);
	}
}

static void test_not_text(void **state)
{
	struct err err = ERR_INIT;
	struct kase c;

	(void)state;
	assert_int_equal(kase_read(&c, dir, "g/bad", "quick", dir, NULL, &err), -EISDIR);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_int_equal(kase_read(&c, "/no/such", "g/bad", "quick", dir, NULL, &err), -ENOENT);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_int_equal(file_write_atomic(path, "[case]\na\0b\n", 11, 0644, &err), 0);
	assert_int_equal(kase_read(&c, path, "g/bad", "quick", dir, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "g/bad.case:2: control character \\x00"));
}

/* 'alone' is looked for beside the case, so the case must stand where its name says. */
static void test_alone_needs_a_folder(void **state)
{
	static const char text[] = "[case]\ntitle = T\nmemory = 64M\n"
				   "[job j]\nrole = victim\nrun = dd\nalone = x\n";
	static const char *const names[] = { "g/worse", "ad", "h/bad", "a/g/bad" };

	(void)state;
	put("g/bad.case", text);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct err err = ERR_INIT;
		struct kase c;

		assert_int_equal(kase_read(&c, path, names[i], "quick", dir, NULL, &err), -EINVAL);
		if (!strstr(err.msg, ":7: alone: the case is not in a folder of cases as '"))
			fail_msg("%s", err.msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	      cmocka_unit_test(test_rows),
		cmocka_unit_test(test_prepare),	      cmocka_unit_test(test_no_such_variant),
		cmocka_unit_test(test_no_such_scale), cmocka_unit_test(test_buses),
		cmocka_unit_test(test_not_text),      cmocka_unit_test(test_alone_needs_a_folder),
	};

	return cmocka_run_group_tests_name("case, refused", tests, setup, teardown);
}
