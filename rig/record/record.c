/* SPDX-License-Identifier: GPL-2.0-only */
/* Run documents: their life in memory and on disk. */
#include "record/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "record/tables.h"

#define VERSION_KEY "iorig"
/* A day of samples of a dozen boots; a document is parsed as a whole. */
#define MAX_BYTES ((size_t)512 << 20)

DEFINE_FREE(json, json_t *, json_decref(_T))

const char *outcome_name(enum outcome o)
{
	return outcome_names[o];
}

const char *stage_name(enum stage s)
{
	return stage_names[s];
}

const char *verdict_name(enum verdict_kind v)
{
	return verdict_names[v];
}

void boot_init(struct boot *b)
{
	*b = (struct boot){
		.evidence = STRVEC_INIT, .argv = STRVEC_INIT, .hello_ns = -1, .mem_kb = -1,
	};
}

void boot_release(struct boot *b)
{
	fields_release(&boot_fields, b, sizeof(*b));
	boot_init(b);
}

void verdict_release(struct verdict *v)
{
	fields_release(&verdict_fields, v, sizeof(*v));
}

bool boot_is_void(const struct boot *b)
{
	return b->outcome == OUTCOME_BROKEN && b->controlled && b->control.voided;
}

void run_init(struct run *r)
{
	*r = (struct run){ .id = NULL };
}

void run_release(struct run *r)
{
	fields_release(&run_fields, r, sizeof(*r));
}

static json_t *with_version(json_t *fields)
{
	json_t *j = json_pack("{s:i}", VERSION_KEY, RECORD_VERSION);

	BUG_ON(!j || json_object_update(j, fields) < 0);
	json_decref(fields);
	return j;
}

json_t *boot_to_json(const struct boot *b)
{
	return fields_to_json(&boot_fields, b);
}

json_t *run_to_json(const struct run *r)
{
	return with_version(fields_to_json(&run_fields, r));
}

json_t *sample_to_json(const struct msg_sample *s)
{
	return fields_to_json(&sample_fields, s);
}

static int check_version(const json_t *j, struct err *err)
{
	const json_t *version = json_object_get(j, VERSION_KEY);

	if (!json_is_integer(version))
		return err_set(err, -EBADMSG, "not a document of iorig: it has no \"%s\": %d",
			       VERSION_KEY, RECORD_VERSION);
	if (json_integer_value(version) != RECORD_VERSION)
		return err_set(err, -EBADMSG, "document has version %" JSON_INTEGER_FORMAT
			       ", this iorig reads version %d only",
			       json_integer_value(version), RECORD_VERSION);
	return 0;
}

int boot_from_json(struct boot *b, const json_t *j, struct err *err)
{
	int ret;

	boot_init(b);
	ret = fields_from_json(&boot_fields, b, j, NULL, err);
	if (ret < 0)
		boot_release(b);
	return ret;
}

int run_from_json(struct run *r, const json_t *j, struct err *err)
{
	int ret;

	run_init(r);
	ret = check_version(j, err);
	if (!ret)
		ret = fields_from_json(&run_fields, r, j, NULL, err);
	if (ret < 0)
		run_release(r);
	return ret;
}

static int write_document(const json_t *j, const char *path, struct err *err)
{
	char *text __free(ptr) = json_dumps(j, JSON_COMPACT);
	struct strbuf line __release(strbuf) = STRBUF_INIT;

	BUG_ON(!text);
	strbuf_addstr(&line, text);
	strbuf_addch(&line, '\n');
	return file_write_atomic(path, line.buf, line.len, 0666, err);
}

static int read_document(json_t **j, const char *path, struct err *err)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	json_error_t why;
	int ret = file_read(path, MAX_BYTES, &text, err);

	if (ret < 0)
		return ret;
	*j = json_loadb(text.buf, text.len, JSON_REJECT_DUPLICATES, &why);
	if (!*j)
		return err_set(err, -EBADMSG, "%s:%d: not JSON: %s", str_escape(path), why.line,
			       str_escape(why.text));
	return 0;
}

int run_write(const struct run *r, const char *path, struct err *err)
{
	json_t *j __free(json) = run_to_json(r);

	return write_document(j, path, err);
}

int boot_write(const struct boot *b, const char *path, struct err *err)
{
	json_t *j __free(json) = with_version(boot_to_json(b));

	return write_document(j, path, err);
}

int run_read(struct run *r, const char *path, struct err *err)
{
	json_t *j __free(json) = NULL;
	int ret;

	run_init(r);
	ret = read_document(&j, path, err);
	if (ret < 0)
		return ret;
	ret = run_from_json(r, j, err);
	return ret < 0 ? err_wrap(err, "%s", str_escape(path)) : 0;
}

int boot_read(struct boot *b, const char *path, struct err *err)
{
	json_t *j __free(json) = NULL;
	int ret;

	boot_init(b);
	ret = read_document(&j, path, err);
	if (ret < 0)
		return ret;
	ret = check_version(j, err);
	if (!ret)
		ret = boot_from_json(b, j, err);
	return ret < 0 ? err_wrap(err, "%s", str_escape(path)) : 0;
}
