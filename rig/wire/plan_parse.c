/* SPDX-License-Identifier: GPL-2.0-only */
/* Parsing and checking of a plan's text. */
#include "wire/plan_keys.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct in {
	const char *at, *end;	/* rest of the current line */
	int line;
	char *why;
	size_t why_cap;
};

static int __attribute__((format(printf, 2, 3))) refuse(struct in *in, const char *fmt, ...)
{
	va_list ap;
	int n;

	n = snprintf(in->why, in->why_cap, "line %d: ", in->line);
	if (n > 0 && (size_t)n < in->why_cap) {
		va_start(ap, fmt);
		vsnprintf(in->why + n, in->why_cap - n, fmt, ap);
		va_end(ap);
	}
	return -1;
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The value at in->at, up to a space or the line's end, decoded into out. */
static int take_text(struct in *in, const char *key, char *out, size_t cap)
{
	size_t n = 0;

	while (in->at < in->end && *in->at != ' ') {
		char c = *in->at++;

		if (c == '%') {
			int high = in->end - in->at < 2 ? -1 : hex_digit(in->at[0]);
			int low = high < 0 ? -1 : hex_digit(in->at[1]);

			if (low < 0 || !(high | low))
				return refuse(in, "bad escape in '%s'", key);
			c = high << 4 | low;
			in->at += 2;
		} else if (!plan_is_plain(c)) {
			return refuse(in, "byte 0x%02x in '%s'", (unsigned char)c, key);
		}
		if (n + 1 >= cap)
			return refuse(in, "'%s' is longer than %zu bytes", key, cap - 1);
		out[n++] = c;
	}
	out[n] = '\0';
	return 0;
}

/* Decimal, as put_number() writes it: no blanks, no plus sign, no hex. */
static int to_number(const char *text, int64_t *out)
{
	const char *p = text + (*text == '-');
	int64_t value = 0;

	if (!*p)
		return -1;
	for (; *p; p++) {
		if (*p < '0' || *p > '9' || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *p - '0', &value))
			return -1;
	}
	*out = *text == '-' ? -value : value;
	return 0;
}

static int take_value(struct in *in, const struct plan_key *key, char *item)
{
	void *member = item + key->offset;
	char word[24];
	int64_t number;
	int i;

	if (key->kind == PLAN_KIND_TEXT)
		return take_text(in, key->name, member, key->size);
	if (take_text(in, key->name, word, sizeof(word)) < 0)
		return -1;
	if (key->kind == PLAN_KIND_ROLE || key->kind == PLAN_KIND_STOP) {
		const char *const *words =
			key->kind == PLAN_KIND_ROLE ? plan_role_words : plan_stop_words;

		for (i = 0; words[i]; i++) {
			if (strcmp(word, words[i]))
				continue;
			if (key->kind == PLAN_KIND_ROLE)
				*(enum plan_role *)member = i;
			else
				*(enum plan_stop *)member = i;
			return 0;
		}
		return refuse(in, "unknown %s '%s'", key->name, word);
	}
	if (to_number(word, &number) < 0 || number < key->min ||
	    (key->kind == PLAN_KIND_BOOL && number > 1))
		return refuse(in, "bad number '%s' in '%s'", word, key->name);
	if (key->kind == PLAN_KIND_VERSION && number != PLAN_VERSION)
		return refuse(in, "version %" PRId64 ", not %d", number, PLAN_VERSION);
	if (key->kind == PLAN_KIND_NUMBER)
		*(int64_t *)member = number;
	else if (key->kind == PLAN_KIND_BOOL)
		*(bool *)member = number;
	return 0;
}

/* A lower-case word that ends at the stop character, which is skipped, or at the line's end. */
static int take_word(struct in *in, char stop, char *out, size_t cap)
{
	size_t n = 0;

	while (in->at < in->end && *in->at != stop) {
		if (n + 1 >= cap || !((*in->at >= 'a' && *in->at <= 'z') || *in->at == '_'))
			return refuse(in, "a word of a plan was expected");
		out[n++] = *in->at++;
	}
	out[n] = '\0';
	in->at += in->at < in->end;
	return 0;
}

/* All "key=value" of a line into item, which is zeroed. */
static int take_item(struct in *in, const char *verb, const struct plan_key *keys, void *item)
{
	bool seen[PLAN_MAX_KEYS] = { false };
	char name[PLAN_NAME];
	size_t i;

	while (in->at < in->end) {
		if (take_word(in, '=', name, sizeof(name)) < 0)
			return -1;
		if (in->at[-1] != '=')
			return refuse(in, "'%s' without a value", name);
		for (i = 0; keys[i].name && strcmp(keys[i].name, name); i++)
			;
		if (!keys[i].name)
			return refuse(in, "unknown key '%s' of '%s'", name, verb);
		if (seen[i])
			return refuse(in, "'%s' is given twice", name);
		seen[i] = true;
		if (take_value(in, &keys[i], item) < 0)
			return -1;
		in->at += in->at < in->end;	/* the space that ended the value */
	}
	for (i = 0; keys[i].name; i++) {
		if (keys[i].required && !seen[i])
			return refuse(in, "'%s' without '%s'", verb, keys[i].name);
	}
	return 0;
}

static int take_line(struct in *in, struct plan *plan)
{
	char *base = (char *)plan, verb[PLAN_NAME];
	size_t v, *count;
	char *item;

	if (take_word(in, ' ', verb, sizeof(verb)) < 0)
		return -1;
	if (in->line == 1) {
		if (strcmp(verb, "plan"))
			return refuse(in, "not a plan");
		return take_item(in, verb, plan_header_keys, plan);
	}
	for (v = 0; v < PLAN_N_VERBS && strcmp(plan_verbs[v].name, verb); v++)
		;
	if (v == PLAN_N_VERBS)
		return refuse(in, "unknown verb '%s'", verb);
	count = (size_t *)(base + plan_verbs[v].count);
	if (*count == plan_verbs[v].max)
		return refuse(in, "more than %zu lines of '%s'", *count, verb);
	item = base + plan_verbs[v].array + *count * plan_verbs[v].item;
	memset(item, 0, plan_verbs[v].item);
	if (take_item(in, verb, plan_verbs[v].keys, item) < 0)
		return -1;
	(*count)++;
	return 0;
}

static int check_sync(struct in *in, const struct plan *plan)
{
	size_t j, d;

	for (j = 0; j < plan->n_jobs; j++) {
		const char *disk = plan->jobs[j].sync_disk;

		for (d = 0; *disk && d < plan->n_disks && strcmp(plan->disks[d].name, disk); d++)
			;
		if (*disk && d == plan->n_disks)
			return refuse(in, "job '%s' syncs the unknown disk '%s'",
				      plan->jobs[j].name, disk);
	}
	return 0;
}

/*
 * Only the header and the items that are there are written: in the guest the rest of a zeroed
 * struct plan stays pages that nobody touched.
 */
int plan_parse(struct plan *plan, const char *text, size_t len, char *why, size_t why_cap)
{
	struct in in = { .why = why, .why_cap = why_cap };
	const char *end = text + len;

	memset(plan, 0, offsetof(struct plan, modules));
	if (len > PLAN_MAX_BYTES)
		return refuse(&in, "more than %d bytes", PLAN_MAX_BYTES);
	while (text < end) {
		const char *newline = memchr(text, '\n', end - text);

		in.line++;
		if (!newline)
			return refuse(&in, "cut short");
		in.at = text;
		in.end = newline;
		if (take_line(&in, plan) < 0)
			return -1;
		text = newline + 1;
	}
	if (!in.line)
		return refuse(&in, "empty");
	return check_sync(&in, plan);
}
