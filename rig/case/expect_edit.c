/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of an expectation file, changed one at a time. */
#include "case/expect_edit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/ini.h"
#include "base/strbuf.h"

#define MIB ((double)(1 << 20))
#define KEY_WIDTH 6		/* as the files that there are have it: "limit  = 7.5" */

/* The order in which keys stand in a section. */
static const char *const order[] = { "limit", "floor", "goal", "was", "within", "kernel", "seeds",
				     "known", "until", "why" };

static size_t rank_of(const char *key)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(order) && strcmp(order[i], key) != 0)
		i++;
	return i;
}

/* Where line number 'line' (1..) begins; behind the last line: the text's end. */
static size_t line_at(const struct strbuf *text, int line)
{
	const char *s = text->buf;

	for (; line > 1; line--) {
		const char *nl = strchr(s, '\n');

		if (!nl)
			return text->len;
		s = nl + 1;
	}
	return (size_t)(s - text->buf);
}

static void splice(struct strbuf *text, size_t at, size_t len, const char *with)
{
	struct strbuf all = STRBUF_INIT;

	strbuf_add(&all, text->buf, at);
	strbuf_addstr(&all, with);
	strbuf_addstr(&all, text->buf + at + len);
	strbuf_release(text);
	*text = all;
}

/* Put lines before line number 'line'; a last line without its newline gets one then. */
static void insert(struct strbuf *text, int line, const char *lines)
{
	size_t at = line_at(text, line);

	if (at == text->len && at && text->buf[at - 1] != '\n') {
		strbuf_addch(text, '\n');
		at++;
	}
	splice(text, at, 0, lines);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Does it have a quote, or what begins a comment: ; or # at the start or behind a blank? */
static bool needs_quotes(const char *value)
{
	for (const char *p = value; *p; p++) {
		if (*p == '"' || ((*p == ';' || *p == '#') && (p == value || is_blank(p[-1]))))
			return true;
	}
	return false;
}

static void add_value(struct strbuf *out, const char *value)
{
	if (!needs_quotes(value)) {
		strbuf_addstr(out, value);
		return;
	}
	strbuf_addch(out, '"');
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *value);
	}
	strbuf_addch(out, '"');
}

/* The value in a line that the INI reader has accepted: from *begin on, *len bytes, without the
 * comment and the blanks around. */
static void find_value(const char *line, size_t *begin, size_t *len)
{
	bool quoted = false;
	size_t i = strcspn(line, "=") + 1, end;

	while (is_blank(line[i]))
		i++;
	*begin = end = i;
	for (; line[i] && line[i] != '\n'; i++) {
		if (line[i] == '\\' && quoted && line[i + 1])
			end = ++i + 1;
		else if (line[i] == '"')
			quoted = !quoted;
		else if (!quoted && (line[i] == ';' || line[i] == '#') && is_blank(line[i - 1]))
			break;
		if (!is_blank(line[i]))
			end = i + 1;
	}
	*len = end - *begin;
}

static const struct ini_section *find(const struct ini *ini, const char *name, const char *arg)
{
	const struct ini_section *s = ini_find(ini, name, *arg ? arg : NULL);

	BUG_ON(!s);
	return s;
}

/* The line number behind the section's last line that is not blank or a comment. */
static int section_end(const struct ini_section *s)
{
	return (s->n ? s->entries[s->n - 1].line : s->line) + 1;
}

/* Before the first key that usually stands behind it. */
static int place_of(const struct ini_section *s, const char *key)
{
	for (size_t i = 0; i < s->n; i++) {
		if (rank_of(s->entries[i].key) > rank_of(key))
			return s->entries[i].line;
	}
	return section_end(s);
}

int expect_edit_set(struct strbuf *text, const char *path, const char *name, const char *arg,
		    const char *key, const char *value, struct err *err)
{
	struct ini ini __release(ini) = INI_INIT;
	struct strbuf with __release(strbuf) = STRBUF_INIT;
	const struct ini_section *s;
	const struct ini_entry *e;
	int ret = ini_parse(&ini, path, text->buf, text->len, err);

	if (ret)
		return ret;
	s = find(&ini, name, arg);
	e = ini_get(s, key);
	if (e) {
		size_t at = line_at(text, e->line), begin, len;

		add_value(&with, value);
		find_value(text->buf + at, &begin, &len);
		splice(text, at + begin, len, with.buf);
	} else {
		strbuf_addf(&with, "%-*s = ", KEY_WIDTH, key);
		add_value(&with, value);
		strbuf_addch(&with, '\n');
		insert(text, place_of(s, key), with.buf);
	}
	return 0;
}

int expect_edit_add(struct strbuf *text, const char *path, const char *name, const char *after,
		    const char *arg, struct err *err)
{
	struct ini ini __release(ini) = INI_INIT;
	char *lines __free(ptr) = xstrfmt("\n[%s%s%s]\n", name, *arg ? " " : "", arg);
	int ret = ini_parse(&ini, path, text->buf, text->len, err);

	if (!ret)
		insert(text, section_end(find(&ini, name, after)), lines);
	return ret;
}

/* Three digits, never as "1e+03". */
static void digits(double v, int round, char *buf)
{
	int exponent = v > 0 ? (int)floor(log10(v)) : 0;
	double step = pow(10, exponent - 2), steps = v / step;
	int decimals = exponent < 2 ? 2 - exponent : 0;
	double nearest = nearbyint(steps);

	/* what is three digits already stays, however it is represented */
	if (round && fabs(steps - nearest) > 1e-6)
		nearest = round > 0 ? ceil(steps) : floor(steps);
	snprintf(buf, 32, "%.*f", decimals > 12 ? 12 : decimals, nearest * step);
	if (strchr(buf, '.')) {
		size_t len = strlen(buf);

		while (buf[len - 1] == '0')
			buf[--len] = '\0';
		if (buf[len - 1] == '.')
			buf[len - 1] = '\0';
	}
}

struct scale {
	double one;
	const char *name;
};

const char *expect_edit_format(enum metric_unit unit, double v, int round, char *buf)
{
	/* The smallest last, all in powers of 1000: three digits of those are a whole number of
	 * bytes, which 1.37K is not. */
	static const struct scale times[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" },
					      { 1, "ns" } };
	static const struct scale rates[] = { { 1e6, "MB/s" }, { 1e3, "KB/s" }, { 1, "B/s" } };
	static const struct scale sizes[] = { { 1e6, "MB" }, { 1e3, "KB" }, { 1, "B" } };
	static const struct scale plain[] = { { 1, "" } };
	static const struct {
		const struct scale *v;
		size_t n;
	} tables[] = {
		[UNIT_RATIO] = { plain, 1 }, [UNIT_NUMBER] = { plain, 1 },
		[UNIT_TIME] = { times, ARRAY_SIZE(times) },
		[UNIT_RATE] = { rates, ARRAY_SIZE(rates) },
		[UNIT_BYTES] = { sizes, ARRAY_SIZE(sizes) },
	};
	const struct scale *s = tables[unit].v;
	size_t last = tables[unit].n - 1;

	if (unit == UNIT_BYTES && v >= MIB && v < 1e15 && fmod(v, MIB) <= 0) {
		snprintf(buf, 32, "%.0fM", v / MIB);
		return buf;
	}
	for (; last && v < s->one; last--)
		s++;
	digits(v / s->one, round, buf);
	/* the unit below which there is none has no parts */
	if (s->one == 1 && unit != UNIT_RATIO && unit != UNIT_NUMBER) {
		v = round > 0 ? ceil(v) : round < 0 ? floor(v) : nearbyint(v);
		snprintf(buf, 32, "%.0f", v);
	}
	strncat(buf, s->name, 31 - strlen(buf));
	return buf;
}
