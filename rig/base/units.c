/* SPDX-License-Identifier: GPL-2.0-only */
/* Sizes, times, rates and ratios with units, in whole-number arithmetic. */
#include "base/units.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"

/* What any int64_t with all its digits holds: 10^18 - 1 < 2^63. */
#define MAX_DIGITS 18

/* A decimal number as written: digits / 10^decimals. */
struct decimal {
	int64_t digits;
	int decimals;
	const char *unit; /* what follows the number */
};

struct unit {
	const char *name;
	int64_t factor;
};

static const struct unit size_units[] = {
	{ "B", 1 },	    { "K", 1LL << 10 },	  { "M", 1LL << 20 },
	{ "G", 1LL << 30 }, { "T", 1LL << 40 },	  { "KB", 1000 },
	{ "MB", 1000000 },  { "GB", 1000000000 }, { "TB", 1000000000000 },
};

static const struct unit time_units[] = {
	{ "ns", 1 },	   { "us", NS_PER_US },	     { "ms", NS_PER_MS },
	{ "s", NS_PER_S }, { "min", 60 * NS_PER_S }, { "h", 3600 * NS_PER_S },
};

/*
 * "12", "1.5". A point needs digits on both sides; signs, exponents and blanks are no part of a
 * number and are refused with what follows them.
 */
static int parse_decimal(const char *s, const char *what, struct decimal *d, struct err *err)
{
	size_t whole = strspn(s, "0123456789");
	size_t part = s[whole] == '.' ? strspn(s + whole + 1, "0123456789") : 0;

	*d = (struct decimal){ .decimals = (int)part };
	if (!whole || (s[whole] == '.' && !part))
		return err_input(err, "'%s' is not a %s", str_escape(s), what);
	if (whole + part > MAX_DIGITS)
		return err_input(err, "'%s' has more than %d digits", str_escape(s), MAX_DIGITS);
	for (const char *p = s; p < s + whole + part + (part ? 1 : 0); p++) {
		if (*p != '.')
			d->digits = d->digits * 10 + (*p - '0');
	}
	d->unit = s + whole + (part ? part + 1 : 0);
	return 0;
}

/* d times factor, exactly: a fraction that is left over is refused, not rounded. */
static int scale(const char *s, const struct decimal *d, int64_t factor, int64_t *v,
		 struct err *err)
{
	/* 10^18 * 3600 * 10^9 < 2^127 */
	__int128 product = (__int128)d->digits * factor;
	int64_t divisor = 1;

	for (int i = 0; i < d->decimals; i++)
		divisor *= 10;
	if (product % divisor)
		return err_input(err, "'%s' is not a whole number of the smallest unit",
				 str_escape(s));
	product /= divisor;
	if (product > INT64_MAX)
		return err_input(err, "'%s' is too large", str_escape(s));
	*v = (int64_t)product;
	return 0;
}

/* A kind of value: its units, and how it is spelled. */
struct quantity {
	const char *name, *examples; /* for messages */
	const struct unit *units;
	size_t n;
	const char *suffix; /* behind every unit */
	bool bare_zero;	    /* 0 means the same in every unit and needs none */
};

static const struct quantity size_quantity = {
	.name = "size",
	.examples = "64K or 27MB",
	.units = size_units,
	.n = ARRAY_SIZE(size_units),
	.suffix = "",
	.bare_zero = true,
};

static const struct quantity time_quantity = {
	.name = "time",
	.examples = "20ms or 1.15s",
	.units = time_units,
	.n = ARRAY_SIZE(time_units),
	.suffix = "",
	.bare_zero = true,
};

static const struct quantity rate_quantity = {
	.name = "rate",
	.examples = "512K/s or 27.4MB/s",
	.units = size_units,
	.n = ARRAY_SIZE(size_units),
	.suffix = "/s",
	.bare_zero = false,
};

static const struct unit *find_unit(const struct quantity *q, const char *text)
{
	for (size_t i = 0; i < q->n; i++) {
		size_t len = strlen(q->units[i].name);

		if (strncmp(text, q->units[i].name, len) == 0 && strcmp(text + len, q->suffix) == 0)
			return &q->units[i];
	}
	return NULL;
}

static int parse_quantity(const struct quantity *q, const char *s, int64_t *v, struct err *err)
{
	const struct unit *unit;
	struct decimal d;
	int ret = parse_decimal(s, q->name, &d, err);

	if (ret < 0)
		return ret;
	if (!*d.unit && !d.digits && q->bare_zero) {
		*v = 0;
		return 0;
	}
	if (!*d.unit)
		return err_input(err, "%s '%s' has no unit (write it like %s)", q->name,
				 str_escape(s), q->examples);
	unit = find_unit(q, d.unit);
	if (!unit)
		return err_input(err, "%s '%s' has an unknown unit (write it like %s)", q->name,
				 str_escape(s), q->examples);
	return scale(s, &d, unit->factor, v, err);
}

int parse_size(const char *s, int64_t *bytes, struct err *err)
{
	return parse_quantity(&size_quantity, s, bytes, err);
}

int parse_time(const char *s, int64_t *ns, struct err *err)
{
	return parse_quantity(&time_quantity, s, ns, err);
}

int parse_rate(const char *s, int64_t *bytes_per_s, struct err *err)
{
	return parse_quantity(&rate_quantity, s, bytes_per_s, err);
}

int parse_ratio(const char *s, double *ratio, struct err *err)
{
	struct decimal d;
	double divisor = 1;
	int ret = parse_decimal(s, "ratio", &d, err);

	if (ret < 0)
		return ret;
	if (*d.unit && strcmp(d.unit, "%") != 0)
		return err_input(err, "'%s' is not a ratio (write it like 1.5 or 150%%)",
				 str_escape(s));
	/* a power of ten up to 10^22 is an exact double, so only this division rounds (and the
	 * digits, if they are more than 2^53) */
	for (int i = 0; i < d.decimals + (*d.unit ? 2 : 0); i++)
		divisor *= 10;
	*ratio = (double)d.digits / divisor;
	return 0;
}

int parse_int(const char *s, int64_t min, int64_t max, int64_t *v, struct err *err)
{
	bool negative = *s == '-' && min < 0;
	struct decimal d;
	int ret = parse_decimal(s + negative, "whole number", &d, err);
	int64_t value;

	if (ret < 0)
		return ret;
	value = negative ? -d.digits : d.digits;
	if (d.decimals || *d.unit)
		return err_input(err, "'%s' is not a whole number", str_escape(s));
	if (value < min || value > max)
		return err_input(err, "%" PRId64 " is not between %" PRId64 " and %" PRId64, value,
				 min, max);
	*v = value;
	return 0;
}

int parse_bool(const char *s, int *v, struct err *err)
{
	static const char *const names[][2] = {
		{ "no", "yes" },
		{ "false", "true" },
		{ "off", "on" },
		{ "0", "1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		for (int value = 0; value < 2; value++) {
			if (strcmp(s, names[i][value]) == 0) {
				*v = value;
				return 0;
			}
		}
	}
	return err_input(err, "'%s' is neither yes nor no", str_escape(s));
}

const char *format_size(int64_t bytes, char *buf)
{
	static const char letters[] = "BKMGT";
	size_t i = 0;

	while (bytes && bytes % 1024 == 0 && letters[i + 1]) {
		bytes /= 1024;
		i++;
	}
	snprintf(buf, 32, "%" PRId64 "%c", bytes, letters[i]);
	return buf;
}

/* "1,220": the digits of v in groups of three. */
static void format_grouped(uint64_t v, const char *sign, const char *unit, char *buf)
{
	char digits[32];
	size_t n = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, v), out;

	out = (size_t)snprintf(buf, 32, "%s", sign);
	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			buf[out++] = ',';
		buf[out++] = digits[i];
	}
	snprintf(buf + out, 32 - out, " %s", unit);
}

/*
 * Three significant digits below 1,000 units, whole seconds above. A number that is whole
 * exactly, like a configured limit, gets no decimals.
 */
const char *format_time(int64_t ns, char *buf)
{
	/* the units up to seconds: the table lists them from small to large */
	const struct unit *unit = time_units, *seconds = &time_units[3];
	const char *sign = ns < 0 ? "-" : "";
	uint64_t v = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	uint64_t factor = 1, power = 100, shown;
	int decimals = 2;

	/* 999.5 us would be shown as 1000 us: it belongs to the next unit */
	for (; unit < seconds && v >= 1000 * factor - factor / 2; factor = (uint64_t)unit->factor)
		unit++;
	if (v % factor == 0 || v / factor >= 1000) {
		format_grouped(v / factor + (v % factor * 2 >= factor), sign, unit->name, buf);
		return buf;
	}
	/* as many decimals as leave three digits after rounding half up */
	while (decimals && (v * power + factor / 2) / factor >= 1000) {
		power /= 10;
		decimals--;
	}
	shown = (v * power + factor / 2) / factor;
	if (decimals)
		snprintf(buf, 32, "%s%" PRIu64 ".%0*" PRIu64 " %s", sign, shown / power, decimals,
			 shown % power, unit->name);
	else
		format_grouped(shown, sign, unit->name, buf);
	return buf;
}

const char *format_bytes(int64_t bytes, char *buf)
{
	static const char units[] = "BKMGTPE";
	double v = bytes > 0 ? (double)bytes : 0;
	int unit = 0;

	while (v >= 1023.5) {
		v /= 1024;
		unit++;
	}
	snprintf(buf, 32, v < 9.95 && unit ? "%.1f%c" : "%.0f%c", v, units[unit]);
	return buf;
}
