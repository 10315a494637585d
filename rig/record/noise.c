/* SPDX-License-Identifier: GPL-2.0-only */
/* A host's noise floors on disk. */
#include "record/noise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "record/tables.h"

#define VERSION_KEY "iorig-noise"
#define MAX_BYTES   ((size_t)4 << 20)

DEFINE_FREE(json, json_t *, json_decref(_T))

void noise_release(struct noise *n)
{
	fields_release(&noise_fields, n, sizeof(*n));
}

static char *copy(const char *s)
{
	return xstrdup(s ? s : "");
}

void run_floor_copy(struct run_floor *to, const struct run_floor *from)
{
	*to = *from;
	to->case_name = copy(from->case_name);
	to->job = copy(from->job);
	to->metric = copy(from->metric);
	to->measured = copy(from->measured);
}

void run_floor_release(struct run_floor *f)
{
	free(f->case_name);
	free(f->job);
	free(f->metric);
	free(f->measured);
	*f = (struct run_floor){ .floor = 0 };
}

static int check_version(const json_t *j, struct err *err)
{
	const json_t *version = json_object_get(j, VERSION_KEY);

	if (!json_is_integer(version))
		return err_set(err, -EBADMSG, "no file of noise floors: it has no \"%s\": %d",
			       VERSION_KEY, NOISE_VERSION);
	if (json_integer_value(version) != NOISE_VERSION)
		return err_set(err, -EBADMSG, "it has version %" JSON_INTEGER_FORMAT
			       ", this iorig reads version %d only", json_integer_value(version),
			       NOISE_VERSION);
	return 0;
}

static int check_floors(const struct noise *n, struct err *err)
{
	for (size_t i = 0; i < n->n_floors; i++) {
		const struct run_floor *f = &n->floors[i];

		if (!(f->floor >= 0 && f->floor <= NOISE_MOST))
			return err_set(err, -EBADMSG, "floors[%zu].floor: not from 0 to %g", i,
				       NOISE_MOST);
		if (!f->seeds)
			return err_set(err, -EBADMSG, "floors[%zu].seeds: none", i);
	}
	return 0;
}

static int parse(struct noise *n, const struct strbuf *text, struct err *err)
{
	json_error_t why;
	json_t *j __free(json) = json_loadb(text->buf, text->len, JSON_REJECT_DUPLICATES, &why);
	int ret;

	if (!j)
		return err_set(err, -EBADMSG, "line %d: not JSON: %s", why.line,
			       str_escape(why.text));
	ret = check_version(j, err);
	if (!ret)
		ret = fields_from_json(&noise_fields, n, j, NULL, err);
	return ret ? ret : check_floors(n, err);
}

int noise_read(struct noise *n, const char *path, struct err *err)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	int ret;

	*n = (struct noise)NOISE_INIT;
	ret = file_read(path, MAX_BYTES, &text, err);
	if (!ret)
		ret = parse(n, &text, err);
	if (ret)
		noise_release(n);
	return ret == -EBADMSG ? err_wrap(err, "%s", str_escape(path)) : ret;
}

int noise_write(const struct noise *n, const char *path, struct err *err)
{
	json_t *j __free(json) = fields_to_json(&noise_fields, n);
	struct strbuf line __release(strbuf) = STRBUF_INIT;
	char *text __free(ptr) = NULL;

	BUG_ON(json_object_set_new(j, VERSION_KEY, json_integer(NOISE_VERSION)) < 0);
	text = json_dumps(j, JSON_INDENT(1));
	BUG_ON(!text);
	strbuf_addf(&line, "%s\n", text);
	return file_write_atomic(path, line.buf, line.len, 0644, err);
}
