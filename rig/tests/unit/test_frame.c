/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames: what encode writes decode reads, and what damage does. */
#include "wire/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char json[] = "{\"t\":\"ready\",\"ns\":12345}";

static void known_sum(void **state)
{
	(void)state;
	/* the check value that every catalogue of CRCs gives for CRC-32 */
	assert_int_equal(frame_crc(0, "123456789", 9), 0xcbf43926);
	assert_int_equal(frame_crc(frame_crc(0, "1234", 4), "56789", 5), 0xcbf43926);
	assert_int_equal(frame_crc(0, "", 0), 0);
}

static void round_trip(void **state)
{
	static const uint32_t seqs[] = { 0, 1, 9, 10, 4294967295U };
	char line[128];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(seqs) / sizeof(seqs[0]); i++) {
		int n = frame_encode(line, sizeof(line), seqs[i], json, strlen(json));
		struct frame frame;

		assert_true(n > 0);
		assert_int_equal(line[n - 1], '\n');
		assert_int_equal(frame_decode(line, n - 1, &frame), FRAME_OK);
		assert_int_equal(frame.seq, seqs[i]);
		assert_int_equal(frame.json_len, strlen(json));
		assert_memory_equal(frame.json, json, frame.json_len);
		line[n - 1] = '\r';
		assert_int_equal(frame_decode(line, n, &frame), FRAME_OK);
	}
}

static void every_damage_is_seen(void **state)
{
	char line[128];
	int n = frame_encode(line, sizeof(line), 7, json, strlen(json));
	struct frame frame;
	int i, bit;

	(void)state;
	for (i = 0; i < n - 1; i++) {
		assert_int_not_equal(frame_decode(line, i, &frame), FRAME_OK);
		for (bit = 0; bit < 8; bit++) {
			line[i] ^= 1 << bit;
			assert_int_not_equal(frame_decode(line, n - 1, &frame), FRAME_OK);
			line[i] ^= 1 << bit;
		}
	}
	assert_int_equal(frame_decode(line, n - 1, &frame), FRAME_OK);
}

static void faults_are_told_apart(void **state)
{
	static const struct {
		const char *line;
		enum frame_fault fault;
	} rows[] = {
		{ "", FRAME_NOISE },
		{ "\r", FRAME_NOISE },
		{ "SeaBIOS (version 1.16.2)", FRAME_NOISE },
		{ "@", FRAME_NOISE },
		{ "@x 00000000 {}", FRAME_NOISE },
		{ "@1", FRAME_BAD_CRC },
		{ "@1 ", FRAME_BAD_CRC },
		{ "@1 0000000", FRAME_BAD_CRC },
		{ "@1 00000000 {}", FRAME_BAD_CRC },
		{ "@1 0000000G {}", FRAME_BAD_CRC },
		{ "@01 00000000 {}", FRAME_BAD_CRC },
		{ "@4294967296 00000000 {}", FRAME_BAD_CRC },
		{ "@99999999999999999999999 00000000 {}", FRAME_BAD_CRC },
	};
	struct frame frame;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(frame_decode(rows[i].line, strlen(rows[i].line), &frame),
				 rows[i].fault);
}

/* Right sums over numbers that no agent writes. */
static void numbers_are_canonical(void **state)
{
	static const struct {
		const char *seq;
		enum frame_fault fault;
	} rows[] = {
		{ "0 ", FRAME_OK },	    { "4294967295 ", FRAME_OK },
		{ "00 ", FRAME_BAD_CRC },   { "4294967296 ", FRAME_BAD_CRC },
		{ "007 ", FRAME_BAD_CRC },  { "18446744073709551617 ", FRAME_BAD_CRC },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t crc = frame_crc(0, rows[i].seq, strlen(rows[i].seq));
		struct frame frame;
		char line[64];
		int n = snprintf(line, sizeof(line), "@%s%08x {}", rows[i].seq,
				 frame_crc(crc, "{}", 2));

		assert_int_equal(frame_decode(line, n, &frame), rows[i].fault);
	}
}

static void only_printable(void **state)
{
	static const char bad[] = "{\"a\":\"\t\"}";
	char line[64];
	int n = frame_encode(line, sizeof(line), 0, bad, strlen(bad));
	struct frame frame;

	(void)state;
	assert_int_equal(frame_decode(line, n - 1, &frame), FRAME_BAD_CRC);
}

static void bounds(void **state)
{
	static char big[FRAME_MAX + 64], out[FRAME_MAX + 64];
	char line[128];
	struct frame frame;
	int n = frame_encode(line, sizeof(line), 7, json, strlen(json)), cap;

	(void)state;
	for (cap = 0; cap < n; cap++)
		assert_int_equal(frame_encode(out, cap, 7, json, strlen(json)), -1);
	assert_int_equal(frame_encode(out, n, 7, json, strlen(json)), n);
	/* "@0 CCCCCCCC " and the newline are 13 bytes */
	memset(big, ' ', sizeof(big));
	assert_int_equal(frame_encode(out, sizeof(out), 0, big, FRAME_MAX - 12), -1);
	n = frame_encode(out, sizeof(out), 0, big, FRAME_MAX - 13);
	assert_int_equal(n, FRAME_MAX);
	assert_int_equal(frame_decode(out, n - 1, &frame), FRAME_OK);
	out[n - 1] = ' ';
	assert_int_equal(frame_decode(out, n, &frame), FRAME_TOO_LONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_sum),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(every_damage_is_seen),
		cmocka_unit_test(faults_are_told_apart),
		cmocka_unit_test(numbers_are_canonical),
		cmocka_unit_test(only_printable),
		cmocka_unit_test(bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
