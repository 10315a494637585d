/* SPDX-License-Identifier: GPL-2.0-only */
/* Parsing and checking the arguments of the agent's jobs. */
#include "wire/jobargs.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_DIGITS 18	/* what any int64_t holds */
#define QUOTED	   48	/* of an argument, in a message */

struct unit {
	const char *name;
	int64_t factor;
};

static const struct unit size_units[] = {
	{ "B", 1 },	    { "K", 1LL << 10 },	  { "M", 1LL << 20 },
	{ "G", 1LL << 30 }, { "T", 1LL << 40 },	  { "KB", 1000 },
	{ "MB", 1000000 },  { "GB", 1000000000 }, { "TB", 1000000000000 },
	{ NULL, 0 },
};

static const struct unit time_units[] = {
	{ "ns", 1 },	      { "us", 1000 },	       { "ms", 1000000 },
	{ "s", 1000000000 },  { "min", 60000000000 },  { "h", 3600000000000 },
	{ NULL, 0 },
};

static const char *const kind_names[] = {
	[JOBARGS_SIZE] = "size", [JOBARGS_TIME] = "time", [JOBARGS_NUMBER] = "number",
	[JOBARGS_WORD] = "word", [JOBARGS_PATH] = "path", [JOBARGS_FLAG] = "flag",
};

const char *jobargs_kind_name(enum jobargs_kind kind)
{
	return kind_names[kind];
}

const struct jobargs_job *jobargs_find(const char *name)
{
	const struct jobargs_job *job;

	for (job = jobargs_jobs; job->name; job++) {
		if (strcmp(job->name, name) == 0)
			return job;
	}
	return NULL;
}

static int __attribute__((format(printf, 2, 3))) refuse(char *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, JOBARGS_WHY, fmt, ap);
	va_end(ap);
	return -1;
}

/* The first len bytes of a text as they may be shown. */
static const char *quoted(const char *text, size_t len, char *out)
{
	size_t i;

	for (i = 0; i < len && text[i] && i < QUOTED - 1; i++)
		out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	out[i] = '\0';
	return out;
}

/* "12", "1.5" times a unit's factor, exactly. What is no number or no whole one: -1. */
static int to_number(const char *text, const struct unit *units, int64_t *out)
{
	size_t whole = strspn(text, "0123456789"), part = 0, i;
	const char *unit = text + whole;
	__int128 value = 0, divisor = 1;

	if (units && *unit == '.') {
		part = strspn(unit + 1, "0123456789");
		if (!part)
			return -1;
		unit += part + 1;
	}
	if (!whole || whole + part > MAX_DIGITS)
		return -1;
	for (i = 0; i < whole + part + (part > 0); i++) {
		if (text[i] == '.')
			continue;
		value = value * 10 + (text[i] - '0');
		divisor *= i > whole ? 10 : 1;
	}
	for (; *unit && units && units->name; units++) {
		if (strcmp(unit, units->name) == 0)
			break;
	}
	/* 0 is 0 in every unit */
	if (*unit ? !units || !units->name : units && value)
		return -1;
	value *= *unit ? units->factor : 1;
	if (value % divisor || value / divisor > INT64_MAX)
		return -1;
	*out = (int64_t)(value / divisor);
	return 0;
}

static int take_number(const struct jobargs_param *param, const char *text, int64_t *out,
		       char *why)
{
	static const char *const like[] = {
		[JOBARGS_SIZE] = "64K or 27MB", [JOBARGS_TIME] = "20ms or 3s",
		[JOBARGS_NUMBER] = "300",
	};
	const struct unit *units = param->kind == JOBARGS_SIZE ? size_units :
				   param->kind == JOBARGS_TIME ? time_units : NULL;
	char shown[QUOTED];

	if (to_number(text, units, out) < 0)
		return refuse(why, "'%s=%s': not a %s (write it like %s)", param->name,
			      quoted(text, SIZE_MAX, shown), kind_names[param->kind],
			      like[param->kind]);
	if (*out < param->min || *out > param->max)
		return refuse(why, "'%s=%s': not between %" PRId64 " and %" PRId64 "%s",
			      param->name, quoted(text, SIZE_MAX, shown), param->min, param->max,
			      param->kind == JOBARGS_SIZE   ? " bytes"
			      : param->kind == JOBARGS_TIME ? " ns"
							    : "");
	return 0;
}

/* The word's place in a list "a|b|c", or -1. */
static int place_of(const char *words, const char *word)
{
	size_t len = strlen(word);
	int place = 0;

	for (;; place++) {
		size_t n = strcspn(words, "|");

		if (n == len && memcmp(words, word, n) == 0)
			return place;
		if (!words[n])
			return -1;
		words += n + 1;
	}
}

static int take_value(const struct jobargs_param *param, const char *text,
		      struct jobargs_value *value, char *why)
{
	char shown[QUOTED];
	int place;

	value->text = text;
	switch (param->kind) {
	case JOBARGS_SIZE:
	case JOBARGS_TIME:
	case JOBARGS_NUMBER:
		return take_number(param, text, &value->number, why);
	case JOBARGS_WORD:
	case JOBARGS_FLAG:
		place = place_of(param->kind == JOBARGS_FLAG ? "no|yes" : param->words, text);
		value->number = place;
		if (place < 0)
			return refuse(why, "'%s=%s': not one of %s", param->name,
				      quoted(text, SIZE_MAX, shown),
				      param->kind == JOBARGS_FLAG ? "yes|no" : param->words);
		return 0;
	case JOBARGS_PATH:
		if (*text != '/')
			return refuse(why, "'%s=%s': a path begins with a slash", param->name,
				      quoted(text, SIZE_MAX, shown));
		return 0;
	}
	return -1;
}

void jobargs_begin(struct jobargs *args, const struct jobargs_job *job)
{
	memset(args, 0, sizeof(*args));
	args->job = job;
}

int jobargs_take(struct jobargs *args, const char *word, bool open, char *why)
{
	size_t len = strcspn(word, "="), i;
	const struct jobargs_param *param = args->job->params;
	const char *text = word[len] ? word + len + 1 : NULL;
	char shown[QUOTED];

	/* where the shell puts in more, the name may be anything */
	if (open && memchr(word, '$', len))
		return refuse(why, "'%s': the name of a parameter must stand there as it is",
			      quoted(word, len, shown));
	for (i = 0; param[i].name; i++) {
		if (strlen(param[i].name) == len && memcmp(param[i].name, word, len) == 0)
			break;
	}
	param += i;
	if (!param->name)
		return refuse(why, "%s has no parameter '%s'", args->job->name,
			      quoted(word, len, shown));
	if (args->values[i].given)
		return refuse(why, "'%s' is given twice", param->name);
	args->values[i].given = true;
	if (!text && param->kind == JOBARGS_FLAG)
		text = "yes";
	if (!text)
		return refuse(why, "'%s' needs a value: %s=%s", param->name, param->name,
			      kind_names[param->kind]);
	return open ? 0 : take_value(param, text, &args->values[i], why);
}

static const struct jobargs_value *find(const struct jobargs *args, const char *name)
{
	static const struct jobargs_value absent;
	size_t i;

	for (i = 0; args->job->params[i].name; i++) {
		if (strcmp(args->job->params[i].name, name) == 0)
			return &args->values[i];
	}
	return &absent;
}

int64_t jobargs_number(const struct jobargs *args, const char *name)
{
	return find(args, name)->number;
}

const char *jobargs_text(const struct jobargs *args, const char *name)
{
	const char *text = find(args, name)->text;

	return text ? text : "";
}

bool jobargs_given(const struct jobargs *args, const char *name)
{
	return find(args, name)->given;
}

bool jobargs_is(const struct jobargs *args, const char *name, const char *word)
{
	return strcmp(jobargs_text(args, name), word) == 0;
}

/* What would make the last block of something a piece of one. An open argument is 0 here. */
static int check_multiple(const struct jobargs *args, const char *name, char *why)
{
	int64_t block = jobargs_number(args, "block");

	if (!block || !jobargs_given(args, name) || jobargs_number(args, name) % block == 0)
		return 0;
	return refuse(why, "'%s' is not a multiple of 'block', %" PRId64 " bytes", name, block);
}

int jobargs_finish(struct jobargs *args, char *why)
{
	const struct jobargs_param *param = args->job->params;
	size_t i;

	for (i = 0; param[i].name; i++) {
		struct jobargs_value *value = &args->values[i];

		if (value->given)
			continue;
		if (param[i].required)
			return refuse(why, "%s needs '%s'", args->job->name, param[i].name);
		if (param[i].standard && take_value(&param[i], param[i].standard, value, why) < 0)
			return -1;
	}
	if (check_multiple(args, "size", why) < 0 || check_multiple(args, "span", why) < 0)
		return -1;
	if (jobargs_number(args, "direct") && jobargs_number(args, "block") % 512)
		return refuse(why, "'direct' needs a 'block' that is a multiple of 512 bytes");
	return 0;
}
