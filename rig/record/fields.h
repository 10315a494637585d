/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structs described by tables, so that one description serves to write their JSON, to read it
 * with every type and bound checked, and to free them. Private to record/.
 *
 * Writing: strings become valid UTF-8 (bad bytes: U+FFFD), whole numbers JSON integers, reals keep
 * all their digits; a real that JSON cannot hold (NaN, infinity) becomes -1, "none".
 * Reading: every key of the table must be there, with its type, but for optional ones, which leave
 * the struct as it was; further keys are ignored, so that adding one does not make old readers
 * fail.
 */
#ifndef RECORD_FIELDS_H
#define RECORD_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct err;

enum field_type {
	FIELD_STR,	/* char *; NULL is written as "" */
	FIELD_OPT,	/* char *; NULL is null */
	FIELD_CHARS,	/* char[size] */
	FIELD_BOOL,
	FIELD_INT,	/* int, not negative */
	FIELD_UINT,	/* unsigned int or uint32_t */
	FIELD_I64,
	FIELD_REAL,	/* double; an integer is read as well */
	FIELD_ENUM,	/* an enum without negative values, as one of the names */
	FIELD_STRVEC,	/* struct strvec of at most max */
	FIELD_I64S,	/* int64_t[max], as many as the int at count says, all without one */
	FIELD_JSON,	/* json_t *, any object; NULL is null */
	FIELD_HIST,	/* the buckets of a struct hist as [[bucket, count], ...] */
	FIELD_GROUP,	/* an object whose fields are this struct's own */
	FIELD_STRUCT,	/* a struct; null unless the bool at count is true */
	FIELD_ARRAY,	/* allocated array of structs of size, at most max; size_t at count */
	FIELD_INLINE	/* T[max] of structs of size within the struct; int at count */
};

#define FIELD_NO_COUNT ((size_t)-1)

struct fields;

struct field {
	const char *name;
	enum field_type type;
	size_t offset;
	size_t size, max, count;	/* as the type says; count is an offset */
	const struct fields *sub;	/* of the types with structs */
	const char *const *names;	/* of FIELD_ENUM, NULL at the end */
	bool optional;			/* reading does not need it */
};

struct fields {
	const struct field *f;
	size_t n;
};

/* Where in a document a value stands: "boots[2].jobs". Lives on the reader's stack. */
struct place {
	const struct place *up;
	const char *key;
	size_t index;		/* of key NULL */
};

/* A new object, never NULL. */
json_t *fields_to_json(const struct fields *fields, const void *obj);
/* Fill the zeroed struct. -EBADMSG with the place. It can be released after an error, too. */
int fields_from_json(const struct fields *fields, void *obj, const json_t *j,
		     const struct place *place, struct err *err);
/* Free what the struct owns and zero it. */
void fields_release(const struct fields *fields, void *obj, size_t size);

#endif
