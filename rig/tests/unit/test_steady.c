/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of run/steady: when no more boots of a case are tried. What a void boot is, and that it
 * is made again, is in fake/stall.t. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/alloc.h"
#include "record/record.h"
#include "run/steady.h"

/* d done, s skipped, b broken, v void, - not there yet. */
static const char *give_up(const char *what, bool *voided)
{
	struct boot boots[16];
	bool have[16] = { false };
	size_t n = strlen(what);

	assert_in_range(n, 1, 16);
	for (size_t i = 0; i < n; i++) {
		boot_init(&boots[i]);
		have[i] = what[i] != '-';
		boots[i].outcome = what[i] == 'd' ? OUTCOME_DONE : what[i] == 's' ?
				   OUTCOME_SKIPPED : OUTCOME_BROKEN;
		boots[i].controlled = what[i] != 's';
		boots[i].control.voided = what[i] == 'v';
		assert_int_equal(boot_is_void(&boots[i]), what[i] == 'v');
	}
	return steady_give_up(boots, have, n, voided);
}

static void test_give_up(void **state)
{
	static const struct {
		const char *what, *why;
		bool voided;
	} t[] = {
		{ "-----", NULL, false },
		{ "d----", NULL, false },
		{ "b----", NULL, false },
		{ "bb---", "broken already", false },
		{ "dbdb-", "broken already", false },
		{ "v----", NULL, false },
		{ "bv---", NULL, false },
		{ "vv---", "the host stalled", true },
		{ "vvd--", "the host stalled", true },
		{ "vvdd-", NULL, false },
		{ "vvdss", NULL, false },
		{ "vvddv", "the host stalled", true },
		{ "vbvb-", "broken already", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		bool voided = false;
		const char *why = give_up(t[i].what, &voided);

		if (!why != !t[i].why || (why && (!strstr(why, t[i].why) ||
						  voided != t[i].voided)))
			fail_msg("%s: '%s', wanted '%s'", t[i].what, why ? why : "-",
				 t[i].why ? t[i].why : "-");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_give_up) };

	return cmocka_run_group_tests_name("steady", tests, NULL, NULL);
}
