/* SPDX-License-Identifier: GPL-2.0-only */
/* From JSON, which nobody vouches for, to structs. */
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "record/fields.h"
#include "wire/hist.h"

static void add_place(struct strbuf *sb, const struct place *place)
{
	if (!place)
		return;
	add_place(sb, place->up);
	if (place->key)
		strbuf_addf(sb, "%s%s", sb->len ? "." : "", place->key);
	else
		strbuf_addf(sb, "[%zu]", place->index);
}

static int bad(const struct place *place, struct err *err, const char *what)
{
	struct strbuf where __release(strbuf) = STRBUF_INIT;

	add_place(&where, place);
	return err_set(err, -EBADMSG, "%s: %s", where.len ? where.buf : "document", what);
}

static int read_text(char **text, bool optional, const json_t *j, const struct place *place,
		     struct err *err)
{
	if (optional && json_is_null(j))
		return 0;
	if (!json_is_string(j))
		return bad(place, err, optional ? "neither a string nor null" : "not a string");
	*text = xstrdup(json_string_value(j));
	return 0;
}

static int read_chars(char *out, size_t size, const json_t *j, const struct place *place,
		      struct err *err)
{
	if (!json_is_string(j))
		return bad(place, err, "not a string");
	if (json_string_length(j) >= size)
		return bad(place, err, "string is too long");
	memcpy(out, json_string_value(j), json_string_length(j) + 1);
	return 0;
}

static int read_integer(int64_t *v, int64_t min, int64_t max, const json_t *j,
			const struct place *place, struct err *err)
{
	if (!json_is_integer(j))
		return bad(place, err, "not an integer");
	*v = json_integer_value(j);
	return *v < min || *v > max ? bad(place, err, "integer is out of range") : 0;
}

static int read_enum(unsigned int *v, const char *const *names, const json_t *j,
		     const struct place *place, struct err *err)
{
	const char *s = json_string_value(j);

	if (!s)
		return bad(place, err, "not a string");
	for (unsigned int i = 0; names[i]; i++) {
		if (strcmp(names[i], s) == 0) {
			*v = i;
			return 0;
		}
	}
	return bad(place, err, "unknown word");
}

static int check_array(const json_t *j, size_t max, const struct place *place, struct err *err)
{
	if (!json_is_array(j))
		return bad(place, err, "not an array");
	return json_array_size(j) > max ? bad(place, err, "array is too long") : 0;
}

static int read_strvec(struct strvec *vec, size_t max, const json_t *j,
		       const struct place *place, struct err *err)
{
	int ret = check_array(j, max, place, err);

	strvec_init(vec);
	for (size_t i = 0; i < json_array_size(j) && !ret; i++) {
		const char *s = json_string_value(json_array_get(j, i));

		if (s)
			strvec_push(vec, s);
		else
			ret = bad(&(struct place){ place, NULL, i }, err, "not a string");
	}
	return ret;
}

static int read_numbers(const struct field *f, char *obj, const json_t *j,
			const struct place *place, struct err *err)
{
	int64_t *v = (int64_t *)(void *)(obj + f->offset);
	int ret = check_array(j, f->max, place, err);

	if (ret < 0)
		return ret;
	if (f->count == FIELD_NO_COUNT && json_array_size(j) != f->max)
		return bad(place, err, "array is too short");
	for (size_t i = 0; i < json_array_size(j) && !ret; i++)
		ret = read_integer(&v[i], INT64_MIN, INT64_MAX, json_array_get(j, i),
				   &(struct place){ place, NULL, i }, err);
	if (!ret && f->count != FIELD_NO_COUNT)
		*(int *)(void *)(obj + f->count) = (int)json_array_size(j);
	return ret;
}

static int read_hist(struct hist *h, const json_t *j, const struct place *place, struct err *err)
{
	int ret = check_array(j, HIST_BUCKETS, place, err);

	for (size_t i = 0; i < json_array_size(j) && !ret; i++) {
		const struct place at = { place, NULL, i };
		const json_t *pair = json_array_get(j, i);
		int64_t bucket = 0, count = 0;

		if (!json_is_array(pair) || json_array_size(pair) != 2)
			return bad(&at, err, "not a pair");
		ret = read_integer(&bucket, 0, HIST_BUCKETS - 1, json_array_get(pair, 0), &at, err);
		if (!ret)
			ret = read_integer(&count, 1, UINT32_MAX, json_array_get(pair, 1), &at,
					   err);
		if (!ret && hist_put(h, (unsigned int)bucket, (uint32_t)count) < 0)
			ret = bad(&at, err, "integer is out of range");
	}
	return ret;
}

static int read_array(const struct field *f, char *obj, const json_t *j,
		      const struct place *place, struct err *err)
{
	size_t *n = (size_t *)(void *)(obj + f->count);
	char **elements = (char **)(void *)(obj + f->offset);
	int ret = check_array(j, f->max, place, err);

	/* one by one: a long array of nonsense must not cost more memory than its text */
	for (size_t i = 0; i < json_array_size(j) && !ret; i++) {
		*elements = array_grow_one(*elements, n, f->size);
		ret = fields_from_json(f->sub, *elements + i * f->size, json_array_get(j, i),
				       &(struct place){ place, NULL, i }, err);
	}
	return ret;
}

static int read_inline(const struct field *f, char *obj, const json_t *j,
		       const struct place *place, struct err *err)
{
	int ret = check_array(j, f->max, place, err);

	for (size_t i = 0; i < json_array_size(j) && !ret; i++)
		ret = fields_from_json(f->sub, obj + f->offset + i * f->size, json_array_get(j, i),
				       &(struct place){ place, NULL, i }, err);
	if (!ret)
		*(int *)(void *)(obj + f->count) = (int)json_array_size(j);
	return ret;
}

static int read_number(const struct field *f, void *field, const json_t *j,
		       const struct place *place, struct err *err)
{
	bool i64 = f->type == FIELD_I64, uint = f->type == FIELD_UINT;
	int64_t v = 0;
	int ret = read_integer(&v, i64 ? INT64_MIN : 0, i64 ? INT64_MAX : uint ? UINT_MAX : INT_MAX,
			       j, place, err);

	if (ret < 0)
		return ret;
	if (i64)
		*(int64_t *)field = v;
	else if (uint)
		*(unsigned int *)field = (unsigned int)v;
	else
		*(int *)field = (int)v;
	return 0;
}

static int read_struct(const struct field *f, char *obj, const json_t *j,
		       const struct place *place, struct err *err)
{
	bool *there = (bool *)(void *)(obj + f->count);

	*there = !json_is_null(j);
	return *there ? fields_from_json(f->sub, obj + f->offset, j, place, err) : 0;
}

static int read_json(json_t **object, json_t *j, const struct place *place, struct err *err)
{
	if (!json_is_object(j) && !json_is_null(j))
		return bad(place, err, "neither an object nor null");
	*object = json_is_object(j) ? json_incref(j) : NULL;
	return 0;
}

static int read_field(const struct field *f, char *obj, json_t *j,
		      const struct place *place, struct err *err)
{
	void *field = obj + f->offset;

	switch (f->type) {
	case FIELD_STR:
	case FIELD_OPT:
		return read_text(field, f->type == FIELD_OPT, j, place, err);
	case FIELD_CHARS:
		return read_chars(field, f->size, j, place, err);
	case FIELD_BOOL:
		*(bool *)field = json_is_true(j);
		return json_is_boolean(j) ? 0 : bad(place, err, "neither true nor false");
	case FIELD_INT:
	case FIELD_UINT:
	case FIELD_I64:
		return read_number(f, field, j, place, err);
	case FIELD_REAL:
		*(double *)field = json_number_value(j);
		return json_is_number(j) ? 0 : bad(place, err, "not a number");
	case FIELD_ENUM:
		return read_enum(field, f->names, j, place, err);
	case FIELD_STRVEC:
		return read_strvec(field, f->max, j, place, err);
	case FIELD_I64S:
		return read_numbers(f, obj, j, place, err);
	case FIELD_JSON:
		return read_json(field, j, place, err);
	case FIELD_HIST:
		return read_hist(field, j, place, err);
	case FIELD_GROUP:
		return fields_from_json(f->sub, obj, j, place, err);
	case FIELD_STRUCT:
		return read_struct(f, obj, j, place, err);
	case FIELD_ARRAY:
		return read_array(f, obj, j, place, err);
	case FIELD_INLINE:
		return read_inline(f, obj, j, place, err);
	}
	BUG("field '%s' has type %d", f->name, (int)f->type);
}

int fields_from_json(const struct fields *fields, void *obj, const json_t *j,
		     const struct place *place, struct err *err)
{
	if (!json_is_object(j))
		return bad(place, err, "not an object");
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *f = &fields->f[i];
		struct place at = { place, f->name, 0 };
		json_t *value = json_object_get(j, f->name);
		int ret = 0;

		if (value)
			ret = read_field(f, obj, value, &at, err);
		else if (!f->optional)
			ret = bad(&at, err, "is missing");
		if (ret < 0)
			return ret;
	}
	return 0;
}
