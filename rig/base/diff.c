/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines that two texts share in order (a longest common subsequence), and hunks around the rest. */
#include "base/diff.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"

#define CONTEXT 3
#define LINES_MAX ((size_t)2000)

struct line {
	const char *text;
	size_t len;		/* with its newline, if it has one */
};

struct lines {
	struct line *v;
	size_t n;
};

/* One line of the diff: ' ' is in both, '-' in the first, '+' in the second. */
struct op {
	char kind;
	struct line line;
};

struct ops {
	struct op *v;
	size_t n;
};

static void split(struct lines *l, const char *text)
{
	while (*text) {
		const char *nl = strchr(text, '\n');
		size_t len = nl ? (size_t)(nl - text) + 1 : strlen(text);

		*array_grow(l->v, l->n) = (struct line){ text, len };
		text += len;
	}
}

static bool same(const struct line *a, const struct line *b)
{
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static void add(struct ops *ops, char kind, const struct line *line)
{
	*array_grow(ops->v, ops->n) = (struct op){ kind, *line };
}

/* table[i * (nb + 1) + j]: how many lines a[i..] and b[j..] share. */
static unsigned short *share(const struct line *a, size_t na, const struct line *b, size_t nb)
{
	unsigned short *t = xcalloc((na + 1) * (nb + 1), sizeof(*t));

	for (size_t i = na; i-- > 0;) {
		for (size_t j = nb; j-- > 0;) {
			unsigned short down = t[(i + 1) * (nb + 1) + j];
			unsigned short right = t[i * (nb + 1) + j + 1];

			if (same(&a[i], &b[j]))
				t[i * (nb + 1) + j] = t[(i + 1) * (nb + 1) + j + 1] + 1;
			else
				t[i * (nb + 1) + j] = down >= right ? down : right;
		}
	}
	return t;
}

static void add_middle(struct ops *ops, const struct line *a, size_t na, const struct line *b,
		       size_t nb)
{
	bool all = na > LINES_MAX || nb > LINES_MAX;
	unsigned short *t __free(ptr) = all ? NULL : share(a, na, b, nb);
	size_t i = 0, j = 0;

	while (i < na || j < nb) {
		if (i < na && j < nb && !all && same(&a[i], &b[j])) {
			add(ops, ' ', &a[i++]);
			j++;
		} else if (i < na && (all || j == nb ||
				      t[(i + 1) * (nb + 1) + j] >= t[i * (nb + 1) + j + 1])) {
			add(ops, '-', &a[i++]);
		} else {
			add(ops, '+', &b[j++]);
		}
	}
}

static void compare(struct ops *ops, const struct lines *a, const struct lines *b)
{
	size_t head = 0, tail = 0, least = a->n < b->n ? a->n : b->n;

	while (head < least && same(&a->v[head], &b->v[head]))
		add(ops, ' ', &a->v[head++]);
	while (tail < least - head && same(&a->v[a->n - 1 - tail], &b->v[b->n - 1 - tail]))
		tail++;
	add_middle(ops, a->v + head, a->n - head - tail, b->v + head, b->n - head - tail);
	for (size_t i = a->n - tail; i < a->n; i++)
		add(ops, ' ', &a->v[i]);
}

static size_t next_change(const struct ops *ops, size_t from)
{
	while (from < ops->n && ops->v[from].kind == ' ')
		from++;
	return from;
}

/* Where the hunk that begins with the change at i ends: behind the last change that is so near to
 * the one before that their context touches. */
static size_t hunk_end(const struct ops *ops, size_t i)
{
	size_t end = i;

	while (i < ops->n && i - end <= 2 * CONTEXT) {
		while (i < ops->n && ops->v[i].kind != ' ')
			i++;
		end = i;
		i = next_change(ops, i);
	}
	return end + CONTEXT < ops->n ? end + CONTEXT : ops->n;
}

/* "12,3": the first line (1..) and how many; with none, the line before. */
static void add_span(struct strbuf *out, char sign, size_t before, size_t count)
{
	strbuf_addf(out, "%c%zu", sign, count ? before + 1 : before);
	if (count != 1)
		strbuf_addf(out, ",%zu", count);
}

static void add_hunk(const struct ops *ops, size_t begin, size_t end, struct strbuf *out)
{
	size_t first[2] = { 0, 0 }, count[2] = { 0, 0 };	/* lines of the two texts */

	for (size_t i = 0; i < end; i++) {
		size_t *n = i < begin ? first : count;

		n[0] += ops->v[i].kind != '+';
		n[1] += ops->v[i].kind != '-';
	}
	strbuf_addstr(out, "@@ ");
	add_span(out, '-', first[0], count[0]);
	strbuf_addch(out, ' ');
	add_span(out, '+', first[1], count[1]);
	strbuf_addstr(out, " @@\n");
	for (size_t i = begin; i < end; i++) {
		const struct line *l = &ops->v[i].line;

		strbuf_addch(out, ops->v[i].kind);
		strbuf_add(out, l->text, l->len);
		if (l->text[l->len - 1] != '\n')
			strbuf_addstr(out, "\n\\ No newline at end of file\n");
	}
}

void diff_unified(const char *name, const char *before, const char *after, struct strbuf *out)
{
	struct lines a = { .v = NULL }, b = { .v = NULL };
	struct ops ops = { .v = NULL };
	size_t i;

	split(&a, before);
	split(&b, after);
	compare(&ops, &a, &b);
	i = next_change(&ops, 0);
	if (i < ops.n)
		strbuf_addf(out, "--- a/%s\n+++ b/%s\n", name, name);
	while (i < ops.n) {
		size_t end = hunk_end(&ops, i);

		add_hunk(&ops, i > CONTEXT ? i - CONTEXT : 0, end, out);
		i = next_change(&ops, end);
	}
	free(a.v);
	free(b.v);
	free(ops.v);
}
