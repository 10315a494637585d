/* SPDX-License-Identifier: GPL-2.0-only */
/* A job's document, from the guest's file through frames into the run document; and pauses. */
#include "agent/document.c"
#include "agent/jsonw.c"
#include "agent/port.c"
#include "agent/text.c"

#include "follow_fixture.h"

#include "base/err.h"
#include "base/strbuf.h"

static struct talk t;

static void piece(int64_t total, int64_t at, const char *json_text)
{
	char *frame = xstrfmt("{\"t\":\"document\",\"ns\":1,\"job\":\"hdd\",\"total\":%lld,\"at\":%lld,"
			      "\"text\":\"%s\"}", (long long)total, (long long)at, json_text);

	say(&t, frame);
	free(frame);
}

static const char *note(void)
{
	return t.b.jobs[0].document_note ? t.b.jobs[0].document_note : "";
}

static void pieces_make_a_document(void **state)
{
	const json_t *v;

	(void)state;
	init(&t);
	piece(24, 0, "fio: a note\\n{");
	piece(24, 14, "x");	/* one is missing before it */
	assert_int_equal(t.b.frames_bad, 1);
	piece(24, 13, "\\\"a\\\": [1, 2]}");	/* longer than what is left */
	assert_int_equal(t.b.frames_bad, 2);
	piece(24, 13, "\\\"a\\\":[1,2]}\\n");
	assert_int_equal(t.b.frames_bad, 2);
	v = json_object_get(t.b.jobs[0].document, "a");
	assert_int_equal(json_integer_value(json_array_get(v, 1)), 2);
	assert_string_equal(note(), "");
	/* once only, and not after the end */
	piece(2, 0, "{}");
	say(&t, END("dvd", 5));
	say(&t, "{\"t\":\"document\",\"ns\":1,\"job\":\"dvd\",\"total\":2,\"at\":0,\"text\":\"{}\"}");
	say(&t, "{\"t\":\"document\",\"ns\":1,\"job\":\"usb\",\"total\":2,\"at\":0,\"text\":\"{}\"}");
	assert_int_equal(t.b.frames_bad, 5);
	assert_null(t.b.jobs[1].document);
	done(&t);
}

static void bad_documents(void **state)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "", "holds no JSON object" },
		{ "no object\\n[1]\\n", "holds no JSON object" },
		{ "{\\\"a\\\":", "is no JSON: line 1: " },
		{ "{\\\"a\\\":1,\\\"a\\\":2}", "is no JSON: line 1: duplicate object key" },
		{ "{} x", "is no JSON: line 1: end of file expected" },
		{ "{\\\"a\\\":99999999999999999999}", "is no JSON: line 1: too big integer" },
	};
	struct strbuf deep = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t len = 0;

		for (const char *p = rows[i].text; *p; p++)
			len += *p != '\\';	/* the text as it is without its escapes */
		init(&t);
		piece((int64_t)len, 0, rows[i].text);
		assert_null(t.b.jobs[0].document);
		if (!strstr(note(), rows[i].why))
			fail_msg("'%s': %s", rows[i].text, note());
		done(&t);
	}
	init(&t);
	piece(DOCUMENT_MAX + 1, 0, "");
	assert_string_equal(note(), "its document is longer than 256 KiB");
	done(&t);
	for (int depth = DOCUMENT_DEPTH; depth <= DOCUMENT_DEPTH + 1; depth++) {
		strbuf_addstr(&deep, "{\\\"a\\\":");
		for (int i = 2; i < depth; i++)
			strbuf_addch(&deep, '[');
		strbuf_addch(&deep, '1');
		for (int i = 2; i < depth; i++)
			strbuf_addch(&deep, ']');
		strbuf_addch(&deep, '}');
		init(&t);
		piece((int64_t)deep.len - 2, 0, deep.buf);
		assert_string_equal(note(), depth <= DOCUMENT_DEPTH ? "" :
				    "its document is nested too deeply");
		done(&t);
		strbuf_reset(&deep);
	}
	strbuf_release(&deep);
}

/* What the agent sends is what the file holds. */
static void agent_sends_it(void **state)
{
	char dir[] = "/tmp/iorig-document-XXXXXX", path[64], line[FRAME_MAX];
	int ends[2];
	FILE *in, *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/" DOCUMENT_NAME, dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("{\"text\":\"", f);
	for (int i = 0; i < 2 * DOCUMENT_PIECE; i++)
		fputs("\\\"", f);	/* every second byte has to be escaped once more */
	fputs("\"}\n", f);
	fclose(f);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	port_fd = ends[1];
	port_seq = 0;
	document_send(dir, "hdd");
	document_send(dir, "hdd");	/* it is gone */
	close(ends[1]);
	port_fd = -1;
	init(&t);
	in = fdopen(ends[0], "r");
	while (fgets(line, sizeof(line), in))
		follow_frame(&t.f, line, strcspn(line, "\n"), 0);
	fclose(in);
	assert_int_equal(t.b.frames_bad, 0);
	assert_int_equal(t.b.frames_lost, 0);
	assert_int_equal(json_string_length(json_object_get(t.b.jobs[0].document, "text")),
			 2 * DOCUMENT_PIECE);
	done(&t);
	assert_int_equal(rmdir(dir), 0);
}

static void say_pauses(const char *disk)
{
	char *frame = xstrfmt("{\"t\":\"pauses\",\"ns\":1,\"disk\":\"%s\",\"count\":3,\"sum_ns\":50,"
			      "\"max_ns\":20}", disk);

	say(&t, frame);
	free(frame);
}

/* Documents and pauses are the same after they have been written and read. */
static void round_trip(void **state)
{
	struct err err = ERR_INIT;
	struct boot again;
	json_t *j;

	(void)state;
	init(&t);
	say(&t, DISK("hda"));
	piece(13, 0, "{\\\"a\\\":[1,2.5]}");
	say(&t, "{\"t\":\"tracing\",\"ns\":1,\"note\":\"\",\"lost\":7}");
	say_pauses("hda");
	say_pauses("hda");
	say_pauses("usb");
	assert_int_equal(t.b.frames_bad, 2);
	j = boot_to_json(&t.b);
	assert_int_equal(boot_from_json(&again, j, &err), 0);
	assert_true(json_equal(again.jobs[0].document, t.b.jobs[0].document));
	assert_null(again.jobs[1].document);
	assert_int_equal(again.n_pauses, 1);
	assert_string_equal(again.pauses[0].disk, "hda");
	assert_int_equal(again.pauses[0].count, 3);
	assert_int_equal(again.pauses[0].sum_ns, 50);
	assert_int_equal(again.pauses[0].max_ns, 20);
	assert_int_equal(again.pauses_lost, 7);
	boot_release(&again);
	json_object_set_new(json_array_get(json_object_get(j, "jobs"), 0), "document", json_true());
	assert_int_equal(boot_from_json(&again, j, &err), -EBADMSG);
	assert_non_null(strstr(err.msg, "jobs[0].document: neither an object nor null"));
	json_decref(j);
	done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_make_a_document),
		cmocka_unit_test(bad_documents),
		cmocka_unit_test(agent_sends_it),
		cmocka_unit_test(round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
