/* SPDX-License-Identifier: GPL-2.0-only */
/* dd's report: "N+M records out" against its count=, and "N bytes (...) copied". */
#include "judge/dd.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"

#define COUNT	" count="
#define RECORDS " records out"
#define BYTES	" bytes ("

/* Decimal digits that end before *end, which is moved to the first of them. -1 without any. */
static int64_t number_before(const char *text, const char **end)
{
	const char *p = *end;

	while (p > text && p[-1] >= '0' && p[-1] <= '9')
		p--;
	/* 18 digits fit in any case */
	if (p == *end || *end - p > 18)
		return -1;
	*end = p;
	return strtoll(p, NULL, 10);
}

/* The number behind count=, with the suffixes that busybox knows; -1 if it is none. */
static int64_t parse_count(const char *s)
{
	static const struct {
		const char *suffix;
		int64_t factor;
	} units[] = {
		{ "", 1 }, { "b", 512 }, { "kD", 1000 }, { "k", 1024 }, { "K", 1024 },
		{ "MD", 1000000 }, { "M", 1 << 20 }, { "GD", 1000000000 }, { "G", 1 << 30 },
	};
	size_t digits = strspn(s, "0123456789"), len = strcspn(s + digits, " \t;|&)'\"\n");
	int64_t count;

	if (!digits || digits > 18)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strlen(units[i].suffix) != len ||
		    strncmp(s + digits, units[i].suffix, len) != 0)
			continue;
		if (!__builtin_mul_overflow(strtoll(s, NULL, 10), units[i].factor, &count))
			return count;
	}
	return -1;
}

/* The only place of needle in text, or NULL. */
static const char *only(const char *text, const char *needle)
{
	const char *p = strstr(text, needle);

	return p && !strstr(p + 1, needle) ? p : NULL;
}

bool dd_is_short(const char *run, const char *output, struct strbuf *why)
{
	const char *count = only(run, COUNT), *end = only(output, RECORDS);
	int64_t wanted = count ? parse_count(count + strlen(COUNT)) : -1;
	int64_t full, partial = end ? number_before(output, &end) : -1;

	if (wanted < 0 || partial < 0 || end == output || *--end != '+')
		return false;
	full = number_before(output, &end);
	if (full < 0 || (full == wanted && !partial))
		return false;
	strbuf_addf(why, "copied %" PRId64 "+%" PRId64 " of %" PRId64 " blocks only", full, partial,
		    wanted);
	return true;
}

int64_t dd_bytes(const char *output)
{
	const char *end = only(output, BYTES);

	/* other programs count bytes, too */
	return end && only(output, RECORDS) && strstr(end, "copied") ? number_before(output, &end) :
								       -1;
}
