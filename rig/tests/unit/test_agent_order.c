/* SPDX-License-Identifier: GPL-2.0-only */
/* The agent's orders of blocks, and its reading of kernel stacks. */
#include "agent/order.c"
#include "agent/stack.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void seq(void **state)
{
	struct order order;
	int i;

	(void)state;
	order_begin(&order, ORDER_SEQ, 7, 1);
	for (i = 0; i < 21; i++)
		assert_int_equal(order_next(&order), i % 7);
}

/* Each once a round, in an order that is not the plain one, and another in the next round. */
static void shuffle(void **state)
{
	static const int64_t sizes[] = { 1, 2, 3, 4, 5, 16, 17, 100, 1000, 4097 };
	static unsigned char seen[4097];
	static int64_t first[4097];
	size_t s;

	(void)state;
	for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		int64_t n = sizes[s], i, fixed = 0, same = 0;
		struct order order;
		int round;

		order_begin(&order, ORDER_SHUFFLE, n, 5);
		for (round = 0; round < 2; round++) {
			memset(seen, 0, sizeof(seen));
			for (i = 0; i < n; i++) {
				int64_t at = order_next(&order);

				assert_in_range(at, 0, n - 1);
				assert_int_equal(seen[at]++, 0);
				fixed += at == i;
				if (round)
					same += first[i] == at;
				first[i] = at;
			}
		}
		if (n >= 100)
			assert_true(fixed < n / 10 && same < n / 10);
	}
}

static void random_order(void **state)
{
	struct order a, b;
	int counts[10] = { 0 }, i, differ = 0;

	(void)state;
	order_begin(&a, ORDER_RANDOM, 10, 1);
	order_begin(&b, ORDER_RANDOM, 10, 2);
	for (i = 0; i < 1000; i++) {
		int64_t at = order_next(&a);

		assert_in_range(at, 0, 9);
		counts[at]++;
		differ += at != order_next(&b);
	}
	for (i = 0; i < 10; i++)
		assert_in_range(counts[i], 60, 140);
	assert_in_range(differ, 850, 950);
	/* the same seed is the same order */
	order_begin(&a, ORDER_RANDOM, 10, 2);
	order_begin(&b, ORDER_RANDOM, 10, 2);
	for (i = 0; i < 100; i++)
		assert_int_equal(order_next(&a), order_next(&b));
}

static void stacks(void **state)
{
	static const char *const rows[][2] = {
		{ "", "" },
		{ "\n", "" },
		{ "[<0>] io_schedule+0x46/0x80\n[<0>] blk_mq_get_tag+0x11a/0x2b0\n",
		  "io_schedule blk_mq_get_tag" },
		/* before Linux 4.15, with modules, and the end mark */
		{ "[<ffffffff8113c1a5>] ext4_file_write_iter+0x2b/0x70 [ext4]\n"
		  "[<ffffffffffffffff>] 0xffffffffffffffff\n", "ext4_file_write_iter" },
		/* a wchan */
		{ "do_wait", "do_wait" },
		{ "0", "0" },
		/* nonsense does no harm */
		{ "[", "[" }, { "[<0>]", "" }, { "] a", "]" }, { "[<0>] \n[<0>] b+0\n", "b" },
		{ "a b c\nd", "a d" },
	};
	char out[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		stack_names(rows[i][0], out, sizeof(out));
		assert_string_equal(out, rows[i][1]);
	}
	assert_true(stack_is_parent("do_wait"));
	assert_true(stack_is_parent("do_wait kernel_wait4"));
	assert_false(stack_is_parent("do_waiting"));
	assert_false(stack_is_parent(""));
}

static void stack_bounds(void **state)
{
	char text[4096] = "", out[512], tight[12];
	size_t i, words = 1;

	(void)state;
	for (i = 0; i < 40; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "[<0>] f%02zu+0x1/0x2\n", i);
	stack_names(text, out, sizeof(out));
	for (i = 0; out[i]; i++)
		words += out[i] == ' ';
	assert_int_equal(words, STACK_DEEP);
	/* whole names only */
	stack_names(text, tight, sizeof(tight));
	assert_string_equal(tight, "f00 f01 f02");
	stack_names(text, tight, 11);
	assert_string_equal(tight, "f00 f01");
	stack_names(text, tight, 4);
	assert_string_equal(tight, "f00");
	stack_names(text, tight, 3);
	assert_string_equal(tight, "");
	stack_names(text, tight, 1);
	assert_string_equal(tight, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seq),
		cmocka_unit_test(shuffle),
		cmocka_unit_test(random_order),
		cmocka_unit_test(stacks),
		cmocka_unit_test(stack_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
