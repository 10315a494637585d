/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/who and report/words: disks and jobs in words. */
#include "report_fixture.h"

#include "report/who.h"
#include "report/who_command.h"
#include "report/words.h"

static void test_commands(void **state)
{
	static const struct { const char *command, *words; } rows[] = {
		{ "dd if=/dev/zero of=/mnt/hda/zero bs=64K count=1K",
		  "writes 64 MiB to hda with dd, 64 KiB a call" },
		{ "dd if=/mnt/hda/content of=/dev/null bs=64K",
		  "reads all from hda with dd, 64 KiB a call" },
		{ "dd if=/dev/zero of=/mnt/hda/zero", "writes until the end to hda with dd, 512B a "
						      "call" },
		{ "dd if=/dev/zero of=/mnt/hda/x bs=9223372036854775807 count=2",
		  "writes until the end to hda with dd" },
		{ "iorig-write file=/mnt/hda/stream time=1h span=256M block=256K",
		  "writes to hda on and on, 256 KiB a call" },
		{ "iorig-write file=/mnt/hda/stream time=36s",
		  "writes to hda for 36 s, 64 KiB a call" },
		{ "iorig-write file=/mnt/hda/f size=96M fsync=end",
		  "writes 96 MiB to hda, 64 KiB a call, and an fsync at the end" },
		{ "iorig-read file=/dev/iorig/hda mode=random direct block=4K size=60K",
		  "reads 60 KiB from hda, 4 KiB a call, at random places, past the page cache" },
		{ "ionice -c3 iorig-read file=/dev/iorig/hda span=32M",
		  "reads 32 MiB from hda, 64 KiB a call" },
		{ "iorig-write file=/mnt/hda/p size=64M rate=3M",
		  "writes 64 MiB to hda, 64 KiB a call, 3 MiB a second at most" },
		{ "iorig-small-read dir=/mnt/hda/small files=150",
		  "reads 150 small files from hda, one after the other" },
		{ "iorig-make-files dir=/mnt/hda/small files=150 size=20K",
		  "lays out 150 small files on hda" },
		{ "iorig-light-write file=/mnt/hda/light time=20s", "writes 4 KiB to hda every "
								    "20 ms" },
		{ "iorig-fsync file=/mnt/hda/log time=20s",
		  "writes 1 MiB to hda and waits for its fsync every 1 s" },
		{ "iorig-touch-memory size=24M", "touches 24 MiB of memory" },
		{ "iorig-create dir=/mnt/hda/files", "creates, renames and removes files on hda" },
		{ "iorig-sync path=/mnt/hda", "times sync() or syncfs() on hda" },
		/* what the agent would refuse is told by its name alone */
		{ "iorig-write file=/mnt/hda/f size=-3 colour=red",
		  "writes a file or disk and times every write()" },
		{ "sh /etc/build /mnt/hda/tree", "runs build on hda" },
		{ "fio --output-format=json /etc/mixed.fio", "runs fio" },
		{ "i=0; while true; do dd of=/mnt/hda/x; done", "runs a shell script on hda" },
		{ "", "runs " },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		strbuf_reset(&out);
		who_command(rows[i].command, strstr(rows[i].command, "/hda") ? "hda" : NULL, &out);
		if (strcmp(out.buf, rows[i].words))
			fail_msg("'%s' is '%s'", rows[i].command, out.buf);
	}
}

static void test_moves(void **state)
{
	static const struct { const char *command; unsigned int moves; bool direct; } rows[] = {
		{ "dd if=/dev/zero of=/mnt/a/x", WHO_WRITES, false },
		{ "dd if=/mnt/a/x of=/dev/null", WHO_READS, false },
		{ "dd if=/mnt/a/x of=/mnt/b/x", WHO_READS | WHO_WRITES, false },
		{ "iorig-read file=/dev/iorig/a direct", WHO_READS, true },
		{ "iorig-write file=/dev/iorig/a direct size=4K block=4K", WHO_WRITES, true },
		{ "iorig-light-write file=/mnt/a/x time=1s", WHO_WRITES, false },
		{ "iorig-sync path=/mnt/a", 0, false },
		{ "iorig-repeat script=/etc/x time=1h", WHO_READS | WHO_WRITES, false },
		{ "iorig-read file=/mnt/a/x; sleep 1", WHO_READS | WHO_WRITES, false },
		{ "sh /etc/build /mnt/a", WHO_READS | WHO_WRITES, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (who_moves(rows[i].command) != rows[i].moves ||
		    who_direct(rows[i].command) != rows[i].direct)
			fail_msg("'%s': %u, %d", rows[i].command, who_moves(rows[i].command),
				 who_direct(rows[i].command));
}

static const char text[] =
	"[case]\ntitle = t\nmemory = 160M\n"
	"[disk hda]\nbus = ide\nprofile = hdd-2004\nfs = ext2\n"
	"[disk dvd]\nbus = scsi\nprofile = dvd-ram\nfs = none\n"
	"[job hdd]\nrole = victim\nrun = dd if=/dev/zero of=/mnt/hda/zero bs=64K count=1K\n"
	"start = 5s\nsync = hda\nalone = hdd-alone\n"
	"[job dvd]\nrole = load\nrun = iorig-write file=/mnt/dvd/s time=1h\nstop = victims\n"
	"cgroup-memory = 64M\n"
	"[scale full]\njob.hdd.run = dd if=/dev/zero of=/mnt/hda/zero bs=1K count=1M\n"
	"[variant bfq]\ndisk.hda.fs = ext4\njob.hdd.run = iorig-read file=/mnt/hda/zero\n";

static struct boot *boot(void)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);

	replace(&b->case_text, text);
	b->disks[0].bytes = 512 << 20;
	return b;
}

static void add_titles(struct boot *b)
{
	*array_grow(b->profiles, b->n_profiles) = (struct boot_profile){
		xstrdup("hda"), xstrdup("hdd-2004"), xstrdup("ATA hard disk of 2004, 27 MB/s")
	};
	*array_grow(b->profiles, b->n_profiles) = (struct boot_profile){
		xstrdup("dvd"), xstrdup("dvd-ram"), xstrdup("DVD-RAM drive")
	};
}

static void test_disks(void **state)
{
	struct boot *b = boot();
	struct strvec names = STRVEC_INIT;

	(void)state;
	/* a document that does not have the profiles' titles */
	who_disk(b, "hda", &out);
	assert_string_equal(out.buf, "hdd-2004 on IDE, 512 MiB, ext2");
	strbuf_reset(&out);
	add_titles(b);
	who_disk(b, "hda", &out);
	assert_string_equal(out.buf, "ATA hard disk of 2004, 27 MB/s (profile hdd-2004) on IDE, "
				     "512 MiB, ext2");
	strbuf_reset(&out);
	who_disk(b, "dvd", &out);
	assert_string_equal(out.buf, "DVD-RAM drive (profile dvd-ram) on SCSI, no file system");
	strbuf_reset(&out);
	who_disk(b, "none", &out);
	assert_string_equal(out.buf, "a disk");
	/* one that never booted has them from its case */
	b->n_disks = 0;
	who_disks(b, &names);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.v[1], "dvd");
	b->n_disks = 2;
	strvec_release(&names);
}

static void test_jobs(void **state)
{
	struct boot *b = boot();

	(void)state;
	add_titles(b);
	who_when(b, &b->jobs[0], &out);
	assert_string_equal(out.buf, "; starts at 5s; then syncs hda, which is timed apart; what it "
				     "takes alone is measured by the case hdd-alone");
	strbuf_reset(&out);
	who_when(b, &b->jobs[1], &out);
	assert_string_equal(out.buf, "; is stopped when the victims have ended; in a cgroup of "
				     "64M");
	strbuf_reset(&out);
	who_sentence(b, &b->jobs[0], &out);
	assert_string_equal(out.buf,
			    "hdd, the victim, writes 64 MiB to hda with dd, 64 KiB a call (hda is "
			    "the ATA hard disk of 2004, 27 MB/s); beside it dvd, a load, writes to "
			    "dvd on and on, 64 KiB a call (dvd is the DVD-RAM drive)");
	strbuf_reset(&out);
	b->n_jobs = 1;
	who_sentence(b, &b->jobs[0], &out);
	assert_non_null(strstr(out.buf, "; nothing runs beside it"));
	b->n_jobs = 2;
}

/* What ran is that of its scale, and the variant's over it. */
static void test_scale_and_variant(void **state)
{
	struct boot *b = boot();

	(void)state;
	replace(&b->scale, "full");
	who_does(b, &b->jobs[0], &out);
	assert_string_equal(out.buf, "writes 1 GiB to hda with dd, 1 KiB a call");
	strbuf_reset(&out);
	replace(&b->case_name, "g/case@bfq");
	who_does(b, &b->jobs[0], &out);
	assert_string_equal(out.buf, "reads from hda, 64 KiB a call");
	strbuf_reset(&out);
	who_disk(b, "hda", &out);
	assert_string_equal(out.buf, "hdd-2004 on IDE, 512 MiB, ext4");
}

static void test_hostile(void **state)
{
	struct boot *b = boot();

	(void)state;
	add_titles(b);
	replace(&b->profiles[0].title, HOSTILE);
	who_sentence(b, &b->jobs[0], &out);
	replace(&b->case_text, HOSTILE);
	replace(&b->case_name, HOSTILE);
	who_sentence(b, &b->jobs[0], &out);
	free(b->case_text);
	b->case_text = xstrfmt("[job hdd]\nrun = iorig-write %04000d\n[job dvd]\nrun = dd bs=%0900d "
			       "of=/mnt/hda\n", 1, 1);
	strbuf_reset(&out);
	who_does(b, &b->jobs[0], &out);
	who_does(b, &b->jobs[1], &out);
	assert_true(out.len > 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_commands), TEST(test_moves), TEST(test_disks), TEST(test_jobs),
		TEST(test_scale_and_variant), TEST(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
