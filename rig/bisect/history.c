/* SPDX-License-Identifier: GPL-2.0-only */
/* A list of commits with parents, and who contains whom. */
#include "bisect/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/strvec.h"

void history_release(struct history *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->c[i].id);
		free(h->c[i].parents);
	}
	free(h->c);
	free(h->ancestors);
	*h = (struct history)HISTORY_INIT;
}

/* From the newest back: parents are mostly just before their children. */
static size_t find_before(const struct history *h, size_t end, const char *id)
{
	while (end--)
		if (!strcmp(h->c[end].id, id))
			return end;
	return h->n;
}

size_t history_find(const struct history *h, const char *id)
{
	return find_before(h, h->n, id);
}

bool history_has(const struct history *h, size_t x, size_t c)
{
	return h->ancestors[x * h->words + c / 64] >> (c % 64) & 1;
}

static int check_id(const char *id, struct err *err)
{
	size_t len = strspn(id, "0123456789abcdef");

	if (id[len] || len < 7 || len > 64)
		return err_input(err, "'%s' is not the id of a commit", str_escape(id));
	return 0;
}

int history_add(struct history *h, const char *id, const size_t *parents, size_t n, struct err *err)
{
	struct history_commit *c;
	int ret = check_id(id, err);

	if (ret)
		return ret;
	if (h->n >= HISTORY_MAX)
		return err_input(err, "more than %d commits", HISTORY_MAX);
	if (n > HISTORY_PARENTS)
		return err_input(err, "commit '%s' has more than %d parents", id, HISTORY_PARENTS);
	for (size_t i = 0; i < n; i++) {
		if (parents[i] >= h->n)
			return err_input(err, "commit '%s' stands before its parent", id);
	}
	c = array_grow(h->c, h->n);
	c->id = xstrdup(id);
	c->parents = xcalloc(n, sizeof(*parents));
	if (n)
		memcpy(c->parents, parents, n * sizeof(*parents));
	c->n_parents = n;
	return 0;
}

static int compare_ids(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static int check_doubles(const struct history *h, struct err *err)
{
	const char **ids __free(ptr) = xcalloc(h->n, sizeof(*ids));

	for (size_t i = 0; i < h->n; i++)
		ids[i] = h->c[i].id;
	qsort(ids, h->n, sizeof(*ids), compare_ids);
	for (size_t i = 1; i < h->n; i++) {
		if (!strcmp(ids[i], ids[i - 1]))
			return err_input(err, "commit '%s' is there twice", ids[i]);
	}
	return 0;
}

static void find_ancestors(struct history *h)
{
	h->words = (h->n + 63) / 64;
	h->ancestors = xcalloc(h->n * h->words, sizeof(*h->ancestors));
	for (size_t i = 0; i < h->n; i++) {
		uint64_t *row = h->ancestors + i * h->words;

		for (size_t k = 0; k < h->c[i].n_parents; k++) {
			const uint64_t *of = h->ancestors + h->c[i].parents[k] * h->words;

			for (size_t w = 0; w < h->words; w++)
				row[w] |= of[w];
		}
		row[i / 64] |= (uint64_t)1 << (i % 64);
		/* the good end's history is everybody's */
		row[0] |= 1;
	}
}

int history_finish(struct history *h, struct err *err)
{
	int ret = h->n < 2 ? err_input(err, "no commit between the good end and the bad one") :
			     check_doubles(h, err);

	if (ret)
		return ret;
	find_ancestors(h);
	for (size_t i = 0; i < h->n; i++) {
		if (!history_has(h, h->n - 1, i))
			return err_input(err, "commit '%s' is not part of the bad end '%s'",
					 h->c[i].id, h->c[h->n - 1].id);
	}
	return 0;
}

/* "ID PARENT..."; parents that are not in the list are good. */
static int parse_line(struct history *h, const char *line, struct err *err)
{
	struct strvec words __release(strvec) = STRVEC_INIT;
	size_t parents[HISTORY_PARENTS], n = 0;

	strvec_split(&words, line, " ");
	if (!words.n)
		return err_input(err, "an empty line");
	for (size_t i = 1; i < words.n; i++) {
		size_t at = find_before(h, h->n, words.v[i]);
		int ret = check_id(words.v[i], err);

		if (ret)
			return ret;
		if (at == h->n)
			continue;
		if (n == HISTORY_PARENTS)
			return err_input(err, "commit '%s' has more than %d parents",
					 str_escape(words.v[0]), HISTORY_PARENTS);
		parents[n++] = at;
	}
	return history_add(h, words.v[0], parents, n, err);
}

/* A parent that comes later was taken for one that is not in the list. */
static int check_order(const struct history *h, const char *list, struct err *err)
{
	struct strvec lines __release(strvec) = STRVEC_INIT;

	strvec_split(&lines, list, "\n");
	for (size_t i = 0; i < lines.n; i++) {
		struct strvec words __release(strvec) = STRVEC_INIT;
		size_t known = 0;

		strvec_split(&words, lines.v[i], " ");
		for (size_t k = 1; k < words.n; k++)
			known += history_find(h, words.v[k]) < h->n;
		if (known > h->c[i + 1].n_parents)
			return err_input(err, "commit '%s' stands before its parent", words.v[0]);
	}
	return 0;
}

int history_parse(struct history *h, const char *good, const char *list, struct err *err)
{
	struct strvec lines __release(strvec) = STRVEC_INIT;
	int ret;

	*h = (struct history)HISTORY_INIT;
	strvec_split(&lines, list, "\n");
	ret = history_add(h, good, NULL, 0, err);
	for (size_t i = 0; i < lines.n && !ret; i++) {
		ret = parse_line(h, lines.v[i], err);
		if (ret)
			err_wrap(err, "line %zu of the list of commits", i + 1);
	}
	if (!ret)
		ret = check_order(h, list, err);
	if (!ret)
		ret = history_finish(h, err);
	if (ret)
		history_release(h);
	return ret;
}
