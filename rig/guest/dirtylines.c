/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading the console's lines about dirty pages. */
#include "guest/dirtylines.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define WORDS	     "iorig: dirty"
#define OLD_WORDS    " count = "
#define SYSLOG_HEAD  128		/* bytes in which " kernel: " is looked for */
#define SAME_ROUND   500000000LL	/* ns */
#define FIELDS	     (DIRTYLINES_LINE / 4)	/* "a=1 " is the shortest */
#define STAMP_DIGITS 9			/* of seconds, and of their fraction */

/* What is still to be read of a line. */
struct text {
	const char *p, *end;
};

struct field {
	const char *name;
	size_t len;
	int64_t pages;
};

struct line {
	int64_t ns;
	struct field fields[FIELDS];
	size_t n;
};

enum kind { LINE_OTHER, LINE_BAD, LINE_GOOD };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c && strchr("_.:!/-", c));
}

/* Go past the word if it stands here. */
static bool skip(struct text *t, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(t->end - t->p) < len || memcmp(t->p, word, len) != 0)
		return false;
	t->p += len;
	return true;
}

/* A whole number of at most max; nothing is taken of what is none. */
static bool number(struct text *t, int64_t max, int64_t *v)
{
	const char *p = t->p;

	*v = 0;
	for (; p < t->end && is_digit(*p); p++) {
		if (*v > (max - (*p - '0')) / 10)
			return false;
		*v = *v * 10 + (*p - '0');
	}
	if (p == t->p)
		return false;
	t->p = p;
	return true;
}

static void blanks(struct text *t)
{
	while (t->p < t->end && (*t->p == ' ' || *t->p == '\t'))
		t->p++;
}

/* "[   12.345678]" */
static bool stamp(struct text *from, int64_t *ns)
{
	struct text t = *from;
	int64_t s, fraction;
	const char *start;

	if (!skip(&t, "["))
		return false;
	blanks(&t);
	if (!number(&t, 999999999, &s) || !skip(&t, "."))
		return false;
	start = t.p;
	if (!number(&t, 999999999, &fraction) || t.p - start > STAMP_DIGITS)
		return false;
	for (long digits = t.p - start; digits < STAMP_DIGITS; digits++)
		fraction *= 10;
	if (!skip(&t, "]"))
		return false;
	*ns = s * 1000000000 + fraction;
	*from = t;
	return true;
}

/* "[    T1]", "[    C0]": who said it, with CONFIG_PRINTK_CALLER */
static bool caller(struct text *from)
{
	struct text t = *from;
	int64_t id;

	if (!skip(&t, "["))
		return false;
	blanks(&t);
	if ((!skip(&t, "T") && !skip(&t, "C")) || !number(&t, INT32_MAX, &id) || !skip(&t, "]"))
		return false;
	*from = t;
	return true;
}

static bool level(struct text *from)
{
	struct text t = *from;
	int64_t n;

	if (!skip(&t, "<") || !number(&t, 7, &n) || !skip(&t, ">"))
		return false;
	*from = t;
	return true;
}

static void prefix(struct text *t, int64_t *ns)
{
	static const char kernel[] = " kernel: ";
	size_t len = (size_t)(t->end - t->p);
	const char *head = memmem(t->p, len < SYSLOG_HEAD ? len : SYSLOG_HEAD, kernel,
				  sizeof(kernel) - 1);

	if (head && is_name(*t->p))
		t->p = head + sizeof(kernel) - 1;
	do {
		blanks(t);
	} while (level(t) || stamp(t, ns) || caller(t));
}

static bool name(struct text *t, struct field *f)
{
	f->name = t->p;
	while (t->p < t->end && is_name(*t->p))
		t->p++;
	f->len = (size_t)(t->p - f->name);
	return f->len && f->len < DIRTYLINES_NAME;
}

static bool value(struct text *t, struct line *line, const char *between)
{
	struct field *f = &line->fields[line->n];

	if (line->n == FIELDS || !name(t, f) || !skip(t, between) ||
	    !number(t, DIRTYLINES_PAGES, &f->pages))
		return false;
	for (size_t i = 0; i < line->n; i++)
		if (line->fields[i].len == f->len && !memcmp(line->fields[i].name, f->name, f->len))
			return false;
	line->n++;
	return true;
}

/* " sda=1234 sdb=56" */
static enum kind read_ours(struct text *t, struct line *line)
{
	do {
		if (!skip(t, " ") || !value(t, line, "="))
			return LINE_BAD;
	} while (t->p < t->end);
	return LINE_GOOD;
}

/*
 * "hd count = 1234, dvd count = 56". Drivers have messages that begin like that, too: one is meant
 * where a number follows, and no other words do.
 */
static enum kind read_old(struct text *t, struct line *line)
{
	struct text ahead = *t;
	struct field f;

	if (!name(&ahead, &f) || !skip(&ahead, OLD_WORDS) || ahead.p == ahead.end ||
	    !is_digit(*ahead.p))
		return LINE_OTHER;
	if (!value(t, line, OLD_WORDS))
		return LINE_BAD;
	if (t->p < t->end && *t->p == ' ')
		return LINE_OTHER;
	while (t->p < t->end)
		if (!skip(t, ", ") || !value(t, line, OLD_WORDS))
			return LINE_BAD;
	return LINE_GOOD;
}

static enum kind read_line(const char *text, size_t len, struct line *line)
{
	struct text t = { text, text + len };
	bool ours = memmem(text, len, WORDS, sizeof(WORDS) - 1);
	enum kind kind;

	line->ns = -1;
	line->n = 0;
	if (len > DIRTYLINES_LINE)
		return ours ? LINE_BAD : LINE_OTHER;
	prefix(&t, &line->ns);
	if (skip(&t, WORDS))
		return read_ours(&t, line);
	kind = read_old(&t, line);
	return ours ? LINE_BAD : kind;
}

/* The device's index; -1 if there is no more room. */
static int device_of(struct dirtylines *d, const struct field *f)
{
	for (size_t i = 0; i < d->n_devices; i++)
		if (strlen(d->names[i]) == f->len && !memcmp(d->names[i], f->name, f->len))
			return (int)i;
	if (d->n_devices == DIRTYLINES_DEVICES)
		return -1;
	memcpy(d->names[d->n_devices], f->name, f->len);
	return (int)d->n_devices++;
}

static void add_value(struct dirtylines *d, const struct dirty_value *v)
{
	if (d->n == DIRTYLINES_VALUES) {
		d->cut = true;
		return;
	}
	if (d->n == d->alloc) {
		d->alloc = d->alloc ? d->alloc * 2 : 256;
		d->v = xreallocarray(d->v, d->alloc, sizeof(*d->v));
	}
	d->v[d->n++] = *v;
}

static bool goes_on(const struct dirtylines *d, const struct line *line, const int *devices)
{
	if (!d->n_rounds || (line->ns < 0) != (d->last_ns < 0) ||
	    llabs(line->ns - d->last_ns) >= SAME_ROUND)
		return false;
	for (size_t i = 0; i < line->n; i++)
		if (devices[i] >= 0 && d->seen[devices[i]] == d->n_rounds)
			return false;
	return true;
}

static void add_line(struct dirtylines *d, const struct line *line)
{
	int devices[FIELDS];

	for (size_t i = 0; i < line->n; i++)
		devices[i] = device_of(d, &line->fields[i]);
	if (!goes_on(d, line, devices))
		d->n_rounds++;
	for (size_t i = 0; i < line->n; i++) {
		struct dirty_value v = { .ns = line->ns, .pages = line->fields[i].pages,
					 .round = (uint32_t)d->n_rounds - 1 };

		if (devices[i] < 0) {
			d->cut = true;
			continue;
		}
		v.device = (uint32_t)devices[i];
		d->seen[v.device] = (uint32_t)d->n_rounds;
		add_value(d, &v);
	}
	d->last_ns = line->ns;
	d->lines++;
}

void dirtylines_parse(struct dirtylines *d, const char *text, size_t len)
{
	const char *p = text, *end = text + len;
	struct line line;

	while (p < end && d->n < DIRTYLINES_VALUES) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end;
		enum kind kind;

		while (stop > p && stop[-1] == '\r')
			stop--;
		kind = read_line(p, (size_t)(stop - p), &line);
		if (kind == LINE_GOOD && nl)
			add_line(d, &line);
		else if (kind != LINE_OTHER)
			d->bad++;
		p = nl ? nl + 1 : end;
	}
	d->cut = d->cut || p < end;
}

struct dirty_stats dirtylines_stats(const struct dirtylines *d, size_t device)
{
	struct dirty_stats s = { .mean = -1, .max = -1 };
	double sum = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct dirty_value *v = &d->v[i];

		if (v->device != device)
			continue;
		sum += (double)v->pages;
		s.max = v->pages > s.max ? v->pages : s.max;
		s.n++;
	}
	if (s.n)
		s.mean = sum / (double)s.n;
	return s;
}

void dirtylines_release(struct dirtylines *d)
{
	free(d->v);
	*d = (struct dirtylines)DIRTYLINES_INIT;
}
