/* SPDX-License-Identifier: GPL-2.0-only */
/* From structs to JSON, and freeing them. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strvec.h"
#include "record/fields.h"
#include "record/utf8.h"
#include "wire/hist.h"

/* jansson returns NULL for invalid text, which does not come here, and without memory. */
static json_t *made(json_t *j)
{
	BUG_ON(!j);
	return j;
}

static json_t *text_to_json(const char *s)
{
	char *clean __free(ptr) = utf8_clean(s);

	return made(json_string(clean));
}

static void append(json_t *array, json_t *value)
{
	BUG_ON(json_array_append_new(array, value) < 0);
}

static json_t *strvec_to_json(const struct strvec *vec)
{
	json_t *array = made(json_array());

	for (size_t i = 0; i < vec->n; i++)
		append(array, text_to_json(vec->v[i]));
	return array;
}

static json_t *numbers_to_json(const int64_t *v, size_t n)
{
	json_t *array = made(json_array());

	for (size_t i = 0; i < n; i++)
		append(array, made(json_integer(v[i])));
	return array;
}

static json_t *hist_to_json(const struct hist *h)
{
	json_t *array = made(json_array());

	for (unsigned int i = 0; i < HIST_BUCKETS; i++)
		if (h->n[i])
			append(array, numbers_to_json((const int64_t[]){ i, h->n[i] }, 2));
	return array;
}

static json_t *structs_to_json(const struct field *f, const char *elements, size_t n)
{
	json_t *array = made(json_array());

	for (size_t i = 0; i < n; i++)
		append(array, fields_to_json(f->sub, elements + i * f->size));
	return array;
}

static json_t *real_to_json(double v)
{
	return made(json_real(isfinite(v) ? v : -1));
}

/* The int at f->count, or all of them without one. */
static size_t inline_count(const struct field *f, const char *obj)
{
	int n = f->count == FIELD_NO_COUNT ? (int)f->max : *(const int *)(obj + f->count);

	BUG_ON(n < 0 || (size_t)n > f->max);
	return (size_t)n;
}

static json_t *field_to_json(const struct field *f, const char *obj)
{
	const void *field = obj + f->offset;
	const char *text;

	switch (f->type) {
	case FIELD_STR:
	case FIELD_OPT:
		text = *(char *const *)field;
		if (text)
			return text_to_json(text);
		return made(f->type == FIELD_OPT ? json_null() : json_string(""));
	case FIELD_CHARS:
		return text_to_json(field);
	case FIELD_BOOL:
		return made(json_boolean(*(const bool *)field));
	case FIELD_INT:
		return made(json_integer(*(const int *)field));
	case FIELD_UINT:
		return made(json_integer(*(const unsigned int *)field));
	case FIELD_I64:
		return made(json_integer(*(const int64_t *)field));
	case FIELD_REAL:
		return real_to_json(*(const double *)field);
	case FIELD_ENUM:
		return made(json_string(f->names[*(const unsigned int *)field]));
	case FIELD_STRVEC:
		return strvec_to_json(field);
	case FIELD_I64S:
		return numbers_to_json(field, inline_count(f, obj));
	case FIELD_JSON:
		return *(json_t *const *)field ? json_incref(*(json_t *const *)field) :
						 made(json_null());
	case FIELD_HIST:
		return hist_to_json(field);
	case FIELD_GROUP:
		return fields_to_json(f->sub, obj);
	case FIELD_STRUCT:
		if (!*(const bool *)(obj + f->count))
			return made(json_null());
		return fields_to_json(f->sub, field);
	case FIELD_ARRAY:
		return structs_to_json(f, *(char *const *)field, *(const size_t *)(obj + f->count));
	case FIELD_INLINE:
		return structs_to_json(f, field, inline_count(f, obj));
	}
	BUG("field '%s' has type %d", f->name, (int)f->type);
}

json_t *fields_to_json(const struct fields *fields, const void *obj)
{
	json_t *j = made(json_object());

	for (size_t i = 0; i < fields->n; i++) {
		const struct field *f = &fields->f[i];

		BUG_ON(json_object_set_new(j, f->name, field_to_json(f, obj)) < 0);
	}
	return j;
}

static void release_owned(const struct fields *fields, char *obj)
{
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *f = &fields->f[i];
		void *field = obj + f->offset;

		if (f->type == FIELD_STR || f->type == FIELD_OPT) {
			free(*(char **)field);
		} else if (f->type == FIELD_JSON) {
			json_decref(*(json_t **)field);
		} else if (f->type == FIELD_STRVEC) {
			/* a zeroed one is none yet */
			if (((struct strvec *)field)->v)
				strvec_release(field);
		} else if (f->type == FIELD_GROUP) {
			release_owned(f->sub, obj);
		} else if (f->type == FIELD_ARRAY) {
			char *elements = *(char **)field;

			for (size_t k = 0; k < *(size_t *)(void *)(obj + f->count); k++)
				release_owned(f->sub, elements + k * f->size);
			free(elements);
		}
	}
}

void fields_release(const struct fields *fields, void *obj, size_t size)
{
	release_owned(fields, obj);
	memset(obj, 0, size);
}
