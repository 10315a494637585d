/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keys of a section as a const table: each row names a key, the field it fills, how its value is
 * read and within which bounds. One function applies a row, so that every key of every section
 * is checked in the same way and complains in the same words.
 */
#ifndef CASE_KEYS_H
#define CASE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct ini;
struct ini_entry;
struct ini_section;

struct key {
	const char *name;
	/* Fill field from value; errors name neither file nor key. */
	int (*parse)(const struct key *key, const char *value, void *field, struct err *err);
	size_t offset;		/* of the field in the section's struct */
	bool required;
	int64_t min, max;	/* of numbers; of texts the length in bytes */
	int64_t unit;		/* numbers must be a multiple of it; 0 = any */
	const char *const *words; /* what key_word() takes, NULL at the end */
};

struct key_table {
	const char *section;	/* for messages: "disk" */
	const struct key *keys;
	size_t n;
};

/* Fields: char *, freed and replaced. */
int key_text(const struct key *key, const char *value, void *field, struct err *err);
/* The same, but newlines and tabs may be in it. */
int key_script(const struct key *key, const char *value, void *field, struct err *err);
/* One of the words. */
int key_word(const struct key *key, const char *value, void *field, struct err *err);
/* Fields: int64_t; bytes, ns, a plain number, a whole percentage ("20%"). */
int key_size(const struct key *key, const char *value, void *field, struct err *err);
int key_time(const struct key *key, const char *value, void *field, struct err *err);
int key_number(const struct key *key, const char *value, void *field, struct err *err);
int key_percent(const struct key *key, const char *value, void *field, struct err *err);
/* Fields: int. */
int key_int(const struct key *key, const char *value, void *field, struct err *err);
/* Fields: double, above 0: a ratio; a time as ns, a rate as bytes/s, a size as bytes. */
int key_ratio(const struct key *key, const char *value, void *field, struct err *err);
int key_real_time(const struct key *key, const char *value, void *field, struct err *err);
int key_real_rate(const struct key *key, const char *value, void *field, struct err *err);
int key_real_size(const struct key *key, const char *value, void *field, struct err *err);
/* The same of a plain number, which may be 0: "12", "0.5". */
int key_real_number(const struct key *key, const char *value, void *field, struct err *err);
/* Field: struct strvec, replaced; words with blanks between them, at most max of them. */
int key_words(const struct key *key, const char *value, void *field, struct err *err);

/*
 * Apply one entry to the struct obj. name is the key: the entry's own, or the last part of one
 * like 'disk.hda.size'. Unknown key or bad value: ERR_INPUT, 'file:line: key: ...'.
 */
int keys_apply(const struct key_table *table, void *obj, const struct ini *ini,
	       const struct ini_entry *entry, const char *name, struct err *err);
/* All entries of a section, then: is every required key there? */
int keys_read(const struct key_table *table, void *obj, const struct ini *ini,
	      const struct ini_section *section, struct err *err);

#endif
