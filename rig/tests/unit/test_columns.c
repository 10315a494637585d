/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/columns: widths, alignment, titles, colours, and no blank at a line's end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "report/columns.h"

static const struct columns_spec spec[] = {
	{ "NAME", false }, { "N", true }, { "NOTE", false },
};

static struct columns t;

static int setup(void **state)
{
	(void)state;
	columns_init(&t, spec, ARRAY_SIZE(spec));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	columns_release(&t);
	columns_release(&t);	/* safe twice */
	return 0;
}

static void row(const char *name, const char *n, const char *note)
{
	const char *const cells[] = { name, n, note };

	columns_row(&t);
	for (size_t c = 0; c < ARRAY_SIZE(cells); c++)
		if (cells[c])
			columns_put(&t, c, "%s", cells[c]);
}

static void expect(const char *want)
{
	struct strbuf out = STRBUF_INIT;

	columns_print(&t, &out);
	assert_string_equal(out.buf, want);
	strbuf_release(&out);
}

static void test_fits_content(void **state)
{
	(void)state;
	row("a", "1", "x");
	row("longest", "1234567", "y");
	expect("NAME           N  NOTE\n"
	       "a              1  x\n"
	       "longest  1234567  y\n");
}

static void test_no_rows(void **state)
{
	(void)state;
	expect("NAME  N  NOTE\n");
}

static void test_no_blank_at_the_end(void **state)
{
	(void)state;
	row("a", "12", "");
	row("abcdef", NULL, NULL);
	row("", "3", "z");
	row("", "", "");
	expect("NAME     N  NOTE\n"
	       "a       12\n"
	       "abcdef\n"
	       "         3  z\n"
	       "\n");
}

/* What no row has is not shown; what one row has is. */
static void test_unused_columns(void **state)
{
	(void)state;
	row("a", NULL, "x");
	expect("NAME  NOTE\n"
	       "a     x\n");
	row("b", "1", NULL);
	expect("NAME  N  NOTE\n"
	       "a        x\n"
	       "b     1\n");
}

static void test_utf8(void **state)
{
	(void)state;
	row("\xc3\xa4\xc3\xb6\xc3\xbc", "1", "x");	/* three letters, six bytes */
	row("\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac", "2", "y");
	row("abcde", "3", "z");
	expect("NAME   N  NOTE\n"
	       "\xc3\xa4\xc3\xb6\xc3\xbc    1  x\n"
	       "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac  2  y\n"
	       "abcde  3  z\n");
}

static void test_titles(void **state)
{
	(void)state;
	columns_title(&t, "a title that is wider than all of it");
	row("a", "1", "x");
	columns_title(&t, "more/");
	row("b", "2", "y");
	expect("NAME  N  NOTE\n"
	       "a title that is wider than all of it\n"
	       "a     1  x\n"
	       "more/\n"
	       "b     2  y\n");
}

/* Colours take no place, and an empty text has none. */
static void test_colors(void **state)
{
	(void)state;
	row("a", "1", "");
	columns_color(&t, 0, "1;31");
	columns_color(&t, 1, "");
	columns_color(&t, 2, "32");
	row("bb", "10", "x");
	expect("NAME   N  NOTE\n"
	       "\033[1;31ma\033[0m      1\n"
	       "bb    10  x\n");
}

static void test_put_again(void **state)
{
	(void)state;
	row("a long name", "1", "x");
	columns_put(&t, 0, "%s%d", "b", 2);
	expect("NAME  N  NOTE\n"
	       "b2    1  x\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fits_content, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_blank_at_the_end, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unused_columns, setup, teardown),
		cmocka_unit_test_setup_teardown(test_utf8, setup, teardown),
		cmocka_unit_test_setup_teardown(test_titles, setup, teardown),
		cmocka_unit_test_setup_teardown(test_colors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_put_again, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
