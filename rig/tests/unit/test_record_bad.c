/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of record/: documents that lie, lack something, or are none. */
#include "base/strbuf.h"
#include "record_fixture.h"

/* A good document with one value replaced, and what the reader says. */
static const struct {
	const char *at, *json, *message;
} lies[] = {
	{ "iorig", "2", "document has version 2, this iorig reads version 1 only" },
	{ "iorig", "\"1\"", "not a document of iorig" },
	{ "id", "7", "id: not a string" },
	{ "id", "null", "id: not a string" },
	{ "interrupted", "0", "interrupted: neither true nor false" },
	{ "seeds", "1.5", "seeds: not an integer" },
	{ "seeds", "-1", "seeds: integer is out of range" },
	{ "seeds", "3000000000", "seeds: integer is out of range" },
	{ "qemu", "[]", "qemu: not an object" },
	{ "qemu.path", "{}", "qemu.path: not a string" },
	{ "host.load", "\"0\"", "host.load: not a number" },
	{ "kernel.name", "1", "kernel.name: not a string" },
	{ "kernel.title", "1", "kernel.title: neither a string nor null" },
	{ "kernel.image_sha256", "\"%0100d\"", "kernel.image_sha256: string is too long" },
	{ "boots", "{}", "boots: not an array" },
	{ "boots", "[1]", "boots[0]: not an object" },
	{ "boots.1.outcome", "\"fine\"", "boots[1].outcome: unknown word" },
	{ "boots.1.outcome", "0", "boots[1].outcome: not a string" },
	{ "boots.1.seed", "4294967296", "boots[1].seed: integer is out of range" },
	{ "boots.1.evidence", "[\"a\", 1]", "boots[1].evidence[1]: not a string" },
	{ "boots.1.console_seen.oom", "true", "boots[1].console_seen.oom: not an integer" },
	{ "boots.0.jobs.0.end", "0", "boots[0].jobs[0].end: not an object" },
	{ "boots.0.jobs.0.end.wall_ns", "\"1\"", "boots[0].jobs[0].end.wall_ns: not an integer" },
	{ "boots.0.jobs.0.end.job", "\"%0100d\"", "boots[0].jobs[0].end.job: string is too long" },
	{ "boots.0.jobs.0.result", "[]", "boots[0].jobs[0].result: not an object" },
	{ "boots.0.jobs.0.result.hist", "{}", "boots[0].jobs[0].result.hist: not an array" },
	{ "boots.0.jobs.0.result.hist", "[[1]]", "boots[0].jobs[0].result.hist[0]: not a pair" },
	{ "boots.0.jobs.0.result.hist", "[[1,1],[1216,1]]",
	  "boots[0].jobs[0].result.hist[1]: integer is out of range" },
	{ "boots.0.jobs.0.result.hist", "[[1,4294967295],[1,1]]",
	  "boots[0].jobs[0].result.hist[1]: integer is out of range" },
	{ "boots.0.jobs.0.waits", "[{}]", "boots[0].jobs[0].waits[0].state: is missing" },
	{ "boots.0.samples.0.vmstat", "[1, 2]", "boots[0].samples[0].vmstat: array is too short" },
	{ "boots.0.samples.0.disks.0.io", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
	  "boots[0].samples[0].disks[0].io: array is too long" },
	{ "boots.0.samples.0.disks.0.io", "[1, null]",
	  "boots[0].samples[0].disks[0].io[1]: not an integer" },
	{ "boots.0.samples.0.disks", "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]",
	  "boots[0].samples[0].disks: array is too long" },
	{ "boots.0.profiles", "[{\"disk\":\"hda\",\"profile\":1,\"title\":\"x\"}]",
	  "boots[0].profiles[0].profile: not a string" },
	{ "verdicts.0.kind", "\"great\"", "verdicts[0].kind: unknown word" },
};

/* Walk "boots.0.jobs" and set or, with value NULL, delete what it names. */
static void replace(json_t *j, const char *at, json_t *value)
{
	struct strvec part = STRVEC_INIT;

	strvec_split(&part, at, ".");
	for (size_t i = 0; i + 1 < part.n; i++)
		j = json_is_array(j) ? json_array_get(j, (size_t)atoi(part.v[i])) :
				       json_object_get(j, part.v[i]);
	assert_non_null(json_object_get(j, part.v[part.n - 1]));
	if (value)
		json_object_set_new(j, part.v[part.n - 1], value);
	else
		json_object_del(j, part.v[part.n - 1]);
	strvec_release(&part);
}

static void refused(const json_t *j, const char *message)
{
	struct err err = ERR_INIT;
	struct run got;

	assert_int_equal(run_from_json(&got, j, &err), -EBADMSG);
	if (strncmp(err.msg, message, strlen(message)) != 0)
		fail_msg("got '%s', wanted '%s'", err.msg, message);
	assert_null(got.boots);
}

static void test_lies(void **state)
{
	struct run r;

	(void)state;
	fill_run(&r);
	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		json_t *j = run_to_json(&r), *value;

		value = strcmp(lies[i].json, "\"%0100d\"") ?
				json_loads(lies[i].json, JSON_DECODE_ANY, NULL) :
				json_sprintf("%0100d", 0);
		assert_non_null(value);
		replace(j, lies[i].at, value);
		refused(j, lies[i].message);
		json_decref(j);
	}
	run_release(&r);
}

static void test_missing_keys(void **state)
{
	static const char *const rows[][2] = {
		{ "iorig", "not a document of iorig" },
		{ "ended", "ended: is missing" },
		{ "host.cpus", "host.cpus: is missing" },
		{ "boots.1.jobs.0.end", "boots[1].jobs[0].end: is missing" },
	};
	struct run r;

	(void)state;
	fill_run(&r);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		json_t *j = run_to_json(&r);

		replace(j, rows[i][0], NULL);
		refused(j, rows[i][1]);
		json_decref(j);
	}
	run_release(&r);
}

static void test_unknown_key_is_ignored(void **state)
{
	struct err err = ERR_INIT;
	struct run r, got;
	json_t *j;

	(void)state;
	fill_run(&r);
	j = run_to_json(&r);
	json_object_set_new(j, "from-the-future", json_true());
	assert_int_equal(run_from_json(&got, j, &err), 0);
	json_decref(j);
	run_release(&r);
	run_release(&got);
}

static void test_huge_array(void **state)
{
	struct run r;
	json_t *j, *boots = json_array();

	(void)state;
	fill_run(&r);
	j = run_to_json(&r);
	for (int i = 0; i < 10001; i++)
		json_array_append_new(boots, json_integer(0));
	replace(j, "boots", boots);
	refused(j, "boots: array is too long");
	json_decref(j);
	run_release(&r);
}

static void unreadable(const char *text, size_t len, const char *message)
{
	struct err err = ERR_INIT;
	struct run got;

	assert_int_equal(file_write_atomic(path, text, len, 0644, &err), 0);
	assert_int_equal(run_read(&got, path, &err), -EBADMSG);
	if (!strstr(err.msg, message))
		fail_msg("got '%s', wanted '%s'", err.msg, message);
	assert_non_null(strstr(err.msg, path));
}

/* A document that was cut at any byte is refused, and never crashes the reader. */
static void test_truncated(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct run r;

	(void)state;
	fill_run(&r);
	assert_int_equal(run_write(&r, path, &err), 0);
	assert_int_equal(file_read(path, 1 << 20, &text, &err), 0);
	/* the last byte is the newline, the one before it the bracket */
	for (size_t len = 0; len < text.len - 1; len += 97)
		unreadable(text.buf, len, ":1: not JSON: ");
	unreadable(text.buf, text.len - 2, ":1: not JSON: ");
	strbuf_release(&text);
	run_release(&r);
}

static void test_not_documents(void **state)
{
	struct strbuf deep = STRBUF_INIT;

	(void)state;
	unreadable("[]", 2, "not a document of iorig");
	unreadable("{}", 2, "not a document of iorig");
	unreadable("{\"iorig\":1}", 11, "id: is missing");
	unreadable("{\"iorig\":1,\"iorig\":1}", 21, "not JSON: duplicate object key");
	unreadable("{\"iorig\":99999999999999999999}", 30, "not JSON: too big integer");
	unreadable("\x7f" "ELF", 4, "not JSON: ");
	for (int i = 0; i < 100000; i++)
		strbuf_addch(&deep, '[');
	unreadable(deep.buf, deep.len, "not JSON: ");
	strbuf_release(&deep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lies),
		cmocka_unit_test(test_missing_keys),
		cmocka_unit_test(test_unknown_key_is_ignored),
		cmocka_unit_test(test_huge_array),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_not_documents),
	};

	return cmocka_run_group_tests_name("record, refused", tests, setup, teardown);
}
