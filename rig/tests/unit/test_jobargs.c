/* SPDX-License-Identifier: GPL-2.0-only */
/* The arguments of the agent's jobs: what is taken, what is refused and how. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/jobargs.h"

static struct jobargs args;
static char why[JOBARGS_WHY];

/* Take "iorig-x a=1 b=2"; a word that ends in '~' is open to the shell (without the mark). */
static int take(const char *line)
{
	static char words[512];
	char *save = NULL;
	int ret = 0;

	snprintf(words, sizeof(words), "%s", line);
	why[0] = '\0';
	jobargs_begin(&args, jobargs_find(strtok_r(words, " ", &save)));
	assert_non_null(args.job);
	for (char *word; !ret && (word = strtok_r(NULL, " ", &save));) {
		size_t len = strlen(word);
		bool open = word[len - 1] == '~';

		if (open)
			word[len - 1] = '\0';
		ret = jobargs_take(&args, word, open, why);
	}
	return ret ? ret : jobargs_finish(&args, why);
}

static void good(const char *line)
{
	if (take(line) < 0)
		fail_msg("'%s' refused: %s", line, why);
}

static void bad(const char *line, const char *message)
{
	if (take(line) == 0)
		fail_msg("'%s' taken", line);
	if (!strstr(why, message))
		fail_msg("'%s': '%s', wanted '%s'", line, why, message);
	for (const char *p = why; *p; p++)
		assert_in_range(*p, ' ', '~');
}

static void test_values(void **state)
{
	(void)state;
	good("iorig-write file=/mnt/hda/f size=64M block=4K rate=1.5MB mode=shuffle direct time=2min");
	assert_string_equal(jobargs_text(&args, "file"), "/mnt/hda/f");
	assert_int_equal(jobargs_number(&args, "size"), 64 << 20);
	assert_int_equal(jobargs_number(&args, "block"), 4096);
	assert_int_equal(jobargs_number(&args, "rate"), 1500000);
	assert_int_equal(jobargs_number(&args, "time"), 120000000000);
	assert_int_equal(jobargs_number(&args, "mode"), 1);
	assert_true(jobargs_is(&args, "mode", "shuffle"));
	assert_int_equal(jobargs_number(&args, "direct"), 1);
	assert_true(jobargs_given(&args, "time"));
	/* what is not given */
	assert_false(jobargs_given(&args, "fsync"));
	assert_string_equal(jobargs_text(&args, "fsync"), "none");
	assert_int_equal(jobargs_number(&args, "seed"), 1);
	assert_int_equal(jobargs_number(&args, "keep"), 0);
	assert_int_equal(jobargs_number(&args, "span"), 0);
	assert_string_equal(jobargs_text(&args, "nonesuch"), "");
	assert_int_equal(jobargs_number(&args, "nonesuch"), 0);
	assert_false(jobargs_given(&args, "nonesuch"));
	good("iorig-write file=/f direct=no block=1B");
	assert_int_equal(jobargs_number(&args, "direct"), 0);
	good("iorig-light-write file=/f period=1.5ms");
	assert_int_equal(jobargs_number(&args, "period"), 1500000);
	assert_int_equal(jobargs_number(&args, "block"), 4096);
	good("iorig-create dir=/mnt/a size=0");
	good("iorig-cpu");
	good("iorig-sync");
	/* a path may hold anything behind its slash */
	good("iorig-read file=/a=b");
	assert_string_equal(jobargs_text(&args, "file"), "/a=b");
}

static void test_refused(void **state)
{
	static const char *const rows[][2] = {
		{ "iorig-write", "iorig-write needs 'file'" },
		{ "iorig-write size=1M", "iorig-write needs 'file'" },
		{ "iorig-write file", "'file' needs a value: file=path" },
		{ "iorig-write file=f", "'file=f': a path begins with a slash" },
		{ "iorig-write file=", "'file=': a path begins with a slash" },
		{ "iorig-write file=/a file=/a", "'file' is given twice" },
		{ "iorig-write file=/a files=3", "iorig-write has no parameter 'files'" },
		{ "iorig-write file=/a =3", "has no parameter ''" },
		{ "iorig-write file=/a fil=3", "has no parameter 'fil'" },
		{ "iorig-write file=/a \x1b[2Jx", "has no parameter '?[2Jx'" },
		{ "iorig-write file=/a size=64", "'size=64': not a size (write it like 64K or 27MB)" },
		{ "iorig-write file=/a size=64k", "not a size" },
		{ "iorig-write file=/a size=", "not a size" },
		{ "iorig-write file=/a size=-1M", "not a size" },
		{ "iorig-write file=/a size=1.M", "not a size" },
		{ "iorig-write file=/a size=.5M", "not a size" },
		{ "iorig-write file=/a size=0.3B", "not a size" },
		{ "iorig-write file=/a size=1Mx", "not a size" },
		{ "iorig-write file=/a size=9999999T", "not a size" },
		{ "iorig-write file=/a size=99999999999999999999M", "not a size" },
		{ "iorig-write file=/a size=0", "'size=0': not between 1 and" },
		{ "iorig-write file=/a size=4096G", "not between 1 and 1099511627776 bytes" },
		{ "iorig-write file=/a time=5", "'time=5': not a time (write it like 20ms or 3s)" },
		{ "iorig-write file=/a time=48h", "not between 1 and 86400000000000 ns" },
		{ "iorig-write file=/a seed=1.5", "'seed=1.5': not a number (write it like 300)" },
		{ "iorig-write file=/a seed=1K", "not a number" },
		{ "iorig-write file=/a mode=rand", "'mode=rand': not one of seq|shuffle|random" },
		{ "iorig-write file=/a mode=", "'mode=': not one of" },
		{ "iorig-write file=/a mode", "'mode' needs a value: mode=word" },
		{ "iorig-write file=/a mode=seq|shuffle", "not one of" },
		{ "iorig-write file=/a direct=1", "'direct=1': not one of yes|no" },
		{ "iorig-write file=/a direct block=100B", "multiple of 512 bytes" },
		{ "iorig-write file=/a size=10K block=4K", "'size' is not a multiple of 'block', 4096" },
		{ "iorig-read file=/a span=10K block=4K", "'span' is not a multiple" },
		{ "iorig-make-files dir=/a files=3", "iorig-make-files needs 'size'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		bad(rows[i][0], rows[i][1]);
	assert_null(jobargs_find("iorig-"));
	assert_null(jobargs_find("write"));
	assert_null(jobargs_find("iorig-writes"));
}

/* What only the shell knows. */
static void test_open(void **state)
{
	(void)state;
	good("iorig-write file=/mnt/$d/f~ size=$n~ block=$b~");
	good("iorig-write file=$f~ block=4K size=$n~");
	bad("iorig-write file=$f~ sized=$n~", "no parameter 'sized'");
	bad("iorig-write file=$f~ file=/a", "'file' is given twice");
	bad("iorig-write $args~", "must stand there as it is");
	bad("iorig-write size=$n~", "needs 'file'");
}

/* The longest message keeps to its buffer, whatever is quoted. */
static void test_long(void **state)
{
	char word[4096];

	(void)state;
	memset(word, 'x', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	jobargs_begin(&args, jobargs_find("iorig-touch-memory"));
	assert_int_equal(jobargs_take(&args, word, false, why), -1);
	memcpy(word, "size=", 5);
	assert_int_equal(jobargs_take(&args, word, false, why), -1);
	assert_true(strlen(why) < JOBARGS_WHY);
}

/* The tables themselves: every default passes its own check, and everything is described. */
static void test_tables(void **state)
{
	size_t jobs = 0;

	(void)state;
	for (const struct jobargs_job *job = jobargs_jobs; job->name; job++, jobs++) {
		size_t n = 0;

		assert_int_equal(strncmp(job->name, JOBARGS_PREFIX, strlen(JOBARGS_PREFIX)), 0);
		assert_ptr_equal(jobargs_find(job->name), job);
		assert_true(strlen(job->what) > 10 && job->what[strlen(job->what) - 1] != '.');
		for (const struct jobargs_param *p = job->params; p->name; p++, n++) {
			char word[128];

			assert_true(strlen(p->what) > 3 && p->what[strlen(p->what) - 1] != '.');
			assert_true(p->kind == JOBARGS_WORD ? p->words != NULL : p->max >= p->min);
			assert_string_not_equal(jobargs_kind_name(p->kind), "");
			if (!p->standard)
				continue;
			snprintf(word, sizeof(word), "%s=%s", p->name, p->standard);
			jobargs_begin(&args, job);
			if (jobargs_take(&args, word, false, why) < 0)
				fail_msg("%s: %s", job->name, why);
		}
		assert_in_range(n, 1, JOBARGS_MAX);
	}
	assert_int_equal(jobs, 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
