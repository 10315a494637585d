/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulator's configuration: what it takes and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model_config.h"

static int parse(struct model_config *c, const char *text, char *why, size_t why_size)
{
	char *copy = strdup(text);
	int ret = model_config_parse(c, copy, why, why_size);

	free(copy);
	return ret;
}

static void test_whole(void **state)
{
	struct model_config *c = malloc(sizeof(*c));
	char why[300] = "";

	(void)state;
	if (parse(c, "# what to simulate\n"
		     "clock real\n"
		     "\n"
		     "seed 42\n"
		     "watchdog 5\n"
		     "log /tmp/a log\n"
		     "disk hda rate=1000 rpm=7200 queue-order=1\n"
		     "image hda /tmp/with spaces/a.img\n"
		     "disk b.2 rate=7\n"
		     "image b.2 x\n"
		     "fault b.2 slow 5 6 7\n"
		     "fault hda stop 1 2\n"
		     "fault hda error 3 4",
		  why, sizeof(why)) < 0)
		fail_msg("%s", why);
	assert_true(c->real_clock);
	assert_int_equal(c->seed, 42);
	assert_int_equal(c->watchdog, 5);
	assert_string_equal(c->log, "/tmp/a log");
	assert_int_equal(c->n_disks, 2);
	assert_string_equal(c->disks[0].name, "hda");
	assert_string_equal(c->disks[0].image, "/tmp/with spaces/a.img");
	assert_int_equal(c->disks[0].params.rpm, 7200);
	assert_int_equal(c->disks[0].params.rate_end, 1000);
	assert_int_equal(c->disks[0].params.queue_depth, 1);
	assert_int_equal(c->disks[0].params.queue_order, MODEL_NEAREST);
	assert_int_equal(c->disks[0].n_faults, 2);
	assert_int_equal(c->disks[0].faults[1].kind, MODEL_ERROR);
	assert_int_equal(c->disks[1].faults[0].rate, 7);
	model_config_release(c);
	free(c);
}

static void test_empty(void **state)
{
	struct model_config *c = malloc(sizeof(*c));
	char why[300];

	(void)state;
	assert_int_equal(parse(c, "", why, sizeof(why)), 0);
	assert_false(c->real_clock);
	assert_null(c->log);
	assert_true(c->watchdog > 0);
	model_config_release(c);
	free(c);
}

static void test_stop(void **state)
{
	struct model_config *c = malloc(sizeof(*c));
	char why[300];

	(void)state;
	assert_int_equal(parse(c, "clock sim\nseed 1", why, sizeof(why)), 0);
	assert_int_equal(c->stop, 0);
	assert_int_equal(parse(c, "stop 41200000000\nclock sim", why, sizeof(why)), 0);
	assert_int_equal(c->stop, 41200000000);
	free(c);
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "colour blue", "line 1: unknown word" },
		{ "clock", "line 1: the clock is sim or real" },
		{ "clock sim real", "line 1: the clock is sim or real" },
		{ "\n\nseed", "line 3: a number is missing" },
		{ "seed -1", "line 1: a number is missing" },
		{ "seed 1 2", "line 1: a number is missing" },
		{ "log", "line 1: one log, with a path" },
		{ "disk a", "line 1: no rate" },
		{ "disk a rate=0", "line 1: no rate" },
		{ "disk a rate=5 colour=3", "line 1: unknown word 'colour=3'" },
		{ "disk a rate=5 rpm", "line 1: unknown word 'rpm'" },
		{ "disk a rate=5x", "line 1: no number in 'rate=5x'" },
		{ "disk a rate=", "line 1: no number in 'rate='" },
		{ "disk a rate=-5", "line 1: out of range: 'rate=-5'" },
		{ "disk a rate=99999999999999999999", "line 1: out of range: "
						      "'rate=99999999999999999999'" },
		{ "disk a/b rate=5", "line 1: the disk's name is bad or taken" },
		{ "disk a rate=5\ndisk a rate=5", "line 2: the disk's name is bad or taken" },
		{ "disk a rate=5", "line 1: disk 'a' has no image" },
		{ "image a x", "line 1: no such disk" },
		{ "disk a rate=5\nimage a", "line 2: one image for each disk" },
		{ "disk a rate=5\nimage a x\nimage a y", "line 3: one image for each disk" },
		{ "fault a stop 1 2", "line 1: no such disk" },
		{ "disk a rate=5\nfault a melt 1 2", "line 2: a fault is stop, slow or error" },
		{ "disk a rate=5\nfault a slow 1 2",
		  "line 2: a fault needs its moment and length in ns, slow also a rate" },
		{ "disk a rate=5\nfault a slow 1 2 0",
		  "line 2: a fault needs its moment and length in ns, slow also a rate" },
		{ "stop", "line 1: a stop needs its moment in ns" },
		{ "stop 0", "line 1: a stop needs its moment in ns" },
		{ "stop -5", "line 1: a stop needs its moment in ns" },
		{ "stop 5 6", "line 1: a stop needs its moment in ns" },
		{ "stop 99999999999999999999", "line 1: a stop needs its moment in ns" },
		{ "stop 5\nclock real", "line 2: only a simulated clock can be stopped" },
	};
	struct model_config *c = malloc(sizeof(*c));

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[300] = "";

		if (parse(c, rows[i].text, why, sizeof(why)) == 0)
			fail_msg("taken: '%s'", rows[i].text);
		assert_string_equal(why, rows[i].why);
		model_config_release(c);
	}
	free(c);
}

static void test_too_many(void **state)
{
	char text[64 * (MODEL_DISKS_MAX + 2)] = "", why[300] = "";
	struct model_config *c = malloc(sizeof(*c));

	(void)state;
	for (int i = 0; i <= MODEL_DISKS_MAX; i++)
		snprintf(text + strlen(text), 64, "disk d%d rate=5\nimage d%d x\n", i, i);
	assert_int_not_equal(parse(c, text, why, sizeof(why)), 0);
	assert_non_null(strstr(why, "too many disks"));
	model_config_release(c);
	free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
