/* SPDX-License-Identifier: GPL-2.0-only */
/* The agent's reading of proc and sysfs texts, and the vmstat row made of them. */
#include "agent/text.c"
#include "agent/vmrow.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char bdi[] = "BdiWriteback:              512 kB\n"
			  "BdiReclaimable:           1024 kB\n"
			  "BdiDirtyThresh:           6692 kB\n"
			  "DirtyThresh:              7180 kB\n"
			  "BackgroundThresh:         3584 kB\n"
			  "BdiDirtied:              11232 kB\n"
			  "BdiWriteBandwidth:       90792 kBps\n"
			  "b_dirty:                     1\n";

static void fields(void **state)
{
	static const struct {
		const char *text, *name;
		int64_t value;
	} rows[] = {
		{ bdi, "BdiWriteback", 512 },
		{ bdi, "BdiReclaimable", 1024 },
		{ bdi, "DirtyThresh", 7180 },		/* not BdiDirtyThresh */
		{ bdi, "BdiWriteBandwidth", 90792 },	/* not BdiWriteback */
		{ bdi, "BdiWritten", -1 },		/* a kernel without it */
		{ bdi, "b_dirty", 1 },
		{ "", "x", -1 },
		{ "x", "x", -1 },
		{ "x:", "x", -1 },
		{ "x: y\n", "x", -1 },
		{ "x 7", "x", 7 },
		{ "nr_dirty_threshold 5\nnr_dirty 3\n", "nr_dirty", 3 },
		{ "xx 1\n x 2\n", "x", -1 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(text_field(rows[i].text, rows[i].name), rows[i].value);
}

static void numbers(void **state)
{
	int64_t out[17];

	(void)state;
	assert_int_equal(text_numbers("      7       31  94\n5", out, 17), 3);
	assert_int_equal(out[0], 7);
	assert_int_equal(out[2], 94);
	assert_int_equal(text_numbers("1 2 3", out, 2), 2);
	assert_int_equal(text_numbers("", out, 2), 0);
	assert_int_equal(text_numbers("-1", out, 2), 0);
	assert_int_equal(text_numbers("99999999999999999999", out, 2), 1);
	assert_true(out[0] == INT64_MAX);
}

static void shown_values(void **state)
{
	static const struct {
		const char *shown, *value;
		bool same;
	} rows[] = {
		{ "20", "20", true },
		{ "20", "2", false },
		{ "2", "20", false },
		{ "none [mq-deadline] bfq", "mq-deadline", true },
		{ "none [mq-deadline] bfq", "bfq", false },
		{ "none [mq-deadline] bfq", "none", false },
		{ "[none", "none", false },
		{ "4096\t16384\t4194304", "4096 16384 4194304", true },
		{ "4096\t16384", "4096 16384 4194304", false },
		{ "", "", true },
		{ "", "0", false },
	};
	char out[8];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(text_shows(rows[i].shown, rows[i].value), rows[i].same);
	text_chosen("a [mq-deadline]", out, sizeof(out));
	assert_string_equal(out, "mq-dead");
}

static void trimming(void **state)
{
	static const char *const rows[][2] = {
		{ "", "" }, { " \n\t ", "" }, { "a", "a" }, { "  iorig-hda   ", "iorig-hda" },
		{ "a b\n", "a b" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[32];

		snprintf(text, sizeof(text), "%s", rows[i][0]);
		text_trim(text);
		assert_string_equal(text, rows[i][1]);
	}
}

static void files(void **state)
{
	char path[] = "/tmp/iorig-test-XXXXXX", buf[8];
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(text_write(path, " 42 \nrest"), 0);
	assert_int_equal(text_read(path, buf, sizeof(buf)), 7);
	assert_string_equal(buf, " 42 \nre");
	assert_int_equal(text_read_line(path, buf, sizeof(buf)), 0);
	assert_string_equal(buf, "42");
	assert_int_equal(text_read_number(path), 42);
	unlink(path);
	assert_int_equal(text_read(path, buf, sizeof(buf)), -ENOENT);
	assert_int_equal(text_write(path, "1"), -ENOENT);
	assert_int_equal(text_read_number(path), -1);
}

static const struct vmrow_texts boot = {
	.stat = "cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 1 1 1\nintr 1000 7 8\nctxt 2000\n"
		"procs_running 3\nprocs_blocked 1\n",
	.meminfo = "MemTotal: 81904 kB\nMemFree: 5000 kB\nBuffers: 48 kB\nCached: 19000 kB\n"
		   "SwapCached: 7 kB\nSwapTotal: 100 kB\nSwapFree: 40 kB\nSReclaimable: 144 kB\n",
	.vmstat = "pgpgin 400\npgpgout 800\npswpin 10\npswpout 20\n",
};

static void vmstat_rows(void **state)
{
	static const struct vmrow_texts later = {
		.stat = "cpu  110 5 125 710 149 3 2 6\nintr 1500 7 8\nctxt 3000\n"
			"procs_running 2\nprocs_blocked 0\n",
		.meminfo = "MemFree: 4000 kB\nCached: 20000 kB\n",
		.vmstat = "pgpgin 900\npgpgout 10800\npswpin 10\npswpout 21\n",
	};
	static const int64_t since_boot[VMROW_COLUMNS] = { 3, 1, 60, 5000, 48, 19144, 20, 40,
							   200, 400, 500, 1000, 10, 10, 70, 10 };
	/* half a second, 110 ticks: user 10 + 5, system 25 + 3 + 2, idle 10, iowait 49 */
	static const int64_t next[VMROW_COLUMNS] = { 2, 0, 0, 4000, 0, 20000, 0, 8,
						     1000, 20000, 1000, 2000, 14, 27, 9, 45 };
	struct vmrow row = { 0 };
	int64_t out[VMROW_COLUMNS];

	(void)state;
	vmrow_next(&row, &boot, 4096, 2 * SEC, out);
	assert_memory_equal(out, since_boot, sizeof(out));
	vmrow_next(&row, &later, 4096, 2 * SEC + SEC / 2, out);
	assert_memory_equal(out, next, sizeof(out));
}

static void vmstat_without_a_kernel_s_help(void **state)
{
	static const struct vmrow_texts none = { "", "", "" };
	static const int64_t zero[VMROW_COLUMNS] = { 0 };
	struct vmrow row = { 0 };
	int64_t out[VMROW_COLUMNS];

	(void)state;
	vmrow_next(&row, &boot, 4096, SEC, out);
	vmrow_next(&row, &none, 4096, SEC, out);	/* no time has passed either */
	assert_memory_equal(out, zero, sizeof(out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields),
		cmocka_unit_test(numbers),
		cmocka_unit_test(shown_values),
		cmocka_unit_test(trimming),
		cmocka_unit_test(files),
		cmocka_unit_test(vmstat_rows),
		cmocka_unit_test(vmstat_without_a_kernel_s_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
