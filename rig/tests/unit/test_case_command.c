/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of case/command.c: which command of a line of shell is unknown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/alloc.h"
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

static void test_rows(void **state)
{
	struct strvec applets = STRVEC_INIT;

	(void)state;
	strvec_pushl(&applets, "cat", "dd", "sleep", "sync", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *got = command_unknown(rows[i].run, &applets);

		if (!got != !rows[i].unknown)
			fail_msg("'%s' gave '%s'", rows[i].run, got ? got : "nothing");
		if (got)
			assert_string_equal(got, rows[i].unknown);
		free(got);
	}
	strvec_release(&applets);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

	return cmocka_run_group_tests_name("case/command", tests, NULL, NULL);
}
