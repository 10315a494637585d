/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of guest/msg: every kind of frame, and everything that must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "guest/msg.h"
#include "wire/frame.h"

#define VMSTAT "\"vmstat\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,-1]"
#define IO11   "\"io\":[1,2,3,4,5,6,7,8,9,10,11]"

static struct msg msg;	/* too large for a stack */

static void good(const char *json)
{
	struct err err = ERR_INIT;

	memset(&msg, 0x5a, sizeof(msg));
	if (msg_parse(&msg, json, strlen(json), &err))
		fail_msg("'%s' refused: %s", json, err.msg);
	assert_int_equal(err.code, 0);
}

static void bad_bytes(const char *json, size_t len, const char *why)
{
	struct err err = ERR_INIT;

	if (!msg_parse(&msg, json, len, &err))
		fail_msg("'%s' taken", json);
	assert_int_equal(err.code, -EBADMSG);
	if (!strstr(err.msg, why))
		fail_msg("'%s' refused: %s", json, err.msg);
}

static void bad(const char *json, const char *why)
{
	bad_bytes(json, strlen(json), why);
}

static void test_small_kinds(void **state)
{
	(void)state;
	good("{\"t\":\"hello\",\"ns\":5,\"proto\":1,\"release\":\"6.1.0\",\"machine\":\"x86_64\","
	     "\"mem_kb\":120000,\"cpus\":2,\"new\":[{}]}");
	assert_int_equal(msg.kind, MSG_HELLO);
	assert_int_equal(msg.ns, 5);
	assert_int_equal(msg.hello.proto, 1);
	assert_string_equal(msg.hello.release, "6.1.0");
	assert_string_equal(msg.hello.machine, "x86_64");
	assert_int_equal(msg.hello.mem_kb, 120000);
	assert_int_equal(msg.hello.cpus, 2);
	good("{\"t\":\"module\",\"ns\":6,\"name\":\"ata_piix\",\"error\":17}");
	assert_int_equal(msg.kind, MSG_MODULE);
	assert_string_equal(msg.module.name, "ata_piix");
	assert_int_equal(msg.module.error, 17);
	good("{\"t\":\"set\",\"ns\":6,\"path\":\"/proc/x\",\"value\":\"20\",\"error\":0}");
	assert_int_equal(msg.kind, MSG_SET);
	assert_string_equal(msg.set.path, "/proc/x");
	assert_string_equal(msg.set.value, "20");
	good("{\"t\":\"lacks\",\"ns\":6,\"what\":\"disk\",\"name\":\"hda\","
	     "\"text\":\"no \\u00e4\"}");
	assert_int_equal(msg.kind, MSG_LACKS);
	assert_string_equal(msg.lacks.text, "no \xc3\xa4");
	good("{\"t\":\"fail\",\"ns\":6,\"stage\":\"mount\",\"text\":\"x\",\"error\":5}");
	assert_int_equal(msg.kind, MSG_FAIL);
	assert_string_equal(msg.fail.stage, "mount");
	assert_int_equal(msg.fail.error, 5);
	good("{\"t\":\"ready\",\"ns\":9223372036854775807}");
	assert_int_equal(msg.kind, MSG_READY);
	assert_true(msg.ns == INT64_MAX);
	good("{\"t\":\"start\",\"ns\":0,\"job\":\"hdd\"}");
	assert_int_equal(msg.kind, MSG_START);
	assert_string_equal(msg.start.job, "hdd");
	good("{\"t\":\"done\",\"ns\":7}");
	assert_int_equal(msg.kind, MSG_DONE);
	good("{\"t\":\"from the future\",\"ns\":7,\"job\":3}");
	assert_int_equal(msg.kind, MSG_UNKNOWN);
}

static void test_disk(void **state)
{
	(void)state;
	good("{\"t\":\"disk\",\"ns\":1,\"name\":\"hda\",\"dev\":\"sdb\",\"major\":8,\"minor\":16,"
	     "\"bytes\":536870912,\"sector\":512,\"rotational\":1,\"scheduler\":\"mq-deadline\","
	     "\"nr_requests\":2,\"queue_depth\":1}");
	assert_int_equal(msg.kind, MSG_DISK);
	assert_string_equal(msg.disk.dev, "sdb");
	assert_int_equal(msg.disk.minor, 16);
	assert_int_equal(msg.disk.bytes, 536870912);
	assert_string_equal(msg.disk.scheduler, "mq-deadline");
	assert_int_equal(msg.disk.queue_depth, 1);
	good("{\"t\":\"disk\",\"ns\":1,\"name\":\"hda\",\"dev\":\"hda\",\"major\":3,\"minor\":0,"
	     "\"bytes\":1,\"sector\":512}");
	assert_int_equal(msg.disk.rotational, MSG_NONE);
	assert_int_equal(msg.disk.nr_requests, MSG_NONE);
	assert_int_equal(msg.disk.queue_depth, MSG_NONE);
	assert_string_equal(msg.disk.scheduler, "");
}

#define END                                                                                        \
	"{\"t\":\"end\",\"ns\":9,\"job\":\"hdd\",\"start_ns\":1,\"wall_ns\":2,\"user_ns\":3,"      \
	"\"sys_ns\":4,\"exit\":0,\"signal\":9,\"timeout\":1,\"stopped\":0,\"output\":\"a\\nb\""

static void test_end(void **state)
{
	(void)state;
	good(END ",\"sync_ns\":77,\"sync_error\":5}");
	assert_int_equal(msg.kind, MSG_END);
	assert_string_equal(msg.end.job, "hdd");
	assert_int_equal(msg.end.start_ns, 1);
	assert_int_equal(msg.end.wall_ns, 2);
	assert_int_equal(msg.end.user_ns, 3);
	assert_int_equal(msg.end.sys_ns, 4);
	assert_int_equal(msg.end.signal, 9);
	assert_int_equal(msg.end.timeout, 1);
	assert_int_equal(msg.end.sync_ns, 77);
	assert_int_equal(msg.end.sync_error, 5);
	assert_string_equal(msg.end.output, "a\nb");
	good(END "}");
	assert_int_equal(msg.end.sync_ns, MSG_NONE);
}

#define RESULT(rest)                                                                               \
	"{\"t\":\"result\",\"ns\":9,\"job\":\"hdd\",\"ops\":7,\"bytes\":4096,\"errors\":1,"       \
	"\"first_ns\":5,\"last_ns\":6,\"sum\":900,\"min\":3,\"max\":800" rest "}"

static void test_result(void **state)
{
	(void)state;
	good(RESULT(",\"hist\":[[3,2],[64,4],[1215,1]]"));
	assert_int_equal(msg.kind, MSG_RESULT);
	assert_string_equal(msg.result.job, "hdd");
	assert_int_equal(msg.result.ops, 7);
	assert_int_equal(msg.result.bytes, 4096);
	assert_int_equal(msg.result.errors, 1);
	assert_int_equal(msg.result.first_ns, 5);
	assert_int_equal(msg.result.last_ns, 6);
	assert_int_equal(msg.result.hist.count, 7);
	assert_int_equal(msg.result.hist.sum, 900);
	assert_int_equal(msg.result.hist.min, 3);
	assert_int_equal(msg.result.hist.max, 800);
	assert_int_equal(msg.result.hist.n[64], 4);
	assert_int_equal(msg.result.hist.n[HIST_BUCKETS - 1], 1);
	good(RESULT(",\"hist\":[]"));
	assert_int_equal(msg.result.hist.count, 0);
	bad(RESULT(""), "'hist' is not an array");
	bad(RESULT(",\"hist\":{}"), "'hist' is not an array");
	bad(RESULT(",\"hist\":[7]"), "no pair");
	bad(RESULT(",\"hist\":[[7]]"), "no pair");
	bad(RESULT(",\"hist\":[[7,1,1]]"), "no pair");
	bad(RESULT(",\"hist\":[[7,\"1\"]]"), "'hist' is not a whole number");
	bad(RESULT(",\"hist\":[[-1,1]]"), "'hist' is negative");
	bad(RESULT(",\"hist\":[[1216,1]]"), "none or out of order");
	bad(RESULT(",\"hist\":[[8,1],[8,1]]"), "none or out of order");
	bad(RESULT(",\"hist\":[[8,1],[7,1]]"), "none or out of order");
	bad(RESULT(",\"hist\":[[8,0]]"), "impossible count");
	bad(RESULT(",\"hist\":[[8,4294967296]]"), "impossible count");
	bad("{\"t\":\"result\",\"ns\":9,\"job\":\"x\",\"ops\":1,\"bytes\":0,\"errors\":0,"
	    "\"first_ns\":7,\"last_ns\":6,\"sum\":1,\"min\":1,\"max\":1,\"hist\":[]}",
	    "'last_ns' is before the first");
	bad("{\"t\":\"result\",\"ns\":9,\"job\":\"x\",\"ops\":1,\"bytes\":0,\"errors\":0,"
	    "\"first_ns\":5,\"last_ns\":6,\"sum\":1,\"min\":2,\"max\":1,\"hist\":[]}",
	    "'max' is below the least value");
}

/* The largest histogram that there can be fits into a frame. */
static void test_full_result(void **state)
{
	struct strbuf json = STRBUF_INIT;

	(void)state;
	strbuf_addstr(&json, "{\"t\":\"result\",\"ns\":9223372036854775807,\"job\":\"hdd\","
		      "\"ops\":1,\"bytes\":1,\"errors\":0,\"first_ns\":0,\"last_ns\":1,"
		      "\"sum\":9223372036854775807,\"min\":0,\"max\":1,\"hist\":[");
	for (int i = 0; i < HIST_BUCKETS; i++)
		strbuf_addf(&json, "%s[%d,4294967295]", i ? "," : "", i);
	strbuf_addstr(&json, "]}");
	assert_in_range(json.len, 20000, FRAME_MAX - 200);
	good(json.buf);
	assert_int_equal(msg.result.hist.count, HIST_BUCKETS * 4294967295LL);
	strbuf_release(&json);
}

static void test_stacks(void **state)
{
	(void)state;
	good("{\"t\":\"stacks\",\"ns\":9,\"job\":\"hdd\",\"rounds\":50,\"source\":\"stack\"}");
	assert_int_equal(msg.kind, MSG_STACKS);
	assert_int_equal(msg.stacks.rounds, 50);
	assert_string_equal(msg.stacks.source, "stack");
	good("{\"t\":\"stack\",\"ns\":9,\"job\":\"hdd\",\"state\":\"D\",\"count\":3,"
	     "\"stack\":\"io_schedule vfs_read\"}");
	assert_int_equal(msg.kind, MSG_STACK);
	assert_string_equal(msg.stack.job, "hdd");
	assert_string_equal(msg.stack.state, "D");
	assert_string_equal(msg.stack.stack, "io_schedule vfs_read");
	assert_int_equal(msg.stack.count, 3);
	bad("{\"t\":\"stacks\",\"ns\":9,\"job\":\"hdd\",\"rounds\":-1,\"source\":\"\"}",
	    "'rounds' is negative");
	bad("{\"t\":\"stack\",\"ns\":9,\"job\":\"hdd\",\"state\":\"D\",\"count\":3}",
	    "'stack' is missing");
}

static void test_document_and_pauses(void **state)
{
	(void)state;
	good("{\"t\":\"document\",\"ns\":9,\"job\":\"fio\",\"total\":7,\"at\":2,\"text\":\"{}\\n\"}");
	assert_int_equal(msg.kind, MSG_DOCUMENT);
	assert_string_equal(msg.document.job, "fio");
	assert_string_equal(msg.document.text, "{}\n");
	assert_int_equal(msg.document.total, 7);
	assert_int_equal(msg.document.at, 2);
	bad("{\"t\":\"document\",\"ns\":9,\"job\":\"fio\",\"total\":7,\"at\":-2,\"text\":\"\"}",
	    "'at' is negative");
	good("{\"t\":\"tracing\",\"ns\":9,\"note\":\"no such file\",\"lost\":3}");
	assert_int_equal(msg.kind, MSG_TRACING);
	assert_string_equal(msg.tracing.note, "no such file");
	assert_int_equal(msg.tracing.lost, 3);
	good("{\"t\":\"pauses\",\"ns\":9,\"disk\":\"hda\",\"count\":2,\"sum_ns\":30,\"max_ns\":20}");
	assert_int_equal(msg.kind, MSG_PAUSES);
	assert_string_equal(msg.pauses.disk, "hda");
	assert_int_equal(msg.pauses.count, 2);
	assert_int_equal(msg.pauses.sum_ns, 30);
	assert_int_equal(msg.pauses.max_ns, 20);
	bad("{\"t\":\"pauses\",\"ns\":9,\"disk\":\"hda\",\"count\":2,\"max_ns\":20}",
	    "'sum_ns' is missing");
}

static void test_sample(void **state)
{
	(void)state;
	good("{\"t\":\"sample\",\"ns\":10,\"disks\":{\"hda\":{\"dirty\":1,\"writeback\":2,"
	     "\"thresh\":3,\"dirtied\":4,\"written\":5,\"bandwidth\":6,"
	     "\"io\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]},\"dvd\":{" IO11 "}},"
	     "\"vm\":{\"dirty\":7,\"limit\":9}," VMSTAT "}");
	assert_int_equal(msg.kind, MSG_SAMPLE);
	assert_int_equal(msg.sample.ns, 10);
	assert_int_equal(msg.sample.n_disks, 2);
	assert_string_equal(msg.sample.disks[0].name, "hda");
	assert_int_equal(msg.sample.disks[0].dirty, 1);
	assert_int_equal(msg.sample.disks[0].bandwidth, 6);
	assert_int_equal(msg.sample.disks[0].n_io, 17);
	assert_int_equal(msg.sample.disks[0].io[16], 17);
	assert_string_equal(msg.sample.disks[1].name, "dvd");
	assert_int_equal(msg.sample.disks[1].n_io, 11);
	assert_int_equal(msg.sample.disks[1].dirty, MSG_NONE);
	assert_int_equal(msg.sample.dirty, 7);
	assert_int_equal(msg.sample.writeback, MSG_NONE);
	assert_int_equal(msg.sample.limit, 9);
	assert_int_equal(msg.sample.vmstat[0], 1);
	assert_int_equal(msg.sample.vmstat[15], MSG_NONE);
	good("{\"t\":\"sample\",\"ns\":10,\"disks\":{},\"vm\":{}," VMSTAT "}");
	assert_int_equal(msg.sample.n_disks, 0);
}

static void test_refused(void **state)
{
	static const struct {
		const char *json, *why;
	} rows[] = {
		{ "", "not JSON" }, { "{", "not JSON" }, { "nonsense", "not JSON" },
		{ "[]", "not a JSON object" }, { "{} {}", "not JSON" },
		{ "{}", "without a kind" }, { "{\"t\":1,\"ns\":1}", "without a kind" },
		{ "{\"t\":\"ready\"}", "'ns' is missing" },
		{ "{\"t\":\"x\"}", "frame 'x': 'ns' is missing" },
		{ "{\"t\":\"ready\",\"ns\":\"1\"}", "'ns' is not a whole number" },
		{ "{\"t\":\"ready\",\"ns\":1.0}", "'ns' is not a whole number" },
		{ "{\"t\":\"ready\",\"ns\":1e3}", "'ns' is not a whole number" },
		{ "{\"t\":\"ready\",\"ns\":true}", "'ns' is not a whole number" },
		{ "{\"t\":\"ready\",\"ns\":null}", "'ns' is not a whole number" },
		{ "{\"t\":\"ready\",\"ns\":-1}", "'ns' is negative" },
		{ "{\"t\":\"ready\",\"ns\":9223372036854775808}", "not JSON" },
		{ "{\"t\":\"ready\",\"ns\":1,\"ns\":2}", "not JSON" },
		{ "{\"t\":\"start\",\"ns\":1}", "'job' is missing" },
		{ "{\"t\":\"start\",\"ns\":1,\"job\":5}", "'job' is not a string" },
		{ "{\"t\":\"start\",\"ns\":1,\"job\":null}", "'job' is not a string" },
		{ "{\"t\":\"start\",\"ns\":1,\"job\":\"a\\u0000b\"}", "not JSON" },
		{ "{\"t\":\"start\",\"ns\":1,\"job\":\"\xff\"}", "not JSON" },
		{ "{\"t\":\"start\",\"ns\":1,\"job\":\"\\ud800\"}", "not JSON" },
		{ "{\"t\":\"start\",\"ns\":1,\"job\":\"12345678901234567890123456789012345678901234"
		  "5678\"}", "'job' is too long" },
		{ END ",\"sync_ns\":\"x\"}", "'sync_ns' is not a whole number" },
		{ END ",\"sync_ns\":-1}", "'sync_ns' is negative" },
		{ "{\"t\":\"\\u001b[2J\"}", "frame '\\x1b[2J'" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		bad(rows[i].json, rows[i].why);
	bad_bytes("{\"t\":\"ready\",\"ns\":1}\0", 22, "not JSON");
}

static void test_refused_samples(void **state)
{
	static const struct {
		const char *rest, *why;
	} rows[] = {
		{ "\"vm\":{}," VMSTAT, "'disks' is not an object" },
		{ "\"disks\":[],\"vm\":{}," VMSTAT, "'disks' is not an object" },
		{ "\"disks\":{}," VMSTAT, "'vm' is not an object" },
		{ "\"disks\":{},\"vm\":{\"dirty\":\"1\"}," VMSTAT,
		  "'dirty' is not a whole number" },
		{ "\"disks\":{},\"vm\":{}", "'vmstat' is not an array of 16" },
		{ "\"disks\":{},\"vm\":{},\"vmstat\":[1]", "'vmstat' is not an array of 16" },
		{ "\"disks\":{},\"vm\":{},\"vmstat\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\"\"]",
		  "'vmstat' is not a whole number" },
		{ "\"disks\":{},\"vm\":{},\"vmstat\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,-2]",
		  "'vmstat' is negative" },
		{ "\"disks\":{\"hda\":7},\"vm\":{}," VMSTAT, "'hda' is not an object" },
		{ "\"disks\":{\"\":{" IO11 "}},\"vm\":{}," VMSTAT, "'' is no disk's name" },
		{ "\"disks\":{\"hda\":{}},\"vm\":{}," VMSTAT, "frame 'hda': 'io' is not an array" },
		{ "\"disks\":{\"hda\":{\"io\":[1,2]}},\"vm\":{}," VMSTAT, "'io' is not an array" },
		{ "\"disks\":{\"hda\":{\"io\":[1,2,3,4,5,6,7,8,9,10,-1]}},\"vm\":{}," VMSTAT,
		  "'io' is negative" },
		{ "\"disks\":{\"hda\":{\"io\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]}},"
		  "\"vm\":{}," VMSTAT, "'io' is not an array" },
		{ "\"disks\":{\"hda\":{" IO11 ",\"dirty\":[]}},\"vm\":{}," VMSTAT,
		  "'dirty' is not a whole number" },
		{ "\"disks\":{\"hda\":{" IO11 "},\"hda\":{" IO11 "}},\"vm\":{}," VMSTAT,
		  "not JSON" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *json = xstrfmt("{\"t\":\"sample\",\"ns\":1,%s}", rows[i].rest);

		bad(json, rows[i].why);
		free(json);
	}
}

/* As many disks as there is room for, and more. */
static void test_many_disks(void **state)
{
	static const int counts[] = { MSG_DISKS, MSG_DISKS + 1, 33 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		struct strbuf json = STRBUF_INIT;

		strbuf_addstr(&json, "{\"t\":\"sample\",\"ns\":1,\"vm\":{}," VMSTAT ",\"disks\":{");
		for (int d = 0; d < counts[i]; d++)
			strbuf_addf(&json, "%s\"d%d\":{" IO11 "}", d ? "," : "", d);
		strbuf_addstr(&json, "}}");
		if (counts[i] <= MSG_DISKS)
			good(json.buf);
		else
			bad(json.buf, "'disks' has too many disks");
		strbuf_release(&json);
	}
	assert_int_equal(msg.kind, MSG_SAMPLE);
}

/* Depth costs nothing but a refusal; a frame above FRAME_MAX is not even read. */
static void test_deep_and_long(void **state)
{
	struct strbuf json = STRBUF_INIT;

	(void)state;
	strbuf_addstr(&json, "{\"t\":\"ready\",\"ns\":1,\"x\":");
	for (int i = 0; i < 30000; i++)
		strbuf_addch(&json, '[');
	bad(json.buf, "not JSON");
	strbuf_reset(&json);
	strbuf_addf(&json, "{\"t\":\"ready\",\"ns\":1,\"x\":\"%0*d\"}", FRAME_MAX - 27, 0);
	assert_int_equal(json.len, FRAME_MAX);
	good(json.buf);
	strbuf_addch(&json, ' ');
	bad(json.buf, "frame of 32769 bytes");
	strbuf_release(&json);
}

/* A string that just fits keeps its end. */
static void test_text_limit(void **state)
{
	(void)state;
	for (int len = MSG_TEXT - 1; len <= MSG_TEXT; len++) {
		char *json = xstrfmt("{\"t\":\"fail\",\"ns\":1,\"stage\":\"x\",\"error\":0,"
				     "\"text\":\"%0*d\"}", len, 7);

		if (len < MSG_TEXT) {
			good(json);
			assert_int_equal(msg.fail.text[len - 1], '7');
			assert_int_equal(strlen(msg.fail.text), len);
		} else {
			bad(json, "'text' is too long");
		}
		free(json);
	}
}

/* No frame cut short is taken for a whole one. */
static void test_cut(void **state)
{
	static const char whole[] = END "}";

	(void)state;
	for (size_t len = 0; len < strlen(whole); len++)
		bad_bytes(whole, len, "not JSON");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_kinds),
		cmocka_unit_test(test_disk),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_result),
		cmocka_unit_test(test_full_result),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_document_and_pauses),
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_refused_samples),
		cmocka_unit_test(test_many_disks),
		cmocka_unit_test(test_deep_and_long),
		cmocka_unit_test(test_text_limit),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
