/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of case/command.c: what is wrong with a line of shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strvec.h"
#include "case/load.h"

/* The applets are: cat dd sleep sync. */
static const struct {
	const char *run, *unknown;
} rows[] = {
	{ "dd if=/dev/zero of=x", NULL },
	{ "ddd if=/dev/zero", "ddd" },
	{ "  dd x", NULL },
	{ "/bin/whatever x", NULL },
	{ "dd x; frob", "frob" },
	{ "dd x && frob", "frob" },
	{ "dd x || frob", "frob" },
	{ "cat x | frob", "frob" },
	{ "dd x & frob", "frob" },
	{ "dd x\nfrob", "frob" },
	{ "dd frob", NULL },
	{ "dd 'a; frob' \"b; frob\" c\\;frob", NULL },
	{ "'dd' x", NULL },
	{ "'frob it' x", "frob it" },
	{ "A=1 B=2 dd x", NULL },
	{ "A=1 frob", "frob" },
	{ "while dd x; do :; done; exit 1", NULL },
	{ "while frob; do :; done", "frob" },
	{ "until dd x; do frob; done", "frob" },
	{ "if dd x; then cat y; else frob; fi", "frob" },
	{ "for f in frob grob; do cat $f; done", NULL },
	{ "for f in a b; do frob $f; done", "frob" },
	{ "i=0; while [ $i -lt 5 ]; do dd x; i=$((i + 1)); done", NULL },
	{ "x=$(frob)", "frob" },
	{ "x=`frob`", "frob" },
	{ "(dd x; frob)", "frob" },
	{ "{ dd x; }", NULL },
	{ "! frob", "frob" },
	{ "$CMD x", NULL },
	{ "dd x >frob 2>&1 <frob", NULL },
	{ "2>/dev/null dd x", NULL },
	{ "2>/dev/null frob x", "frob" },
	{ ">out frob", "frob" },
	{ "dd x # frob; frob", NULL },
	{ "dd x # frob\nfrob", "frob" },
	{ "case x in a|b) cat;; esac", NULL },
	{ "f() { frob; }; f", NULL },
	{ "dd \"unclosed; frob", NULL },
	{ "", NULL },
	{ "\\", "\\" },
};

static struct strvec applets = STRVEC_INIT, bring = STRVEC_INIT;

static int setup(void **state)
{
	(void)state;
	strvec_pushl(&applets, "cat", "dd", "sleep", "sync", "ionice", NULL);
	strvec_push(&bring, "/usr/bin/fio");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	strvec_release(&applets);
	strvec_release(&bring);
	return 0;
}

static void expect(const char *run, const char *want)
{
	char *got = command_complaint(run, &applets, &bring);

	if (!got != !want || (got && strcmp(got, want) != 0))
		fail_msg("'%s' gave '%s', wanted '%s'", run, got ? got : "nothing",
			 want ? want : "nothing");
	free(got);
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *want = rows[i].unknown ? xstrfmt("'%s' is no applet of the guest's busybox",
						       rows[i].unknown) : NULL;

		expect(rows[i].run, want);
		free(want);
	}
}

static void test_brought(void **state)
{
	(void)state;
	expect("fio /etc/job.fio", NULL);
	expect("/usr/bin/fio /etc/job.fio", NULL);
	expect("fi0 /etc/job.fio", "'fi0' is no applet of the guest's busybox");
}

/* The agent's own jobs, wherever in the line they stand. */
static void test_jobs(void **state)
{
	static const char *const good[] = {
		"iorig-write file=/mnt/hda/f size=1M",
		"ionice -c3 iorig-write file=/mnt/hda/f size=1M",
		"iorig-write file=/mnt/hda/f size=1M & iorig-sync; wait",
		"for i in 1 2; do iorig-write file=/mnt/hda/$i size=1M & done; wait",
		"iorig-write file=/mnt/hda/f size=$SIZE",
		"iorig-write file=/mnt/hda/f size=1M 2>/dev/null >&2",
	};
	static const char *const bad[][2] = {
		{ "iorig-wirte file=/f", "the agent has no job 'iorig-wirte'" },
		{ "ionice -c3 iorig-wirte file=/f", "the agent has no job 'iorig-wirte'" },
		{ "iorig-write file=/f size=1M frob=1", "iorig-write: " },
		{ "dd x; iorig-write file=/f size=x", "iorig-write: " },
		{ "iorig-write size=1M", "iorig-write: " },
		{ "iorig-write size=1M; dd x", "iorig-write: " },
		{ "iorig-sync; iorig-write size=1M & wait", "iorig-write: " },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		expect(good[i], NULL);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		char *got = command_complaint(bad[i][0], &applets, &bring);

		if (!got || strncmp(got, bad[i][1], strlen(bad[i][1])) != 0)
			fail_msg("'%s' gave '%s'", bad[i][0], got ? got : "nothing");
		free(got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows), cmocka_unit_test(test_brought),
		cmocka_unit_test(test_jobs),
	};

	return cmocka_run_group_tests_name("case/command", tests, setup, teardown);
}
