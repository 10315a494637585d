/* SPDX-License-Identifier: GPL-2.0-only */
/* The agent's reading of SCSI's vital product data pages. */
#include "agent/serial.c"
#include "agent/text.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void page80(void **state)
{
	static const struct {
		const char *page;
		size_t len;
		const char *serial;
	} rows[] = {
		{ "\x00\x80\x00\x09iorig-hda", 13, "iorig-hda" },
		{ "\x05\x80\x00\x14iorig-hda           ", 24, "iorig-hda" },
		{ "\x00\x80\x00\x14           iorig-hda", 24, "iorig-hda" },
		{ "\x00\x80\x00\x09iorig-hda", 8, "iori" },	/* the read was cut */
		{ "\x00\x80\x00\x05iorig-hda", 13, "iorig" },
		{ "\x00\x80\xff\xffiorig-hda", 13, "iorig-hda" },
		{ "\x00\x83\x00\x09iorig-hda", 13, "" },	/* another page */
		{ "\x00\x80\x00\x00", 4, "" },
		{ "\x00\x80\x00", 3, "" },
		{ "", 0, "" },
	};
	char out[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		serial_from_page80((const unsigned char *)rows[i].page, rows[i].len, out,
				   sizeof(out));
		assert_string_equal(out, rows[i].serial);
	}
	serial_from_page80((const unsigned char *)rows[0].page, 13, out, 5);
	assert_string_equal(out, "iori");
}

static void page83(void **state)
{
	/* a binary designator, an ASCII one of a vendor's type, and one with a vendor's id */
	static const unsigned char page[] = "\x05\x83\x00\x2a"
					    "\x01\x03\x00\x08" "12345678"
					    "\x02\x00\x00\x0a" "iorig-cd  "
					    "\x02\x01\x00\x06" "QEMU x"
					    "\x02\x00\x00\x02" "ab";
	char out[64] = "";
	size_t len;
	int n;

	(void)state;
	assert_true(serial_from_page83(page, sizeof(page) - 1, 0, out, sizeof(out)));
	assert_string_equal(out, "iorig-cd");
	assert_true(serial_from_page83(page, sizeof(page) - 1, 1, out, sizeof(out)));
	assert_string_equal(out, "ab");
	assert_false(serial_from_page83(page, sizeof(page) - 1, 2, out, sizeof(out)));
	/* cut anywhere: never beyond the end, never a serial that is not whole */
	for (len = 0; len < sizeof(page) - 1; len++) {
		unsigned char *copy = malloc(len + 1);

		assert_non_null(copy);
		memcpy(copy, page, len);
		for (n = 0; n < 3; n++) {
			if (serial_from_page83(copy, len, n, out, sizeof(out)))
				assert_string_equal(out, n ? "ab" : "iorig-cd");
		}
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page80),
		cmocka_unit_test(page83),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
